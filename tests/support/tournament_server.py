"""A live server with a scheduler, bots that play in its process, and tournaments in a line."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from fangnetz_server.games.registry import AnyGame, load_games
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.keys import HostKeys
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.scheduling.commands import Commands
from fangnetz_server.scheduling.scheduler import Scheduler
from fangnetz_server.store.store import opened_store
from fangnetz_server.web.app import make_app
from support.clients import BotClient, Policy, coast, stroll
from support.live_server import LiveServer, eventually

__all__ = ["WHO", "Arena", "league", "tournament_server"]

MutePolicy = Callable[[dict[str, Any]], dict[str, Any] | None]
"""A policy that may also say nothing."""
_POLICIES: Final[dict[str, Policy]] = {"spaceballs": coast, "right2live": stroll}
_SHORT: Final[dict[str, dict[str, Any]]] = {
    "spaceballs": {"duration": 0.3},
    "right2live": {"max_rounds": 5},
}
WHO: Final = "host@test"


def league(*bots: str, kind: str = "round_robin", game: str = "spaceballs", **more: Any) -> dict[str, Any]:
    """Return a tournament file with short matches; options of the format are in `options`."""
    return {
        "name": "League",
        "game": game,
        "format": {"kind": kind, **more.pop("options", {})},
        "ruleset": _SHORT.get(game, {}),
        "settings": {"deadline_ms": 60_000},
        "absence": {"grace_s": 60.0},
        "entries": [{"bot": bot, "rank": rank} for rank, bot in enumerate(bots, start=1)],
        **more,
    }


class Arena(LiveServer):
    """A live server that plays tournaments."""

    def __init__(self, host: Host, port: int, clients: AsyncExitStack, scheduler: Scheduler) -> None:
        super().__init__(host, port, clients)
        self.scheduler = scheduler
        self.commands = Commands(scheduler)
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def register(self, *names: str) -> None:
        """Register bots, as the host does."""
        for name in names:
            if await self.host.store.bots.like(name) is None:
                await self.host.store.bots.add(name)

    async def enter(self, *names: str, policy: MutePolicy | None = None, game: str = "spaceballs") -> None:
        """Let registered bots come in and play whatever they get, until the server ends or they leave."""
        await self.register(*names)
        for name in names:
            bot = await self.host.store.bots.like(name)
            assert bot is not None
            token = await self.host.store.bots.rotate(bot.id)
            client = await self.raw_bot()
            await client.hello(name, token=token)
            self._playing[name] = asyncio.create_task(_play(client, policy or _POLICIES[game]))

    async def leave(self, name: str) -> None:
        """Let a bot go without a goodbye."""
        task = self._playing.pop(name)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def quit(self) -> None:
        for name in list(self._playing):
            await self.leave(name)

    async def make(self, data: dict[str, Any], tournament: str = "cup") -> None:
        """Make a tournament; bots without a process of the server's are registered."""
        own = {bot["name"] for bot in data.get("bots", ())}
        await self.register(*(entry["bot"] for entry in data["entries"] if entry["bot"] not in own))
        await self.commands.create(data, WHO, tournament)

    async def start(self, data: dict[str, Any], tournament: str = "cup") -> None:
        """Make a tournament and start it."""
        await self.make(data, tournament)
        await self.commands.start(tournament, WHO)

    async def state(self, tournament: str = "cup") -> str:
        return (await self.host.store.tournaments.get(tournament)).state

    async def finished(self, tournament: str = "cup") -> None:
        """Wait until a tournament is over."""
        await eventually(lambda: self.scheduler.run(tournament) is None, f"the end of {tournament}")
        assert await self.state(tournament) == "finished"

    async def table(self, tournament: str = "cup") -> list[tuple[int, str, float]]:
        """Return place, bot and points of each line of the table."""
        picture = await self.scheduler.views.picture(tournament, for_host=True)
        return [(row.place, row.bot, row.points) for row in picture.rows]

    async def reasons(self, tournament: str = "cup") -> list[str]:
        """Return the reasons of all results that count, in playing order."""
        history = await self.host.store.tournaments.history(tournament)
        return [fact.reason for _, fact in history.played()]


async def _play(client: BotClient, policy: MutePolicy) -> None:
    try:
        while True:
            message = json.loads(await client.socket.recv())
            if message["type"] == "match_start":
                await client.send({"type": "ready", "match": message["match"]})
            elif message["type"] == "observation":
                part = policy(message)
                if part is not None:
                    await client.act(message, part)
            client.log.clear()
    except ConnectionClosed:
        return
    finally:
        client.cut()


@asynccontextmanager
async def tournament_server(
    folder: Path,
    *,
    port: int = 0,
    database: str | None = None,
    scheduler: dict[str, Any] | None = None,
    games: Mapping[str, AnyGame] | None = None,
    **options: Any,
) -> AsyncIterator[Arena]:
    """Run a server with a scheduler in the running loop.

    Args:
        folder: for its data.
        port: 0 takes a free one.
        database: URL of PostgreSQL; None: SQLite in the folder.
        scheduler: options of `Scheduler`.
        games: the rules by id; None: all that are installed.
        options: of `Host`.
    """
    async with opened_store(folder, database=database) as store:
        options = {"matchmaking": False, "keys": HostKeys(folder), **options}
        host = Host(games or load_games(), store, Admission(store, is_open=False), **options)
        made = Scheduler(host, **{"logs": folder / "logs", "any_program": True, **(scheduler or {})})
        listener = open_port("127.0.0.1", port)
        address = f"ws://127.0.0.1:{listener.getsockname()[1]}"
        async with (
            serve(host, make_app(host, made), listener),
            AsyncExitStack() as clients,
            made.open(address),
        ):
            arena = Arena(host, listener.getsockname()[1], clients, made)
            try:
                yield arena
            finally:
                await arena.quit()

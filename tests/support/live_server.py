"""The real server on 127.0.0.1, in the test's own loop or in a thread of its own, and clients for it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.games.registry import load_games
from fangnetz_server.gateway.gateway import Entrance
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.keys import HostKeys
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.store import opened_store
from fangnetz_server.web.app import make_app
from support.clients import PATIENCE_S, BotClient, Client, Policy, coast, open_socket, stroll

__all__ = [
    "SHORT",
    "LiveServer",
    "ThreadedServer",
    "entrants",
    "eventually",
    "live_server",
    "threaded_server",
]

T = TypeVar("T")
JsonObject = dict[str, Any]

SHORT: Final[dict[str, JsonObject]] = {
    "spaceballs": {"ruleset": {"duration": 0.5}},
    "right2live": {"seats": 2, "ruleset": {"max_rounds": 10}},
}
"""For each game a setup whose match ends with tick 10 if nobody moves."""
_POLICIES: Final[dict[str, Policy]] = {"spaceballs": coast, "right2live": stroll}


def entrants(*names: str) -> list[Entrant]:
    """Return who sits on each seat; on an open server a bot's name is its id."""
    return [Entrant(BotId(name), name) for name in names]


async def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds that no message announces."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():  # noqa: ASYNC110  # There is no event to wait for.
                await asyncio.sleep(0.002)
    except TimeoutError:
        raise AssertionError(f"in vain waited for: {what}") from None


class LiveServer:
    """A running server. Its clients are closed with it."""

    def __init__(self, host: Host, port: int, clients: AsyncExitStack) -> None:
        self.host = host
        self.port = port
        self.http = f"http://127.0.0.1:{port}"
        self.ws = f"ws://127.0.0.1:{port}"
        self._clients = clients

    def create(self, game: str, *names: str, **options: Any) -> Table:
        """Make a match for bots with these names; without `setup` it is the short one of the game.

        Other options are those of `Host.create_match`, and the fields of `MatchSettings`.
        """
        rest = ("setup", "seed")
        fields = {key: value for key, value in options.items() if key not in rest}
        return self.host.create_match(
            game,
            entrants(*names),
            setup=options.get("setup", SHORT[game]),
            seed=options.get("seed", 7),
            settings=MatchSettings.defaults(load_games()[game].info, **fields),
        )

    async def raw_bot(self, **options: Any) -> BotClient:
        """Connect to `/play` and say nothing yet; options go to `websockets`."""
        return BotClient(await self._clients.enter_async_context(open_socket(f"{self.ws}/play", **options)))

    async def bot(self, name: str | None, **more: Any) -> BotClient:
        """Connect a bot and say hello; `more` are fields of the `hello`."""
        bot = await self.raw_bot()
        await bot.hello(name, **more)
        return bot

    async def spectator(self, match: str, **options: Any) -> Client:
        """Watch a match."""
        url = f"{self.ws}/watch/{match}"
        return Client(await self._clients.enter_async_context(open_socket(url, **options)))

    async def lobby(self) -> Client:
        """Watch the list of matches."""
        return Client(await self._clients.enter_async_context(open_socket(f"{self.ws}/watch")))

    async def play(self, game: str, *names: str, policy: Policy | None = None, **options: Any) -> MatchResult:
        """Play a whole match with new bots that all do the same, and return its stored result."""
        match = self.create(game, *names, **options).match.id
        result = asyncio.create_task(self.host.wait_result(match))
        bots = [await self.bot(name) for name in names]
        await asyncio.gather(*(bot.play(policy or _POLICIES[game]) for bot in bots))
        await asyncio.gather(*(bot.socket.close() for bot in bots))
        return await result

    async def hang_up(self) -> None:
        """Close all clients so far."""
        await self._clients.aclose()

    def result(self, match: str) -> JsonObject:
        """Return the stored result of a match that has just ended."""
        record = self.host.results.find(MatchId(match))
        assert record is not None, f"match {match} is not stored"
        return record.to_json()

    async def gone(self) -> None:
        """Wait until no connection and no match is left, and check that nothing of them is."""
        gateway = self.host.gateway
        await eventually(lambda: not gateway.handler_tasks, "the end of all connections")
        await eventually(lambda: not self.host.tables, "the end of all matches")
        await eventually(lambda: not list(gateway.links), "the end of all links; is resume_s small?")
        assert len(gateway.lobby) == 0


@asynccontextmanager
async def live_server(
    folder: Path, *, limits: Limits | None = None, is_open: bool = True, prefix: str = "", **options: Any
) -> AsyncIterator[LiveServer]:
    """Run a server in the running loop.

    Args:
        folder: for its data.
        limits: of the server; None: the default.
        is_open: bots may come in without a token.
        prefix: path under which a proxy serves it.
        options: of `Host`; without `matchmaking=True` only the test makes matches.
    """
    options = {"matchmaking": False, "entrance": Entrance(prefix), **options}
    async with opened_store(folder) as store:
        host = Host(
            load_games(),
            store,
            Admission(store, is_open=is_open),
            keys=HostKeys(folder),
            limits=limits,
            **options,
        )
        listener = open_port("127.0.0.1", 0)
        async with serve(host, make_app(host, prefix=prefix), listener), AsyncExitStack() as clients:
            yield LiveServer(host, listener.getsockname()[1], clients)


ServerKind = Callable[..., AbstractAsyncContextManager[LiveServer]]
"""Runs a server in the running loop; it is given the folder for its data."""


class ThreadedServer:
    """A running server in a thread of its own, for tests that block, such as those with a browser."""

    def __init__(self, server: LiveServer, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.url = server.http
        self._loop = loop
        self._playing: list[asyncio.Task[None]] = []

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's loop and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(2 * PATIENCE_S)

    def play(
        self, game: str, bots: Sequence[str], *, policy: Policy | None = None, **options: Any
    ) -> MatchId:
        """Start a match between new bots with these names, and return its id at once.

        Args:
            game: id of the game.
            bots: names, one a seat.
            policy: what all of them do; None: stroll about (Right2Live) or coast (Spaceballs).
            options: as for `LiveServer.create`; `pace="realtime", tick_ms=50` makes it run slowly.
        """
        return self.run(self._start(game, bots, policy or _POLICIES[game], options))

    def wait_over(self, match: MatchId) -> JsonObject:
        """Wait until a match is over and stored, and return its result."""
        self.run(
            eventually(lambda: self.server.host.results.find(match) is not None, f"the end of match {match}")
        )
        return self.server.result(match)

    def lose(self, match: MatchId, seat: int) -> None:
        """Break the connection of the bot on a seat, without a goodbye."""
        self.run(self._lose(match, seat))

    def keep(self, playing: Coroutine[Any, Any, None]) -> None:
        """Let a bot play beside the test; called in the server's loop."""
        self._playing.append(asyncio.create_task(playing))

    async def close(self) -> None:
        """End the bots that still play; called in the server's loop."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def _start(self, game: str, names: Sequence[str], policy: Policy, options: JsonObject) -> MatchId:
        match = self.server.create(game, *names, **options).match.id
        for name in names:
            bot = await self.server.bot(name)
            self.keep(_play_and_leave(bot, policy))
        return match

    async def _lose(self, match: MatchId, seat: int) -> None:
        socket = self.server.host.tables[match].links()[seat].socket
        assert socket is not None, f"seat {seat} is not connected"
        socket.transport.abort()


async def _play_and_leave(bot: BotClient, policy: Policy) -> None:
    await bot.play(policy)
    await bot.socket.close()


@contextmanager
def threaded_server(
    folder: Path, *, kind: ServerKind | None = None, **options: Any
) -> Iterator[ThreadedServer]:
    """Run a server in a thread; the options are those of its kind, which is `live_server` if not said."""
    started: Future[ThreadedServer] = Future()
    stop = threading.Event()
    with ThreadPoolExecutor(1, thread_name_prefix="live-server") as pool:
        ended = pool.submit(asyncio.run, _serve_until(stop, started, kind or live_server, folder, options))
        futures: tuple[Future[Any], ...] = (started, ended)
        wait(futures, PATIENCE_S, return_when=FIRST_COMPLETED)
        try:
            if started.done():
                yield started.result()
        finally:
            stop.set()
            ended.result()


async def _serve_until(
    stop: threading.Event,
    started: "Future[ThreadedServer]",
    kind: ServerKind,
    folder: Path,
    options: JsonObject,
) -> None:
    async with kind(folder, **options) as server:
        threaded = ThreadedServer(server, asyncio.get_running_loop())
        started.set_result(threaded)
        await asyncio.to_thread(stop.wait)
        await threaded.close()

"""`fangnetz demo`: both games over real sockets, with the reference bots, in under two minutes."""

import asyncio
import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from fangnetz_protocol.words import BotId
from fangnetz_server.cli.bots import BotProcess, BotSpec, bot_processes
from fangnetz_server.cli.console import run_async, set_up_logs
from fangnetz_server.cli.report import standings, standings_table
from fangnetz_server.cli.wiring import choose_games, match_setup, settings_for
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.store.store import opened_store
from fangnetz_server.web.app import make_app

__all__ = ["run_demo"]

_CAST: Final[Mapping[str, Mapping[str, str]]] = {
    "right2live": {"Ada": "strong", "Bert": "simple", "Cleo": "simple", "Dora": "random"},
    "spaceballs": {"Emil": "strong", "Frida": "simple", "Gabi": "random"},
}
"""Who plays what: a name and a strength a bot."""
_MAPS: Final = ("pocket", "courtyard", "slopes")
"""One match of Right2Live on each."""
_SEED: Final = 2010
_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True)
class _Fixture:
    """A match to play."""

    game: str
    entrants: tuple[Entrant, ...]
    setup: Mapping[str, Any]
    seed: int


def run_demo(*, data: Path, port: int) -> None:
    """Play the demo and print the tables.

    Raises:
        CommandError: the port is taken or the data folder cannot be used.
    """
    games = choose_games(list(_CAST))
    settings = settings_for(games, "lockstep")
    set_up_logs(logging.ERROR)
    console = Console(highlight=False)

    async def main() -> None:
        async with opened_store(data) as store:
            listener = open_port("127.0.0.1", port)
            url = f"127.0.0.1:{listener.getsockname()[1]}"
            admission = Admission(store, is_open=False)
            host = Host(games, store, admission, settings=settings, matchmaking=False)
            bots = [
                (BotSpec(f"{game}:{strength}", name), admission.reserve(Entrant(BotId(name), name)))
                for game, cast in _CAST.items()
                for name, strength in cast.items()
            ]
            console.print(
                f"[bold green]Fangnetz[/] plays {len(bots)} bots over WebSockets. Watch: http://{url}/\n"
            )
            async with (
                serve(host, make_app(host), listener),
                bot_processes(f"ws://{url}", bots, data / "logs", matches=None) as processes,
            ):
                results = await _play_all(host, _fixtures(host), processes, console)
            _report(console, results, data)

    run_async(main())


def _fixtures(host: Host) -> list[_Fixture]:
    fixtures = []
    infos = {info.id: info for info in host.games()}
    runners = tuple(Entrant(BotId(name), name) for name in _CAST["right2live"])
    for number, map_name in enumerate(_MAPS):
        order = runners[number:] + runners[:number]
        setup = match_setup(infos["right2live"], len(order), map_name)
        fixtures.append(_Fixture("right2live", order, setup, _SEED + number))
    balls = tuple(Entrant(BotId(name), name) for name in _CAST["spaceballs"])
    for number, pair in enumerate(itertools.permutations(balls, 2)):
        fixtures.append(_Fixture("spaceballs", pair, {}, _SEED + number))
    return fixtures


async def _play_all(
    host: Host, fixtures: Sequence[_Fixture], bots: Sequence[BotProcess], console: Console
) -> list[MatchResult]:
    """Play all matches, a few at the same time, and show the progress of each game."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    free = asyncio.Semaphore(_AT_ONCE)
    with Progress(*columns, console=console) as progress:
        bars = {
            game: progress.add_task(info.title, total=sum(f.game == game for f in fixtures))
            for game, info in ((info.id, info) for info in host.games())
        }
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_play(host, fixture, free, progress, bars)) for fixture in fixtures]
    for bot in bots:
        if bot.failed:
            console.print(f"[red]{bot.spec.name} has ended:[/] {bot.last_words()} (see {bot.log})")
    return [task.result() for task in tasks]


async def _play(
    host: Host, fixture: _Fixture, free: asyncio.Semaphore, progress: Progress, bars: Mapping[str, TaskID]
) -> MatchResult:
    async with free:
        table = host.create_match(fixture.game, fixture.entrants, setup=fixture.setup, seed=fixture.seed)
        result = await host.wait_result(table.match.id)
        progress.advance(bars[fixture.game])
        return result


def _report(console: Console, results: Sequence[MatchResult], data: Path) -> None:
    for game, cast in _CAST.items():
        lines = standings(result for result in results if result.game == game)
        strengths = ", ".join(f"{name} is {strength}" for name, strength in cast.items())
        console.print()
        console.print(standings_table(game, lines))
        console.print(f"[dim]{strengths}[/]")
    console.print()
    console.print(f"Replays  {data / 'replays'}/  ({len(results)} matches)")
    console.print(f"Prove    fangnetz replay verify {data / 'replays'}/*/*.ndjson.zst")
    console.print(f"Watch    fangnetz serve --data {data}   then open http://127.0.0.1:7474/")
    console.print("Play     fangnetz play spaceballs strong simple --watch")

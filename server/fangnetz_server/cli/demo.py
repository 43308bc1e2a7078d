"""`fangnetz demo`: a small tournament in both games over real sockets, in less than a minute."""

import asyncio
import importlib.util
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fangnetz_server.cli import CommandError
from fangnetz_server.cli.console import command_name, run_async, set_up_logs
from fangnetz_server.cli.report import Standing, standings_table
from fangnetz_server.cli.wiring import choose_games, settings_for
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.reports.html import html_page
from fangnetz_server.reports.picture import Picture
from fangnetz_server.reports.words import rating_text
from fangnetz_server.scheduling.commands import Commands
from fangnetz_server.scheduling.scheduler import CREATED, FINISHED, PAUSED, Scheduler
from fangnetz_server.store.store import Store, opened_store
from fangnetz_server.store.values import Tournament
from fangnetz_server.web.app import make_app

__all__ = ["run_demo"]

_CAST: Final[Mapping[str, Mapping[str, str]]] = {
    "right2live": {"Ada": "strong", "Bert": "simple", "Cleo": "simple", "Dora": "random"},
    "spaceballs": {"Emil": "strong", "Frida": "simple", "Gabi": "random"},
}
"""Who plays what: a name and a strength a bot."""
_PLANS: Final[Mapping[str, Mapping[str, Any]]] = {
    "right2live": {"format": {"kind": "free_for_all"}, "maps": ["pocket", "courtyard", "slopes"]},
    "spaceballs": {"format": {"kind": "round_robin", "legs": 2}},
}
_SEED: Final = 2010
_AT_ONCE: Final = 2
_REFRESH_S: Final = 0.1
_WHO: Final = "fangnetz demo"


def run_demo(*, data: Path, port: int) -> None:
    """Play the demo and print the tables; what an earlier one has left is gone on with.

    Raises:
        CommandError: the port is taken, or the data folder cannot be used.
    """
    if importlib.util.find_spec("fangnetz") is None:
        raise CommandError("the bots need the Python SDK: pip install fangnetz")
    games = choose_games(list(_CAST))
    settings = settings_for(games, "lockstep")
    set_up_logs(logging.ERROR)
    console = Console(highlight=False)

    async def main() -> None:
        async with opened_store(data) as store:
            listener = open_port("127.0.0.1", port)
            url = f"127.0.0.1:{listener.getsockname()[1]}"
            host = Host(games, store, Admission(store, is_open=False), settings=settings, matchmaking=False)
            scheduler = Scheduler(host, capacity=_AT_ONCE, logs=data / "logs")
            bots = sum(map(len, _CAST.values()))
            console.print(f"[bold green]Fangnetz[/] plays {bots} bots over WebSockets. Watch: http://{url}/")
            async with (
                serve(host, make_app(host, scheduler), listener),
                scheduler.open(f"ws://{url}"),
            ):
                chosen = [await _choose(scheduler, game, console) for game in _CAST]
                console.print()
                await _follow(scheduler, chosen, console)
                await _report(console, scheduler, chosen, data)

    run_async(main())


async def _choose(scheduler: Scheduler, game: str, console: Console) -> str:
    """Return the tournament that plays from now on: the newest, or the next one if that is over."""
    commands = Commands(scheduler)
    earlier = await _earlier(scheduler.store, game)
    if earlier and earlier[-1].state != FINISHED:
        known = earlier[-1]
        console.print(f"{known.name} goes on where it was.")
    else:
        title = scheduler.host.rules[game].info.title
        file = _file(game, title, len(earlier) + 1)
        known = await commands.create(file, _WHO, f"demo-{game}-{len(earlier) + 1}")
    if known.state == CREATED:
        await commands.start(known.id, _WHO)
    elif known.state == PAUSED:
        await commands.resume(known.id, _WHO)
    return known.id


async def _earlier(store: Store, game: str) -> list[Tournament]:
    """Return the demo's tournaments of a game, the first one first."""
    found = [known for known in await store.tournaments.all() if known.id.startswith(f"demo-{game}-")]
    return sorted(found, key=lambda known: (len(known.id), known.id))


def _file(game: str, title: str, number: int) -> dict[str, Any]:
    bots = [{"name": name, "bot": f"{game}:{strength}"} for name, strength in _CAST[game].items()]
    return {
        "name": f"{title} cup {number}",
        "game": game,
        "seed": _SEED + number - 1,
        "bots": bots,
        **_PLANS[game],
    }


async def _follow(scheduler: Scheduler, chosen: Sequence[str], console: Console) -> None:
    """Show the progress of each tournament until all are over; say so if a bot has ended."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    told: set[str] = set()
    with Progress(*columns, console=console) as bars:
        tasks = {name: bars.add_task(name, total=None) for name in chosen}
        while True:
            states = []
            for name, task in tasks.items():
                known = await scheduler.store.tournaments.get(name)
                progress = await scheduler.progress(known)
                bars.update(task, description=known.name, completed=progress.done, total=progress.total)
                states.append(known.state)
                for problem in set(progress.problems) - told:
                    told.add(problem)
                    console.print(f"[red]{known.name}:[/] {problem}")
            if all(state == FINISHED for state in states):
                return
            await asyncio.sleep(_REFRESH_S)


async def _report(console: Console, scheduler: Scheduler, chosen: Sequence[str], data: Path) -> None:
    for name in chosen:
        picture = await scheduler.views.whole(name, for_host=True)
        cast = _CAST[picture.game]
        console.print()
        more = {"plays": cast, "rating": await _ratings(scheduler, picture.game)}
        console.print(standings_table(picture.name, _lines(picture), more))
        (data / f"{name}.html").write_text(html_page(picture, "http://127.0.0.1:7474/"), encoding="utf-8")
    total = (await scheduler.store.matches.page(limit=1)).total
    console.print()
    hints = {
        "Replays": f"{data / 'replays'}/  ({total} matches)",
        "Prove": f"{command_name()} replay verify {data / 'replays'}/*/*.ndjson.zst",
        "Reports": "\n         ".join(str(data / f"{name}.html") for name in chosen),
        "Watch": f"{command_name()} serve --data {data}   then open http://127.0.0.1:7474/",
        "Play": f"{command_name()} play spaceballs strong simple --watch",
    }
    for what, how in hints.items():
        console.print(f"{what:<8} {how}", soft_wrap=True)


def _lines(picture: Picture) -> list[Standing]:
    return [
        Standing(row.bot, row.played, row.wins, row.draws, row.losses, row.points) for row in picture.rows
    ]


async def _ratings(scheduler: Scheduler, game: str) -> dict[str, str]:
    """Return each bot's rating over all matches of the data folder."""
    names = {bot.id: bot.name for bot in await scheduler.store.bots.all()}
    found = await scheduler.ratings.ratings(game)
    return {names.get(line.bot, line.bot): rating_text(line.rating) for line in found}

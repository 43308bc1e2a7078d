"""`fangnetz play --n`: many matches of the same bots."""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from fangnetz_protocol.words import BotId
from fangnetz_server.cli import CommandError
from fangnetz_server.cli.bots import BotProcess, BotSpec, bot_processes, keep_logs
from fangnetz_server.cli.console import run_async, set_up_logs
from fangnetz_server.cli.play import SEEDS, attend, named_bots, seat_seed
from fangnetz_server.cli.series_report import Fixture, Played, SeriesReport, tally
from fangnetz_server.cli.wiring import choose_games, match_setup, settings_for
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant, Presence
from fangnetz_server.store.store import opened_store
from fangnetz_server.web.app import make_app

__all__ = ["fixtures", "play_series"]

_TRIES: Final = 3
"""Matches without a result, for no fault of the bots, before it is given up."""


def play_series(
    *,
    game: str,
    bots: Sequence[str],
    matches: int,
    seed: int | None,
    map_name: str | None,
    pace: str,
    jobs: int | None,
    port: int,
    data: Path,
) -> None:
    """Play many matches and print what they say.

    Every match has bots of its own, started for it, so that each can be played again by its seed.

    Args:
        game: its id.
        bots: as for one match; the first one is the one that it is about.
        matches: how many.
        seed: of the first match; None: drawn.
        map_name: the map, if the game has maps.
        pace: of the matches.
        jobs: matches at the same time; None: by the cores.
        port: TCP port of the server.
        data: folder for results, replays and logs.

    Raises:
        CommandError: an option is wrong, a bot does not come, or a match has no result again and again.
    """
    games = choose_games([game])
    specs = named_bots(game, bots)
    first = secrets.randbelow(SEEDS) if seed is None else seed
    plan = _Plan(game, specs, match_setup(games[game].info, len(specs), map_name), data / "logs")
    settings = settings_for(games, pace)
    set_up_logs(logging.ERROR)
    console = Console(highlight=False)
    options = _options(map_name, pace, data)

    async def main() -> None:
        async with opened_store(data) as store:
            host = Host(games, store, Admission(store, is_open=False), settings=settings, matchmaking=False)
            listener = open_port("127.0.0.1", port)
            url = f"127.0.0.1:{listener.getsockname()[1]}"
            console.print(f"Watch   http://{url}/")
            async with serve(host, make_app(host), listener):
                series = _Series(host, plan, f"ws://{url}", console)
                try:
                    await series.run(fixtures(len(specs), matches, first), _jobs(jobs), matches)
                finally:  # What was played until Ctrl-C is worth a table, too.
                    report = SeriesReport(game, bots, [spec.name for spec in specs], options, store, data)
                    report.show(sorted(series.played, key=lambda one: one.fixture.number), console)

    run_async(main())


def _jobs(given: int | None) -> int:
    return given or max(1, (os.cpu_count() or 1) // 2)


def _options(map_name: str | None, pace: str, data: Path) -> list[str]:
    """Return the options with which a match of the series is played again."""
    given = {"--map": map_name, "--pace": None if pace == "lockstep" else pace}
    options = [word for name, value in given.items() if value is not None for word in (name, value)]
    return options if data == Path("fangnetz-data") else [*options, "--data", str(data)]


def fixtures(bots: int, matches: int, seed: int) -> Iterator[Fixture]:
    """Yield the matches of a series.

    Two bots play each field twice, with swapped seats; more of them move up a seat from field to field.
    """
    for number in range(matches):
        turn = number % bots
        order = tuple((seat + turn) % bots for seat in range(bots))
        yield Fixture(number + 1, seed + (number // 2 if bots == 2 else number), order)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to play."""

    game: str
    bots: Sequence[BotSpec]
    setup: Mapping[str, Any]
    logs: Path


class _Series:
    """A series at play: some jobs, each with one match after the other."""

    def __init__(self, host: Host, plan: _Plan, url: str, console: Console) -> None:
        self.played: list[Played] = []
        self._host = host
        self._plan = plan
        self._url = url
        self._console = console

    async def run(self, waiting: Iterator[Fixture], jobs: int, matches: int) -> None:
        """Play all matches."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[tally]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, transient=True) as progress:
            bar = progress.add_task(self._plan.game, total=matches, tally="")
            try:
                async with asyncio.TaskGroup() as group:
                    for job in range(1, jobs + 1):
                        group.create_task(self._work(job, waiting, progress, bar))
            except* CommandError as errors:
                raise errors.exceptions[0] from None

    async def _work(self, job: int, waiting: Iterator[Fixture], progress: Progress, bar: Any) -> None:
        for fixture in waiting:
            for _ in range(_TRIES):
                result = await self._play(job, fixture)
                if result.places:
                    break
            else:
                raise CommandError(f"{_TRIES} matches in a row have no result: {result.detail}", 1)
            self.played.append(Played(fixture, result))
            first = self._plan.bots[0].name
            progress.update(bar, advance=1, tally=tally(first, [one.result for one in self.played]))

    async def _play(self, job: int, fixture: Fixture) -> MatchResult:
        plan, host = self._plan, self._host
        specs = [
            replace(plan.bots[bot], seed=seat_seed(fixture.seed, seat))
            for seat, bot in enumerate(fixture.order)
        ]
        entrants = [Entrant(_identity(spec, job), spec.name) for spec in specs]
        bots = [(spec, host.admission.reserve(one)) for spec, one in zip(specs, entrants, strict=True)]
        logs = plan.logs if job == 1 else plan.logs / f"job-{job}"
        async with bot_processes(self._url, bots, logs, matches=1, game=plan.game) as processes:
            table = host.create_match(plan.game, entrants, setup=plan.setup, seed=fixture.seed)
            pairs = [(process, one.bot) for process, one in zip(processes, entrants, strict=True)]
            result = await attend(host, table, pairs, tick=lambda: None, tell=self._tell(fixture, table))
        keep_logs(processes, host.store.matches.replay_path(result.match))
        self._refuse_absence(result, processes)
        return result

    def _tell(self, fixture: Fixture, table: Table) -> Callable[[BotProcess], None]:
        def tell(bot: BotProcess) -> None:
            if table.match.tick == 0:
                return  # It has not come at all, which ends the series.
            self._console.print(
                f"[red]{escape(bot.spec.name)} has ended in match {fixture.number}, seed {fixture.seed}:[/] "
                f"{escape(bot.last_words())}"
            )

        return tell

    def _refuse_absence(self, result: MatchResult, processes: Sequence[BotProcess]) -> None:
        """A bot that does not come to one match will not come to a hundred."""
        for seat, bot in zip(result.seats, processes, strict=True):
            if seat.presence is Presence.ABSENT:
                raise CommandError(f"{seat.name} did not come to play: {bot.last_words()} (see {bot.log})", 1)


def _identity(spec: BotSpec, job: int) -> BotId:
    """Return who a bot is; the same one may have only one connection at a time (P2.6)."""
    return BotId(spec.name if job == 1 else f"{spec.name}~{job}")

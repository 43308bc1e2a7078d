"""`fangnetz compare`: which of two bots is stronger? Paired games until a sequential test decides."""

import asyncio
import itertools
import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.table import Table

from fangnetz_protocol.words import BotId
from fangnetz_server.cli import CommandError
from fangnetz_server.cli.bots import BotSpec, bot_processes
from fangnetz_server.cli.console import run_async, set_up_logs
from fangnetz_server.cli.wiring import choose_games, match_setup, settings_for
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant, Presence
from fangnetz_server.reports.words import elo_text
from fangnetz_server.store.store import opened_store
from fangnetz_server.tournament.meeting import paired_games
from fangnetz_server.tournament.sprt import Decision, SprtOptions, SprtState
from fangnetz_server.tournament.values import BotKey, Pairing
from fangnetz_server.web.app import make_app

__all__ = ["compare"]

_REFRESH: Final = 4
"""Pictures a second."""
_TRIES: Final = 3
"""Games without a result, for no fault of the bots, before it is given up."""
_A, _B = BotKey("A"), BotKey("B")


def compare(
    *,
    game: str,
    first: str,
    second: str,
    options: SprtOptions,
    most_games: int,
    map_name: str | None,
    seed: int,
    jobs: int | None,
    data: Path,
) -> None:
    """Play pairs of games with swapped seats and print what they say.

    Args:
        game: its id.
        first, second: the bots, as for `fangnetz play`.
        options: the question, and how sure the answer has to be.
        most_games: it ends without an answer after so many.
        map_name: the map, if the game has maps.
        seed: every pair's field follows from it.
        jobs: games at the same time, with a process of each bot for each; None: by the cores.
        data: folder for results and replays.

    Raises:
        CommandError: an option is wrong, or a game has no result again and again; status 1 if the
            test gave no answer.
    """
    games = choose_games([game])
    specs = BotSpec.parse(game, first), BotSpec.parse(game, second)
    setup = match_setup(games[game].info, 2, map_name)
    jobs = jobs or max(1, (os.cpu_count() or 1) // 2)
    set_up_logs(logging.ERROR)
    console = Console(highlight=False)

    async def main() -> SprtState:
        async with opened_store(data) as store:
            settings = settings_for(games, "lockstep")
            host = Host(games, store, Admission(store, is_open=False), settings=settings, matchmaking=False)
            listener = open_port("127.0.0.1", 0)
            url = f"ws://127.0.0.1:{listener.getsockname()[1]}"
            crews = [_crew(host, specs, number) for number in range(1, jobs + 1)]
            started = [(spec, token) for crew in crews for spec, token in crew.processes]
            async with (
                serve(host, make_app(host), listener),
                bot_processes(url, started, data / "logs", matches=None, game=game),
            ):
                plan = _Plan(host, game, setup, seed, options, most_games // 2, data / "logs")
                return await _Comparison(plan, _names(specs), console).run(crews)

    _conclude(run_async(main()), _names(specs), console)


def _names(specs: Sequence[BotSpec]) -> tuple[str, str]:
    one, other = (spec.name for spec in specs)
    return (one, other) if one != other else (f"{one} (A)", f"{other} (B)")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to play, and until when."""

    host: Host
    game: str
    setup: dict[str, Any]
    seed: int
    options: SprtOptions
    most_pairs: int
    logs: Path


@dataclass(frozen=True, slots=True)
class _Crew:
    """One process of each bot, which play against each other."""

    entrants: dict[BotKey, Entrant]
    processes: tuple[tuple[BotSpec, str], ...]


def _crew(host: Host, specs: Sequence[BotSpec], number: int) -> _Crew:
    entrants: dict[BotKey, Entrant] = {}
    processes = []
    for key, spec in zip((_A, _B), specs, strict=True):
        name = f"{key}{number}-{spec.name}"
        entrants[key] = Entrant(BotId(name), name)
        processes.append((replace(spec, name=name), host.admission.reserve(entrants[key])))
    return _Crew(entrants, tuple(processes))


class _Comparison:
    """Pairs of games, played by several crews and counted in the order of their numbers.

    In the order of their ends, short games would come first, and with them the bot that wins quickly.
    """

    def __init__(self, plan: _Plan, names: tuple[str, str], console: Console) -> None:
        self._plan = plan
        self._names = names
        self._console = console
        self._state = SprtState(plan.options)
        self._numbers = itertools.count(1)
        self._early: dict[int, tuple[float, float]] = {}
        self._next = 1

    async def run(self, crews: Sequence[_Crew]) -> SprtState:
        """Play until the test decides or there are enough games."""
        with Live(console=self._console, refresh_per_second=_REFRESH, transient=True) as live:
            try:
                async with asyncio.TaskGroup() as group:
                    for crew in crews:
                        group.create_task(self._work(crew, live))
            except* CommandError as errors:
                raise errors.exceptions[0] from None
        return self._state

    async def _work(self, crew: _Crew, live: Live) -> None:
        while not self._is_over and (number := next(self._numbers)) <= self._plan.most_pairs:
            pair = paired_games(self._plan.seed, _A, _B, number)
            scores = [await self._play(crew, pairing) for pairing in pair]
            self._early[number] = scores[0], scores[1]
            self._count()
            live.update(_figures(self._state, self._names))

    @property
    def _is_over(self) -> bool:
        return self._state.decision is not Decision.CONTINUE

    def _count(self) -> None:
        while not self._is_over and self._next in self._early:
            self._state = self._state.add_pair(*self._early.pop(self._next))
            self._next += 1

    async def _play(self, crew: _Crew, pairing: Pairing) -> float:
        """Play a game and return the score of the first bot."""
        entrants = [crew.entrants[key] for key in pairing.seats]
        for _ in range(_TRIES):
            table = self._plan.host.create_match(
                self._plan.game, entrants, setup=self._plan.setup, seed=pairing.seed
            )
            result = await self._plan.host.wait_result(table.match.id)
            self._refuse_absence(result)
            if result.places:
                mine = result.places[pairing.seats.index(_A)]
                other = result.places[pairing.seats.index(_B)]
                return 0.5 if mine == other else float(mine < other)
        raise CommandError(f"{_TRIES} games in a row have no result: {result.reason}, {result.detail}", 1)

    def _refuse_absence(self, result: MatchResult) -> None:
        """A bot that breaks down proves nothing about its strength."""
        for seat in result.seats:
            if seat.presence is not Presence.PLAYED:
                raise CommandError(f"{seat.name} did not play ({seat.presence}); see {self._plan.logs}", 1)


def _figures(state: SprtState, names: tuple[str, str]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for line in _lines(state, names):
        table.add_row(*line)
    return table


def _lines(state: SprtState, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    options, elo = state.options, state.elo
    yield f"{names[0]} - {names[1]}", f"{state.games} games, score {100 * elo.score:.1f} %"
    yield "pairs 0, ½, 1, 1½, 2", ", ".join(map(str, state.pairs))
    yield "Elo difference", elo_text(elo) or "beyond all numbers so far"
    yield "likelihood of superiority", f"{100 * elo.superiority:.1f} %"
    yield "log-likelihood ratio", f"{state.llr:+.2f} ({options.lower:.2f} … {options.upper:.2f})"


def _conclude(state: SprtState, names: tuple[str, str], console: Console) -> None:
    console.print(_figures(state, names))
    options = state.options
    match state.decision:
        case Decision.ELO1:
            console.print(
                f"\n[bold green]{names[0]} is stronger:[/] "
                f"by {options.elo1:g} Elo rather than {options.elo0:g}."
            )
        case Decision.ELO0:
            console.print(
                f"\n[bold]{names[0]} is not stronger:[/] "
                f"by {options.elo0:g} Elo rather than {options.elo1:g}."
            )
        case Decision.CONTINUE:
            raise CommandError(f"no answer after {state.games} games; --games allows more", 1)

"""What a series of matches says: the table, the lost matches and how to play them again, a CSV file."""

import csv
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fangnetz_server.cli.console import command_name
from fangnetz_server.cli.score import Score, duel_elo, score_of, seat_of
from fangnetz_server.match.result import MatchResult
from fangnetz_server.reports.words import elo_text, number
from fangnetz_server.store.store import Store

__all__ = ["Fixture", "Played", "SeriesReport", "tally"]

_SHOWN: Final = 10
"""Lost matches that are listed; the file holds all."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match of a series."""

    number: int
    """From 1."""
    seed: int
    order: tuple[int, ...]
    """For each seat the bot, as an index into the bots of the series."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series with its result."""

    fixture: Fixture
    result: MatchResult


def tally(name: str, results: Sequence[MatchResult]) -> str:
    """Return wins, draws and losses in a few characters, for a progress bar."""
    score = score_of(name, results, paired=False)
    return f"{escape(name)} [green]+{score.wins}[/] ={score.draws} [red]-{score.losses}[/]"


class SeriesReport:
    """Prints what a series says of its first bot.

    Args:
        game: its id.
        bots: as the user named them.
        names: as they are called in the matches.
        options: with which a match is played again.
        store: knows the replays.
        data: folder for the file.
    """

    def __init__(
        self,
        game: str,
        bots: Sequence[str],
        names: Sequence[str],
        options: Sequence[str],
        store: Store,
        data: Path,
    ) -> None:
        self._game = game
        self._bots = bots
        self._names = names
        self._options = options
        self._store = store
        self._data = data

    def show(self, played: Sequence[Played], console: Console) -> None:
        """Print the report of all matches that were played, and write the file."""
        if not played:
            return
        results = [one.result for one in played]
        paired = len(self._names) == 2
        seeds = played[0].fixture.seed, played[-1].fixture.seed
        console.print(
            f"[italic]{self._game} · {len(played)} matches · seeds {seeds[0]} to {seeds[1]}[/]"
            + (", each field twice with swapped seats" if paired else "")
        )
        console.print(self._table([score_of(name, results, paired=paired) for name in self._names]))
        if paired:
            elo = duel_elo(self._names[0], results)
            console.print(
                f"\nElo of {escape(self._names[0])} to {escape(self._names[1])}: "
                f"{elo_text(elo) or 'beyond all numbers so far'}, "
                f"likelihood of superiority {100 * elo.superiority:.1f} %"
            )
        self._show_lost(played, console)
        file = self._write(played)
        console.print(f"\nMatches {file}")
        console.print(f"Replays {self._data / 'replays'}/, with the logs of the bots beside them")

    def _table(self, scores: Sequence[Score]) -> Table:
        table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
        for column in ("bot", "won", "drawn", "lost", "score %", "", "points", "median ms", "faults"):
            table.add_column(column, justify="left" if column in ("bot", "") else "right")
        for score in scores:
            table.add_row(
                escape(score.name),
                *map(str, (score.wins, score.draws, score.losses)),
                f"{100 * score.score:.1f}",
                f"± {100 * score.error:.1f}",
                number(round(score.points, 3)),
                "-" if score.latency_ms is None else f"{score.latency_ms:.1f}",
                str(score.faults),
            )
        return table

    def _show_lost(self, played: Sequence[Played], console: Console) -> None:
        name = self._names[0]
        lost = [one for one in played if seat_of(name, one.result).place != 1]
        if not lost:
            return
        console.print(f"\n[bold]{escape(name)} lost {len(lost)}[/]; play them again (--watch shows them):")
        for one in lost[:_SHOWN]:
            why = f"{one.result.reason} after {one.result.ticks} ticks"
            console.print(f"  {why:<34} {escape(self._again(one.fixture))}", soft_wrap=True)
        if len(lost) > _SHOWN:
            console.print(f"  … and {len(lost) - _SHOWN} more in the file below")

    def _again(self, fixture: Fixture) -> str:
        """Return the command that plays a match again."""
        bots = [self._bots[bot] for bot in fixture.order]
        words = ["play", self._game, *bots, "--seed", str(fixture.seed), *self._options]
        return f"{command_name()} {shlex.join(words)}"

    def _write(self, played: Sequence[Played]) -> Path:
        file = self._data / f"series-{played[0].result.match}.csv"
        with file.open("w", newline="", encoding="utf-8") as output:
            writer = csv.writer(output)
            writer.writerow(
                ["match", "seed", "reason", "ticks", "seats", "places", "points", "faults", "replay", "again"]
            )
            writer.writerows(self._row(one) for one in played)
        return file

    def _row(self, one: Played) -> list[object]:
        result = one.result
        faults = [seat.stats.late + seat.stats.missing + seat.stats.invalid for seat in result.seats]
        return [
            one.fixture.number,
            one.fixture.seed,
            result.reason,
            result.ticks,
            " ".join(seat.name for seat in result.seats),
            " ".join(map(str, result.places)),
            " ".join(map(number, result.points)),
            " ".join(map(str, faults)),
            self._store.matches.replay_path(result.match),
            self._again(one.fixture),
        ]

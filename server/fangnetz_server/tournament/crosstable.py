"""Everybody against everybody: who won how often against whom."""

from collections.abc import Sequence
from dataclasses import dataclass

from fangnetz_server.tournament.options import FreeForAllOptions
from fangnetz_server.tournament.scores import MICRO, WIN, score_board
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History

__all__ = ["Crosstable", "Record", "crosstable"]


@dataclass(frozen=True, slots=True)
class Record:
    """A bot's games against one other; in a contest common matches: before, level with or behind it."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    def __str__(self) -> str:
        """Wins, draws and losses, spelled out."""
        return f"{self.wins}W-{self.draws}D-{self.losses}L"


@dataclass(frozen=True, slots=True)
class Crosstable:
    """`cells[i][j]` is the record of bot i against bot j; None where they have not met."""

    bots: tuple[BotKey, ...]
    cells: tuple[tuple[Record | None, ...], ...]


def crosstable(spec: TournamentSpec, history: History, bots: Sequence[BotKey]) -> Crosstable:
    """Return the crosstable of `bots`, in their order (usually that of the standings)."""
    if isinstance(spec.format, FreeForAllOptions):
        records = _contest_records(history, bots)
    else:
        records = _duel_records(spec, history, bots)
    cells = (
        tuple(None if (record := records.get((bot, other))) is None else _record(record) for other in bots)
        for bot in bots
    )
    return Crosstable(tuple(bots), tuple(cells))


_Sums = dict[tuple[BotKey, BotKey], list[int]]
"""Wins, draws, losses and millionths of points, by bot and opponent."""


def _record(sums: Sequence[int]) -> Record:
    wins, draws, losses, points = sums
    return Record(wins, draws, losses, points / MICRO)


def _duel_records(spec: TournamentSpec, history: History, bots: Sequence[BotKey]) -> _Sums:
    records: _Sums = {}
    for bot, score in score_board(spec, history, bots).items():
        for game in score.games:
            sums = records.setdefault((bot, game.opponent), [0, 0, 0, 0])
            sums[WIN - game.half_points] += 1
            sums[3] += game.micro
    return records


def _contest_records(history: History, bots: Sequence[BotKey]) -> _Sums:
    records: _Sums = {(bot, other): [0, 0, 0, 0] for bot in bots for other in bots if bot != other}
    for _, fact in history.played():
        there = [(seat.bot, seat.place) for seat in fact.seats if seat.place is not None]
        for bot, place in there:
            for other, behind in there:
                sums = records.get((bot, other))
                if sums is not None:
                    sums[1 + (place > behind) - (place < behind)] += 1
    return {pair: sums for pair, sums in records.items() if any(sums)}

"""Scores of free-for-all contests: the mean of each map, summed over the maps, as in 2010."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.options import TieBreak
from fangnetz_server.tournament.ranking import Measure
from fangnetz_server.tournament.scores import micro
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Presence

__all__ = ["ContestScore", "contest_board", "contest_measure"]


@dataclass(slots=True)
class ContestScore:
    """Sums of one bot; a match in which its seat stayed empty counts with 0 points."""

    maps: dict[str | None, list[int]] = field(default_factory=dict)
    """Millionths of points and matches, by map."""
    wins: int = 0
    """Matches on place 1, shared or not."""
    absences: int = 0
    faults: int = 0

    @property
    def played(self) -> int:
        return sum(matches for _, matches in self.maps.values())

    @property
    def micro(self) -> Fraction:
        """Sum of the means of the maps played so far."""
        return sum((Fraction(total, matches) for total, matches in self.maps.values()), Fraction())


def contest_board(history: History, bots: Iterable[BotKey]) -> dict[BotKey, ContestScore]:
    """Return the sums of all `bots`."""
    board = {bot: ContestScore() for bot in bots}
    for pairing, fact in history.played():
        for seat in fact.seats:
            score = board.get(seat.bot)
            if score is not None:
                sums = score.maps.setdefault(pairing.map, [0, 0])
                sums[0] += micro(seat.points)
                sums[1] += 1
                score.wins += seat.place == 1
                score.absences += seat.presence is Presence.ABSENT
                score.faults += seat.faults
    return board


def contest_measure(
    name: TieBreak, spec: TournamentSpec, history: History, board: Mapping[BotKey, ContestScore]
) -> Measure:
    """Return the measure of a tie-break for tables of contests."""
    match name:
        case TieBreak.HEAD_TO_HEAD:
            return lambda bot, level: _head_to_head(history, bot, level)
        case TieBreak.WINS:
            return lambda bot, _: board[bot].wins
        case TieBreak.FEWER_FAULTS:
            return lambda bot, _: -board[bot].faults
        case TieBreak.LOT:
            return lambda bot, _: lot(spec.seed, "tie", bot)
        case TieBreak.BUCHHOLZ | TieBreak.SONNEBORN_BERGER:
            raise ValueError(f"{name} needs duels; parse_spec refuses it for a free-for-all")
        case never:
            assert_never(never)


def _head_to_head(history: History, bot: BotKey, level: Sequence[BotKey]) -> int:
    """How often it came in before one of the level bots, less how often behind one, in common matches."""
    rivals = set(level) - {bot}
    balance = 0
    for _, fact in history.played():
        places = {seat.bot: seat.place for seat in fact.seats if seat.place is not None}
        mine = places.get(bot)
        if mine is not None:
            balance += sum((mine < places[r]) - (mine > places[r]) for r in rivals if r in places)
    return balance

"""The order of bots with scores: points, then tie-breaks in a set order (docs/reference/tournaments.md)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.options import TieBreak
from fangnetz_server.tournament.scores import Score
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey

__all__ = ["Board", "Measure", "Ranked", "measure", "rank", "rank_duels"]

Board = Mapping[BotKey, Score]
Measure = Callable[[BotKey, Sequence[BotKey]], int | Fraction]
"""The value of a bot among the bots that it is still level with; more is better."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot's place, from 1; level bots share one, and the next one is left out (1, 1, 3).

    `values` are the tie-breaks that had to be asked for this bot, in order, with what they said.
    """

    bot: BotKey
    place: int
    values: tuple[tuple[TieBreak, Fraction], ...]


def rank(bots: Sequence[BotKey], measures: Sequence[tuple[TieBreak | None, Measure]]) -> list[Ranked]:
    """Return the bots in order: each measure in turn splits every set that is still level.

    Args:
        bots: in any order; level bots come out sorted by name.
        measures: the first, without a name, are the points.
    """
    return _split(sorted(bots), tuple(measures), 1, ())


def _split(
    level: Sequence[BotKey],
    measures: tuple[tuple[TieBreak | None, Measure], ...],
    place: int,
    asked: tuple[tuple[BotKey, tuple[TieBreak, Fraction]], ...],
) -> list[Ranked]:
    if len(level) <= 1 or not measures:
        return [Ranked(bot, place, tuple(value for owner, value in asked if owner == bot)) for bot in level]
    (name, value_of), *rest = measures
    values = {bot: value_of(bot, level) for bot in level}
    if name is not None:
        asked = (*asked, *((bot, (name, Fraction(values[bot]))) for bot in level))
    ranked: list[Ranked] = []
    for value in sorted(set(values.values()), reverse=True):
        equal = [bot for bot in level if values[bot] == value]
        mine = tuple(entry for entry in asked if entry[0] in equal)
        ranked += _split(equal, tuple(rest), place + len(ranked), mine)
    return ranked


def rank_duels(spec: TournamentSpec, board: Board, *, by_lot: bool = False) -> list[BotKey]:
    """Return the bots of a round robin in order; `by_lot` leaves no two level."""
    names = spec.tie_break_order()
    if by_lot and TieBreak.LOT not in names:
        names = (*names, TieBreak.LOT)
    points: tuple[TieBreak | None, Measure] = (None, lambda bot, _: board[bot].micro)
    return [
        entry.bot for entry in rank(tuple(board), [points, *((n, measure(n, spec, board)) for n in names)])
    ]


def measure(name: TieBreak, spec: TournamentSpec, board: Board) -> Measure:
    """Return the measure of a tie-break for tables of duels."""
    match name:
        case TieBreak.HEAD_TO_HEAD:
            return lambda bot, level: _head_to_head(board, bot, level)
        case TieBreak.BUCHHOLZ:
            return lambda bot, _: _buchholz(board, bot)
        case TieBreak.SONNEBORN_BERGER:
            return lambda bot, _: _sonneborn_berger(board, bot)
        case TieBreak.WINS:
            return lambda bot, _: board[bot].wins
        case TieBreak.FEWER_FAULTS:
            return lambda bot, _: -board[bot].faults
        case TieBreak.LOT:
            return lambda bot, _: lot(spec.seed, "tie", bot)
        case never:
            assert_never(never)


def _head_to_head(board: Board, bot: BotKey, level: Sequence[BotKey]) -> int:
    """Points in the games among the level bots, if each of them has met each other; else nothing."""
    rivals = set(level)
    if any(not rivals - {one} <= {game.opponent for game in board[one].games} for one in level):
        return 0
    return sum(game.micro for game in board[bot].games if game.opponent in rivals)


def _buchholz(board: Board, bot: BotKey) -> int:
    """Points of all opponents, once a game; a bye counts like an opponent with one's own points."""
    score = board[bot]
    met = sum(board[game.opponent].micro for game in score.games if game.opponent in board)
    return met + score.rests * score.micro


def _sonneborn_berger(board: Board, bot: BotKey) -> Fraction:
    """Points of the opponents one has beaten, and half the points of those with whom one drew."""
    games = (game for game in board[bot].games if game.opponent in board)
    return Fraction(sum(game.half_points * board[game.opponent].micro for game in games), 2)

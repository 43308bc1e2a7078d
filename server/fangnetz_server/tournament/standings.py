"""Tables of every format, computed from the history."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

from fangnetz_server.tournament.bracket import EliminationOptions, tiers
from fangnetz_server.tournament.contest import ContestScore, contest_board, contest_measure
from fangnetz_server.tournament.groups import group_members, group_rounds, group_stage_is_over, qualified
from fangnetz_server.tournament.knockout import resolve_knockout
from fangnetz_server.tournament.options import (
    DoubleEliminationOptions,
    FreeForAllOptions,
    GroupsOptions,
    KnockoutOptions,
    LadderOptions,
    RoundRobinOptions,
    SwissOptions,
    TieBreak,
)
from fangnetz_server.tournament.ranking import Board, Measure, Ranked, measure, rank
from fangnetz_server.tournament.ratings import NEWCOMER, Rating
from fangnetz_server.tournament.ratings import ratings as compute_ratings
from fangnetz_server.tournament.scores import MICRO, score_board
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History

__all__ = ["MapMean", "Row", "Table", "standings"]

_Measures = Sequence[tuple[TieBreak | None, Measure]]
_UNITS: Final[Mapping[TieBreak, int]] = {
    TieBreak.HEAD_TO_HEAD: MICRO,
    TieBreak.BUCHHOLZ: MICRO,
    TieBreak.SONNEBORN_BERGER: MICRO,
    TieBreak.WINS: 1,
    TieBreak.FEWER_FAULTS: -1,
    TieBreak.LOT: 1 << 64,
}
"""What tells a reader something, from what is compared: points, a count, a lot between 0 and 1."""


@dataclass(frozen=True, slots=True)
class MapMean:
    """A bot's mean points on one map of a contest."""

    map: str | None
    mean: float
    matches: int


@dataclass(frozen=True, slots=True)
class Row:
    """One bot of a table.

    `wins`, `draws` and `losses` are games; in a contest matches on place 1, none, and the others.
    `tie_breaks` are those that were asked for this bot. `absences` are games it missed.
    """

    place: int
    shared: bool
    bot: BotKey
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    absences: int
    faults: int
    withdrawn: bool
    tie_breaks: tuple[tuple[TieBreak, float], ...] = ()
    maps: tuple[MapMean, ...] = ()
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table, the best first; `name` is "standings", or the stage of a group ("group1")."""

    name: str
    rows: tuple[Row, ...]


def standings(
    spec: TournamentSpec, history: History, ratings: Mapping[BotKey, Rating] | None = None
) -> tuple[Table, ...]:
    """Return the tables, the one of the whole tournament first, then one for each group.

    Args:
        ratings: ladder only: what the facts make of the bots; None: computed from the history.
    """
    match spec.format:
        case RoundRobinOptions() | SwissOptions():
            return (_duel_table(spec, history),)
        case KnockoutOptions() | DoubleEliminationOptions() as options:
            reach = _reach(spec, options, spec.bots(), history, 0)
            return (_reach_table(spec, history, reach),)
        case GroupsOptions() as options:
            return _group_tables(spec, options, history)
        case FreeForAllOptions():
            return (_contest_table(spec, history),)
        case LadderOptions():
            return (_ladder_table(spec, history, compute_ratings(history) if ratings is None else ratings),)
        case never:
            assert_never(never)


def _duel_table(
    spec: TournamentSpec, history: History, name: str = "standings", bots: Sequence[BotKey] | None = None
) -> Table:
    stage = None if bots is None else name
    board = score_board(spec, history, spec.bots() if bots is None else bots, stage)
    measures = [
        _by(lambda bot: board[bot].micro),
        *((tie_break, measure(tie_break, spec, board)) for tie_break in spec.tie_break_order()),
    ]
    return _table(name, rank(tuple(board), measures), board, history)


def _by(value: Callable[[BotKey], int | Fraction]) -> tuple[TieBreak | None, Measure]:
    return None, lambda bot, _: value(bot)


def _reach(
    spec: TournamentSpec,
    options: EliminationOptions,
    seeds: Sequence[BotKey],
    history: History,
    after_round: int,
) -> dict[BotKey, int]:
    """Return how far each bot of the bracket has come, as whole numbers from 1; more is better."""
    found = tiers(resolve_knockout(spec, options, seeds, history, after_round))
    steps = {tier: number for number, tier in enumerate(sorted(set(found.values())), start=1)}
    return {bot: steps[tier] for bot, tier in found.items()}


def _reach_table(spec: TournamentSpec, history: History, reach: Mapping[BotKey, int]) -> Table:
    board = score_board(spec, history, spec.bots())
    ranked = rank(tuple(board), [_by(lambda bot: reach.get(bot, -MICRO))])
    return _table("standings", ranked, board, history)


def _group_tables(spec: TournamentSpec, options: GroupsOptions, history: History) -> tuple[Table, ...]:
    """Bots of the bracket come first; of the others those with a better place in their group."""
    tables = [_duel_table(spec, history, stage, bots) for stage, bots in group_members(history).items()]
    reach = {row.bot: -row.place for table in tables for row in table.rows}
    if tables and group_stage_is_over(options, history):
        seeds = qualified(spec, options, history)
        if len(seeds) >= 2:
            reach |= _reach(spec, options.knockout, seeds, history, group_rounds(history))
    return (_reach_table(spec, history, reach), *tables)


def _contest_table(spec: TournamentSpec, history: History) -> Table:
    board = contest_board(history, spec.bots())
    measures = [
        _by(lambda bot: board[bot].micro),
        *((name, contest_measure(name, spec, history, board)) for name in spec.tie_break_order()),
    ]
    ranked = rank(tuple(board), measures)
    places = [entry.place for entry in ranked]
    rows = (_contest_row(entry, places.count(entry.place) > 1, board[entry.bot], history) for entry in ranked)
    return Table("standings", tuple(rows))


def _contest_row(entry: Ranked, shared: bool, score: ContestScore, history: History) -> Row:
    maps = sorted(score.maps.items(), key=lambda item: item[0] or "")
    return Row(
        place=entry.place,
        shared=shared,
        bot=entry.bot,
        points=float(score.micro / MICRO),
        played=score.played,
        wins=score.wins,
        draws=0,
        losses=score.played - score.wins,
        byes=0,
        absences=score.absences,
        faults=score.faults,
        withdrawn=entry.bot in history.withdrawn,
        tie_breaks=_shown(entry),
        maps=tuple(MapMean(name, total / matches / MICRO, matches) for name, (total, matches) in maps),
    )


def _ladder_table(spec: TournamentSpec, history: History, ratings: Mapping[BotKey, Rating]) -> Table:
    board = score_board(spec, history, spec.bots())
    low = {bot: Fraction(ratings.get(bot, NEWCOMER).low) for bot in board}
    return _table("standings", rank(tuple(board), [_by(lambda bot: low[bot])]), board, history, ratings)


def _table(
    name: str,
    ranked: Sequence[Ranked],
    board: Board,
    history: History,
    ratings: Mapping[BotKey, Rating] | None = None,
) -> Table:
    places = [entry.place for entry in ranked]
    known = {} if ratings is None else {bot: ratings.get(bot, NEWCOMER) for bot in board}
    rows = (
        _row(entry, places.count(entry.place) > 1, board, history, known.get(entry.bot)) for entry in ranked
    )
    return Table(name, tuple(rows))


def _row(entry: Ranked, shared: bool, board: Board, history: History, rating: Rating | None = None) -> Row:
    score = board[entry.bot]
    return Row(
        place=entry.place,
        shared=shared,
        bot=entry.bot,
        points=score.micro / MICRO,
        played=score.played,
        wins=score.wins,
        draws=score.draws,
        losses=score.losses,
        byes=score.byes,
        absences=score.absences,
        faults=score.faults,
        withdrawn=entry.bot in history.withdrawn,
        tie_breaks=_shown(entry),
        rating=rating,
    )


def _shown(entry: Ranked) -> tuple[tuple[TieBreak, float], ...]:
    return tuple((name, float(value / _UNITS[name])) for name, value in entry.values)

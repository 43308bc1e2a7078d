"""Results as tables and ratings need them: only those that count, corrections applied."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.database import Database
from fangnetz_server.store.match_rows import correction_of
from fangnetz_server.store.tables import corrections, match_seats, matches, pairings, result_seats, results
from fangnetz_server.store.values import Correction, Fact, SeatTotals
from fangnetz_server.tournament.values import BotKey, MatchFact, PairingId, Presence, SeatFact

__all__ = ["Facts", "tournament_facts"]


class Facts:
    """The facts as a part of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_tournament(self, tournament: str) -> tuple[MatchFact, ...]:
        """Return the one result that counts of every pairing that has one, in the order of storing."""
        return await self._database.read(lambda tx: tournament_facts(tx, tournament))

    async def of_game(self, game: str, *, after: int = 0) -> tuple[Fact, ...]:
        """Return the results of a game, friendly matches and tournaments alike, in the order of storing.

        Args:
            game: id of the game.
            after: only those with a greater number. A correction changes an older fact, so after
                one all have to be read again.
        """
        return await self._database.read(lambda tx: _game_facts(tx, game, after))

    async def totals(
        self, *, game: str | None = None, tournament: str | None = None, bot: str | None = None
    ) -> tuple[SeatTotals, ...]:
        """Return what became of the actions of each bot, by its id; the arguments narrow it down."""
        conditions = [
            column == value
            for column, value in (
                (matches.c.game, game),
                (matches.c.tournament, tournament),
                (match_seats.c.bot, bot),
            )
            if value is not None
        ]
        return await self._database.read(lambda tx: _totals(tx, conditions))


def tournament_facts(tx: Connection, tournament: str) -> tuple[MatchFact, ...]:
    """Read `Facts.of_tournament` inside a transaction."""
    seat = result_seats.c
    query = (
        select(
            results.c.match,
            results.c.reason,
            pairings.c.key,
            pairings.c.seats,
            seat.points,
            seat.place,
            seat.presence,
            (seat.late + seat.missing + seat.invalid).label("faults"),
        )
        .select_from(pairings)
        .join(results, results.c.match == pairings.c.decided_by)
        .join(result_seats, seat.match == results.c.match)
        .where(pairings.c.tournament == tournament)
        .order_by(results.c.number, seat.seat)
    )
    decided = _corrections(tx, matches.c.tournament == tournament)
    return tuple(_match_fact(list(rows), decided.get(match)) for match, rows in _by_match(tx.execute(query)))


def _match_fact(rows: list[AnyRow], correction: Correction | None) -> MatchFact:
    first = rows[0]
    scores = _scores(rows, correction)
    seats = tuple(
        SeatFact(BotKey(key), points, place, Presence(row.presence), row.faults)
        for key, row, (points, place) in zip(first.seats, rows, scores, strict=True)
    )
    return MatchFact(PairingId(first.key), seats, first.reason)


def _scores(rows: list[AnyRow], correction: Correction | None) -> Iterable[tuple[Any, Any]]:
    if correction is None:
        return [(row.points, row.place) for row in rows]
    if correction.annuls:
        return [(None, None)] * len(rows)
    return zip(correction.points, correction.places, strict=True)


def _game_facts(tx: Connection, game: str, after: int) -> tuple[Fact, ...]:
    query = (
        select(
            results.c.number,
            results.c.match,
            match_seats.c.bot,
            result_seats.c.points,
            result_seats.c.place,
        )
        .select_from(results)
        .join(matches)
        .join(result_seats, result_seats.c.match == results.c.match)
        .join(
            match_seats,
            (match_seats.c.match == results.c.match) & (match_seats.c.seat == result_seats.c.seat),
        )
        .where(matches.c.game == game, results.c.number > after)
        .order_by(results.c.number, result_seats.c.seat)
    )
    decided = _corrections(tx, matches.c.game == game)
    found = (_fact(list(rows), decided.get(match)) for match, rows in _by_match(tx.execute(query)))
    return tuple(fact for fact in found if None not in fact.places)


def _fact(rows: list[AnyRow], correction: Correction | None) -> Fact:
    points, places = zip(*_scores(rows, correction), strict=True)
    bots = tuple(BotId(row.bot) for row in rows)
    return Fact(rows[0].number, MatchId(rows[0].match), bots, points, places)


def _by_match(rows: Iterable[AnyRow]) -> Iterator[tuple[str, Iterator[AnyRow]]]:
    return groupby(rows, attrgetter("match"))


def _corrections(tx: Connection, condition: ColumnElement[bool]) -> dict[str, Correction]:
    query = (
        select(corrections)
        .join(matches, matches.c.id == corrections.c.match)
        .where(condition)
        .order_by(corrections.c.number)
    )
    return {row.match: correction_of(row) for row in tx.execute(query)}


def _totals(tx: Connection, conditions: list[ColumnElement[bool]]) -> tuple[SeatTotals, ...]:
    seat = result_seats.c
    counts = (seat.applied, seat.blocked, seat.late, seat.missing, seat.invalid, seat.duplicate)
    query = (
        select(
            match_seats.c.bot,
            func.count().label("matches"),
            *(func.sum(column).label(column.name) for column in counts),
            func.avg(seat.latency_median_ms).label("latency_median_ms"),
            func.max(seat.latency_p99_ms).label("latency_p99_ms"),
        )
        .select_from(result_seats)
        .join(match_seats, (match_seats.c.match == seat.match) & (match_seats.c.seat == seat.seat))
        .join(matches, matches.c.id == seat.match)
        .where(*conditions)
        .group_by(match_seats.c.bot)
        .order_by(match_seats.c.bot)
    )
    return tuple(_total(row) for row in tx.execute(query))


def _total(row: AnyRow) -> SeatTotals:
    fields = row._asdict()
    return SeatTotals(**{**fields, "bot": BotId(row.bot)})

"""Results as tables and ratings need them: only those that count, corrections applied."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.database import Database
from fangnetz_server.store.match_rows import correction_of
from fangnetz_server.store.tables import corrections, match_seats, matches, pairings, result_seats, results
from fangnetz_server.store.values import Correction, Fact, SeatTotals
from fangnetz_server.tournament.values import BotKey, MatchFact, PairingId, Presence, SeatFact

__all__ = ["Facts", "tournament_facts"]

_MATCH: Final = itemgetter(0)
_SAME_SEAT: Final = (match_seats.c.match == result_seats.c.match) & (
    match_seats.c.seat == result_seats.c.seat
)
_PAIRING_OF_MATCH: Final = (pairings.c.tournament == matches.c.tournament) & (
    pairings.c.key == matches.c.pairing
)
_PRESENCE: Final = {str(presence): presence for presence in Presence}


class Facts:
    """The facts of games, beyond single tournaments, as a part of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_game(self, game: str, *, after: int = 0, public_only: bool = False) -> tuple[Fact, ...]:
        """Return the results of a game, friendly matches and tournaments alike, in the order of storing.

        Args:
            game: id of the game.
            after: only those with a greater number. A correction changes an older fact, so after
                one all have to be read again.
            public_only: without those of private matches.
        """
        return await self._database.read(lambda tx: _game_facts(tx, game, after, public_only))

    async def totals(
        self, *, game: str | None = None, tournament: str | None = None, bot: str | None = None
    ) -> tuple[SeatTotals, ...]:
        """Return what became of the actions of each bot, by its id; the arguments narrow it down."""
        conditions = [
            column == value
            for column, value in (
                (results.c.game, game),
                (results.c.tournament, tournament),
                (match_seats.c.bot, bot),
            )
            if value is not None
        ]
        return await self._database.read(lambda tx: _totals(tx, conditions))


# --- of tournaments ---------------------------------------------------------------------------


def tournament_facts(tx: Connection, tournament: str, after: int) -> tuple[int, tuple[MatchFact, ...]]:
    """Return the one result that counts of every pairing that has one, in the order of storing.

    Args:
        tx: a transaction.
        tournament: its id.
        after: only results with a greater number.

    Returns:
        The number of the last one (`after`, if there is none), and the results.
    """
    seat = result_seats.c
    faults = seat.late + seat.missing + seat.invalid
    query = (
        select(
            results.c.match,
            results.c.number,
            results.c.reason,
            pairings.c.key,
            pairings.c.seats,
            seat.points,
            seat.place,
            seat.presence,
            faults,
        )
        .select_from(results)
        .join(matches)
        .join(pairings, _PAIRING_OF_MATCH & (pairings.c.decided_by == results.c.match))
        .join(result_seats, seat.match == results.c.match)
        .where(results.c.tournament == tournament, results.c.number > after)
        .order_by(results.c.number, seat.seat)
    )
    decided = _corrections(tx, results.c.tournament == tournament)
    last, found = after, []
    for match, rows in groupby(tx.execute(query), _MATCH):
        seats = list(rows)
        last = seats[0][1]
        keys = seats[0].seats
        there = keys if len(keys) == len(seats) else _names(tx, match)
        found.append(_match_fact(seats, there, decided.get(match)))
    return last, tuple(found)


def _names(tx: Connection, match: str) -> list[str]:
    """Return who played a match; their names there are their keys in the tournament."""
    query = select(match_seats.c.name).where(match_seats.c.match == match).order_by(match_seats.c.seat)
    return list(tx.execute(query).scalars())


def _match_fact(rows: list[AnyRow], there: Sequence[str], correction: Correction | None) -> MatchFact:
    """Return the fact of a pairing; seats of it that nobody took in the match stayed empty."""
    _, _, reason, pairing, keys, *_ = rows[0]
    scores = [row[5:7] for row in rows] if correction is None else _corrected(correction)
    taken = {
        key: SeatFact(BotKey(key), points, place, _PRESENCE[row[7]], row[8])
        for key, row, (points, place) in zip(there, rows, scores, strict=True)
    }
    seats = (taken.get(key) or SeatFact(BotKey(key), None, None, Presence.ABSENT) for key in keys)
    return MatchFact(PairingId(pairing), tuple(seats), reason)


def _corrected(correction: Correction) -> Iterable[tuple[float, int]]:
    return zip(correction.points, correction.places, strict=True)


# --- of games ---------------------------------------------------------------------------------


def _game_facts(tx: Connection, game: str, after: int, public_only: bool) -> tuple[Fact, ...]:
    seat = result_seats.c
    shown = [results.c.is_public] if public_only else []
    query = (
        select(results.c.match, results.c.number, match_seats.c.bot, seat.points, seat.place, seat.presence)
        .select_from(results)
        .join(result_seats, seat.match == results.c.match)
        .join(match_seats, _SAME_SEAT)
        .where(results.c.game == game, results.c.number > after, *shown)
        .order_by(results.c.number, seat.seat)
    )
    decided = _corrections(tx, results.c.game == game)
    found = (_fact(list(rows), decided.get(match)) for match, rows in groupby(tx.execute(query), _MATCH))
    return tuple(fact for fact in found if fact is not None)


def _fact(rows: Sequence[AnyRow], correction: Correction | None) -> Fact | None:
    """Return the fact of a match, None without a sporting result between at least two who were there."""
    found, numbers, bots, points, places, presences = zip(*rows, strict=True)
    if correction is not None:
        points, places = correction.points, correction.places
    there = [seat for seat, presence in enumerate(presences) if presence != Presence.ABSENT]
    if not places or None in places or len(there) < 2:
        return None
    return Fact(
        numbers[0],
        MatchId(found[0]),
        tuple(BotId(bots[seat]) for seat in there),
        tuple(points[seat] for seat in there),
        tuple(places[seat] for seat in there),
    )


def _corrections(tx: Connection, condition: ColumnElement[bool]) -> dict[str, Correction]:
    query = select(corrections).join(results).where(condition).order_by(corrections.c.number)
    return {row.match: correction_of(row) for row in tx.execute(query)}


# --- of bots ----------------------------------------------------------------------------------


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
        .join(match_seats, _SAME_SEAT)
        .join(results, results.c.match == seat.match)
        .where(*conditions)
        .group_by(match_seats.c.bot)
        .order_by(match_seats.c.bot)
    )
    return tuple(_total(row) for row in tx.execute(query))


def _total(row: AnyRow) -> SeatTotals:
    fields: dict[str, Any] = row._asdict()
    return SeatTotals(**{**fields, "bot": BotId(row.bot)})

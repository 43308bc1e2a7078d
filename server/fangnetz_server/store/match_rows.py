"""Writes matches and results as rows and reads them back, inside the transactions of others."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any, Final

import orjson
import zstandard
from sqlalchemy import Connection, Select, bindparam, insert, select

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Entrant, Presence, SeatStats
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.tables import (
    corrections,
    match_seats,
    matches,
    pictures,
    result_seats,
    results,
    setups,
)
from fangnetz_server.store.values import (
    Correction,
    JsonObject,
    MatchRecord,
    MatchStart,
    MatchState,
    PairingRef,
)

__all__ = [
    "RECORDS",
    "STARTS",
    "correction_of",
    "insert_result",
    "insert_start",
    "read_corrections",
    "read_picture",
    "read_records",
    "read_starts",
    "setup_digest",
]

_KNOWN_SETUP: Final = select(setups.c.digest).where(setups.c.digest == bindparam("of_digest"))
_STATS: Final = tuple(field.name for field in fields(SeatStats))

RECORDS: Final[Select[Any]] = select(
    results,
    matches.c.rules_version,
    matches.c.seed,
    matches.c.pairing,
    matches.c.attempt,
).join_from(results, matches)
"""To be narrowed down and given to `read_records`."""
STARTS: Final[Select[Any]] = select(matches, setups.c.setup.label("contents")).join_from(matches, setups)
"""To be narrowed down and given to `read_starts`."""


# --- matches ----------------------------------------------------------------------------------


def insert_start(tx: Connection, start: MatchStart) -> None:
    """Store a match that is not there yet, with its seats and its setup."""
    ref = start.pairing
    tx.execute(
        insert(matches),
        {
            "id": start.match,
            "game": start.game,
            "rules_version": start.rules_version,
            "seed": start.seed,
            "setup": _keep_setup(tx, start.setup),
            "settings": dict(start.settings),
            "created_at": start.created_at,
            "is_public": start.is_public,
            "state": MatchState.OPEN,
            "tournament": None if ref is None else ref.tournament,
            "pairing": None if ref is None else ref.pairing,
            "attempt": None if ref is None else ref.attempt,
        },
    )
    tx.execute(
        insert(match_seats),
        [
            {"match": start.match, "seat": seat, "bot": entrant.bot, "name": entrant.name}
            for seat, entrant in enumerate(start.entrants)
        ],
    )


def setup_digest(setup: JsonObject) -> bytes:
    """Return what two setups have in common if and only if they are the same JSON."""
    return sha256(orjson.dumps(dict(setup), option=orjson.OPT_SORT_KEYS)).digest()


def _keep_setup(tx: Connection, setup: JsonObject) -> bytes:
    digest = setup_digest(setup)
    if tx.execute(_KNOWN_SETUP, {"of_digest": digest}).first() is None:
        tx.execute(insert(setups), {"digest": digest, "setup": dict(setup)})
    return digest


def read_starts(
    tx: Connection, query: Select[Any], given: dict[str, Any] | None = None
) -> list[tuple[MatchStart, MatchState]]:
    """Return the matches of a query over `STARTS` with these parameters, and how far they are."""
    rows = tx.execute(query, given).all()
    seats = _seats_of(tx, match_seats, [row.id for row in rows])
    return [(_start(row, seats.get(row.id, ())), MatchState(row.state)) for row in rows]


def _start(row: AnyRow, seats: Iterable[AnyRow]) -> MatchStart:
    return MatchStart(
        match=MatchId(row.id),
        game=row.game,
        rules_version=row.rules_version,
        seed=row.seed,
        setup=row.contents,
        settings=row.settings,
        entrants=tuple(Entrant(BotId(seat.bot), seat.name) for seat in seats),
        created_at=row.created_at,
        pairing=_ref(row),
        is_public=row.is_public,
    )


def _ref(row: AnyRow) -> PairingRef | None:
    return None if row.pairing is None else PairingRef(row.tournament, row.pairing, row.attempt)


# --- results ----------------------------------------------------------------------------------


def insert_result(
    tx: Connection,
    start: MatchStart,
    result: MatchResult,
    replay_sha256: str | None,
    picture: Sequence[bytes],
    ended_at: datetime,
    *,
    is_public: bool,
) -> int:
    """Store the result of a stored match and the last messages to its spectators; return its number."""
    row = {
        "match": result.match,
        "game": result.game,
        "tournament": None if start.pairing is None else start.pairing.tournament,
        "is_public": is_public,
        "reason": result.reason,
        "detail": result.detail,
        "ticks": result.ticks,
        "digest": result.digest,
        "replay_sha256": replay_sha256,
        "ended_at": ended_at,
    }
    number = int(tx.execute(insert(results).returning(results.c.number), row).scalar_one())
    tx.execute(insert(result_seats), [_seat_row(result.match, seat) for seat in result.seats])
    if picture:
        packed = zstandard.ZstdCompressor(level=3).compress(b"\n".join(picture))
        tx.execute(insert(pictures), {"match": result.match, "data": packed})
    return number


def _seat_row(match: MatchId, seat: SeatResult) -> dict[str, Any]:
    return {
        "match": match,
        "seat": seat.seat,
        "points": seat.points,
        "place": seat.place,
        "presence": seat.presence,
        **asdict(seat.stats),
    }


def read_picture(tx: Connection, match: MatchId) -> list[bytes] | None:
    """Return the last messages to the spectators of a match; None if there are none."""
    packed = tx.execute(select(pictures.c.data).where(pictures.c.match == match)).scalar()
    return None if packed is None else zstandard.ZstdDecompressor().decompress(packed).split(b"\n")


def read_records(
    tx: Connection, query: Select[Any], given: dict[str, Any] | None = None
) -> tuple[MatchRecord, ...]:
    """Return the finished matches of a query over `RECORDS` with these parameters, corrections applied."""
    rows = tx.execute(query, given).all()
    found = [row.match for row in rows]
    places = _seats_of(tx, match_seats, found)
    played = _seats_of(tx, result_seats, found)
    newest = read_corrections(tx, found)
    return tuple(
        _record(row, places[row.match], played[row.match], newest.get(MatchId(row.match))) for row in rows
    )


def _record(
    row: AnyRow, places: Sequence[AnyRow], played: Sequence[AnyRow], correction: Correction | None
) -> MatchRecord:
    seats = tuple(_seat(place, part) for place, part in zip(places, played, strict=True))
    result = MatchResult(
        match=MatchId(row.match),
        game=row.game,
        rules_version=row.rules_version,
        seed=row.seed,
        reason=row.reason,
        detail=row.detail,
        ticks=row.ticks,
        seats=seats,
        digest=row.digest,
    )
    return MatchRecord(
        number=row.number,
        result=result,
        ended_at=row.ended_at,
        pairing=_ref(row),
        is_public=row.is_public,
        replay_sha256=row.replay_sha256,
        correction=correction,
    )


def _seat(place: AnyRow, part: AnyRow) -> SeatResult:
    stats = SeatStats(*(getattr(part, name) for name in _STATS))
    return SeatResult(
        place.seat, place.bot, place.name, part.points, part.place, Presence(part.presence), stats
    )


def _seats_of(tx: Connection, table: Any, found: Sequence[str]) -> dict[str, list[AnyRow]]:
    if not found:
        return {}
    query = select(table).where(table.c.match.in_(found)).order_by(table.c.match, table.c.seat)
    return {match: list(rows) for match, rows in groupby(tx.execute(query), lambda row: row.match)}


def read_corrections(tx: Connection, found: Sequence[str]) -> dict[MatchId, Correction]:
    """Return the newest correction of each match that has one."""
    if not found:
        return {}
    query = select(corrections).where(corrections.c.match.in_(found)).order_by(corrections.c.number)
    return {MatchId(row.match): correction_of(row) for row in tx.execute(query)}


def correction_of(row: AnyRow) -> Correction:
    """Return a row of corrections as a value."""
    return Correction(MatchId(row.match), tuple(row.points), tuple(row.places), row.why, row.who, row.at)

"""Matches from their beginning to their result, which is a fact: stored once, never changed."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from fangnetz_protocol.words import MatchId
from fangnetz_server.match.result import MatchResult
from fangnetz_server.store.audit import noted
from fangnetz_server.store.columns import clean
from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import ReplayMissing, ResultConflict, Unknown
from fangnetz_server.store.match_rows import (
    RECORDS,
    STARTS,
    correction_of,
    insert_result,
    insert_start,
    read_picture,
    read_records,
    read_starts,
    setup_digest,
)
from fangnetz_server.store.memo import Memo
from fangnetz_server.store.pairing_state import begin_attempt, settle
from fangnetz_server.store.ratings import outdate_ratings
from fangnetz_server.store.replays import ReplayFiles
from fangnetz_server.store.tables import corrections, match_seats, matches, results
from fangnetz_server.store.values import (
    AuditNote,
    Correction,
    MatchRecord,
    MatchStart,
    MatchState,
    Page,
    StoredMatch,
)

__all__ = ["Matches"]

_START: Final = STARTS.where(matches.c.id == bindparam("of_match"))
_RECORD: Final = RECORDS.where(results.c.match == bindparam("of_match"))
_IS_PUBLIC: Final = select(matches.c.is_public).where(matches.c.id == bindparam("of_match"))
_SET_STATE: Final = (
    update(matches).where(matches.c.id == bindparam("of_match")).values(state=bindparam("new_state"))
)
_KEPT: Final = 100
"""Matches of a page that is kept in memory, at most."""
_SHOWN: Final = 200
"""Characters of a value in an error."""


class Matches:
    """The matches as a part of the store."""

    def __init__(self, database: Database, files: ReplayFiles, now: Callable[[], datetime]) -> None:
        self._database = database
        self._files = files
        self._now = now
        self._pages: Memo[Page] = Memo(database)
        self._finishing: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    # --- from the beginning to the end --------------------------------------------------------

    async def begin(self, start: MatchStart) -> None:
        """Store a match that begins, so that it is known as unfinished after a crash.

        The same match again changes nothing. A friendly match may be left out here: `finish` is
        given its start too.

        Raises:
            Unknown: there is no such pairing.
            PairingDecided, PairingConflict: its pairing has a result, or is being played.
            ResultConflict: another match has this id.
        """
        self._files.path(start.match)  # Better now than at the end: the id has to do for a file.
        await self._database.write(lambda tx: _begin(tx, start))

    async def finish(
        self,
        start: MatchStart,
        result: MatchResult,
        *,
        replay: bytes | None,
        picture: Sequence[bytes] = (),
        ended_at: datetime | None = None,
    ) -> MatchRecord:
        """Bring a result to the disk, all of it or nothing; only then may anybody hear of it.

        The same result again is harmless and returns what is stored.

        Args:
            start: the match; it need not have been stored before.
            result: the fact.
            replay: the replay file; None for a match that never was played.
            picture: what a late spectator gets: `match_start`, the last `frame`, `match_end`.
            ended_at: None: now.

        Raises:
            StoreUnavailable: it is not on the disk, or nobody knows; ask again later.
            ResultConflict: another result of this match is stored, or it was given up.
            PairingDecided: another match has decided its pairing.
        """
        assert (start.match, start.game, start.seed) == (result.match, result.game, result.seed)
        result = replace(result, detail=None if result.detail is None else clean(result.detail))
        async with self._finishing.setdefault(start.match, asyncio.Lock()):
            if (known := await self.find(start.match)) is not None:
                _compare(known.result, result)
                return known
            digest = None
            if replay is not None:
                digest = await asyncio.to_thread(self._files.write, start.match, replay)
            at = ended_at or self._now()
            return await self._database.write(lambda tx: _finish(tx, start, result, digest, picture, at))

    async def unfinished(self) -> tuple[MatchStart, ...]:
        """Return the matches that began and have no result, oldest first: what a crash interrupted."""
        query = STARTS.where(matches.c.state == MatchState.OPEN).order_by(matches.c.created_at, matches.c.id)
        found = await self._database.read(lambda tx: read_starts(tx, query))
        return tuple(start for start, _ in found)

    async def give_up(self, found: Iterable[MatchId], *, note: AuditNote | None = None) -> None:
        """Mark unfinished matches as lost, all at once; their pairings wait to be played again.

        Matches that are over or lost stay as they are.
        """
        wanted = list(found)

        def work(tx: Connection) -> None:
            query = STARTS.where(matches.c.id.in_(wanted), matches.c.state == MatchState.OPEN)
            for start, _ in read_starts(tx, query):
                _set_state(tx, start.match, MatchState.LOST)
                if start.pairing is not None:
                    settle(tx, start.pairing, start.match, counts=False)

        await self._database.write(noted(work, note, self._now()))
        for match in wanted:  # If the server stopped between a replay and its result, the replay is nobody's.
            if await self.find(match) is None:
                await asyncio.to_thread(self._files.remove, match)

    async def correct(self, correction: Correction, *, note: AuditNote | None = None) -> MatchRecord:
        """Store what the host decided about a result; the result itself stays. Saying it again adds nothing.

        Raises:
            Unknown: the match has no result.
            ValueError: points and places are not one a seat.
            PairingDecided: it would count, but another match has decided the pairing.
        """
        return await self._database.write(noted(lambda tx: _correct(tx, correction), note, correction.at))

    # --- what is known ------------------------------------------------------------------------

    async def find(self, match: MatchId) -> MatchRecord | None:
        """Return a finished match; None if it is not over or unknown."""
        return await self._database.read(lambda tx: _record(tx, match))

    async def get(self, match: MatchId) -> StoredMatch:
        """Return all that is known of a match.

        Raises:
            Unknown: it was never stored.
        """

        def work(tx: Connection) -> StoredMatch:
            found = read_starts(tx, _START, {"of_match": match})
            if not found:
                raise Unknown("match", match)
            return StoredMatch(*found[0], _record(tx, match))

        return await self._database.read(work)

    async def page(
        self,
        *,
        game: str | None = None,
        bot: str | None = None,
        tournament: str | None = None,
        public_only: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> Page:
        """Return finished matches, newest first.

        Args:
            game, bot, tournament: only those of this game, with this bot on a seat, of this tournament.
            public_only: without private ones.
            limit: how many at most, up to 1000.
            offset: how many of the newest to leave out.
        """
        conditions: list[ColumnElement[bool]] = [
            column == value
            for column, value in ((results.c.game, game), (results.c.tournament, tournament))
            if value is not None
        ]
        if public_only:
            conditions.append(results.c.is_public)
        if bot is not None:
            conditions.append(
                results.c.match.in_(select(match_seats.c.match).where(match_seats.c.bot == bot))
            )
        query = RECORDS.where(*conditions).order_by(results.c.number.desc()).limit(limit).offset(offset)

        def work(tx: Connection) -> Page:
            return Page(read_records(tx, query), _count(tx, conditions))

        if limit > _KEPT:
            return await self._database.read(work)
        return await self._pages.read((game, bot, tournament, public_only, limit, offset), work)

    async def finished_ids(self) -> frozenset[MatchId]:
        """Return the ids of all matches that are over."""
        query = select(results.c.match)
        return await self._database.read(lambda tx: frozenset(map(MatchId, tx.execute(query).scalars())))

    async def corrections(self, match: MatchId) -> tuple[Correction, ...]:
        """Return what the host decided about a result, the first decision first."""
        query = select(corrections).where(corrections.c.match == match).order_by(corrections.c.number)
        rows = await self._database.read(lambda tx: tx.execute(query).all())
        return tuple(correction_of(row) for row in rows)

    async def picture(self, match: MatchId) -> list[bytes]:
        """Return what a spectator of a finished match gets: its start, its last frame and its end.

        Raises:
            Unknown: there is none of this match.
        """
        found = await self._database.read(lambda tx: read_picture(tx, match))
        if found is None:
            raise Unknown("picture of match", match)
        return found

    async def replay(self, match: MatchId) -> bytes:
        """Return the replay file of a finished match, compared with its digest.

        Raises:
            Unknown: the match is not over or unknown.
            ReplayMissing, ReplayDamaged: the file is not what was stored.
        """
        record = await self.find(match)
        if record is None:
            raise Unknown("finished match", match)
        if record.replay_sha256 is None:
            raise ReplayMissing(f"match {match}", "never was played, so it has no replay")
        return await asyncio.to_thread(self._files.read, match, record.replay_sha256)

    def replay_path(self, match: MatchId) -> Path:
        """Return where the replay of a match lies or will lie."""
        return self._files.path(match)


def _begin(tx: Connection, start: MatchStart) -> MatchState:
    """Store a match if it is not there yet, and return how far it is."""
    found = read_starts(tx, _START, {"of_match": start.match})
    if found:
        known, state = found[0]
        _compare_starts(known, start)
        return state
    if start.pairing is not None:
        begin_attempt(tx, start.pairing, start.match)
    insert_start(tx, start)
    return MatchState.OPEN


def _finish(
    tx: Connection,
    start: MatchStart,
    result: MatchResult,
    digest: str | None,
    picture: Sequence[bytes],
    at: datetime,
) -> MatchRecord:
    state = _begin(tx, start)
    if state is MatchState.LOST:
        raise ResultConflict(start.match, "it was given up")
    if state is MatchState.OVER:  # Its caller was cancelled the first time, and so did not hear of it.
        record = _record(tx, start.match)
        assert record is not None, "a match that is over has a result"
        _compare(record.result, result)
        return record
    # The host may have released its round while it was played.
    is_public = tx.execute(_IS_PUBLIC, {"of_match": start.match}).scalar_one()
    number = insert_result(tx, start, result, digest, picture, at, is_public=is_public)
    _set_state(tx, start.match, MatchState.OVER)
    if start.pairing is not None:
        settle(tx, start.pairing, start.match, counts=bool(result.places))
    return MatchRecord(number, result, at, start.pairing, is_public, digest)


def _correct(tx: Connection, correction: Correction) -> MatchRecord:
    record = _record(tx, correction.match)
    if record is None:
        raise Unknown("finished match", correction.match)
    _check_correction(correction, len(record.result.seats))
    known = record.correction
    if known is not None and replace(known, at=correction.at) == correction:
        return record
    row = {name: getattr(correction, name) for name in ("match", "why", "who", "at")}
    outdate_ratings(tx, record.result.game, record.number)
    points, places = list(correction.points), list(correction.places)
    tx.execute(insert(corrections).values(points=points, places=places, **row))
    if record.pairing is not None:
        settle(tx, record.pairing, record.match, counts=not correction.annuls)
    return replace(record, correction=correction)


def _check_correction(correction: Correction, seats: int) -> None:
    if not len(correction.points) == len(correction.places) in (0, seats):
        raise ValueError(
            f"match {correction.match}: {len(correction.points)} points and {len(correction.places)} places "
            f"for {seats} seats; give one each a seat, or none at all to annul the result"
        )


def _record(tx: Connection, match: MatchId) -> MatchRecord | None:
    return next(iter(read_records(tx, _RECORD, {"of_match": match})), None)


def _compare(known: MatchResult, result: MatchResult) -> None:
    """See that a result is the stored one.

    Raises:
        ResultConflict: it is another.
    """
    for field in fields(MatchResult):
        _refuse_difference(known.match, field.name, getattr(known, field.name), getattr(result, field.name))


def _compare_starts(known: MatchStart, start: MatchStart) -> None:
    for name in ("game", "rules_version", "seed", "entrants", "pairing"):
        _refuse_difference(known.match, name, getattr(known, name), getattr(start, name))
    if setup_digest(known.setup) != setup_digest(start.setup):
        raise ResultConflict(known.match, "with another setup")


def _refuse_difference(match: MatchId, name: str, known: object, given: object) -> None:
    if known != given:
        raise ResultConflict(match, f"{name} is {_shown(known)}, not {_shown(given)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _set_state(tx: Connection, match: MatchId, state: MatchState) -> None:
    tx.execute(_SET_STATE, {"of_match": match, "new_state": state})


def _count(tx: Connection, conditions: Sequence[ColumnElement[bool]]) -> int:
    query = select(func.count()).select_from(results).where(*conditions)
    return tx.execute(query).scalar_one()

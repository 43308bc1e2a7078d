"""Seat codes: how somebody without a token takes a seat of a match, once, or plays in a tournament."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, insert, select, update

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store.audit import noted
from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import SeatCodeUsed, Unknown
from fangnetz_server.store.tables import seat_codes
from fangnetz_server.store.tokens import hash_code, new_code
from fangnetz_server.store.values import AuditNote, SeatGrant

__all__ = ["SeatCodes"]


class SeatCodes:
    """The seat codes as a part of the store."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def issue(
        self, grant: SeatGrant, *, lifetime: timedelta | None = None, note: AuditNote | None = None
    ) -> str:
        """Return a new code for `grant`; nobody can read it again.

        Args:
            grant: what it is good for.
            lifetime: after that it is worth nothing if nobody has used it; None: it stays good.
            note: for the audit log.
        """
        code, at = new_code(), self._now()
        row = {
            "bot": grant.bot,
            "name": grant.name,
            "match": grant.match,
            "seat": grant.seat,
            "tournament": grant.tournament,
            "created_at": at,
            "expires_at": None if lifetime is None else at + lifetime,
        }

        def work(tx: Connection) -> None:
            tx.execute(insert(seat_codes).values(hash=hash_code(code), **row))

        await self._database.write(noted(work, note, at))
        return code

    async def use(self, code: str, used_by: str) -> SeatGrant:
        """Take a code and return what it is good for.

        A code for a match works once; of two who use it at once, one gets it. One for a tournament works
        until it is revoked: a tournament lasts longer than connections, and outlives the server.

        Args:
            code: as typed; case, blanks and dashes do not matter.
            used_by: who took it, for the host: an address, a session.

        Raises:
            Unknown: there is no such code.
            SeatCodeUsed: it was used before, or its time is over.
        """
        at, digest = self._now(), hash_code(code)

        def work(tx: Connection) -> SeatGrant:
            row = tx.execute(select(seat_codes).where(seat_codes.c.hash == digest)).first()
            if row is None:
                raise Unknown("seat code", "****")
            if row.used_at is not None and row.tournament is None:
                raise SeatCodeUsed("this seat code was used before; ask the host for a new one")
            if row.used_at is None and row.expires_at is not None and row.expires_at <= at:
                raise SeatCodeUsed("the time of this seat code is over; ask the host for a new one")
            tx.execute(
                update(seat_codes).where(seat_codes.c.hash == digest).values(used_by=used_by, used_at=at)
            )
            match = None if row.match is None else MatchId(row.match)
            return SeatGrant(BotId(row.bot), row.name, match, row.seat, row.tournament)

        return await self._database.write(work)

    async def revoke(
        self,
        *,
        match: MatchId | None = None,
        tournament: str | None = None,
        note: AuditNote | None = None,
    ) -> int:
        """Delete the unused codes of a match, or all of a tournament, and return how many there were."""
        assert (match is None) != (tournament is None), "of a match or of a tournament, not of all"
        if match is not None:
            of = and_(seat_codes.c.match == match, seat_codes.c.used_at.is_(None))
        else:
            of = seat_codes.c.tournament == tournament
        void = delete(seat_codes).where(of)
        return await self._database.write(noted(lambda tx: tx.execute(void).rowcount, note, self._now()))

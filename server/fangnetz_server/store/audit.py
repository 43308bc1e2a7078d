"""The audit log: who did what to the server, in the order in which it took effect."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, insert, select

from fangnetz_server.store.database import Database
from fangnetz_server.store.tables import audit
from fangnetz_server.store.values import AuditNote, AuditRecord

__all__ = ["AuditLog", "noted"]

T = TypeVar("T")


def noted(work: Callable[[Connection], T], note: AuditNote | None, at: datetime) -> Callable[[Connection], T]:
    """Return `work` with a line of the audit log in the same transaction: both are there or neither."""

    def both(tx: Connection) -> T:
        result = work(tx)
        if note is not None:
            _write(tx, note, at)
        return result

    return both


def _write(tx: Connection, note: AuditNote, at: datetime) -> None:
    tx.execute(
        insert(audit).values(
            at=at, who=note.who, command=note.command, target=note.target, details=dict(note.details)
        )
    )


class AuditLog:
    """The log as a part of the store."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def add(self, note: AuditNote) -> None:
        """Note a command that changed nothing in the store, such as a pause of a match."""
        at = self._now()
        await self._database.write(lambda tx: _write(tx, note, at))

    async def records(
        self, *, target: str | None = None, before: int | None = None, limit: int = 100
    ) -> tuple[AuditRecord, ...]:
        """Return the newest lines, newest first.

        Args:
            target: only those about it.
            before: only those with a smaller number; for the next page, that of the last one.
            limit: how many at most.
        """
        query = select(audit).order_by(audit.c.number.desc()).limit(limit)
        if target is not None:
            query = query.where(audit.c.target == target)
        if before is not None:
            query = query.where(audit.c.number < before)
        rows = await self._database.read(lambda tx: tx.execute(query).all())
        return tuple(
            AuditRecord(row.number, row.at, AuditNote(row.who, row.command, row.target, row.details))
            for row in rows
        )

"""Remembers what was read until something is written."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Final, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection

from fangnetz_server.store.database import Database

__all__ = ["Memo"]

T = TypeVar("T")
_MOST: Final = 32


class _Known(NamedTuple, Generic[T]):
    version: int
    reading: asyncio.Task[T]


class Memo(Generic[T]):
    """Answers of a database that many ask for; of several that ask at once, one reads.

    Args:
        database: nobody else writes into it, so what was read is true until the next write.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[Hashable, _Known[T]] = {}

    async def read(self, key: Hashable, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads, or has read for the same key.

        Raises:
            StoreUnavailable: not now.
        """
        known = self._known.pop(key, None)
        if known is None or known.version != self._database.version or _has_failed(known.reading):
            reading = asyncio.create_task(self._database.read(work), name="store-memo")
            reading.add_done_callback(_has_failed)  # Nobody may be left who looks at its error.
            known = _Known(self._database.version, reading)
            while len(self._known) >= _MOST:  # The one that was asked for the longest time ago.
                del self._known[next(iter(self._known))]
        self._known[key] = known
        # Who is cancelled does not take the others with him.
        return await asyncio.shield(known.reading)


def _has_failed(reading: asyncio.Task[T]) -> bool:
    return reading.done() and (reading.cancelled() or reading.exception() is not None)

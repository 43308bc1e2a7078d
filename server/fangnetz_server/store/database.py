"""Runs transactions: readers side by side, writers one after the other."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from fangnetz_server.store.backend import Backend
from fangnetz_server.store.errors import StoreError, StoreUnavailable
from fangnetz_server.store.failures import explained

__all__ = ["Database"]

T = TypeVar("T")


class Database:
    """A database that is ours alone.

    If the connection that writes is lost, our hold on the database is lost with it, so nothing is
    written before both are back.
    """

    def __init__(self, backend: Backend) -> None:
        self.place = backend.place
        self._backend = backend
        self.version = 0
        """Another one than before, if something may have been written in between."""
        self._turn = asyncio.Lock()
        self._writing: set[asyncio.Task[object]] = set()
        self._closed = False

    async def open(self, check: Callable[[Connection], None], migrate: Callable[[Connection], None]) -> None:
        """Connect; `check` looks whether it is a store before anything is changed, `migrate` makes it one.

        Raises:
            StoreError: what they raise, or what the database says.
        """
        try:
            with explained(self.place):
                await self._backend.look(check)
                await self._backend.prepare()
            await self.write(migrate)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish what is being written and disconnect."""
        self._closed = True
        while self._writing:
            await asyncio.wait(self._writing)
        await self._backend.close()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads, all of it from the same moment.

        Raises:
            StoreUnavailable: not now.
        """
        self._check_open()
        with explained(self.place):
            return await self._backend.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction and return once it is on the disk; if it raises, nothing was done.

        A caller that is cancelled does not take the transaction down with it.

        Raises:
            StoreUnavailable: not now; it may have been done, if the connection broke in that moment.
        """
        self._check_open()
        task = asyncio.create_task(self._write(work), name="store-write")
        self._writing.add(task)
        task.add_done_callback(self._written)
        return await asyncio.shield(task)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(self.place, "is closed")

    def _written(self, task: asyncio.Task[object]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            task.exception()  # Its caller may be gone; then nobody else looks at it.

    async def _write(self, work: Callable[[Connection], T]) -> T:
        async with self._turn:
            self.version += 1
            try:
                with explained(self.place):
                    return await self._backend.write(work)
            except StoreError:
                await self._backend.drop_writer()
                raise
            finally:
                self.version += 1

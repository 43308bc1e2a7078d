"""Runs transactions: readers side by side, writers one after the other on a connection of their own."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from fangnetz_server.store.engines import WRITES, Engine
from fangnetz_server.store.errors import StoreError, StoreUnavailable
from fangnetz_server.store.failures import explained

__all__ = ["Database"]

T = TypeVar("T")


class Database:
    """A database that is ours alone.

    The connection that writes is the one that holds the database's lock. If it is lost, the lock
    is lost with it, so nothing is written before both are back.
    """

    def __init__(self, engine: Engine) -> None:
        self.place = engine.place
        self._engine = engine
        self._writer: AsyncConnection | None = None
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
                writer = await self._connected()
                await writer.run_sync(check)
                await writer.rollback()
                await writer.run_sync(self._engine.prepare)
            await self.write(migrate)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish what is being written and disconnect."""
        self._closed = True
        while self._writing:
            await asyncio.wait(self._writing)
        await self._drop_writer()
        await self._engine.pool.dispose()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` reads, all of it from the same moment.

        Raises:
            StoreUnavailable: not now.
        """
        with explained(self.place):
            async with self._engine.pool.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction and return once it is on the disk; if it raises, nothing was done.

        A caller that is cancelled does not take the transaction down with it.

        Raises:
            StoreUnavailable: not now; it may have been done, if the connection broke in that moment.
        """
        if self._closed:
            raise StoreUnavailable(self.place, "is closed")
        task = asyncio.create_task(self._write(work), name="store-write")
        self._writing.add(task)
        task.add_done_callback(self._written)
        return await asyncio.shield(task)

    def _written(self, task: asyncio.Task[object]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            task.exception()  # Its caller may be gone; then nobody else looks at it.

    async def _write(self, work: Callable[[Connection], T]) -> T:
        async with self._turn:
            try:
                with explained(self.place):
                    writer = await self._connected()
                    async with writer.begin():
                        return await writer.run_sync(work)
            except StoreError:
                # Whatever happened to the connection, a new one knows nothing of it.
                await self._drop_writer()
                raise

    async def _connected(self) -> AsyncConnection:
        if self._writer is None:
            writer = await self._engine.pool.connect()
            self._writer = await writer.execution_options(**{WRITES: True})
            await writer.run_sync(self._engine.claim)
            await writer.commit()
        return self._writer

    async def _drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.invalidate()  # Back in the pool it would keep the lock.
            await writer.close()

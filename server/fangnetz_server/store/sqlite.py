"""A store in a file of SQLite, in the data folder.

Whole transactions run in a thread, one for all writers and a few for readers. A driver that
carries every single statement to a thread and back takes some fifty switches for a result,
which on a busy machine costs more than the disk does.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import ConnectionPoolEntry

from fangnetz_server.store.backend import dumps

__all__ = ["SqliteBackend"]

T = TypeVar("T")
_WRITES: Final = "fangnetz_writes"
"""Execution option of the one connection that writes."""
_READERS: Final = 2
_APPLICATION_ID: Final = int.from_bytes(b"FNZ1", "big")


class SqliteBackend:
    """A database file, which is made if there is none.

    The lock of the data folder keeps other servers out.

    Args:
        file: the file.
        busy_timeout_s: how long to wait for a program that looks into it with tools of its own.
    """

    def __init__(self, file: Path, busy_timeout_s: float) -> None:
        self.place = str(file)
        self._engine = create_engine(
            URL.create("sqlite+pysqlite", database=str(file)),
            json_serializer=dumps,
            json_deserializer=orjson.loads,
            # The driver shall begin no transactions by itself: it leaves DDL out and begins too late.
            connect_args={"isolation_level": None, "timeout": busy_timeout_s},
            pool_size=_READERS + 1,
        )
        event.listen(self._engine, "connect", _set_up)
        event.listen(self._engine, "begin", _begin)
        self._writer: Connection | None = None
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store-reader")

    async def look(self, work: Callable[[Connection], T]) -> T:
        return await _run(self._writing, self._look, work)

    async def prepare(self) -> None:
        await _run(self._writing, self._prepare)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await _run(self._reading, self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await _run(self._writing, self._write, work)

    async def drop_writer(self) -> None:
        await _run(self._writing, self._drop_writer)

    async def close(self) -> None:
        await self.drop_writer()
        await asyncio.to_thread(self._shut_down)

    # --- in the threads -----------------------------------------------------------------------

    def _look(self, work: Callable[[Connection], T]) -> T:
        writer = self._connected()
        try:
            return work(writer)
        finally:
            writer.rollback()

    def _prepare(self) -> None:
        with closing(self._connected().connection.cursor()) as cursor:
            # Then readers and the writer do not wait for each other; the file remembers it.
            cursor.execute("PRAGMA journal_mode = WAL")
            # It tells other tools what the file is. Trying to write it tells us, now and not at the
            # first result, if the file is read-only; it is taken back, as the disk may be full.
            cursor.execute("PRAGMA application_id")
            marked = cursor.fetchone() == (_APPLICATION_ID,)
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            cursor.execute("ROLLBACK" if marked else "COMMIT")

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            return work(connection)

    def _write(self, work: Callable[[Connection], T]) -> T:
        writer = self._connected()
        with writer.begin():
            return work(writer)

    def _connected(self) -> Connection:
        if self._writer is None:
            self._writer = self._engine.connect().execution_options(**{_WRITES: True})
        return self._writer

    def _drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.invalidate()  # Whatever has happened to it, a new one knows nothing of that.
            writer.close()

    def _shut_down(self) -> None:
        self._writing.shutdown()
        self._reading.shutdown()
        self._engine.dispose()


async def _run(threads: ThreadPoolExecutor, work: Callable[..., T], *args: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work, *args)


def _set_up(connection: Any, _entry: ConnectionPoolEntry) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")  # A commit is on the disk, not only on its way there.


def _begin(connection: Connection) -> None:
    # A transaction that reads first and then writes could not get the lock any more; so it begins with it.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

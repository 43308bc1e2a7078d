"""A store in a database, or a schema, of PostgreSQL."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import orjson
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from fangnetz_server.store.backend import dumps
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.errors import StoreError, StoreLocked

__all__ = ["PostgresBackend"]

T = TypeVar("T")
_URL: Final = re.compile(r"(postgres|postgresql)(\+asyncpg)?://(?P<rest>.*)")
_PASSWORD: Final = re.compile(r"(?<=:)[^:@/]*(?=@)|(?<=password=)[^&]*")
_CONNECT_S: Final = 10
_COMMAND_S: Final = 60
"""An answer that takes longer is taken for a lost connection."""
_READERS: Final = 5
_POLL_S: Final = 0.05

# The two keys of the lock: Fangnetz, and the schema, as a database may hold a store in each.
_CLAIM: Final = text("SELECT pg_try_advisory_lock(1179535962, hashtext(current_schema()))")
# A result is told of as soon as its commit returns, so that has to be on the disk, whatever the database is
# set to for others. Stricter settings, such as those for standbys, are left alone.
_DURABLE: Final = text(
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
_SCHEMA: Final = text("SELECT current_schema()")
_PING: Final = text("SELECT 1")
_HOLDER: Final = text(
    "SELECT a.pid, a.client_addr::text FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1179535962 "
    "AND l.objid::bigint = hashtext(current_schema())::bigint & 4294967295 AND a.datname = current_database()"
)


class PostgresBackend:
    """A database server. The writing connection holds an advisory lock, which ends with it.

    A pooler between us and the server has to leave a connection to its session.

    Args:
        url: as libpq reads it, `postgresql://user@host/database`; `search_path=NAME` among its
            parameters puts the store into a schema of that name.
        busy_timeout_s: how long to wait for the lock. The database notices the end of a server that
            was killed only when its socket says so.

    Raises:
        StoreError: it is no such URL, or the driver is not installed.
    """

    def __init__(self, url: str, busy_timeout_s: float) -> None:
        self.place = _PASSWORD.sub("***", url)
        self._pool = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=_connector(url, self.place),
            json_serializer=dumps,
            json_deserializer=orjson.loads,
            # What is read in one go belongs together. The one writer never meets another's changes.
            isolation_level="REPEATABLE READ",
            pool_size=_READERS + 1,
            pool_pre_ping=True,
        )
        self._busy_timeout_s = busy_timeout_s
        self._writer: AsyncConnection | None = None

    async def look(self, work: Callable[[Connection], T]) -> T:
        writer = await self._connected()
        try:
            return await writer.run_sync(work)
        finally:
            await writer.rollback()

    async def prepare(self) -> None:
        pass

    async def read(self, work: Callable[[Connection], T]) -> T:
        async with self._pool.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        writer = await self._connected()
        async with writer.begin():
            return await writer.run_sync(work)

    async def drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.invalidate()  # Back in the pool it would keep the lock.
            await writer.close()

    async def close(self) -> None:
        await self.drop_writer()
        await self._pool.dispose()

    async def _connected(self) -> AsyncConnection:
        if self._writer is not None and not await _is_alive(self._writer):
            await self.drop_writer()
        if self._writer is None:
            self._writer = await self._pool.connect()
            await self._claim(self._writer)
        return self._writer

    async def _claim(self, writer: AsyncConnection) -> None:
        if (await writer.execute(_SCHEMA)).scalar() is None:
            raise StoreError(self.place, "has no such schema; create it first")
        deadline = time.monotonic() + self._busy_timeout_s
        while not (await writer.execute(_CLAIM)).scalar_one():
            if time.monotonic() >= deadline:
                holder = (await writer.execute(_HOLDER)).first()
                raise StoreLocked(self.place, _describe(holder))
            await writer.rollback()  # The next look shall be at a later moment.
            await asyncio.sleep(_POLL_S)
        await writer.execute(_DURABLE)
        await writer.commit()


async def _is_alive(writer: AsyncConnection) -> bool:
    """See whether a connection outlived the time since its last use: a restart, a cut line."""
    try:
        await writer.execute(_PING)
        await writer.rollback()
    except DBAPIError:
        return False
    return True


def _describe(holder: AnyRow | None) -> str:
    if holder is None:
        return "another server"
    origin = "this machine" if holder[1] is None else holder[1]
    return f"the server behind database process {holder[0]}, from {origin}"


def _connector(url: str, place: str) -> Callable[[], Any]:
    match = _URL.fullmatch(url)
    if match is None:
        raise StoreError(place, "is no URL of PostgreSQL; one reads postgresql://user:password@host/database")
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ImportError as error:
        raise StoreError(
            place, "needs the driver asyncpg: pip install 'fangnetz-server[postgres]'"
        ) from error
    dsn = f"postgresql://{match['rest']}"
    named = {} if "application_name=" in dsn else {"application_name": "fangnetz"}

    async def connect() -> Any:
        return await asyncpg.connect(
            dsn, timeout=_CONNECT_S, command_timeout=_COMMAND_S, server_settings=named
        )

    return connect

"""Opens connections to the two databases that hold a store, SQLite and PostgreSQL."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from fangnetz_server.store.errors import StoreError, StoreLocked

__all__ = ["WRITES", "Engine", "postgres_engine", "sqlite_engine"]

WRITES: Final = "fangnetz_writes"
"""Execution option of the one connection that writes."""
_POSTGRES_URL: Final = re.compile(r"(postgres|postgresql)(\+asyncpg)?://(?P<rest>.*)")
_PASSWORD: Final = re.compile(r"(?<=:)[^:@/]*(?=@)|(?<=password=)[^&]*")
_CONNECT_S: Final = 10
_COMMAND_S: Final = 60
"""An answer of the database that takes longer is taken for a lost connection."""
_READERS: Final = 5

# The two keys of the advisory lock: Fangnetz, and the schema, as a database may hold a store in each.
_CLAIM: Final = text("SELECT pg_try_advisory_lock(1179535962, hashtext(current_schema()))")
_HOLDER: Final = text(
    "SELECT a.pid, a.client_addr::text FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1179535962 "
    "AND l.objid::bigint = hashtext(current_schema())::bigint & 4294967295 AND a.datname = current_database()"
)


@dataclass(frozen=True, slots=True)
class Engine:
    """A database: `claim` makes a writing connection the only one, `prepare` follows once it is ours."""

    place: str
    """For people: a file, or a URL without its password."""
    pool: AsyncEngine
    claim: Callable[[Connection], None]
    prepare: Callable[[Connection], None]


def _dumps(value: Any) -> str:
    return orjson.dumps(value).decode()


def sqlite_engine(file: Path, busy_timeout_s: float) -> Engine:
    """Return the engine of a database file, which is made if there is none.

    The folder's lock keeps other servers out; `busy_timeout_s` is how long to wait for a program
    that looks into the file with tools of its own.
    """
    pool = create_async_engine(
        f"sqlite+aiosqlite:///{file}",
        json_serializer=_dumps,
        json_deserializer=orjson.loads,
        pool_size=_READERS + 1,
        # The driver shall begin no transactions by itself: it leaves DDL out and begins too late.
        connect_args={"isolation_level": None, "timeout": busy_timeout_s},
    )
    event.listen(pool.sync_engine, "connect", _set_up_sqlite)
    event.listen(pool.sync_engine, "begin", _begin_sqlite)
    return Engine(str(file), pool, claim=_nothing, prepare=_use_write_ahead_log)


def _set_up_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = FULL")  # A commit is on the disk, not only on its way there.
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and then writes could not get the lock any more; so it begins with it.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_write_ahead_log(connection: Connection) -> None:
    """Readers and the writer do not wait for each other; the file remembers it."""
    driver = connection.connection
    cursor = driver.cursor()  # Outside of any transaction, or SQLite refuses.
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.close()


def _nothing(_connection: Connection) -> None:
    pass


def postgres_engine(url: str) -> Engine:
    """Return the engine of a PostgreSQL database.

    Args:
        url: as libpq reads it, `postgresql://user@host/database`; `search_path=NAME` among its
            parameters puts the store into a schema of that name.

    Raises:
        StoreError: it is no such URL, or the driver is not installed.
    """
    match = _POSTGRES_URL.fullmatch(url)
    place = _PASSWORD.sub("***", url)
    if match is None:
        raise StoreError(place, "is no URL of PostgreSQL; one reads postgresql://user:password@host/database")
    dsn = f"postgresql://{match['rest']}"
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ImportError as error:
        raise StoreError(
            place, "needs the driver asyncpg: pip install 'fangnetz-server[postgres]'"
        ) from error

    async def connect() -> Any:
        return await asyncpg.connect(
            dsn,
            timeout=_CONNECT_S,
            command_timeout=_COMMAND_S,
            server_settings={"application_name": "fangnetz"},
        )

    pool = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        json_serializer=_dumps,
        json_deserializer=orjson.loads,
        # What is read in one go belongs together. The one writer never meets another's changes.
        isolation_level="REPEATABLE READ",
        pool_size=_READERS + 1,
        pool_pre_ping=True,
    )

    def claim(connection: Connection) -> None:
        if not connection.execute(_CLAIM).scalar_one():
            holder = connection.execute(_HOLDER).first()
            if holder is None:
                raise StoreLocked(place, "another server")
            raise StoreLocked(place, f"the server behind database process {holder[0]} from {holder[1]}")

    return Engine(place, pool, claim=claim, prepare=_nothing)

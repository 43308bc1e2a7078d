"""The one repository object of the server."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from fangnetz_server.store.audit import AuditLog
from fangnetz_server.store.bots import Bots
from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import StoreNotWritable
from fangnetz_server.store.facts import Facts
from fangnetz_server.store.lock import FolderLock
from fangnetz_server.store.matches import Matches
from fangnetz_server.store.migrate import check, upgrade
from fangnetz_server.store.postgres import PostgresBackend
from fangnetz_server.store.ratings import Ratings
from fangnetz_server.store.replays import ReplayFiles
from fangnetz_server.store.seat_codes import SeatCodes
from fangnetz_server.store.sqlite import SqliteBackend
from fangnetz_server.store.tournaments import Tournaments

__all__ = ["DATABASE", "Store", "opened_store"]

DATABASE: Final = "fangnetz.sqlite3"
"""Name of the database file in the data folder."""
_REPLAYS: Final = "replays"
_BUSY_S: Final = 5.0


class Store:
    """All that a server remembers. Made by `Store.open`; its parts are attributes.

    Every method that writes is one transaction, on the disk when it returns, and raises
    `StoreUnavailable` if it could not be done now. `Refused` and its children say why something
    must not be done.
    """

    def __init__(
        self, database: Database, files: ReplayFiles, lock: FolderLock, now: Callable[[], datetime]
    ) -> None:
        self.place = database.place
        """What the store is called in messages."""
        self.bots = Bots(database, now)
        self.seat_codes = SeatCodes(database, now)
        self.matches = Matches(database, files, now)
        self.facts = Facts(database)
        self.tournaments = Tournaments(database, files, now)
        self.ratings = Ratings(database)
        self.audit = AuditLog(database, now)
        self._database = database
        self._lock = lock

    @classmethod
    async def open(
        cls,
        folder: Path,
        *,
        database: str | None = None,
        busy_timeout_s: float = _BUSY_S,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> "Store":
        """Open a store, or make one, and bring it to this program's tables.

        Args:
            folder: for the replays, and for the database if it is SQLite; is made if it does not exist.
            database: URL of PostgreSQL (`postgresql://user:password@host/name`); None: SQLite in the folder.
            busy_timeout_s: how long to wait while another program has SQLite's file locked, or while
                PostgreSQL has not noticed yet that the server before this one is gone.
            now: the wall clock.

        Raises:
            StoreLocked: another server has the folder or the database.
            NewerStore: a newer program made the database.
            NotAStore: the database holds something else; it was left as it is.
            StoreNotWritable: the folder or the database may not be written to.
            StoreError: anything else that is wrong with the URL, the database or the disk.
        """
        _make(folder)
        lock = FolderLock(folder)
        try:
            files = _replay_files(folder)
            opened = Database(
                SqliteBackend(folder / DATABASE, busy_timeout_s)
                if database is None
                else PostgresBackend(database, busy_timeout_s)
            )
            await opened.open(lambda connection: check(connection, opened.place), upgrade)
        except BaseException:
            lock.release()
            raise
        return cls(opened, files, lock, now)

    async def close(self) -> None:
        """Finish what is being written, and let the next server in."""
        await self._database.close()
        self._lock.release()


@asynccontextmanager
async def opened_store(
    folder: Path, *, database: str | None = None, busy_timeout_s: float = _BUSY_S
) -> AsyncIterator[Store]:
    """Open a store for the time of a context; arguments and errors are those of `Store.open`."""
    store = await Store.open(folder, database=database, busy_timeout_s=busy_timeout_s)
    try:
        yield store
    finally:
        await store.close()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreNotWritable(str(folder), f"cannot be made ({error.strerror or error})") from error


def _replay_files(folder: Path) -> ReplayFiles:
    try:
        return ReplayFiles(folder / _REPLAYS)
    except OSError as error:
        raise StoreNotWritable(
            str(folder / _REPLAYS), f"cannot be written to ({error.strerror or error})"
        ) from error

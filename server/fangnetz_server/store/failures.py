"""Turns what the database drivers raise into the errors of the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, IntegrityError

from fangnetz_server.store.errors import NotAStore, StoreError, StoreNotWritable, StoreUnavailable

__all__ = ["explained", "explanation"]

_Meaning = tuple[type[StoreError], str]

# https://www.sqlite.org/rescode.html: primary codes; an extended code's name begins with them.
_SQLITE: Final[dict[str, _Meaning]] = {
    "SQLITE_FULL": (StoreUnavailable, "the disk is full"),
    "SQLITE_BUSY": (StoreUnavailable, "another program keeps it locked"),
    "SQLITE_LOCKED": (StoreUnavailable, "another program keeps it locked"),
    "SQLITE_IOERR": (StoreUnavailable, "the disk does not read or write"),
    "SQLITE_NOMEM": (StoreUnavailable, "the memory is full"),
    "SQLITE_PROTOCOL": (StoreUnavailable, "another program keeps it locked"),
    "SQLITE_READONLY": (StoreNotWritable, "may not be written to"),
    "SQLITE_CANTOPEN": (StoreNotWritable, "cannot be opened"),
    "SQLITE_PERM": (StoreNotWritable, "may not be opened"),
    "SQLITE_AUTH": (StoreNotWritable, "may not be opened"),
    "SQLITE_NOTADB": (NotAStore, "is no database of Fangnetz, nor any other of SQLite; it was left as it is"),
    "SQLITE_CORRUPT": (StoreError, "is damaged; restore it from a backup, or take another data folder"),
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html: codes, or classes (two letters).
_POSTGRES: Final[dict[str, _Meaning]] = {
    "08": (StoreUnavailable, "the connection is lost"),
    "25006": (StoreNotWritable, "may not be written to"),
    "28": (StoreError, "lets nobody in with this name and password"),
    "3D000": (StoreError, "is not there; create it first"),
    "3F000": (StoreError, "has no such schema; create it first"),
    "40": (StoreUnavailable, "the transaction did not get through"),
    "42501": (StoreNotWritable, "does not allow this user to write"),
    "53100": (StoreUnavailable, "its disk is full"),
    "53": (StoreUnavailable, "it is out of resources"),
    "55": (StoreUnavailable, "it is in use"),
    "57": (StoreUnavailable, "the connection was ended"),
    "58": (StoreUnavailable, "its disk does not read or write"),
}


def explanation(place: str, error: BaseException) -> StoreError | None:
    """Return what a driver's error means for the store; None if it is not about the database's state."""
    if isinstance(error, IntegrityError):
        return None
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    found = _by_code(cause)
    if found is None and (_is_connection_lost(error) or isinstance(cause, OSError | TimeoutError)):
        found = (StoreUnavailable, "cannot be reached")
    if found is None:
        return None
    kind, problem = found
    return kind(place, f"{problem} ({_first_line(cause)})")


def _by_code(cause: BaseException) -> _Meaning | None:
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        primary = "_".join(name.split("_")[:2])
        return _SQLITE.get(primary)
    state = getattr(cause, "sqlstate", None)
    return None if state is None else _POSTGRES.get(state) or _POSTGRES.get(state[:2])


def _is_connection_lost(error: BaseException) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _first_line(cause: BaseException) -> str:
    said = cause.__cause__ or cause  # SQLAlchemy puts the class before what asyncpg said.
    return (str(said) or type(said).__name__).splitlines()[0]


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Raise the errors of the drivers inside as errors of the store; others pass through.

    Raises:
        StoreError: see `explanation`.
    """
    try:
        yield
    except Exception as error:
        meaning = explanation(place, error)
        if meaning is None:
            raise
        raise meaning from error

"""What the store needs of a database server or file, whichever it is."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import orjson
from sqlalchemy import Connection

__all__ = ["Backend", "dumps"]

T = TypeVar("T")


class Backend(Protocol):
    """A database. Errors are those of the drivers; `Database` explains them.

    One connection writes. While it is there, no other server can have one.
    """

    @property
    def place(self) -> str:
        """The file, or the URL without its password, for people."""
        ...

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the writing connection before anything of the database has been changed."""
        ...

    async def prepare(self) -> None:
        """Set what a database of ours has set for good."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction that sees one moment."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction of the writing connection; called one after the other."""
        ...

    async def drop_writer(self) -> None:
        """Forget the writing connection; the next `write` makes a new one."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...


def dumps(value: Any) -> str:
    """Return JSON as both databases store it."""
    return orjson.dumps(value).decode()

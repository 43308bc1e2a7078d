"""Column types that mean the same on SQLite and on PostgreSQL."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import JSON, BigInteger, DateTime, Double, Integer, LargeBinary, Row, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = ["AnyRow", "Blob", "Clean", "Json", "Moment", "Number", "Real", "Written", "clean"]

AnyRow = Row[*tuple[Any, ...]]
"""A row of any query."""
_NUL: Final = "\x00"
_REPLACEMENT: Final = "\ufffd"


def clean(text: str) -> str:
    """Return a text as it will come back: PostgreSQL stores no NUL character, so nobody does."""
    return text.replace(_NUL, _REPLACEMENT)


class Clean(TypeDecorator[str]):
    """Text of any length, sorted by code point on every database."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return Text(collation="C" if dialect.name == "postgresql" else None)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value if value is None else clean(value)


class Moment(TypeDecorator[datetime]):
    """A point in time, in UTC. SQLite keeps no zone, so it is put off and on again."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        assert value.tzinfo is not None, "a time without a zone would be read back as another time"
        inside = value.astimezone(UTC)
        return inside.replace(tzinfo=None) if dialect.name == "sqlite" else inside

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Written(TypeDecorator[int]):
    """An integer of any size (a seed may have any), written in digits; nobody calculates with it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


Number: Final[TypeEngine[int]] = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits; SQLite counts up by itself only in a column that is called INTEGER."""
Real: Final[TypeEngine[float]] = Double()
"""64 bits, so that a number comes back exactly as it went in."""
Json: Final = JSON()
"""Kept as text, in the order in which it was given."""
Blob: Final = LargeBinary()

"""Wrong values in all places of a right JSON object."""

from collections.abc import Iterator
from typing import Any, Final

from fangnetz_server.games.contract import JsonObject

__all__ = ["spoiled"]

WRONG: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    0,
    10**400,
    0.5,
    1e300,
    5e-324,
    float("nan"),
    float("inf"),
    "",
    "nonsense",
    "\ud800",
    "9" * 5000,
    [],
    [[]],
    {},
    {"": None},
)
"""One of each kind of value that breaks code which does not expect it."""

_DEPTH: Final = 3
"""Levels to spoil; deeper ones are alike."""
_WIDTH: Final = 3
"""Entries of a list to spoil; the others are alike."""


def spoiled(part: JsonObject) -> Iterator[JsonObject]:
    """Yield copies of the object with one value replaced by a wrong one, or left out."""
    yield from _spoiled(part, _DEPTH)


def _spoiled(value: Any, depth: int) -> Iterator[Any]:
    if depth == 0:
        return
    match value:
        case dict():
            for key, old in value.items():
                yield {other: kept for other, kept in value.items() if other != key}
                for new in (*WRONG, *_spoiled(old, depth - 1)):
                    yield {**value, key: new}
        case list():
            yield value + value
            for index, old in enumerate(value[:_WIDTH]):
                yield value[:index] + value[index + 1 :]
                for new in (*WRONG, *_spoiled(old, depth - 1)):
                    yield [*value[:index], new, *value[index + 1 :]]

"""The map and its poison, laid out for fast questions (R1, R3.2, R5.3).

A field is a number: its place in a board that has one more column than the map and a row of walls
above and below. Each row of the board starts with a wall, which also closes the row above on its
right, so that no step needs a check of the borders. A set of fields is an integer with one bit a
field.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from fangnetz_protocol.words import Direction

__all__ = ["MAX_SIDE", "Arena", "MapFault", "build_arena", "layer_faults", "map_faults"]

MAX_SIDE: Final = 500
"""Rows and columns of the largest map; about fifty times the area of the usual one, to bound memory."""
_WALL: Final = "#"
_MAP_SIGNS: Final = frozenset("#. ")
_POISON: Final[Mapping[str, int]] = (
    {" ": 1, ".": 1, "0": 20, "#": 20} | {str(digit): 2 * digit for digit in range(1, 10)}  # R1.3
)
_SIGNS: Final = {1: ".", 20: "0"} | {2 * digit: str(digit) for digit in range(1, 10)}


class MapFault(NamedTuple):
    """One fault of a map or layer; line and column count from 1."""

    line: int
    column: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Arena:
    """A map that has passed the checks of R1.1 and R1.3; made by `build_arena`."""

    width: int
    height: int
    free: bytes
    """1 for a free field, 0 for a wall, by field."""
    toxicity: tuple[int, ...]
    """Hundredths of life a round, by field."""
    walls: int
    """The walls on the map, one bit a field."""
    digest: bytes
    """A hash of map and layer."""
    steps: Mapping[Direction, int] = field(compare=False, repr=False)
    """What a step adds to the number of a field."""

    @property
    def stride(self) -> int:
        """Fields a row of the board."""
        return self.width + 1

    def at(self, x: int, y: int) -> int:
        """Return the field in column x and row y."""
        return (y + 1) * (self.width + 1) + x + 1

    def xy(self, place: int) -> tuple[int, int]:
        """Return column and row of a field."""
        y, x = divmod(place, self.width + 1)
        return x - 1, y - 1

    def free_fields(self) -> list[int]:
        """Return all free fields, row by row."""
        return [place for place, free in enumerate(self.free) if free]

    def rows(self) -> list[str]:
        """Return the map as lines of `#` and `.` (R1.1)."""
        return [
            "".join(".#"[not self.free[self.at(x, y)]] for x in range(self.width)) for y in range(self.height)
        ]

    def layer(self) -> list[str]:
        """Return the toxicity as lines of `.` and digits, `#` for a wall (R1.3)."""
        return [
            "".join(map(self._sign, range(self.at(0, y), self.at(self.width, y)))) for y in range(self.height)
        ]

    def _sign(self, place: int) -> str:
        return _SIGNS[self.toxicity[place]] if self.free[place] else _WALL

    def can_step(self, start: int, direction: Direction) -> bool:
        """Tell whether no wall forbids a step from `start` (R3.1, R3.2); players are not looked at."""
        free = self.free
        target = start + self.steps[direction]
        if not free[target]:
            return False
        if not (direction.dx and direction.dy):
            return True
        # R3.2: a diagonal step needs both ways round its corner.
        return bool(free[start + direction.dx] and free[target - direction.dx])

    def can_touch(self, one: int, other: int, players: int) -> bool:
        """Tell whether players on two neighbouring fields touch (R5.3).

        Args:
            one, other: fields that are neighbours, one of eight.
            players: the fields of all players, one bit a field.
        """
        dx = (other - one + 1) % self.stride - 1
        dy = (other - one - dx) // self.stride
        if not (dx and dy):
            return True
        # R5.3: a touch needs one way without wall and player, a step needs both.
        beside, above = one + dx, other - dx
        return any(self.free[way] and not players >> way & 1 for way in (beside, above))


@lru_cache(maxsize=32)
def build_arena(rows: tuple[str, ...], layer: tuple[str, ...] | None) -> Arena:
    """Lay out a map that has no faults; equal maps share one arena.

    Args:
        rows: the map (R1.1).
        layer: the toxicity (R1.3); None: 0.01 everywhere.
    """
    height, width = len(rows), len(rows[0])
    stride = width + 1
    board = bytearray((height + 2) * stride + 1)
    toxicity = [0] * len(board)
    layer = layer or ("." * width,) * height
    for y, (row, poisons) in enumerate(zip(rows, layer, strict=True)):
        start = (y + 1) * stride + 1
        board[start : start + width] = bytes(sign != _WALL for sign in row)
        # Nobody ever stands on a wall, so what a layer says of it makes no difference.
        toxicity[start : start + width] = [
            _POISON[poison if sign != _WALL else _WALL] for sign, poison in zip(row, poisons, strict=True)
        ]
    walls = sum(
        1 << (y + 1) * stride + x + 1 for y, row in enumerate(rows) for x, s in enumerate(row) if s == _WALL
    )
    steps = {direction: direction.dy * stride + direction.dx for direction in Direction}
    digest = blake2b(b"%d " % width + board + bytes(toxicity), digest_size=16).digest()
    return Arena(width, height, bytes(board), tuple(toxicity), walls, digest, steps)


def map_faults(rows: Sequence[str]) -> Iterator[MapFault]:
    """Find everything that R1.1 refuses in a map, line by line."""
    if not any(rows):
        yield MapFault(1, 1, "the map is empty")
        return
    if len(rows) > MAX_SIDE:
        yield MapFault(MAX_SIDE + 1, 1, f"the map has {len(rows)} lines; at most {MAX_SIDE} are allowed")
    width = _usual_length(rows)
    if width > MAX_SIDE:
        yield MapFault(1, MAX_SIDE + 1, f"the map has {width} columns; at most {MAX_SIDE} are allowed")
    for line, row in enumerate(rows, 1):
        yield from _sign_faults(
            line, row, _MAP_SIGNS, "write '#' for a wall, '.' or a blank for a free field"
        )
        if len(row) != width:
            yield MapFault(line, min(len(row), width) + 1, _ragged(row, width, "other lines of the map have"))


def layer_faults(layer: Sequence[str], rows: Sequence[str]) -> Iterator[MapFault]:
    """Find everything that R1.3 refuses in a toxicity layer for the map `rows`, line by line."""
    if len(layer) != len(rows):
        line = min(len(layer), len(rows)) + 1
        yield MapFault(line, 1, f"the layer has {len(layer)} lines; the map has {len(rows)}")
    width = _usual_length(rows)
    for line, row in enumerate(layer, 1):
        yield from _sign_faults(line, row, frozenset(_POISON), "write '.', a blank, a digit or '#'")
        if len(row) != width:
            yield MapFault(line, min(len(row), width) + 1, _ragged(row, width, "the map has"))


def _usual_length(rows: Sequence[str]) -> int:
    """Return the length of most lines, so that one bad line is not the measure of all others."""
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def _sign_faults(line: int, row: str, known: frozenset[str], right: str) -> Iterator[MapFault]:
    if known.issuperset(row):
        return
    for column, sign in enumerate(row, 1):
        if sign not in known:
            yield MapFault(line, column, f"{sign!a} has no meaning here; {right}")


def _ragged(row: str, width: int, others: str) -> str:
    advice = " (free fields at the end may be written as '.')" if len(row) < width else ""
    return f"the line has {len(row)} columns; {others} {width}{advice}"

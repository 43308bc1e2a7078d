"""The map of a Right2Live match as a bot wants it: steps, ways, touches and lines of sight.

    grid = Grid(setup.map)
    here = grid.at(me.x, me.y)
    far = grid.distances(there)
    best = min(grid.steps(here), key=lambda step: far[step.field])

A field is a number, made by `at` from column and row. A set of fields is an integer with one bit a
field, `1 << field`: union is `|`, what both have is `&`, the size is `.bit_count()`.
"""

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from fangnetz_protocol.words import COMPASS, Direction

__all__ = ["UNREACHABLE", "Grid", "Step"]

UNREACHABLE: Final = 65535
"""Distance to a field to which no way leads."""
_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
LEVEL: Final = 1 << 20
"""A slope that stands for the level direction."""
Slope = tuple[int, int]
"""A direction as a fraction: so much to the right for so much up or down."""
Gap = tuple[Slope, Slope]
_MOST_DISTANCES: Final = 4_000
"""How many tables of distances a grid keeps; all of a 70x30 map take about 9 MB."""


class Step(NamedTuple):
    """A step that the walls allow, and where it leads."""

    direction: Direction
    field: int


class Grid:
    """The walls of a map.

    Args:
        rows: the lines of the map, `#` for a wall (`Briefing.map`).
    """

    def __init__(self, rows: Sequence[str]) -> None:
        self.width: Final = len(rows[0])
        self.height: Final = len(rows)
        # One column of walls closes each row on the left and the row above on the right.
        self.stride: Final = self.width + 1
        self.fields: Final = tuple(
            self.at(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "#"
        )
        self.free: Final = _bits(self.fields)
        """The set of all free fields."""
        everything = _bits(self.at(x, y) for y in range(self.height) for x in range(self.width))
        self._walls: Final = everything & ~self.free
        self._wall_runs: Final = [
            [(run.start(), run.end() - 1) for run in re.finditer("#+", row)] for row in rows
        ]
        self._offsets: Final = {way: way.dx + way.dy * self.stride for way in Direction}
        self._doors: Final[dict[Direction, int]] = {way: self._starts(way) for way in COMPASS}
        moves = [(self._doors[way], self._offsets[way]) for way in COMPASS]
        self._forward: Final = tuple((starts, offset) for starts, offset in moves if offset > 0)
        self._backward: Final = tuple((starts, -offset) for starts, offset in moves if offset < 0)
        self._steps: Final = {field: tuple(self._steps_from(field)) for field in self.fields}
        self._ahead: Final[dict[Direction, dict[int, int]]] = {way: self._halves(way) for way in COMPASS}
        self._distances: dict[int, array[int]] = {}
        self._in_sight: dict[int, int] = {}

    def at(self, x: int, y: int) -> int:
        """Return the field in column x and row y."""
        return (y + 1) * self.stride + x + 1

    def xy(self, field: int) -> tuple[int, int]:
        """Return column and row of a field."""
        y, x = divmod(field, self.stride)
        return x - 1, y - 1

    def is_free(self, field: int) -> bool:
        """Tell whether a field is no wall."""
        return bool(self.free >> field & 1)

    # Steps (R3.1, R3.2)

    def steps(self, field: int) -> tuple[Step, ...]:
        """Return all steps from a field that the walls allow; players may still be in the way."""
        return self._steps[field]

    def can_step(self, field: int, direction: Direction) -> bool:
        """Tell whether the walls allow a step."""
        return bool(self._doors[direction] >> field & 1)

    def spread(self, fields: int) -> int:
        """Return the set of fields that are at most one step away from a set of fields."""
        reached = fields
        for starts, offset in self._forward:
            reached |= (fields & starts) << offset
        for starts, offset in self._backward:
            reached |= (fields & starts) >> offset
        return reached

    def distances(self, start: int) -> Sequence[int]:
        """Return how many steps each field is away from `start`, by field (and back: ways are two-way)."""
        if (known := self._distances.get(start)) is None:
            if len(self._distances) >= _MOST_DISTANCES:
                self._distances.clear()
            known = self._distances[start] = self._flood(start)
        return known

    def path(self, start: int, goal: int) -> list[int]:
        """Return the fields of a shortest way, without `start`; empty if there is none."""
        far = self.distances(goal)
        way: list[int] = []
        field = start
        while field != goal and far[start] < UNREACHABLE:
            field = min((step.field for step in self._steps[field]), key=far.__getitem__)
            way.append(field)
        return way

    # Touches (R5.3)

    def can_touch(self, one: int, other: int, players: Iterable[int] = ()) -> bool:
        """Tell whether players on two fields touch, with `players` on the fields round about."""
        (x, y), (other_x, other_y) = self.xy(one), self.xy(other)
        if max(abs(other_x - x), abs(other_y - y)) != 1:
            return False
        if x == other_x or y == other_y:
            return True
        # R5.3: one free way round the corner is enough, a step needs both.
        ways = self.free & ~_bits(players)
        return bool((ways >> self.at(x, other_y) | ways >> self.at(other_x, y)) & 1)

    def touched(self, fields: int) -> int:
        """Return the set of fields on which one can be touched by somebody on a set of fields.

        Players who block the way are not looked at.
        """
        stride, free = self.stride, self.free
        level = fields << 1 | fields >> 1
        upright = fields << stride | fields >> stride
        # A diagonal touch goes through a free field beside or above the one who touches.
        through_level, through_upright = level & free, upright & free
        diagonal = (
            through_level << stride | through_level >> stride | through_upright << 1 | through_upright >> 1
        )
        return (fields | level | upright | diagonal) & free

    # Sight (R8.2, R8.3)

    def sees(
        self, field: int, view: Direction, other: int, players: Iterable[int] = (), fov_degrees: float = 179
    ) -> bool:
        """Tell whether one on `field`, who looks in direction `view`, sees an opponent on `other`.

        Args:
            field, view, other: who looks where at whom.
            players: the fields of all players that may stand in between.
            fov_degrees: the whole angle of view, from the ruleset.
        """
        solid = (self._walls | _bits(players)) & ~(1 << field | 1 << other)
        (x, y), (other_x, other_y) = self.xy(field), self.xy(other)
        ends = ((2 * (other_x - x) + cx, 2 * (other_y - y) + cy) for cx, cy in _CORNERS)
        return any(_in_angle(view, end, fov_degrees) and self._is_open(field, end, solid) for end in ends)

    def in_sight(self, field: int) -> int:
        """Return the set of fields that can be seen from a field by one who looks everywhere.

        Players in between are not looked at. Answers are kept.
        """
        if (known := self._in_sight.get(field)) is None:
            known = self._in_sight[field] = self._look_round(field)
        return known

    def ahead(self, field: int, view: Direction) -> int:
        """Return the set of fields whose middle lies in the half of the map that `view` looks at."""
        x, y = self.xy(field)
        return self._ahead[view][view.dx * x + view.dy * y]

    def _starts(self, way: Direction) -> int:
        """Return the fields from which a step in one direction is possible."""
        back = {
            end: self._shifted(self.free, -end) for end in {way.dx, way.dy * self.stride, self._offsets[way]}
        }
        starts = self.free
        for open_to in back.values():
            starts &= open_to
        return starts

    @staticmethod
    def _shifted(fields: int, offset: int) -> int:
        return fields << offset if offset > 0 else fields >> -offset

    def _steps_from(self, field: int) -> Iterator[Step]:
        for way in COMPASS:
            if self.can_step(field, way):
                yield Step(way, field + self._offsets[way])

    def _halves(self, view: Direction) -> dict[int, int]:
        """Return the fields ahead of all fields that have the same x and y along the view."""
        lines: dict[int, int] = {}
        for y in range(self.height):
            for x in range(self.width):
                along = view.dx * x + view.dy * y
                lines[along] = lines.get(along, 0) | 1 << self.at(x, y)
        ahead, halves = 0, {}
        for along in sorted(lines, reverse=True):
            halves[along] = ahead
            ahead |= lines[along]
        return halves

    def _flood(self, start: int) -> "array[int]":
        far = array("H", [UNREACHABLE]) * ((self.height + 2) * self.stride + 1)
        far[start] = distance = 0
        edge = [start]
        while edge:
            distance += 1
            reached = []
            for field in edge:
                for _, near in self._steps[field]:
                    if far[near] == UNREACHABLE:
                        far[near] = distance
                        reached.append(near)
            edge = reached
        return far

    def _is_open(self, field: int, end: tuple[int, int], solid: int) -> bool:
        shift, line = _line(self.stride, *end)
        return not solid >> field + shift & line

    def _look_round(self, field: int) -> int:
        x, y = self.xy(field)
        corners = self._look(x, y, 1) | self._look(x, y, -1)
        # A field is seen if one of its four corners is; corner (x, y) is the top left one of field (x, y).
        return (corners | corners >> 1 | corners >> self.stride | corners >> self.stride + 1) & self.free

    def _look(self, x: int, y: int, down: int) -> int:
        """Return the corners of fields in sight on one side of the row in which one looks.

        Lengths are in half fields. `gaps` are the directions that are still open, each from one slope
        (to the right for one down) to another, as fractions.
        """
        widest = 2 * self.width + 1
        gaps: list[Gap] = [((-widest, 1), (widest, 1))]
        corners = 0
        for away in range(y + 1 if down < 0 else self.height - y):
            for first, last in self._wall_runs[y + down * away]:
                gaps = [part for gap in gaps for part in _cut(gap, *_shadow(first - x, last - x, away))]
            below = 2 * away + 1
            line = y + down * away + (down > 0)
            for (left, left_down), (right, right_down) in gaps:
                # The first and the last odd number between the two slopes, as columns of corners.
                begin = max(0, -(-(left * below + left_down) // (2 * left_down)) + x)
                end = min(self.width, (right * below + right_down) // (2 * right_down) + x)
                if begin <= end:
                    corners |= ((1 << end - begin + 1) - 1) << self.at(begin, line)
        return corners


def _shadow(first: int, last: int, away: int) -> Gap:
    """Return the slopes between which a run of walls hides what is behind it.

    Args:
        first, last: the columns of the run, counted from the one who looks.
        away: its row, counted likewise.
    """
    left, right, near, far = 2 * first - 1, 2 * last + 1, 2 * away - 1, 2 * away + 1
    if away == 0:
        return ((left, 1), (LEVEL, 1)) if left > 0 else ((-LEVEL, 1), (right, 1))
    return (left, far if left > 0 else near), (right, near if right > 0 else far)


def _cut(gap: Gap, low: Slope, high: Slope) -> Iterator[Gap]:
    """Take the slopes between `low` and `high` out of a gap; a line that only touches stays (R8.3)."""
    left, right = gap
    if low[0] * right[1] >= right[0] * low[1] or high[0] * left[1] <= left[0] * high[1]:
        yield gap
        return
    if left[0] * low[1] <= low[0] * left[1]:
        yield left, low
    if high[0] * right[1] <= right[0] * high[1]:
        yield high, right


def _bits(fields: Iterable[int]) -> int:
    result = 0
    for field in fields:
        result |= 1 << field
    return result


def _in_angle(view: Direction, end: tuple[int, int], fov_degrees: float) -> bool:
    off = math.atan2(end[1], end[0]) - math.atan2(view.dy, view.dx)
    return abs(math.remainder(off, math.tau)) <= math.radians(fov_degrees) / 2 + 1e-9


@lru_cache(maxsize=20_000)
def _line(stride: int, x: int, y: int) -> tuple[int, int]:
    """Return the fields that the line from the middle of a field to (x, y) enters.

    Lengths are in half fields, so x and y are odd. The answer is a set of fields, and by how much it
    has to be moved from the field where the line begins.
    """
    right, width = (1, x) if x > 0 else (-1, -x)
    down, height = (stride, y) if y > 0 else (-stride, -y)
    runs, first = [], 0
    for row in range(height // 2 + 1):
        column, inside = divmod(width * min(height, 2 * row + 1) + height, 2 * height)
        last = column if inside else column - 1  # R8.3: on the very edge it only touches.
        runs.append((down * row + min(right * first, right * last), last - first + 1))
        first = column
    shift = min(runs)[0]
    return shift, sum(((1 << length) - 1) << start - shift for start, length in runs)

"""Who sees whom (R8.2, R8.3), in exact integer arithmetic.

All coordinates are doubled: the middle of the own field is (0, 0), the middle of the field dx to the
right and dy down is (2*dx, 2*dy), its corners lie one further on each side. A line to a corner then
has two odd components, so it is never level or upright and crosses each row of fields in one run.

Which fields a line crosses depends only on dx and dy, not on the map. They are kept as a set of bits
relative to the own field, so that walls and players on the whole line are found by one shift and one
"and" (the fields of `arena`). The tables of lines are shared by all maps of one width.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from typing import Final

from fangnetz_protocol.words import Direction

__all__ = ["Sight", "crossed_runs", "in_view", "sight"]

_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_SCALE: Final = 10**60
_SQUARE: Final = 2 * _SCALE
# cos 1 degree. Slopes on a map differ by 1e-13 or more, so sixty digits tell each from the edge of any angle.
_COS_1: Final = 999847695156391239157011558813914851692740310583185939658320
_MEMORY_BITS: Final = 200_000_000
"""What the lines of one table may hold: all of a 70x30 map many times over, 25 MB on the largest maps."""

_OVERHEAD_BITS: Final = 4_000
"""What an entry takes besides its bits, roughly, with its share of the corners in view."""
_SUBSETS: Final = {
    chosen: tuple(corner for corner, inside in zip(_CORNERS, chosen, strict=True) if inside)
    for chosen in product((True, False), repeat=4)
}
"""The corners in view, shared by all fields of which the same corners are."""


def _cosine(degrees: int) -> int:
    """Return cos(degrees) times _SCALE, by cos(n+1) = 2 cos 1 cos n - cos(n-1)."""
    before, now = _COS_1, _SCALE
    for _ in range(degrees % 360):
        before, now = now, 2 * _COS_1 * now // _SCALE - before
    # Multiples of 60 and 90 degrees have round cosines, and on these edges a corner can lie exactly.
    nearest = round(2 * now / _SCALE)
    exact = nearest * _SCALE // 2
    return exact if degrees % 60 == 0 or degrees % 90 == 0 else now


def in_view(view: Direction, x: int, y: int, fov_degrees: int) -> bool:
    """Tell whether the direction (x, y) lies in the angle around a view, its edges included (R8.2)."""
    ahead = view.dx * x + view.dy * y
    square, edge = _SQUARE * ahead * ahead, _edge(view, fov_degrees) * (x * x + y * y)
    if fov_degrees <= 180:
        return ahead >= 0 and square >= edge
    return ahead >= 0 or square <= edge


@cache
def _edge(view: Direction, fov_degrees: int) -> int:
    """Return what `ahead` squared is at the edge of the angle, for a direction of length 1, times _SQUARE.

    With c = cos of half the angle it is (c * |view|) squared, and 2 * c * c = 1 + cos of the angle.
    """
    return (_SCALE + _cosine(fov_degrees)) * (view.dx**2 + view.dy**2)


def crossed_runs(x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """Find the fields whose inside the line from (0, 0) to (x, y) crosses (R8.3).

    Args:
        x, y: the end of the line in doubled coordinates, both odd.

    Yields:
        (row, first column, last column), counted in fields from the own one, which is row 0, column 0.
    """
    right, width = (1, x) if x > 0 else (-1, -x)
    down, height = (1, y) if y > 0 else (-1, -y)
    first = 0
    for row in range(height // 2 + 1):
        # The line leaves the row at width * bottom / height. Column i goes from 2i-1 to 2i+1.
        bottom = min(height, 2 * row + 1)
        column, inside = divmod(width * bottom + height, 2 * height)
        # On the very edge of a column the line only touches it in this row.
        last = column if inside else column - 1
        yield (down * row, first, last) if right > 0 else (down * row, -last, -first)
        first = column


class Sight:
    """The lines of sight for all maps of one width and angle of view; made by `sight`."""

    __slots__ = ("_bits", "_fov", "_lines", "_stride", "_views")

    def __init__(self, stride: int, fov_degrees: int) -> None:
        self._stride = stride
        self._fov = fov_degrees
        self._lines: dict[tuple[int, int], tuple[int, int]] = {}
        self._views: dict[Direction, dict[tuple[int, int], tuple[tuple[int, int], ...]]]
        self._views = {view: {} for view in Direction}
        self._bits = 0

    def sees(self, view: Direction, field: int, dx: int, dy: int, solid: int) -> bool:
        """Tell whether one of the lines to the field (dx, dy) is free and in the angle of view.

        Args:
            view, field: of the one who looks.
            dx, dy: the other field, counted from `field`.
            solid: the fields that block, one bit a field; without the two fields themselves (R8.3).
        """
        known = self._views[view]
        if (corners := known.get((dx, dy))) is None:
            corners = known[dx, dy] = self._corners_in_view(view, dx, dy)
        for cx, cy in corners:
            end = (2 * dx + cx, 2 * dy + cy)
            line = self._lines.get(end) or self._line(end)
            if not solid >> field + line[0] & line[1]:
                return True
        return False

    def _corners_in_view(self, view: Direction, dx: int, dy: int) -> tuple[tuple[int, int], ...]:
        inside = (in_view(view, 2 * dx + cx, 2 * dy + cy, self._fov) for cx, cy in _CORNERS)
        return _SUBSETS[tuple(inside)]

    def _line(self, end: tuple[int, int]) -> tuple[int, int]:
        """Return a shift, counted from the own field, and the bits of the fields that the line crosses."""
        stride = self._stride
        runs = [(row * stride + first, last - first + 1) for row, first, last in crossed_runs(*end)]
        shift = min(runs)[0]
        mask = 0
        for start, length in runs:
            mask |= ((1 << length) - 1) << start - shift
        self._make_room(mask.bit_length())
        self._lines[end] = line = (shift, mask)
        return line

    def _make_room(self, bits: int) -> None:
        """Forget all lines when the memory allowed is used up; that costs time, and nothing else."""
        self._bits += bits + _OVERHEAD_BITS
        if self._bits > _MEMORY_BITS:
            self._bits = bits + _OVERHEAD_BITS
            self._lines.clear()
            for known in self._views.values():
                known.clear()


@lru_cache(maxsize=16)
def sight(stride: int, fov_degrees: int) -> Sight:
    """Return the lines of sight for boards with `stride` fields a row."""
    return Sight(stride, fov_degrees)

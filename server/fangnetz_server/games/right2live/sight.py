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
from typing import Final

from fangnetz_protocol.words import Direction

__all__ = ["Sight", "crossed_runs", "in_view", "sight"]

_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_SCALE: Final = 10**60
# cos 1 degree. Slopes on a map differ by 1e-13 or more, so sixty digits tell each from the edge of any angle.
_COS_1: Final = 999847695156391239157011558813914851692740310583185939658320
_MEMORY_BITS: Final = 200_000_000
"""What the lines of one table may hold: all of a 70x30 map many times over, 25 MB on the largest maps."""

Line = tuple[int, int]
"""A shift, counted from the own field, and the bits of the fields that the line crosses."""


@cache
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
    # With c = cos of half the angle: ahead >= c |view| |(x, y)|, squared, and 2 c*c = 1 + cos of the angle.
    square = 2 * _SCALE * ahead * ahead
    edge = (_SCALE + _cosine(fov_degrees)) * (view.dx**2 + view.dy**2) * (x * x + y * y)
    if fov_degrees <= 180:
        return ahead >= 0 and square >= edge
    return ahead >= 0 or square <= edge


def crossed_runs(x: int, y: int) -> Iterator[tuple[int, int, int]]:
    """Find the fields whose inside the line from (0, 0) to (x, y) crosses (R8.3).

    Args:
        x, y: the end of the line in doubled coordinates, both odd.

    Yields:
        (row, first column, last column), counted in fields from the own one, which is row 0, column 0.
    """
    down, height = (1, y) if y > 0 else (-1, -y)
    for row in range(height // 2 + 1):
        # The part of the line in this row goes from `top` to `bottom`; x there is x * top / height.
        top, bottom = max(0, 2 * row - 1), min(height, 2 * row + 1)
        left, right = sorted((x * top, x * bottom))
        # Column i is the open span from 2i-1 to 2i+1; the line must enter it, touching is not enough.
        first = (left - height) // (2 * height) + 1
        last = -((-right - height) // (2 * height)) - 1
        yield down * row, first, last


class Sight:
    """The lines of sight for all maps of one width and angle of view; made by `sight`."""

    __slots__ = ("_bits", "_fov", "_lines", "_stride", "_views")

    def __init__(self, stride: int, fov_degrees: int) -> None:
        self._stride = stride
        self._fov = fov_degrees
        self._lines: dict[tuple[int, int], tuple[Line, ...]] = {}
        self._views: dict[Direction, dict[tuple[int, int], tuple[Line, ...]]] = {
            view: {} for view in Direction
        }
        self._bits = 0

    def lines(self, view: Direction, dx: int, dy: int) -> tuple[Line, ...]:
        """Return the lines to those corners of the field (dx, dy) that lie in the angle of view."""
        known = self._views[view]
        if (found := known.get((dx, dy))) is None:
            found = known[dx, dy] = self._in_angle(view, dx, dy)
        return found

    def _in_angle(self, view: Direction, dx: int, dy: int) -> tuple[Line, ...]:
        ends = [(2 * dx + cx, 2 * dy + cy) for cx, cy in _CORNERS]
        inside = [in_view(view, x, y, self._fov) for x, y in ends]
        if not any(inside):
            return ()
        lines = self._all_lines(dx, dy)
        return tuple(line for line, seen in zip(lines, inside, strict=True) if seen)

    def _all_lines(self, dx: int, dy: int) -> tuple[Line, ...]:
        if (found := self._lines.get((dx, dy))) is None:
            found = tuple(self._line(dx, dy, cx, cy) for cx, cy in _CORNERS)
            self._remember(dx, dy, found)
        return found

    def _remember(self, dx: int, dy: int, lines: tuple[Line, ...]) -> None:
        """Keep the lines, but never more than the memory allowed; forgetting costs time only."""
        self._bits += sum(mask.bit_length() for _, mask in lines) + 2_000
        if self._bits > _MEMORY_BITS:
            self._bits = 0
            self._lines.clear()
            for known in self._views.values():
                known.clear()
        self._lines[dx, dy] = lines

    def _line(self, dx: int, dy: int, cx: int, cy: int) -> Line:
        stride = self._stride
        runs = [
            (row * stride + first, last - first + 1)
            for row, first, last in crossed_runs(2 * dx + cx, 2 * dy + cy)
        ]
        shift = min(start for start, _ in runs)
        mask = 0
        for start, length in runs:
            mask |= ((1 << length) - 1) << start - shift
        # R8.3: the two players' own fields never block. The end may lie outside its field's row or column.
        for own in (0, dy * stride + dx):
            if own >= shift:
                mask &= ~(1 << own - shift)
        return shift, mask


@lru_cache(maxsize=16)
def sight(stride: int, fov_degrees: int) -> Sight:
    """Return the lines of sight for boards with `stride` fields a row."""
    return Sight(stride, fov_degrees)

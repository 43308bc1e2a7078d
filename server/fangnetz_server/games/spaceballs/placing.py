"""Draws the field of a match: mirrored about x = 0.5, nothing overlaps (B1.2, B1.3)."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.draw import Draw
from fangnetz_server.games.spaceballs.state import BALL_RADIUS

__all__ = ["CLEARANCE", "Point", "draw_field"]

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = tuple[Point, ...]
Circle: TypeAlias = tuple[float, float, float]
"""x, y, radius."""

CLEARANCE: Final = 0.075
"""Radius of the circle round each object that stays free of all others (B1.3)."""
DRAWS: Final = 10_000
"""Points to draw for one field before it starts over (B1.3)."""
FIELDS: Final = 20
"""Fields to start before giving up. The usual field is stuck once in a thousand times."""


def draw_field(
    seed: int,
    counts: tuple[int, int],
    given: tuple[Points | None, Points | None],
    starts: Iterable[Point],
) -> tuple[Points, Points]:
    """Return the stations and the mines of a match, each in the order of B1.4.

    Args:
        seed: the match seed.
        counts: number of stations (odd) and of mines (even).
        given: points that a scenario fixes; None where they are to be drawn.
        starts: where the balls start; nothing is placed on them.

    Raises:
        SetupError: so many objects do not fit.
    """
    stations, mines = given
    fixed = [(x, y, CLEARANCE) for points in given for x, y in points or ()]
    fixed += [(x, y, BALL_RADIUS) for x, y in starts]
    draw = Draw(seed, 0, "field")
    for _ in range(FIELDS):
        field = _Field(draw, fixed)
        try:
            return (
                (field.middle(), *field.pairs(counts[0] // 2)) if stations is None else stations,
                field.pairs(counts[1] // 2) if mines is None else mines,
            )
        except _StuckError:
            continue
    raise SetupError(
        "ruleset", f"{counts[0]} stations and {counts[1]} mines do not fit on the field; take fewer"
    )


class _StuckError(Exception):
    """All draws for one field are used up."""


class _Field:
    """A field that is being filled."""

    def __init__(self, draw: Draw, fixed: Sequence[Circle]) -> None:
        self._draw = draw
        self._circles = list(fixed)
        self._draws_left = DRAWS

    def middle(self) -> Point:
        """Place one object with x = 0.5; only what a scenario has put there can be in its way."""
        while not self._is_free(0.5, y := CLEARANCE + (1 - 2 * CLEARANCE) * self._draw.unit()):
            self._count()
        self._circles.append((0.5, y, CLEARANCE))
        return 0.5, y

    def pairs(self, count: int) -> Points:
        """Place that many pairs, each original before its mirror image (B1.4)."""
        return tuple(point for _ in range(count) for point in self._pair())

    def _pair(self) -> tuple[Point, Point]:
        while True:
            self._count()
            x, y = self._draw.unit(), self._draw.unit()
            if self._is_free(x, y) and self._is_free(1 - x, y) and not _touch(x, y, (1 - x, y, CLEARANCE)):
                break
        self._circles += [(x, y, CLEARANCE), (1 - x, y, CLEARANCE)]
        return (x, y), (1 - x, y)

    def _count(self) -> None:
        self._draws_left -= 1
        if self._draws_left < 0:
            raise _StuckError

    def _is_free(self, x: float, y: float) -> bool:
        inside = CLEARANCE < x < 1 - CLEARANCE and CLEARANCE < y < 1 - CLEARANCE
        return inside and not any(_touch(x, y, circle) for circle in self._circles)


def _touch(x: float, y: float, circle: Circle) -> bool:
    """Tell whether the clearance round a point touches the circle; touching counts (B3.1)."""
    dx, dy, reach = circle[0] - x, circle[1] - y, circle[2] + CLEARANCE
    return dx * dx + dy * dy <= reach * reach

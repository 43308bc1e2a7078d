"""When circles touch (B3). Positions are compared by squared distances, in double precision (B3.2)."""

from collections.abc import Iterable

from fangnetz_server.games.spaceballs.state import Ball, Place

__all__ = ["distance2", "touch", "touches_any"]


def distance2(ball: Ball, place: Place | Ball) -> float:
    """Return the squared distance of the centres."""
    dx, dy = place.x - ball.x, place.y - ball.y
    return dx * dx + dy * dy


def touches_any(ball: Ball, places: Iterable[Place], reach: float) -> bool:
    """Tell whether one of the places is within reach, the sum of both radii."""
    # The hottest loop of the rules: any() over a generator takes twice as long.
    x, y, limit = ball.x, ball.y, reach * reach
    for _, px, py in places:
        dx, dy = px - x, py - y
        if dx * dx + dy * dy <= limit:
            return True
    return False


def touch(ball: Ball, other: Ball | Place, reach: float) -> bool:
    """Tell whether the other centre is within reach, the sum of both radii (touching counts, B3.1)."""
    return distance2(ball, other) <= reach * reach

"""Who touches what in the steps of a tick, for many matches at once (B3).

The motion of a tick depends on nothing but the thrusts, so it is known before anything is judged.
The numbers are computed with the operations of the scalar rules, in their order, so they have the
same bits (B3.2).

Letters in shapes: T steps, K or E matches, O objects: the stations, then the mines; P pairs of a ball
and an object that come near each other. Axes and balls have size 2.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from fangnetz_server.envs.starts import Bools, Floats, Ints
from fangnetz_server.games.spaceballs.state import BALL_RADIUS, MINE_RADIUS, STATION_RADIUS

__all__ = ["Near", "Touches", "find_touches", "reaches"]


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Pairs of a ball and an object that may touch in a tick; no others do."""

    ball: Ints
    """0 or 1, shape (P,)."""
    match: Ints
    """In which of the matches, shape (P,)."""
    object: Ints
    """Which object, shape (P,)."""
    place: Floats
    """Where that is, shape (axes, P)."""


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Who touches what after each step, in K matches."""

    near: Near
    touch: Bools
    """Whether each pair of `near` touches, shape (T, P)."""
    wall: Bools
    """Shape (T, balls, K)."""
    other: Bools
    """Whether the balls touch, shape (T, K)."""

    @property
    def matches(self) -> Bools:
        """In which matches anything is touched, shape (K,)."""
        found: Bools = np.logical_or(self.wall.any(axis=(0, 1)), self.other.any(axis=0))
        found[self.near.match[self.touch.any(axis=0)]] = True
        return found

    def of_objects(self, chosen: Ints, objects: int) -> Bools:
        """Return the touches of E matches as a table, shape (T, balls, objects, E)."""
        steps, _, matches = self.wall.shape
        column = np.full(matches, -1)
        column[chosen] = np.arange(len(chosen))
        (pairs,) = (column[self.near.match] >= 0).nonzero()
        near = self.near
        table = np.zeros((steps, 2, objects, len(chosen)), np.bool_)
        table[:, near.ball[pairs], near.object[pairs], column[near.match[pairs]]] = self.touch[:, pairs]
        return table


def find_touches(track: Floats, near: Near, station_count: int) -> Touches:
    """Look at every step of K matches.

    Args:
        track: positions after each step, shape (T, axes, balls, K).
        near: what has to be looked at.
        station_count: how many of the objects are stations.
    """
    x, y = track[:, 0], track[:, 1]
    dx = near.place[0] - x[:, near.ball, near.match]
    dy = near.place[1] - y[:, near.ball, near.match]
    apart_x, apart_y = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]
    reach = np.where(near.object < station_count, *_REACHES2)
    return Touches(
        near,
        dx * dx + dy * dy <= reach,
        (x - BALL_RADIUS <= 0) | (x + BALL_RADIUS >= 1) | (y - BALL_RADIUS <= 0) | (y + BALL_RADIUS >= 1),
        apart_x * apart_x + apart_y * apart_y <= (2 * BALL_RADIUS) * (2 * BALL_RADIUS),
    )


@cache
def reaches(objects: int, stations: int) -> Floats:
    """Return the distances at which a ball touches each object, shape (objects, 1)."""
    return np.array(
        [STATION_RADIUS + BALL_RADIUS] * stations + [MINE_RADIUS + BALL_RADIUS] * (objects - stations)
    )[:, None]


_REACHES2 = (
    (STATION_RADIUS + BALL_RADIUS) * (STATION_RADIUS + BALL_RADIUS),
    (MINE_RADIUS + BALL_RADIUS) * (MINE_RADIUS + BALL_RADIUS),
)
"""Squared distances at which a ball touches a station and a mine."""

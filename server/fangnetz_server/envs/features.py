"""Observations of Spaceballs as vectors, the same for one match and for thousands.

A vector has 11 + 3 * (stations + mines) numbers, 74 by default:

| index | what |
|---|---|
| 0 | time that is left, from 1 to 0 |
| 1, 2 | own place: x, y |
| 3, 4 | own velocity |
| 5, 6 | the opponent's place, seen from the own ball |
| 7, 8 | the opponent's velocity |
| 9, 10 | stations taken, divided by all: own, opponent's |
| then 3 a station | place seen from the own ball: x, y; and 1 if it is there, else all 0 |
| then 3 a mine | the same |
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fangnetz_server.envs.starts import FAR, Floats, Ints
from fangnetz_server.games.spaceballs.state import State

__all__ = ["Features", "feature_count", "features_of_state", "spaceballs_features"]

Features = NDArray[np.float32]
_OWN: Final = 11


def feature_count(stations: int, mines: int) -> int:
    """Return the length of an observation's vector."""
    return _OWN + 3 * (stations + mines)


def spaceballs_features(
    time_left: Floats, position: Floats, velocity: Floats, fuel: Ints, objects: Floats, station_count: int
) -> Features:
    """Return what both balls of N matches see (B6.1).

    Args:
        time_left: share of the match, shape (N,).
        position, velocity: shape (axes, balls, N).
        fuel: shape (balls, N).
        objects: stations, then mines, shape (axes, objects, N); FAR where they have vanished.
        station_count: how many of them are stations.

    Returns:
        Shape (N, balls, features).
    """
    seen = np.empty((len(time_left), 2, _OWN + 3 * objects.shape[1]), np.float32)
    seen[:, :, 0] = time_left[:, None]
    seen[:, :, 1:3] = position.T
    seen[:, :, 3:5] = velocity.T
    seen[:, :, 5:7] = (position[:, ::-1] - position).T
    seen[:, :, 7:9] = velocity[:, ::-1].T
    share = fuel.T / max(1, station_count)
    seen[:, :, 9], seen[:, :, 10] = share, share[:, ::-1]
    there = objects[0] < FAR
    for ball in range(2):
        for axis in range(2):
            way = np.where(there, objects[axis] - position[axis, ball], 0.0)
            seen[:, ball, _OWN + axis :: 3] = way.T
        seen[:, ball, _OWN + 2 :: 3] = there.T
    return seen


def features_of_state(state: State) -> Features:
    """Return what both balls see in one match, shape (balls, features)."""
    arena = state.arena
    balls = np.array(state.balls).T
    objects = [
        (place.x, place.y) if place in left.items else (FAR, FAR)
        for all_of_them, left in ((arena.stations, state.stations), (arena.mines, state.mines))
        for place in all_of_them.items
    ]
    seen: Features = spaceballs_features(
        np.array([1 - state.step / arena.steps]),
        balls[:2, :, None],
        balls[2:4, :, None],
        balls[6, :, None].astype(np.int64),
        np.array(objects).reshape(-1, 2).T[..., None],
        len(arena.stations.items),
    )[0]
    return seen

"""Start positions of Spaceballs as arrays, drawn once and used again and again.

Drawing a field takes as long as a hundred ticks of a match, so a batch takes its fields from a pool.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.ruleset import Ruleset
from fangnetz_server.games.spaceballs.state import SEATS, Place, State

__all__ = ["FAR", "Bools", "Floats", "Ints", "Starts"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

FAR: Final = 1e9
"""Where a station or mine is put that has vanished: nothing ever touches it there."""


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """A pool of P start positions with one ruleset and the same numbers of stations and mines."""

    states: tuple[State, ...]
    seeds: Ints
    """Match seeds, shape (P,); -1 where a position was not drawn from one."""
    motion: Floats
    """x, y, vx, vy and the acceleration, which is 0; shape (6, 2 balls, P)."""
    fuel: Ints
    """Shape (2 balls, P)."""
    objects: Floats
    """Stations, then mines, shape (2 axes, stations + mines, P)."""
    around: NDArray[np.float32]
    """The same in single precision."""
    station_count: int

    @classmethod
    def of(cls, states: Sequence[State], seeds: Sequence[int] | None = None) -> "Starts":
        """Lay out start positions.

        Args:
            states: start positions, as `prepare` of the game returns them.
            seeds: the match seeds that they were drawn from, if they were.

        Raises:
            ValueError: there are none, one has been played on, or they do not fit together.
        """
        _check(states)
        balls = [[state.balls[seat] for state in states] for seat in SEATS]
        numbers = np.array(balls, np.float64).transpose(2, 0, 1)
        objects = _laid_out([(*state.stations.items, *state.mines.items) for state in states])
        return cls(
            tuple(states),
            np.array([-1] * len(states) if seeds is None else seeds, np.int64),
            np.ascontiguousarray(numbers[:6]),
            np.ascontiguousarray(numbers[6].astype(np.int64)),
            objects,
            objects.astype(np.float32),
            len(states[0].stations.items),
        )

    @classmethod
    def drawn(cls, seed: int, count: int, setup: Mapping[str, Any] | None = None) -> "Starts":
        """Draw start positions from the match seeds `seed`, `seed + 1` and so on.

        Args:
            seed: the first match seed.
            count: number of positions.
            setup: what to fix of them, as in a scenario file.

        Raises:
            SetupError: the setup is wrong.
        """
        seeds = range(seed, seed + count)
        return cls.of([GAME.prepare(number, setup or {}) for number in seeds], seeds)

    @property
    def ruleset(self) -> Ruleset:
        return self.states[0].arena.ruleset

    def __len__(self) -> int:
        return len(self.states)


def _check(states: Sequence[State]) -> None:
    if not states:
        raise ValueError("a batch needs at least one start position")
    kinds = {
        (state.arena.ruleset.model_dump_json(), len(state.stations.items), len(state.mines.items))
        for state in states
    }
    if len(kinds) > 1:
        raise ValueError("the start positions of a batch have one ruleset and the same numbers of objects")
    if any(state.tick for state in states):
        raise ValueError("a batch begins with start positions, at tick 0")


def _laid_out(lists: Sequence[Sequence[Place]]) -> Floats:
    points = np.array([[(place.x, place.y) for place in places] for places in lists], np.float64)
    return np.ascontiguousarray(points.reshape(len(lists), -1, 2).T)

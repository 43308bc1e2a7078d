"""The batch environment beside the scalar rules: the same matches, the same thrusts, in turns."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.report import Verdict, note
from fangnetz_server.envs import SpaceballsBatch, Starts
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import Thrust

__all__ = ["batch", "flight_to_stations"]

MATCHES: Final = 4096
STARTS: Final = 512
TICKS: Final = 240
SCALAR: Final = 16
"""Matches that the scalar rules play, too."""
HELD: Final = (1, 2, 4)
"""Ticks for which a policy holds its thrusts; the demand is for the middle one, a tenth of a second."""
DEMANDED: Final = 2
RATIO: Final = 100
TURNS: Final = 3
SLICE: Final = 20
"""Ticks that one of them plays before it is the other one's turn."""
Numbers = NDArray[np.float64]


def batch() -> Iterable[Verdict]:
    """Steps of 4,096 matches at once per second of CPU time, over those of the scalar rules."""
    starts = Starts.drawn(1, STARTS)
    for held in HELD:
        pace = measure(starts, held)
        note(
            f"thrusts held for {held} tick{'s'[: held > 1]}: {pace.batch / 1e6:.1f} million steps/s at once,"
        )
        note(f"  {pace.scalar:,.0f} steps/s one by one: {pace.batch / pace.scalar:.0f} times as many")
        if held == DEMANDED:
            what = f"{MATCHES} matches at once, thrusts held for {held} ticks, over the scalar rules"
            yield Verdict(what, pace.batch / pace.scalar, ">=", RATIO)


@dataclass(frozen=True, slots=True)
class Pace:
    """Steps a second of CPU time."""

    batch: float
    scalar: float


def measure(starts: Starts, held: int) -> Pace:
    """Fly to stations, then play the same again by turns at once and one by one."""
    flight, begun = record(starts, held)
    actions = [[_actions(thrusts[row]) for thrusts in flight] for row in range(SCALAR)]
    at_once, one_by_one = [], []
    for _ in range(TURNS):
        many = SpaceballsBatch(starts, MATCHES)
        few = [_Row(starts, begun[row], actions[row]) for row in range(SCALAR)]
        for first in range(0, len(flight), SLICE // held):
            part = flight[first : first + SLICE // held]
            steps = len(part) * held * starts.ruleset.steps_per_tick
            start = time.process_time()
            for thrusts in part:
                many.step(thrusts, held)
            middle = time.process_time()
            for row in few:
                row.fly(len(part), held)
            at_once.append(steps * MATCHES / (middle - start))
            one_by_one.append(steps * SCALAR / (time.process_time() - middle))
        assert all(many.state(row).balls == few[row].state.balls for row in range(SCALAR)), "the same flights"
    return Pace(median(at_once), median(one_by_one))


def record(starts: Starts, held: int) -> tuple[list[Numbers], list[list[int]]]:
    """Return the thrusts of a flight, and for some rows the starts of their matches, one after the other."""
    many, flight = SpaceballsBatch(starts, MATCHES), list[Numbers]()
    begun = [[int(start)] for start in many.start[:SCALAR]]
    for _ in range(TICKS // held):
        flight.append(flight_to_stations(many))
        for row in many.step(flight[-1], held).match:
            if row < SCALAR:
                begun[row].append(int(many.start[row]))
    return flight, begun


class _Row:
    """One row of the batch by the scalar rules."""

    def __init__(self, starts: Starts, begun: list[int], actions: list[list[Thrust]]) -> None:
        self._starts = iter([starts.states[start] for start in begun])
        self._actions = iter(actions)
        self.state = next(self._starts)

    def fly(self, times: int, held: int) -> None:
        """Play so many times as many ticks as the thrusts are held."""
        step, state = GAME.step, self.state
        for _ in range(times):
            pair = next(self._actions)
            for _ in range(held):
                if state.reason is None:
                    state = step(state, pair)
            if state.reason is not None:
                state = next(self._starts)
        self.state = state


def flight_to_stations(many: SpaceballsBatch) -> Numbers:
    """Steer to the nearest station, or to the other ball when none is left, and away from mines."""
    count = many.starts.station_count
    ways = many.objects[:, :, None] - many.position[:, None]
    far = np.sqrt(ways[0] * ways[0] + ways[1] * ways[1])
    goal = np.take_along_axis(ways, far[None, :count].argmin(axis=1)[:, None], axis=1)[:, 0]
    goal = np.where(np.abs(goal) > 2, many.position[:, ::-1] - many.position, goal)
    goal = goal - (ways[:, count:] * 0.002 / np.maximum(far[count:] - 0.06, 0.001) ** 2).sum(axis=1)
    length = np.maximum(np.sqrt(goal[0] * goal[0] + goal[1] * goal[1]), 1e-6)
    return np.ascontiguousarray((0.1 * goal / length - many.velocity).T)


def _actions(thrusts: Numbers) -> list[Thrust]:
    return [Thrust(x, y) for x, y in thrusts.tolist()]

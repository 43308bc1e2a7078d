"""Thousands of matches of Spaceballs at once, with the same results as the scalar rules, bit by bit.

Most balls fly free most of the time. Each carries a way that it can fly before it may touch
anything; only when that is used up, its surroundings are looked at again, and only where a contact
or a clock may come within the tick, `contacts` judges the steps one by one.

    batch = SpaceballsBatch(Starts.drawn(seed=1, count=1024), matches=4096)
    while training:
        ended = batch.step(policy(batch.observe()))

A match is told by its seed and its thrusts: the scalar rules, `fangnetz simulate` and a replay play
it again.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fangnetz_server.envs.contacts import REASONS, Judged, Situation, judge, next_clearing
from fangnetz_server.envs.features import Features, spaceballs_features
from fangnetz_server.envs.starts import FAR, Bools, Floats, Ints, Starts
from fangnetz_server.envs.touching import Near, find_touches, reaches
from fangnetz_server.games.spaceballs.game import LARGEST
from fangnetz_server.games.spaceballs.motion import COASTING
from fangnetz_server.games.spaceballs.ruleset import DT
from fangnetz_server.games.spaceballs.stages import CLEARING
from fangnetz_server.games.spaceballs.state import (
    BALL_RADIUS,
    MINE_RADIUS,
    STATION_RADIUS,
    Ball,
    Places,
    State,
)

__all__ = ["Ended", "SpaceballsBatch"]

_MOST_STEPS: Final = CLEARING
"""Steps at once: so the clock of the mines comes once in them at most (B4.6)."""
_MARGIN: Final = 1e-5
"""Added to every way: the surroundings are measured in single precision, which errs by less."""
_OCTAGON: Final = 0.4143
"""More than sqrt(2) - 1."""
_NEVER: Final = 1 << 40


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """The matches that ended in a tick, K of them."""

    match: Ints
    """Their rows, shape (K,)."""
    start: Ints
    """Which of the starts they began with, shape (K,)."""
    seed: Ints
    """Match seeds, shape (K,)."""
    ticks: Ints
    """Ticks played, shape (K,)."""
    points: Floats
    """Shape (K, 2 balls)."""
    reason: Ints
    """Why, as a number in `contacts.REASONS`, shape (K,)."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, as in `match_end` (B5.1)."""
        return tuple(str(REASONS[number]) for number in self.reason)


class SpaceballsBatch:
    """N matches side by side.

    Args:
        starts: where they begin; match n begins with start n, and when the starts are used up they
            come again from the first one on.
        matches: N.
        restart: begin a new match in the row of one that has ended. Otherwise the row stays as it
            was at the end, whatever its thrusts.

    """

    def __init__(self, starts: Starts, matches: int, *, restart: bool = True) -> None:
        self.starts: Final = starts
        self.restart: Final = restart
        self.start = np.zeros(matches, np.int64)
        """Which start each match began with."""
        self.step_count = np.zeros(matches, np.int64)
        """Steps so far (B2.1)."""
        self._motion = np.empty((6, 2, matches))
        self.position = self._motion[:2]
        """Shape (axes, balls, N), in field widths."""
        self.velocity = self._motion[2:4]
        """Shape (axes, balls, N), in field widths a second."""
        self.acceleration = self._motion[4:]
        """Of the last tick, shape (axes, balls, N), in field widths a second squared."""
        self.fuel = np.empty((2, matches), np.int64)
        """Stations taken, shape (balls, N)."""
        self.objects = np.empty((2, starts.objects.shape[1], matches))
        """Stations, then mines, shape (axes, objects, N); FAR where they have vanished."""
        self.is_over = np.zeros(matches, np.bool_)
        self._reason = np.zeros(matches, np.int64)
        self._points = np.zeros((2, matches))
        self._last_station = np.zeros(matches, np.int64)
        self._due = np.empty(matches, np.int64)
        """Step with which a clock may do something."""
        self._around = np.empty((2, starts.objects.shape[1], matches), np.float32)
        """The objects in single precision."""
        self._free = np.empty((2, matches))
        """Way that each ball can fly before it may touch anything fixed, shape (balls, N)."""
        self._apart = np.empty(matches)
        """Way that both balls together can fly before they may touch."""
        self._thrust = np.empty((2, 2, matches))
        self._gain = np.empty((2, 2, matches))
        self._span = 0
        """Steps that are played at once."""
        self._next_start = 0
        self._begin(np.arange(matches))

    def __len__(self) -> int:
        return len(self.start)

    @property
    def tick(self) -> Ints:
        """Ticks so far, shape (N,); the last one of a match may be shorter (B2.4)."""
        return -(-self.step_count // self.starts.ruleset.steps_per_tick)

    @property
    def seed(self) -> Ints:
        """The match seeds, shape (N,)."""
        return self.starts.seeds[self.start]

    def observe(self) -> Features:
        """Return what both balls see, shape (N, balls, features); `features` says what is where."""
        left = 1 - self.step_count / self.starts.ruleset.steps
        return spaceballs_features(
            left, self.position, self.velocity, self.fuel, self.objects, self.starts.station_count
        )

    def step(self, thrust: NDArray[np.floating[Any]], ticks: int = 1) -> Ended:
        """Play a tick, or some under the same thrusts, of every match that is not over.

        Args:
            thrust: shape (N, balls, axes); as in B2.2 its length does not matter, and what is no
                finite number from -1e6 to 1e6 makes the ball coast.
            ticks: how many ticks the thrusts hold, as in training with repeated actions.

        Returns:
            The matches that have ended. With `restart` their rows hold new matches already.

        Raises:
            ValueError: these are no ticks at all, or more than 300 steps.
        """
        self._span = ticks * self.starts.ruleset.steps_per_tick
        if not 0 < self._span <= _MOST_STEPS:
            raise ValueError(f"{self._span} steps at once are not from 1 to {_MOST_STEPS}")
        if self.restart:
            return self._play(thrust)
        # A match that is over stays as it is, while all others are played on.
        over = self.is_over.nonzero()[0]
        kept = self._motion.take(over, axis=2)
        ended = self._play(thrust)
        self._motion[..., over] = kept
        return ended

    def state(self, match: int) -> State:
        """Return a match as a state of the scalar rules, without the events of its last tick."""
        start = self.starts.states[self.start[match]]
        there = self.objects[0, :, match] < FAR
        motion = self._motion[..., match].T
        red, blue = (
            Ball._make((*numbers, fuel))
            for numbers, fuel in zip(motion.tolist(), self.fuel[:, match].tolist(), strict=True)
        )
        return State(
            start.arena,
            int(self.tick[match]),
            int(self.step_count[match]),
            (red, blue),
            _left(start.stations, there[: self.starts.station_count]),
            _left(start.mines, there[self.starts.station_count :]),
            int(self._last_station[match]),
            REASONS[self._reason[match]],
            (float(self._points[0, match]), float(self._points[1, match])),
        )

    # --- beginning and end ----------------------------------------------------------------------

    def _begin(self, rows: Ints) -> None:
        """Begin a new match in each of the rows."""
        if not len(rows):
            return
        starts = self.starts
        chosen = (self._next_start + np.arange(len(rows))) % len(starts)
        self._next_start = (self._next_start + len(rows)) % len(starts)
        self.start[rows] = chosen
        self.step_count[rows] = 0
        self._motion[..., rows] = starts.motion.take(chosen, axis=2)
        self.fuel[:, rows] = starts.fuel.take(chosen, axis=1)
        self.objects[..., rows] = starts.objects.take(chosen, axis=2)
        self._around[..., rows] = starts.around.take(chosen, axis=2)
        self._last_station[rows] = 0
        self._free[:, rows] = self._apart[rows] = 0.0  # The first tick looks around.
        self._set_due(rows)

    def _set_due(self, rows: Ints) -> None:
        ruleset = self.starts.ruleset
        clearing = next_clearing(self.step_count[rows], self._last_station[rows], ruleset)
        stations = self.objects[0, : self.starts.station_count].take(rows, axis=1)
        is_empty = ~(stations < FAR).any(axis=0)
        self._due[rows] = np.minimum(ruleset.steps, np.where(is_empty, clearing, _NEVER))

    # --- a tick ---------------------------------------------------------------------------------

    def _play(self, thrust: NDArray[np.floating[Any]]) -> Ended:
        self._accelerate(thrust)
        hot, near = self._hot()
        flight = self._flight(hot)
        self._fly()
        return self._resolve(hot, near, flight)

    def _accelerate(self, thrust: NDArray[np.floating[Any]]) -> None:
        """Set the accelerations of the tick (B2.2)."""
        direction, acceleration = self._thrust, self.acceleration
        np.copyto(direction, thrust.T)
        length = self._lengths(direction)
        if not length.min() > COASTING:
            length[~(length > COASTING)] = np.inf  # Through infinity to nothing: so a ball coasts.
        np.divide(direction, length, out=acceleration)
        acceleration *= self.starts.ruleset.thrust
        acceleration += 0.0  # Turns -0.0 into 0.0: equal states have equal bits.
        np.multiply(acceleration, DT, out=self._gain)

    def _lengths(self, direction: Floats) -> Floats:
        """Return the lengths of the thrusts; those that are none become 0."""
        with np.errstate(over="ignore"):
            squares = direction[0] * direction[0] + direction[1] * direction[1]
        if not squares.max() <= LARGEST * LARGEST:  # Also if one is no number.
            direction[:, ~(np.abs(direction) <= LARGEST).all(axis=0)] = 0.0
            squares = direction[0] * direction[0] + direction[1] * direction[1]
        lengths: Floats = np.sqrt(squares)
        return lengths

    def _fly(self) -> None:
        """Move all balls by the steps of a tick, as if nothing stood in their way (B2.3)."""
        way = self._thrust  # Not needed any more in this tick.
        for _ in range(self._span):
            self.velocity += self._gain
            np.multiply(self.velocity, DT, out=way)
            self.position += way
        self.step_count += self._span if self.restart else self._span * ~self.is_over

    def _hot(self) -> tuple[Ints, Near]:
        """Return the matches in which something may happen within the tick, and which objects come near."""
        ways = self._ways()
        self._free -= ways
        self._apart -= ways[0] + ways[1]
        is_hot: Bools = self.step_count + self._span >= self._due
        rows, near = self._look_around(ways)
        is_hot[rows] = True
        is_hot[self._look_at_each_other(ways)] = True
        (hot,) = is_hot.nonzero()
        return hot, replace(near, match=hot.searchsorted(near.match))

    def _ways(self) -> Floats:
        """Return ways that the balls cannot exceed in this tick, shape (balls, N)."""
        speed = np.abs(self.velocity)
        # Longer than the length of the vector by 8 % at most, and cheaper than a root.
        ways: Floats = np.maximum(speed[0], speed[1])
        np.minimum(speed[0], speed[1], out=speed[0])
        speed[0] *= _OCTAGON
        ways += speed[0]
        ways *= self._span * DT
        ways += self._swerve()
        return ways

    def _swerve(self) -> float:
        """Return how far the thrust can carry a ball from its way, with a margin."""
        return self.starts.ruleset.thrust * DT * DT * self._span * (self._span + 1) / 2 + _MARGIN

    def _look_around(self, ways: Floats) -> tuple[Ints, Near]:
        """Measure the free ways anew where they are used up.

        Returns:
            Rows where a ball may touch something, and which objects these are.
        """
        (used_up,) = (self._free.reshape(-1) <= 0).nonzero()  # Red balls, then blue ones.
        is_blue = used_up >= len(self)
        rows = used_up - len(self) * is_blue
        # Seen from the middle of the tick's way, half of it leads to either side.
        position = self.velocity.reshape(2, -1).take(used_up, axis=1)
        position *= self._span * DT / 2
        position += self.position.reshape(2, -1).take(used_up, axis=1)
        x, y = position.astype(np.float32)
        there = self._around.take(rows, axis=2)
        there[0] -= x
        there[1] -= y
        there *= there
        distance2 = there[0] + there[1]
        count = self.starts.station_count
        free = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
        for part, radius in ((distance2[:count], STATION_RADIUS), (distance2[count:], MINE_RADIUS)):
            np.minimum(free, np.sqrt(part.min(axis=0, initial=FAR)) - radius, out=free)
        half = (ways.reshape(-1).take(used_up) + self._swerve()) / 2
        left = free - BALL_RADIUS - half
        self._free.reshape(-1)[used_up] = left
        (hot,) = (left <= 0).nonzero()
        reach = reaches(len(distance2), count) + half[hot]
        which, pair = (distance2.take(hot, axis=1) <= reach * reach).nonzero()
        pair = hot[pair]
        match = rows[pair]
        return rows[hot], Near(is_blue[pair].astype(np.int64), match, which, self.objects[:, which, match])

    def _look_at_each_other(self, ways: Floats) -> Ints:
        """The same for the ways between the two balls; with equal counts no touch matters (B4.4)."""
        (rows,) = (self._apart <= 0).nonzero()
        position = self.position.take(rows, axis=2)
        dx, dy = position[:, 1] - position[:, 0]
        apart = np.sqrt(dx * dx + dy * dy) - 2 * BALL_RADIUS
        left = apart - ways.take(rows, axis=1).sum(axis=0)
        self._apart[rows] = left
        red, blue = self.fuel.take(rows, axis=1)
        near: Ints = rows[(left <= 0) & (red != blue)]
        return near

    # --- what happened --------------------------------------------------------------------------

    def _flight(self, rows: Ints) -> Floats:
        """Return positions and velocities before and after each step, shape (T + 1, 2, axes, balls, K)."""
        flight = np.empty((self._span + 1, 2, 2, 2, len(rows)))
        flight[0] = self._motion[:4].take(rows, axis=2).reshape(2, 2, 2, -1)
        gain = self._gain.take(rows, axis=2)
        for before, after in pairwise(flight):
            np.add(before[1], gain, out=after[1])
            np.add(before[0], after[1] * DT, out=after[0])
        return flight

    def _resolve(self, rows: Ints, near: Near, flight: Floats) -> Ended:
        """Judge what happened in K matches, and return those that ended."""
        touches = find_touches(flight[1:, 0], near, self.starts.station_count)
        step = self.step_count[rows]  # After the tick already.
        (chosen,) = (touches.matches | (step >= self._due[rows])).nonzero()
        if not len(chosen):
            return self._end(chosen, chosen, chosen, np.zeros((2, 0)))
        rows, step = rows[chosen], step[chosen] - self._span
        flight = flight.take(chosen, axis=4)
        objects = self.objects.take(rows, axis=2)
        ruleset = self.starts.ruleset
        situation = Situation(
            track=flight[:, 0],
            steps=np.minimum(self._span, ruleset.steps - step),
            step=step,
            fuel=self.fuel.take(rows, axis=1),
            objects=objects,
            last_station=self._last_station[rows],
            station_count=self.starts.station_count,
            touch=touches.of_objects(chosen, objects.shape[1]),
            wall=touches.wall.take(chosen, axis=2),
            other=touches.other.take(chosen, axis=1),
        )
        return self._take_over(rows, judge(situation, ruleset), flight, step)

    def _take_over(self, rows: Ints, judged: Judged, flight: Floats, step: Ints) -> Ended:
        """Write down what has come of E matches, and return those that ended."""
        self.fuel[:, rows] = judged.fuel
        mines, matches = judged.cleared
        for gone, match in (judged.taken, (self.starts.station_count + mines, matches)):
            if len(gone):
                self.objects[:, gone, rows[match]] = FAR
                self._around[:, gone, rows[match]] = FAR
        if len(mines) or (judged.last_station != self._last_station[rows]).any():
            self._last_station[rows] = judged.last_station
            self._set_due(rows)
        over, after = rows[judged.ended], judged.last + 1
        if not self.restart:
            motion = flight[after, :, :, :, judged.ended]
            self._motion[:4, :, over] = motion.transpose(1, 2, 3, 0).reshape(4, 2, -1)
        return self._end(over, step[judged.ended] + after, judged.reason, judged.points)

    def _end(self, rows: Ints, steps: Ints, reason: Ints, points: Floats) -> Ended:
        """End matches; their rows stay as they are or begin anew."""
        start = self.start[rows]
        ended = Ended(
            match=rows,
            start=start,
            seed=self.starts.seeds[start],
            ticks=-(-steps // self.starts.ruleset.steps_per_tick),
            points=points.T,
            reason=reason,
        )
        if self.restart:
            self._begin(rows)
        else:
            self.step_count[rows] = steps
            self.is_over[rows] = True
            self._free[:, rows] = self._apart[rows] = np.inf  # Nothing happens any more.
            self._due[rows] = _NEVER
            self._reason[rows] = reason
            self._points[:, rows] = points
        return ended


def _left(places: Places, is_left: Bools) -> Places:
    return places.without({place for place, left in zip(places.items, is_left, strict=True) if not left})

"""What happens within a tick of many matches at once: B4 for those in which something happens.

All steps are looked at side by side; then the first one that ends a match is found, and what comes
after it is left out.

Letters in shapes: T steps of a tick, E matches, S stations, M mines, O objects: the stations, then the
mines. Axes and balls have size 2.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from fangnetz_protocol.words import SpaceballsReason
from fangnetz_server.envs.starts import FAR, Bools, Floats, Ints
from fangnetz_server.games.spaceballs.ruleset import Ruleset
from fangnetz_server.games.spaceballs.stages import CLEARING

__all__ = ["REASONS", "Judged", "Situation", "judge", "next_clearing"]

REASONS: Final = (
    None,
    SpaceballsReason.CATCH,
    SpaceballsReason.CRASH_MINE,
    SpaceballsReason.CRASH_WALL,
    SpaceballsReason.DOUBLE_CRASH,
    SpaceballsReason.TIMEOUT,
)
"""Why a match has ended, by its number in the arrays; 0: it has not."""
_CATCH, _MINE, _WALL, _DOUBLE, _TIMEOUT = range(1, len(REASONS))


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """E matches at the beginning of a tick, with the motion of the tick and all touches."""

    track: Floats
    """Positions, shape (T + 1, axes, balls, E); the first is that before the tick."""
    steps: Ints
    """Steps of this tick, shape (E,); fewer than T at the end of a match (B2.4)."""
    step: Ints
    """Steps so far, shape (E,)."""
    fuel: Ints
    """Shape (balls, E)."""
    objects: Floats
    """Shape (axes, O, E); FAR where they have vanished."""
    last_station: Ints
    """Shape (E,), L of B4.6."""
    station_count: int
    """S."""
    touch: Bools
    """Who touches which object after each step, shape (T, balls, O, E)."""
    wall: Bools
    """Who touches a wall, shape (T, balls, E)."""
    other: Bools
    """Whether the balls touch, shape (T, E)."""

    @property
    def has_station(self) -> Bools:
        """Which stations are there before the tick, shape (S, E)."""
        there: Bools = self.objects[0, : self.station_count] < FAR
        return there

    @property
    def mines(self) -> Floats:
        """Shape (axes, M, E)."""
        return self.objects[:, self.station_count :]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What has come of E matches; D of them ended."""

    fuel: Ints
    """Shape (balls, E)."""
    taken: tuple[Ints, Ints]
    """Stations that vanished: which, and in which of the E."""
    cleared: tuple[Ints, Ints]
    """Mines that vanished: which, and in which of the E."""
    last_station: Ints
    """Shape (E,)."""
    ended: Ints
    """Which of the E ended, shape (D,)."""
    last: Ints
    """Index of their last step, shape (D,)."""
    reason: Ints
    """Numbers in REASONS, shape (D,)."""
    points: Floats
    """Shape (balls, D)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Refuelling:
    """The stations that are taken in a tick, as if no match ended in it; E matches, P takings."""

    station: Ints
    """Shape (P,)."""
    match: Ints
    """In which of the E, shape (P,)."""
    first: Ints
    """Index of the step, shape (P,)."""
    fuel: Ints
    """Before the tick and after each step, shape (T + 1, balls, E)."""
    empty: Bools
    """Whether no station is left, before the tick and after each step, shape (T + 1, E)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Clearing:
    """The mines that vanish in a tick by the clock, as if no match ended in it; C of the E matches."""

    mine: Ints
    """Shape (C,)."""
    match: Ints
    """In which of the E, shape (C,)."""
    moment: Ints
    """Number of steps of this tick after which it is gone, shape (C,)."""


def judge(now: Situation, ruleset: Ruleset) -> Judged:
    """Play the tick of E matches."""
    if now.steps.min() < len(now.other):
        now = _cut(now)
    refuelling = _refuelling(now)
    clearing = _clearing(now, refuelling, ruleset)
    crashes = _crashes(now, clearing)
    has_crash = crashes.any(axis=1)
    catches = now.other
    if catches.any():
        catches = catches & (refuelling.fuel[1:, 0] != refuelling.fuel[1:, 1])
        if ruleset.crash_and_catch == "crash":
            catches &= ~has_crash  # B4.3: a crash ends the match before a catch is judged.
    is_end: Bools = np.logical_or(has_crash, catches)
    has_end = is_end.any(axis=0)
    last = np.where(has_end, is_end.argmax(axis=0), now.steps - 1)
    fuel = refuelling.fuel[last + 1, :, np.arange(len(last))].T
    ended = np.flatnonzero(has_end | (now.step + now.steps >= ruleset.steps))
    at = last[ended]
    reason, points = _result(
        crashes[at, :, ended].T, now.wall[at, :, ended].T, catches[at, ended], fuel[:, ended]
    )
    in_time = refuelling.first <= last[refuelling.match]
    # B4.6: a mine vanishes at the end of a step, if the match goes on; with "grid" at its beginning (B7).
    room = last if ruleset.mine_clock == "grid" else last + ~has_end
    still = clearing.moment <= room[clearing.match]
    return Judged(
        fuel=fuel,
        taken=(refuelling.station[in_time], refuelling.match[in_time]),
        cleared=(clearing.mine[still], clearing.match[still]),
        last_station=_last_station(now, refuelling, last),
        ended=ended,
        last=at,
        reason=reason,
        points=points,
    )


def _cut(now: Situation) -> Situation:
    """Leave out what comes after the last step of a match (B2.4)."""
    played = np.arange(len(now.other))[:, None] < now.steps
    return replace(
        now,
        touch=now.touch & played[:, None, None],
        wall=now.wall & played[:, None],
        other=now.other & played,
    )


def next_clearing(step: Ints, last_station: Ints, ruleset: Ruleset) -> Ints:
    """Return the next step with which a mine vanishes if no station is left by then (B4.6, B7)."""
    start = 0 if ruleset.mine_clock == "grid" else last_station
    return step + CLEARING - (step - start) % CLEARING


# --- stations (B4.2) ----------------------------------------------------------------------------


def _refuelling(now: Situation) -> _Refuelling:
    touching = now.touch[:, :, : now.station_count]
    touched = touching[:, 0] | touching[:, 1]
    station, match = np.nonzero(touched.any(axis=0))
    first = touched[:, station, match].argmax(axis=0)
    count, _, _, matches = touching.shape
    fuel = np.zeros((count + 1, 2, matches), np.int64)
    left = np.zeros((count + 1, matches), np.int64)
    fuel[0], left[0] = now.fuel, now.has_station.sum(axis=0)
    # One that both touch in the same step counts for both.
    for ball in range(2):
        np.add.at(fuel[:, ball], (first + 1, match), touching[first, ball, station, match])
    np.subtract.at(left, (first + 1, match), 1)
    return _Refuelling(station, match, first, fuel.cumsum(axis=0), left.cumsum(axis=0) == 0)


def _last_station(now: Situation, refuelling: _Refuelling, last: Ints) -> Ints:
    """Return L of B4.6: the step in which the last station vanished."""
    newly_empty = refuelling.empty & ~refuelling.empty[0]
    if not newly_empty[-1].any():
        return now.last_station
    return np.where(
        newly_empty[last + 1, np.arange(len(last))],
        now.step + newly_empty.argmax(axis=0),
        now.last_station,
    )


# --- mines (B4.6) -------------------------------------------------------------------------------


def _clearing(now: Situation, refuelling: _Refuelling, ruleset: Ruleset) -> _Clearing:
    clock = next_clearing(now.step, now.last_station, ruleset) - now.step
    (due,) = (clock <= now.steps).nonzero()
    if not len(due):
        return _Clearing(due, due, due)
    moment = clock[due]
    if ruleset.mine_clock == "grid":
        moment = moment - 1  # The mine is gone before the step is made.
        empty = refuelling.empty[moment, due]
    else:
        # The clock begins with the last station, so one that is taken in this tick is too young for it.
        empty = refuelling.empty[0, due]
    (happens,) = (empty & (now.mines[0] < FAR).any(axis=0)[due]).nonzero()
    match, moment = due[happens], moment[happens]
    position, fuel = now.track[moment, :, :, match], refuelling.fuel[moment, :, match]
    return _Clearing(_vanishing(now.mines.take(match, axis=2), position, fuel, ruleset), match, moment)


def _vanishing(mines: Floats, position: Floats, fuel: Ints, ruleset: Ruleset) -> Ints:
    """Return the mine that vanishes.

    Args:
        mines: shape (axes, M, C).
        position: shape (C, axes, balls).
        fuel: shape (C, balls).
        ruleset: of the match.
    """
    if not mines.size:
        return np.zeros(0, np.int64)
    if ruleset.mine_choice == "last":
        last: Ints = mines.shape[1] - 1 - (mines[0, ::-1] < FAR).argmax(axis=0)
        return last
    dx, dy = (mines[axis] - position[:, axis].T[:, None] for axis in range(2))
    far = dx * dx + dy * dy
    # Nearest to the defender; with equal counts nobody defends, then nearest to either ball.
    far[0, :, fuel[:, 0] > fuel[:, 1]] = np.inf
    far[1, :, fuel[:, 1] > fuel[:, 0]] = np.inf
    nearest: Ints = far.min(axis=0).argmin(axis=0)
    return nearest


def _crashes(now: Situation, clearing: _Clearing) -> Bools:
    """Return who touches a wall or a mine that is there after each step, shape (T, balls, E)."""
    mines = now.touch[:, :, now.station_count :]
    if len(clearing.match):
        mines = mines.copy()
        is_there = np.arange(len(mines))[:, None] < clearing.moment
        mines[:, :, clearing.mine, clearing.match] &= is_there[:, None]
    crashed: Bools = now.wall | mines.any(axis=2)
    return crashed


# --- the end (B4.3, B4.4, B5) -------------------------------------------------------------------


def _result(crashed: Bools, wall: Bools, caught: Bools, fuel: Ints) -> tuple[Ints, Floats]:
    """Return reason and points for the last step of D matches; shapes (balls, D) and (D,)."""
    reason = np.full(len(caught), _TIMEOUT, np.int64)
    alone = crashed[0] != crashed[1]
    reason[alone] = np.where((crashed & wall).any(axis=0), _WALL, _MINE)[alone]
    reason[crashed[0] & crashed[1]] = _DOUBLE
    reason[caught] = _CATCH
    points = (alone & crashed[::-1]) | (caught & (fuel > fuel[::-1]))
    return reason, points.astype(np.float64)

"""How a ball flies: what every Spaceballs bot needs to steer with inertia and not to crash.

All lengths are in field widths, times in seconds; y points upwards. Vectors are pairs (x, y). Nothing
here knows a match: sizes and the acceleration come in, so it holds for any ruleset.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, inf, pi, sin, sqrt
from typing import Final, NamedTuple, TypeAlias

from fangnetz_protocol.spaceballs import Ball, Briefing, Place

__all__ = [
    "DT",
    "Escape",
    "Flight",
    "Motion",
    "Obstacles",
    "Vector",
    "braking_distance",
    "compass",
    "contact_time",
    "direction",
    "motion_of",
    "thrust_to_reach",
    "time_between",
    "time_to_reach",
]

Vector: TypeAlias = tuple[float, float]

DT: Final = 0.01
"""Seconds a step (rules B2.1)."""
_SHORTEST: Final = 0.05
"""Time with which a search for a time begins, about a tick."""
_EXACT: Final = 2e-3
"""Share of the thrust up to which a time is searched."""
_TRIALS: Final = 12
"""Trials after which an approximate time will do."""
_CHORD: Final = 20
"""Steps of a swerve that are checked as one straight line; it is bent by half a thousandth."""
_CHORDS: Final = 5
"""Such lines of the longest swerve that is tried."""
_CLOSE_ENOUGH: Final = 1e-3
"""Distance up to which a target counts as reached when times are searched."""


class Motion(NamedTuple):
    """Where a ball is and how fast it flies."""

    x: float
    y: float
    vx: float
    vy: float

    @property
    def speed(self) -> float:
        """Size of the velocity."""
        return hypot(self.vx, self.vy)

    def after(self, acceleration: Vector, steps: int) -> "Motion":
        """Return the motion after so many steps of one acceleration.

        It is the rule B2.3 (v += a*dt, then p += v*dt) summed up; it differs from the server's step by
        step result only in the last bits.
        """
        ax, ay = acceleration
        time = steps * DT
        share = DT * DT * steps * (steps + 1) / 2
        return Motion(
            self.x + self.vx * time + ax * share,
            self.y + self.vy * time + ay * share,
            self.vx + ax * time,
            self.vy + ay * time,
        )

    def path(self, acceleration: Vector, ticks: int, steps_per_tick: int) -> Iterator["Motion"]:
        """Yield the motions after 1, 2, … ticks of one acceleration."""
        for tick in range(1, ticks + 1):
            yield self.after(acceleration, tick * steps_per_tick)


def motion_of(ball: Ball) -> Motion:
    """Return the motion of a ball of an observation."""
    return Motion(ball.x, ball.y, ball.vx, ball.vy)


def direction(x: float, y: float, length: float = 1.0) -> Vector:
    """Return the vector with the same direction and this length; (0, 0) stays."""
    size = hypot(x, y)
    return (x / size * length, y / size * length) if size > 0 else (0.0, 0.0)


def compass(count: int, turn: float = 0.0) -> tuple[Vector, ...]:
    """Return so many directions all round, each of length 1, turned by a share of the angle between two."""
    angles = (2 * pi * (number + turn) / count for number in range(count))
    return tuple((cos(angle), sin(angle)) for angle in angles)


def braking_distance(speed: float, thrust: float) -> float:
    """Return the way from this speed to rest with full thrust against the motion."""
    return speed * speed / (2 * thrust)


def contact_time(dx: float, dy: float, vx: float, vy: float, reach: float) -> float | None:
    """Return the time until two circles with constant velocities touch, or None if they never do.

    Args:
        dx, dy: from one centre to the other.
        vx, vy: velocity of the other, seen from the one.
        reach: sum of both radii.
    """
    distance2 = dx * dx + dy * dy - reach * reach
    if distance2 <= 0:
        return 0.0
    closing = -(dx * vx + dy * vy)
    speed2 = vx * vx + vy * vy
    # |d + v t| = reach is a quadratic equation; its smaller root is the first contact.
    inside = closing * closing - speed2 * distance2
    if closing <= 0 or inside < 0:
        return None
    return distance2 / (closing + sqrt(inside))


def time_to_reach(dx: float, dy: float, vx: float, vy: float, thrust: float, reach: float = 0.0) -> float:
    """Return the least time to come within reach of a target with one steady thrust, at any final speed.

    Within time t a ball can get anywhere in a circle of radius thrust*t²/2 round the point to which it
    would coast; the answer is the first t at which that circle meets the target. With the velocity
    relative to a coasting opponent it is the time to intercept him. It is exact to some hundredths.

    Args:
        dx, dy: from the ball to the target.
        vx, vy: velocity of the ball, seen from the target.
        thrust: size of the acceleration.
        reach: distance at which the target counts as reached, such as the sum of the radii.
    """
    time, speed = 0.0, hypot(vx, vy)
    for _ in range(60):
        to_x, to_y = dx - vx * time, dy - vy * time
        distance = hypot(to_x, to_y)
        gap = distance - reach - thrust / 2 * time * time
        if abs(gap) <= _CLOSE_ENOUGH or (gap < 0 and time == 0):
            break
        falling = (to_x * vx + to_y * vy) / (distance or 1.0) + thrust * time
        if gap < 0:
            time += gap / max(falling, thrust * time / 2)
            continue
        # The gap falls no faster than by flying and thrusting straight at the target, so this step
        # never jumps over the first solution. Newton's step may be twice as long: what it jumps over
        # at worst is so near that the next step comes back to it.
        fastest = speed + thrust * time
        step = (sqrt(fastest * fastest + 2 * thrust * gap) - fastest) / thrust
        time += max(step, min(gap / falling, 2 * step)) if falling > 0 else step
    return time


def thrust_to_reach(dx: float, dy: float, vx: float, vy: float, thrust: float, reach: float = 0.0) -> Vector:
    """Return the direction of the steady thrust of `time_to_reach`, with the length 1."""
    time = time_to_reach(dx, dy, vx, vy, thrust, reach)
    return direction(dx - vx * time, dy - vy * time)


def time_between(start: Motion, end: Motion, thrust: float) -> float:
    """Return about the least time from one motion to another: at that place with that velocity.

    It is the least time for two steady thrusts, one for each half of the flight; the best of all
    flights is a few hundredths faster.
    """
    dx, dy = end.x - start.x, end.y - start.y
    gain_x, gain_y = end.vx - start.vx, end.vy - start.vy
    time = max(hypot(gain_x, gain_y) / thrust, _SHORTEST)
    for trial in range(60):
        # With the accelerations a and b: (a + b) / 2 * t is the gain of velocity, and
        # (3 * a + b) / 8 * t² the way beyond coasting. So much of each is needed for this time:
        sum_x, sum_y = 2 * gain_x / time, 2 * gain_y / time
        share = 8 / (time * time)
        way_x, way_y = (dx - start.vx * time) * share, (dy - start.vy * time) * share
        first = hypot(way_x - sum_x, way_y - sum_y)
        second = hypot(3 * sum_x - way_x, 3 * sum_y - way_y)
        needed = max(first, second) / (2 * thrust)
        if abs(needed - 1) < _EXACT or (needed < 1 and trial > _TRIALS):
            break
        # It falls about with the square of the time. Where it does not, longer times are tried.
        time *= min(1.5, max(0.8, sqrt(needed))) if trial <= _TRIALS else 1.1
    return time


class Flight(NamedTuple):
    """A flight from one motion to another in two halves, each with a steady thrust."""

    start: Motion
    end: Motion
    time: float

    @classmethod
    def between(cls, start: Motion, end: Motion, thrust: float) -> "Flight":
        """Return the flight of `time_between`."""
        return cls(start, end, time_between(start, end, thrust))

    @property
    def middle(self) -> Vector:
        """Where the ball is after half of the time."""
        x = (self.start.x + self.end.x) / 2 + (self.start.vx - self.end.vx) * self.time / 8
        y = (self.start.y + self.end.y) / 2 + (self.start.vy - self.end.vy) * self.time / 8
        return x, y

    def at(self, time: float) -> Motion:
        """Return the motion after so many seconds; after the end it coasts."""
        half = self.time / 2
        x, y = self.middle
        if time < half:
            # From rest at the start: way a*t²/2 beyond coasting, and so a from the way to the middle.
            share = (time / half) ** 2
            ax = (x - self.start.x - self.start.vx * half) * share
            ay = (y - self.start.y - self.start.vy * half) * share
            return Motion(
                self.start.x + self.start.vx * time + ax,
                self.start.y + self.start.vy * time + ay,
                self.start.vx + 2 * ax / max(time, 1e-9),
                self.start.vy + 2 * ay / max(time, 1e-9),
            )
        left = max(self.time - time, 0.0)
        share = (left / half) ** 2
        ax = (x - self.end.x + self.end.vx * half) * share
        ay = (y - self.end.y + self.end.vy * half) * share
        return Motion(
            self.end.x - self.end.vx * left + ax,
            self.end.y - self.end.vy * left + ay,
            self.end.vx - 2 * ax / max(left, 1e-9),
            self.end.vy - 2 * ay / max(left, 1e-9),
        )


class Escape(NamedTuple):
    """How to get out of danger: so many ticks of a thrust, then braking."""

    push: Vector
    ticks: int


class Obstacles:
    """The walls and the mines, for the centre of a ball.

    Args:
        mines: the mines that are left.
        briefing: the sizes of the match.
        margin: distance to keep besides.
    """

    def __init__(self, mines: Iterable[Place], briefing: Briefing, margin: float = 0.0) -> None:
        self.low = briefing.ball_radius + margin
        """The least coordinate for a centre."""
        self.high = 1 - self.low
        """The largest coordinate for a centre."""
        self.radius = briefing.ball_radius + briefing.mine_radius + margin
        """The least distance from a mine's centre."""
        self.mines: Sequence[Vector] = tuple((mine.x, mine.y) for mine in mines)
        self._thrust = briefing.thrust

    def clearance(self, x: float, y: float) -> float:
        """Return how far a point is from the nearest wall or mine; below zero it is inside one."""
        walls = min(x, y, 1 - x, 1 - y) - self.low
        return min([walls, *(hypot(mx - x, my - y) - self.radius for mx, my in self.mines)])

    def is_clear(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Tell whether the straight way from (x, y) by (dx, dy) touches no wall and no mine."""
        if not (self.low < x < self.high and self.low < y < self.high):
            return False
        if not (self.low < x + dx < self.high and self.low < y + dy < self.high):
            return False
        return self.first_mine(x, y, dx, dy) is None

    def first_mine(self, x: float, y: float, dx: float, dy: float) -> Vector | None:
        """Return the mine that the straight way from (x, y) by (dx, dy) touches first."""
        length2 = dx * dx + dy * dy
        limit = self.radius * self.radius
        nearest, found = inf, None
        for mine in self.mines:
            mx, my = mine[0] - x, mine[1] - y
            along = mx * dx + my * dy
            # The point of the way that is nearest to the mine: its start, its end, or between.
            share = 0.0 if along <= 0 else 1.0 if along >= length2 else along / length2
            px, py = mx - share * dx, my - share * dy
            if px * px + py * py <= limit and share < nearest:
                nearest, found = share, mine
        return found

    def can_stop(self, motion: Motion, delay: float = 0.0) -> bool:
        """Tell whether the ball, coasting for `delay` seconds and then braking, stops without a crash.

        A ball that can stop is safe for good: it may wait where it stands. A bot that takes no
        action after which it could not stop never crashes.
        """
        time = motion.speed / (2 * self._thrust) + delay
        return self.is_clear(motion.x, motion.y, motion.vx * time, motion.vy * time)

    def escape(self, motion: Motion, steps_per_tick: int, delay: float = 0.0) -> "Escape | None":
        """Return what saves the ball: to brake, or to swerve and then brake; None if neither is found.

        The swerve is a steady thrust across the motion, to the left or to the right.
        """
        if self.can_stop(motion, delay):
            return Escape((0.0, 0.0), 0)
        ax, ay = direction(-motion.vy, motion.vx, self._thrust)
        ticks = max(1, _CHORD // steps_per_tick)
        for side in (1, -1):
            here = motion
            for chord in range(1, _CHORDS + 1):
                there = here.after((side * ax, side * ay), ticks * steps_per_tick)
                if not self.is_clear(here.x, here.y, there.x - here.x, there.y - here.y):
                    break
                if self.can_stop(there):
                    return Escape(direction(side * ax, side * ay), chord * ticks)
                here = there
        return None

    def way_round(self, x: float, y: float, goal: Vector, turns: int = 3) -> Vector:
        """Return where to fly first to get to the goal: the goal itself, or a point beside a mine.

        Each mine in the way is passed on the side with the shorter detour that is not blocked itself.
        """
        aim = goal
        for _ in range(turns):
            mine = self.first_mine(x, y, aim[0] - x, aim[1] - y)
            if mine is None or hypot(mine[0] - goal[0], mine[1] - goal[1]) < self.radius:
                break
            aim = self._beside(x, y, mine, aim)
        return aim

    def _beside(self, x: float, y: float, mine: Vector, goal: Vector) -> Vector:
        """Return the point beside a mine with the shortest way over it to the goal."""
        across = direction(mine[1] - y, x - mine[0], self.radius * 1.25)
        sides = [(mine[0] + side * across[0], mine[1] + side * across[1]) for side in (1, -1)]

        def detour(point: Vector) -> float:
            way = hypot(point[0] - x, point[1] - y) + hypot(goal[0] - point[0], goal[1] - point[1])
            # A point inside a wall or another mine is the last resort.
            return way + (10 if self.clearance(*point) <= 0 else 0)

        return min(sides, key=detour)

"""Spaceballs, the solid player: the nearest station, brakes in time, then hunts or flees straight ahead.

It thinks in wanted velocities: towards a goal, but never faster than it could still stop there.
Whatever it wants, it does only what leaves it able to stop; that is why it hardly ever crashes.
"""

from math import cos, hypot, pi, sin, sqrt
from typing import Final

from fangnetz.bot import SpaceballsBot
from fangnetz.flight import Motion, Obstacles, Vector, direction, motion_of
from fangnetz_protocol.spaceballs import Observation, Thrust

__all__ = ["SimpleBot"]

_BERTH: Final = 0.015
"""Distance at which it passes mines."""
_MARGIN: Final = 0.002
"""Distance that it never gives up; at the start the balls are 0.005 from two walls (B1.5)."""
_PACE: Final = 0.6
"""Share of the speed from which it could just stop at its goal."""
_NEAR: Final = 0.02
"""So near to a point beside a mine it looks for the next one."""
_PUSHES: Final = ((0.0, 0.0), *((cos(turn * pi / 8), sin(turn * pi / 8)) for turn in range(16)))
"""What it may do in a tick: coast, or thrust in one of 16 directions."""


class SimpleBot(SpaceballsBot):
    """Flies to the nearest station; hunts when ahead and flees when behind.

    Args:
        seed: not needed; all reference bots take one.
    """

    name = "simple"

    def __init__(self, seed: int = 0) -> None:
        del seed  # It draws nothing.
        self._corner: Vector | None = None

    def decide(self, observation: Observation) -> Thrust:
        """Do what brings the velocity nearest to the wanted one, of all after which it can still stop."""
        me = motion_of(observation.me)
        dangers = Obstacles(observation.mines, self.setup, margin=_MARGIN)
        # Whoever is too near already still finds a way out.
        berth = max(0.0, min(_BERTH, 0.9 * dangers.clearance(me.x, me.y)))
        ways = Obstacles(observation.mines, self.setup, margin=_MARGIN + berth)
        wanted = self._velocity_to(me, self._aim(me, self._goal(observation, me), ways))
        safe = [push for push in _PUSHES if self._is_safe(me, push, dangers)]
        if not safe:
            return Thrust(thrust=direction(-me.vx, -me.vy))
        return Thrust(thrust=min(safe, key=lambda push: self._miss(me, push, wanted)))

    def _goal(self, observation: Observation, me: Motion) -> Vector:
        """Return where to go: the next station, else the opponent, else away from him."""
        opponent = observation.opponent
        lead = observation.me.fuel - opponent.fuel
        if observation.stations and lead <= len(observation.stations):
            nearest = min(observation.stations, key=lambda place: hypot(place.x - me.x, place.y - me.y))
            return nearest.x, nearest.y
        if lead > 0:
            return opponent.x, opponent.y
        if lead < 0:
            # Away from him: to the point opposite of him on the other side of the middle.
            return 1 - opponent.x, 1 - opponent.y
        return me.x, me.y

    def _aim(self, me: Motion, goal: Vector, ways: Obstacles) -> Vector:
        """Return the goal, or a point beside a mine in the way; a side once chosen is kept to."""

        def is_blocked(place: Vector) -> bool:
            return ways.first_mine(me.x, me.y, place[0] - me.x, place[1] - me.y) is not None

        if not is_blocked(goal):
            self._corner = None
            return goal
        corner = self._corner
        if corner is None or is_blocked(corner) or hypot(corner[0] - me.x, corner[1] - me.y) < _NEAR:
            corner = self._corner = ways.way_round(me.x, me.y, goal)
        return corner

    def _velocity_to(self, me: Motion, aim: Vector) -> Vector:
        """Return the velocity towards a point from which one can still stop on it, with some reserve."""
        dx, dy = aim[0] - me.x, aim[1] - me.y
        return direction(dx, dy, _PACE * sqrt(2 * self.setup.thrust * hypot(dx, dy)))

    def _miss(self, me: Motion, push: Vector, wanted: Vector) -> float:
        """Return how far the velocity after this tick is from the wanted one."""
        after = self._after(me, push)
        return hypot(wanted[0] - after.vx, wanted[1] - after.vy)

    def _is_safe(self, me: Motion, push: Vector, obstacles: Obstacles) -> bool:
        return obstacles.can_stop(self._after(me, push), delay=self.setup.steps_per_tick * self.setup.dt)

    def _after(self, me: Motion, push: Vector) -> Motion:
        thrust = self.setup.thrust
        return me.after((push[0] * thrust, push[1] * thrust), self.setup.steps_per_tick)

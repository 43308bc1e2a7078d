"""Spaceballs, the solid player: the nearest station, brakes in time, then hunts or flees straight ahead.

It thinks in wanted velocities: towards a goal, but never faster than it could still stop there.
Whatever it wants, it checks that it can stop afterwards; that is why it hardly ever crashes.
"""

from math import hypot, sqrt

from fangnetz.bot import SpaceballsBot
from fangnetz.flight import Motion, Obstacles, Vector, direction, motion_of
from fangnetz_protocol.spaceballs import Observation, Thrust

__all__ = ["SimpleBot"]


class SimpleBot(SpaceballsBot):
    """Flies to the nearest station; hunts when ahead and flees when behind.

    Args:
        seed: not needed; all reference bots take one.
    """

    name = "simple"

    def __init__(self, seed: int = 0) -> None:
        del seed  # It draws nothing.

    def decide(self, observation: Observation) -> Thrust:
        """Thrust so that the velocity becomes the wanted one, or brake."""
        me = motion_of(observation.me)
        obstacles = Obstacles(observation.mines, self.setup, margin=0.01)
        goal = self._goal(observation, me)
        aim = obstacles.way_round(me.x, me.y, goal)
        wanted = self._velocity_to(me, aim)
        push = direction(wanted[0] - me.vx, wanted[1] - me.vy)
        return Thrust(thrust=push if self._is_safe(me, push, obstacles) else direction(-me.vx, -me.vy))

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

    def _velocity_to(self, me: Motion, aim: Vector) -> Vector:
        """Return the velocity towards a point from which one can still stop on it, with some reserve."""
        dx, dy = aim[0] - me.x, aim[1] - me.y
        return direction(dx, dy, 0.8 * sqrt(2 * self.setup.thrust * hypot(dx, dy)))

    def _is_safe(self, me: Motion, push: Vector, obstacles: Obstacles) -> bool:
        thrust, steps = self.setup.thrust, self.setup.steps_per_tick
        after = me.after((push[0] * thrust, push[1] * thrust), steps)
        return obstacles.can_stop(after, delay=steps * self.setup.dt)

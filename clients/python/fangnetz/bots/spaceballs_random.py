"""Spaceballs, the beginner: heads for some place, then for another, and forgets to brake."""

from random import Random

from fangnetz.bot import SpaceballsBot
from fangnetz_protocol.spaceballs import Observation, Thrust

__all__ = ["RandomBot"]


class RandomBot(SpaceballsBot):
    """Thrusts towards a random place for a second; walls and mines take it by surprise.

    Args:
        seed: the same seed gives the same places.
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._chance = Random(seed)
        self._place = (0.5, 0.5)
        self._ticks_left = 20

    def decide(self, observation: Observation) -> Thrust:
        if self._ticks_left == 0:
            self._ticks_left = 20
            self._place = (self._chance.random(), self._chance.random())
        self._ticks_left -= 1
        me = observation.me
        return Thrust(thrust=(self._place[0] - me.x, self._place[1] - me.y))

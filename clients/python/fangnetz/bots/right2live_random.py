"""The weakest bot of Right2Live, and the shortest: it walks about at random."""

import random

from fangnetz.bot import Right2LiveBot
from fangnetz.grid import Grid
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation

__all__ = ["RandomBot"]


class RandomBot(Right2LiveBot):
    """Takes a random step that the walls allow, and looks where it goes."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def start(self, match: MatchStart) -> None:
        self._grid = Grid(self.setup.map)

    def decide(self, observation: Observation) -> Move:
        here = self._grid.at(observation.me.x, observation.me.y)
        steps = self._grid.steps(here)
        if not steps:
            return Move()
        step = self._chance.choice(steps)
        return Move(move=step.direction, view=step.direction)

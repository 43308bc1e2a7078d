"""The strong bot of Right2Live. Its parts, in the order in which they are best read:

- `right2live_memory`: what it knows; where those may be whom it does not see
- `right2live_floods`: how far players get in so many rounds
- `right2live_pursuit`: one after one, solved exactly
- `right2live_blue` and `right2live_red`: how it plays in each team
"""

import random

from fangnetz.bot import Right2LiveBot
from fangnetz.bots.right2live_blue import Fugitive
from fangnetz.bots.right2live_floods import Floods
from fangnetz.bots.right2live_memory import USUAL_FOV, Beliefs, Poison, Situation, situation
from fangnetz.bots.right2live_pursuit import Pursuit
from fangnetz.bots.right2live_red import Hunter
from fangnetz.grid import Grid
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import COMPASS, Direction, Team

__all__ = ["StrongBot"]


class StrongBot(Right2LiveBot):
    """Keeps track of everybody, flees to where there is room, and hunts by cutting off."""

    name = "strong"

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def start(self, match: MatchStart) -> None:
        grid = self._grid = Grid(self.setup.map)
        self._floods = Floods(grid)
        self._beliefs = Beliefs(
            grid, len(match.seats), match.seat, match.ruleset.get("fov_degrees", USUAL_FOV)
        )
        self._poison = Poison()
        pursuit = Pursuit(grid)
        self._blue = Fugitive(grid, self._floods, pursuit, self._beliefs, self._poison, self._chance)
        self._red = Hunter(grid, self._floods, self._beliefs, self._chance)

    def decide(self, observation: Observation) -> Move:
        now = situation(self._grid, observation, self.tick, self.seat)
        self._beliefs.update(now)
        self._poison.learn(now.here, observation.me.toxicity)
        role = self._blue if observation.me.team is Team.BLUE else self._red
        step = role.step(now)
        return Move(move=step.direction, view=self._view(now, step.field))

    def _view(self, now: Situation, field: int) -> Direction:
        """Return the direction in which most opponents may be seen, near ones above all."""
        sight = self._grid.in_sight(field)
        balls = self._floods.balls(field)
        near, middle = balls[5] & sight, balls[12] & sight
        places = [self._grid.spread(self._beliefs[seat]) for seat in now.opponents]

        def worth(way: Direction) -> float:
            ahead = self._grid.ahead(field, way)
            value = self._chance.random() / 100
            for fields in places:
                shown = fields & ahead
                count = (shown & sight).bit_count()
                count += 3 * (shown & middle).bit_count() + 6 * (shown & near).bit_count()
                value += count / fields.bit_count()
            return value

        return max(COMPASS, key=worth)

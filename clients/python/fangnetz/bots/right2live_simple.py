"""A bot of Right2Live that does the obvious: BLUE runs to where RED comes later, RED runs after BLUE.

It remembers where it last saw each player, and that is all it knows about those out of sight.
"""

import random

from fangnetz.bot import Right2LiveBot
from fangnetz.grid import UNREACHABLE, Grid
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import COMPASS, Direction, Team

__all__ = ["SimpleBot"]

FEAR = 12
"""BLUE does not care about a RED player who is more steps away."""


class SimpleBot(Right2LiveBot):
    """Runs away from RED or after BLUE, by shortest ways, and wanders about while nobody is near."""

    name = "simple"

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def start(self, match: MatchStart) -> None:
        self._grid = Grid(self.setup.map)
        self._goal = self._chance.choice(self._grid.fields)
        self._last_seen: dict[int, int] = {}

    def decide(self, observation: Observation) -> Move:
        me, grid = observation.me, self._grid
        here = grid.at(me.x, me.y)
        self._remember(observation, here)
        far = grid.distances(here)
        opponents = [
            field
            for seat, field in self._last_seen.items()
            if observation.teams[seat] != me.team and far[field] < UNREACHABLE
        ]
        opponents.sort(key=far.__getitem__)
        if opponents and me.team is Team.RED:
            return self._go(observation, here, opponents[0], look_at=opponents[0])
        if opponents and far[opponents[0]] <= FEAR:
            return self._go(observation, here, self._refuge(here, opponents[0]), look_at=opponents[0])
        return self._wander(observation, here)

    def _remember(self, observation: Observation, here: int) -> None:
        """Note where the others are; forget one who is not where we look for him."""
        known = {player.seat: self._grid.at(player.x, player.y) for player in observation.players}
        self._last_seen = {
            seat: field
            for seat, field in self._last_seen.items()
            if not self._grid.sees(here, observation.me.view, field)
        } | known

    def _refuge(self, here: int, red: int) -> int:
        """Return the field where we arrive the longest before RED does."""
        mine, his = self._grid.distances(here), self._grid.distances(red)
        return max(
            self._grid.fields, key=lambda field: his[field] - mine[field] if mine[field] < his[field] else -1
        )

    def _wander(self, observation: Observation, here: int) -> Move:
        """Walk to a field drawn by chance, then to another one."""
        if here == self._goal or self._chance.random() < 0.02:
            self._goal = self._chance.choice(self._grid.fields)
        return self._go(observation, here, self._goal, look_at=None)

    def _go(self, observation: Observation, here: int, goal: int, look_at: int | None) -> Move:
        """Take the best step to a goal, and look at a field, or where the step leads."""
        far = self._grid.distances(goal)
        # A step onto another player fails (R3.1), so it is no choice.
        taken = {self._grid.at(player.x, player.y) for player in observation.players}
        steps = [step for step in self._grid.steps(here) if step.field not in taken]
        if not steps:
            return Move(view=self._chance.choice(COMPASS))
        step = min(steps, key=lambda step: far[step.field])
        if look_at is None or look_at == here:
            return Move(move=step.direction, view=step.direction)
        return Move(move=step.direction, view=self._towards(here, look_at))

    def _towards(self, here: int, there: int) -> Direction:
        """Return the direction in which another field lies."""
        (x, y), (other_x, other_y) = self._grid.xy(here), self._grid.xy(there)
        dx, dy = other_x - x, other_y - y

        def likeness(way: Direction) -> float:
            return (way.dx * dx + way.dy * dy) / (1.4 if way.dx and way.dy else 1.0)

        return max(COMPASS, key=likeness)

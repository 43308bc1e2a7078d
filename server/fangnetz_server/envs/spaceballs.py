"""Spaceballs as a PettingZoo environment."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Space

from fangnetz_protocol.words import SeatId
from fangnetz_server.envs.canvas import Canvas
from fangnetz_server.envs.features import Features, feature_count, features_of_state
from fangnetz_server.envs.parallel import MatchEnv, Picture
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import (
    BALL_RADIUS,
    MINE_RADIUS,
    STATION_RADIUS,
    State,
    Thrust,
)

__all__ = ["SpaceballsEnv"]

_SIZE: Final = 400
"""Rows and columns of a picture."""
_LARGEST: Final = 200.0
"""Beyond all numbers of an observation: no ball gets faster on its way from wall to wall."""
_BALLS: Final = ((214, 69, 65), (65, 105, 225))


class SpaceballsEnv(MatchEnv[State, Thrust]):
    """A duel of two balls with inertia; the agents are `seat_0` (red) and `seat_1` (blue).

    Action: `Box(-1, 1, (2,))`, the direction of the thrust; its length does not matter (B2.2).
    Observation: `Box((74,))` with the default ruleset, see `features`. Reward: 1 for the point, -1
    for that of the other one, only at the end.

    Args:
        setup: what to fix of the start position, as in a scenario file.
        render_mode: None or "rgb_array".
    """

    def __init__(self, setup: Mapping[str, Any] | None = None, *, render_mode: str | None = None) -> None:
        super().__init__(GAME, GAME.info.min_seats, setup, render_mode)
        start = GAME.prepare(0, self.setup)
        self._objects = len(start.arena.stations.items), len(start.arena.mines.items)
        self.observation_spaces = {agent: self.space_of_observations() for agent in self.possible_agents}
        self.action_spaces = {agent: self.space_of_actions() for agent in self.possible_agents}

    def space_of_observations(self) -> Space[Any]:
        return Box(-_LARGEST, _LARGEST, (feature_count(*self._objects),), np.float32)

    def space_of_actions(self) -> Space[Any]:
        return Box(-1.0, 1.0, (2,), np.float32)

    def observe(self, seat: SeatId) -> Features:
        seen: Features = features_of_state(self.state_of_match)[seat]
        return seen

    def read(self, action: Any) -> Thrust:
        return GAME.parse_action({"thrust": np.asarray(action).tolist()})

    def scores(self) -> Sequence[float]:
        red, blue = self.state_of_match.points
        return red - blue, blue - red

    def draw(self) -> Picture:
        canvas, state = Canvas(_SIZE, _SIZE, (250, 249, 244)), self.state_of_match
        for mine in state.mines.items:
            self._disc(canvas, mine.x, mine.y, MINE_RADIUS, (60, 60, 66))
        for station in state.stations.items:
            self._disc(canvas, station.x, station.y, STATION_RADIUS, (46, 160, 88))
        for ball, colour in zip(state.balls, _BALLS, strict=True):
            self._disc(canvas, ball.x, ball.y, BALL_RADIUS, colour)
        return canvas.pixels

    def _disc(self, canvas: Canvas, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
        # B1.1: y goes upwards; rows of a picture go down.
        canvas.disc(x * _SIZE, (1 - y) * _SIZE, radius * _SIZE, colour)

"""Right2Live as a PettingZoo environment."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, MultiDiscrete, Space
from numpy.typing import NDArray

from fangnetz_protocol.words import COMPASS, Direction, SeatId, Team
from fangnetz_server.envs.canvas import Canvas
from fangnetz_server.envs.parallel import MatchEnv, Picture
from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import Action, State

__all__ = ["MOVES", "Right2LiveEnv"]

MOVES: Final = (Direction.NONE, *COMPASS)
"""What the first number of an action means, and the second one, where NONE keeps the view."""
_OWN: Final = 26
_OTHER: Final = 6
_LARGEST: Final = 1e6
"""Beyond all numbers of an observation."""
_FIELD: Final = 12
"""Rows and columns of a field in a picture."""
_TEAMS: Final = {Team.BLUE: (65, 105, 225), Team.RED: (214, 69, 65)}
Numbers = NDArray[np.float32]


class Right2LiveEnv(MatchEnv[State, Action]):
    """Tag on a poisoned grid for 2 to 20 agents, `seat_0`, `seat_1` and so on.

    Action: `MultiDiscrete([9, 9])`: the step and the view, both as indices into `MOVES`; as a view
    0 keeps the old one. Reward: the points that the tick brought (R6).

    Observation: `Dict` of what the rules let a bot know (R8), and nothing else:

    - `near`, `Box(0, 1, (3, 2r+1, 2r+1), uint8)`: the map round the own field, north up; planes of
      walls (also outside the map), of team mates, and of opponents that are seen.
    - `own`, `Box((26,))`: x and y as shares of the map, 1 if RED, life / 100, points / 100, rounds on
      this field / 10, poison of the field; the view (8, one of them 1); which steps the walls allow
      (8); round / 100, rounds until the next forced change / 100 (0: there is none), share of BLUE.
    - `others`, `Box((seats, 6))`, a row a seat: 1 if the place is known, way there in fields (x, y),
      1 if RED, life / 100, 1 for the own seat.

    Args:
        seats: how many agents.
        setup: what to fix of the start position, as in a scenario file; `map`, `ruleset` and so on.
        radius: r, how many fields `near` reaches.
        render_mode: None or "rgb_array".
    """

    def __init__(
        self,
        seats: int = 4,
        setup: Mapping[str, Any] | None = None,
        *,
        radius: int = 7,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(GAME, seats, setup, render_mode)
        self._radius = radius
        self.observation_spaces = {agent: self.space_of_observations() for agent in self.possible_agents}
        self.action_spaces = {agent: self.space_of_actions() for agent in self.possible_agents}

    def space_of_observations(self) -> Space[Any]:
        side = 2 * self._radius + 1
        return Dict(
            near=Box(0, 1, (3, side, side), np.uint8),
            own=Box(-_LARGEST, _LARGEST, (_OWN,), np.float32),
            others=Box(-_LARGEST, _LARGEST, (len(self.possible_agents), _OTHER), np.float32),
        )

    def space_of_actions(self) -> Space[Any]:
        return MultiDiscrete([len(MOVES), len(MOVES)])

    def observe(self, seat: SeatId) -> dict[str, NDArray[Any]]:
        seen = GAME.observe(self.state_of_match, seat)
        return {"near": self._near(seen), "own": self._own(seen), "others": self._others(seen, seat)}

    def read(self, action: Any) -> Action:
        move, view = (MOVES[int(index)] for index in action)
        return Action(move, None if view is Direction.NONE else view)

    def scores(self) -> Sequence[float]:
        return [float(player.points) for player in self.state_of_match.players]

    def draw(self) -> Picture:
        arena = self.state_of_match.arena
        canvas = Canvas(arena.height * _FIELD, arena.width * _FIELD, (250, 249, 244))
        for y, (row, layer) in enumerate(zip(arena.rows(), arena.layer(), strict=True)):
            for x, (sign, poison) in enumerate(zip(row, layer, strict=True)):
                green = 10 if poison == "0" else int(poison) if poison.isdigit() else 0
                ground = (250 - 18 * green, 249 - 4 * green, 244 - 18 * green)
                colour = (60, 60, 66) if sign == "#" else ground
                canvas.rectangle(x * _FIELD, y * _FIELD, _FIELD, _FIELD, colour)
        for player in self.state_of_match.players:
            x, y = arena.xy(player.field)
            middle = (x + 0.5) * _FIELD, (y + 0.5) * _FIELD
            canvas.disc(*middle, 0.4 * _FIELD, _TEAMS[player.team])
            ahead = middle[0] + 0.3 * _FIELD * player.view.dx, middle[1] + 0.3 * _FIELD * player.view.dy
            canvas.disc(*ahead, 0.15 * _FIELD, (255, 255, 255))
        return canvas.pixels

    # --- what an agent sees ---------------------------------------------------------------------

    def _near(self, seen: JsonObject) -> NDArray[np.uint8]:
        arena, radius, me = self.state_of_match.arena, self._radius, seen["me"]
        planes = np.zeros((3, 2 * radius + 1, 2 * radius + 1), np.uint8)
        free = np.zeros((arena.height + 2 * radius, arena.width + 2 * radius), np.uint8)
        free[radius : radius + arena.height, radius : radius + arena.width] = self._free()
        planes[0] = 1 - free[me["y"] : me["y"] + 2 * radius + 1, me["x"] : me["x"] + 2 * radius + 1]
        for player in seen["players"]:
            row, column = player["y"] - me["y"] + radius, player["x"] - me["x"] + radius
            if 0 <= row <= 2 * radius and 0 <= column <= 2 * radius:
                planes[1 if player["team"] == me["team"] else 2, row, column] = 1
        return planes

    def _free(self) -> NDArray[np.uint8]:
        """Return the map, 1 for a free field."""
        arena = self.state_of_match.arena
        board = np.frombuffer(arena.free, np.uint8)[: (arena.height + 2) * arena.stride]
        return board.reshape(-1, arena.stride)[1:-1, 1:]

    def _own(self, seen: JsonObject) -> Numbers:
        arena, me = self.state_of_match.arena, seen["me"]
        place, forced = arena.at(me["x"], me["y"]), seen["next_forced"]
        tick = self.state_of_match.tick
        return np.array(
            [
                me["x"] / arena.width,
                me["y"] / arena.height,
                me["team"] == Team.RED,
                me["life"] / 100,
                me["points"] / 100,
                me["standing"] / 10,
                me["toxicity"],
                *(me["view"] == direction for direction in COMPASS),
                *(arena.can_step(place, direction) for direction in COMPASS),
                tick / 100,
                0.0 if forced is None else (forced - tick) / 100,
                seen["teams"].count(Team.BLUE) / len(seen["teams"]),
            ],
            np.float32,
        )

    def _others(self, seen: JsonObject, seat: SeatId) -> Numbers:
        me = seen["me"]
        others = np.zeros((len(self.possible_agents), _OTHER), np.float32)
        others[:, 3] = [team == Team.RED for team in seen["teams"]]
        others[:, 4] = np.array(seen["lives"]) / 100
        for player in (*seen["players"], {"seat": seat, **me}):
            others[player["seat"], :3] = 1, player["x"] - me["x"], player["y"] - me["y"]
        others[seat, 5] = 1
        return others

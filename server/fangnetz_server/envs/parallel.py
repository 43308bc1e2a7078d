"""What the PettingZoo environments of both games share: one match by the scalar rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from gymnasium import Space
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import Game, GameState, JsonObject, Outcome

__all__ = ["Infos", "MatchEnv", "Picture"]

S = TypeVar("S", bound=GameState)
A = TypeVar("A")
Infos = dict[str, JsonObject]
Picture = NDArray[np.uint8]
"""Rows, columns and red, green, blue."""
_SEEDS = 1 << 31


class MatchEnv(ParallelEnv[str, Any, Any], Generic[S, A]):
    """One match in which every seat is an agent, `seat_0`, `seat_1` and so on.

    All agents act at once and live until the match is over. `reset(seed=n)` plays the match with
    the match seed n, the one of `fangnetz play --seed n`; without a seed the next match seed is
    drawn. `infos` tells `match_seed` and `tick`, at the end also `reason` and the agent's `place`.

    Args:
        game: the rules.
        seats: how many.
        setup: what to fix of the start position, as in a scenario file.
        render_mode: None or "rgb_array".

    Raises:
        SetupError: the setup is wrong; told by `reset`.
        ValueError: there is no such render mode.
    """

    def __init__(
        self, game: Game[S, A], seats: int, setup: Mapping[str, Any] | None, render_mode: str | None
    ) -> None:
        info = game.info
        self.metadata = {
            "name": f"fangnetz_{info.id}_v{info.rules_version}",
            "render_modes": ["rgb_array"],
            "render_fps": 1000 // info.tick_ms,
            "is_parallelizable": True,
        }
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f'render_mode has to be None or "rgb_array", not {render_mode!r}')
        self.game = game
        self.setup = dict(setup or {})
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.match_seed = 0
        self.state_of_match: S
        """The match, as the rules have it; there is none before the first `reset`."""
        self._chance = np.random.default_rng()

    # --- what a game adds -----------------------------------------------------------------------

    def space_of_observations(self) -> Space[Any]:
        """Return the space that is the same for all agents."""
        raise NotImplementedError

    def space_of_actions(self) -> Space[Any]:
        """Return the space that is the same for all agents."""
        raise NotImplementedError

    def observe(self, seat: SeatId) -> Any:
        """Return what the agent on a seat sees."""
        raise NotImplementedError

    def read(self, action: Any) -> A:
        """Return an action as the rules want it."""
        raise NotImplementedError

    def scores(self) -> Sequence[float]:
        """Return what each seat has gained so far; a reward is what is added to it."""
        raise NotImplementedError

    def draw(self) -> Picture:
        """Return a picture of the match."""
        raise NotImplementedError

    # --- PettingZoo -----------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], Infos]:
        """Begin a match.

        Args:
            seed: the match seed, and the beginning of those that follow; None: the next one.
            options: `setup` takes the place of that of the environment for this match.
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.match_seed = int(self._chance.integers(_SEEDS)) if seed is None else seed
        setup = (options or {}).get("setup", self.setup)
        if self.game.info.min_seats < self.game.info.max_seats:
            setup = {"seats": len(self.possible_agents), **setup}
        self.state_of_match = self.game.prepare(self.match_seed, setup)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos(None)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a tick; an agent without an action does nothing."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        read = [self.read(actions[agent]) if agent in actions else None for agent in self.agents]
        return self.advance(read)

    def advance(
        self, actions: Sequence[A | None]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a tick with actions as the rules have them, one a seat."""
        before = self.scores()
        self.state_of_match = self.game.step(self.state_of_match, actions)
        outcome = self.game.outcome(self.state_of_match)
        agents, gains = self.agents, np.subtract(self.scores(), before).tolist()
        result = (
            self._observations(),
            dict(zip(agents, gains, strict=True)),
            dict.fromkeys(agents, outcome is not None),
            dict.fromkeys(agents, False),
            self._infos(outcome),
        )
        self.agents = agents if outcome is None else []
        return result

    def render(self) -> Picture | None:
        """Return a picture of the match, if the render mode is "rgb_array"."""
        return None if self.render_mode is None else self.draw()

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(SeatId(seat)) for seat, agent in enumerate(self.agents)}

    def _infos(self, outcome: Outcome | None) -> Infos:
        common = {"match_seed": self.match_seed, "tick": self.state_of_match.tick}
        if outcome is None:
            return {agent: dict(common) for agent in self.agents}
        return {
            agent: {**common, "reason": outcome.reason, "place": place}
            for agent, place in zip(self.agents, outcome.places, strict=True)
        }

"""One agent against bots, as a Gymnasium environment."""

from typing import Any

import gymnasium

from fangnetz.local import LocalSeat
from fangnetz_protocol.words import SeatId
from fangnetz_server.envs.opponents import Opponent, seat_opponents
from fangnetz_server.envs.parallel import MatchEnv, Picture

__all__ = ["SingleAgentEnv"]


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One seat of a match; bots of the SDK play the others.

    Spaces, rewards and infos are those of the match's environment; `info["seat"]` is the own seat.

    Args:
        match: the environment of the match, such as `SpaceballsEnv()`.
        opponent: a reference bot such as "spaceballs:simple", any other bot as `fangnetz-bot run`
            takes it, or a bot class.
        seat: the own seat; None: drawn for each match.
    """

    def __init__(self, match: MatchEnv[Any, Any], opponent: Opponent, *, seat: int | None = 0) -> None:
        self.match = match
        self.metadata = match.metadata
        self.render_mode = match.render_mode
        self.observation_space = match.observation_space(match.possible_agents[0])
        self.action_space = match.action_space(match.possible_agents[0])
        self._opponent = opponent
        self._fixed_seat = seat
        self._seat = SeatId(seat or 0)
        self._bots: dict[SeatId, LocalSeat] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match; see `MatchEnv.reset`."""
        super().reset(seed=seed)
        observations, infos = self.match.reset(seed=seed, options=options)
        if self._fixed_seat is None:
            self._seat = SeatId(int(self.np_random.integers(len(self.match.possible_agents))))
        state, match_seed = self.match.state_of_match, self.match.match_seed
        self._bots = seat_opponents(self.match.game, state, self._opponent, self._seat, match_seed)
        return observations[self._agent], self._told(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a tick against the bots."""
        match, state = self.match, self.match.state_of_match
        actions = [
            match.read(action) if seat == self._seat else self._bots[SeatId(seat)].act(state)
            for seat in range(len(match.possible_agents))
        ]
        observations, rewards, terminated, truncated, infos = match.advance(actions)
        self._inform(match)
        agent = self._agent
        return observations[agent], rewards[agent], terminated[agent], truncated[agent], self._told(infos)

    def render(self) -> Picture | None:
        """Return a picture of the match."""
        return self.match.render()

    @property
    def _agent(self) -> str:
        return self.match.possible_agents[self._seat]

    def _told(self, infos: dict[str, dict[str, Any]]) -> dict[str, Any]:
        return {**infos[self._agent], "seat": int(self._seat)}

    def _inform(self, match: MatchEnv[Any, Any]) -> None:
        outcome = match.game.outcome(match.state_of_match)
        for bot in self._bots.values():
            bot.learn(match.state_of_match)
            if outcome is not None:
                bot.end(match.state_of_match, outcome)

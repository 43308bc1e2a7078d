"""What the clauses are checked on: a game, a played match, and how to complain."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import Game, GameState, JsonObject, Outcome

__all__ = ["ContractViolation", "Trial", "Turn", "play_trial"]


class ContractViolation(AssertionError):
    """A game breaks its contract; the text names the clause."""

    def __init__(self, clause: str, problem: str) -> None:
        super().__init__(f"{clause}: {problem}")
        self.clause = clause
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Turn:
    """One tick as it was played."""

    before: GameState
    actions: tuple[Any, ...]
    """One entry a seat; None is the neutral action."""
    after: GameState


@dataclass(frozen=True, slots=True)
class Trial:
    """A match of the game under test."""

    game: Game[Any, Any]
    seed: int
    setup: Mapping[str, Any]
    samples: Sequence[JsonObject]
    """Game parts of valid actions."""
    start: GameState
    turns: tuple[Turn, ...]
    max_ticks: int

    def prepare_again(self) -> GameState:
        """Return a start position from a fresh copy of the setup, and so the same one."""
        start: GameState = self.game.prepare(self.seed, deepcopy(self.setup))
        return start

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """All seats of the match."""
        return tuple(SeatId(seat) for seat in range(self.start.seat_count))

    @property
    def states(self) -> tuple[GameState, ...]:
        """All states, the start first."""
        return (self.start, *(turn.after for turn in self.turns))

    @property
    def end(self) -> GameState:
        """The last state."""
        return self.states[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None if it was still going on after `max_ticks`."""
        return self.game.outcome(self.end)


def play_trial(
    game: Game[Any, Any],
    seed: int,
    setup: Mapping[str, Any],
    samples: Sequence[JsonObject],
    max_ticks: int,
) -> Trial:
    """Play a match of random samples and neutral actions, up to its end or for `max_ticks`."""
    chance = Random(seed)
    state = start = game.prepare(seed, deepcopy(setup))
    known = [game.parse_action(sample) for sample in samples]
    turns: list[Turn] = []
    while game.outcome(state) is None and len(turns) < max_ticks:
        actions = tuple(chance.choice([None, *known]) for _ in range(state.seat_count))
        after = game.step(state, actions)
        turns.append(Turn(state, actions, after))
        state = after
    return Trial(game, seed, setup, samples, start, tuple(turns), max_ticks)

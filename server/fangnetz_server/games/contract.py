"""What a game is: the one interface between the rules and everything else.

A game is a value with pure functions. It is found through the entry-point group
`fangnetz.games`; `fangnetz_server.testing.check_game` checks any game against this contract.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from fangnetz_protocol.words import SeatId

__all__ = ["Game", "GameInfo", "GameState", "InvalidAction", "JsonObject", "Outcome", "SetupError"]

JsonObject = dict[str, Any]
"""An object that orjson can write: string keys, finite numbers, no NaN."""


class SetupError(ValueError):
    """A ruleset, map, field or position that the rules do not allow.

    `where` is a path into the setup ("map line 3, column 5", "seats.2.x").
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class InvalidAction(ValueError):
    """The game part of an action that the rules cannot read (R2.2, B2.2)."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The facts about a game that hold for all its matches.

    Times are the defaults of protocol P2.2, in milliseconds.
    """

    id: str
    title: str
    rules_version: int
    min_seats: int
    max_seats: int
    tick_ms: int
    deadline_ms: int
    roster: str = "players"
    """Key of the list in `frame` that has one entry a seat, in seat order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: one entry a seat, in seat order.

    Places start at 1; equal seats share a place and the next one is left out (1, 1, 3).
    """

    reason: str
    points: tuple[float, ...]
    places: tuple[int, ...]


class GameState(Protocol):
    """A frozen value: everything that decides the rest of the match, static parts included."""

    @property
    def tick(self) -> int: ...

    @property
    def seat_count(self) -> int: ...


S = TypeVar("S", bound=GameState)
A = TypeVar("A")


class Game(Protocol[S, A]):
    """The rules of one game. No function changes what it is given or keeps anything between calls."""

    @property
    def info(self) -> GameInfo: ...

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> S:
        """Build the start position.

        `setup` holds what a scenario file may say of the game (protocol P4: `ruleset`, and for
        Right2Live `map`, `toxicity`, `seats`, `tick`, `last_change`; for Spaceballs `stations`,
        `mines`, `balls`). What is left out comes from the seed. `seats` may be a number.
        An unknown key is an error.

        Raises:
            SetupError: something in it is wrong; the text names the place.
        """
        ...

    def export_setup(self, state: S) -> JsonObject:
        """Return a setup from which `prepare` builds a state equal to this start position (replays)."""
        ...

    def ruleset(self, state: S) -> JsonObject:
        """Return the ruleset in force, every field given."""
        ...

    def last_tick(self, state: S) -> int | None:
        """Return the number of the last possible tick, or None where the rules set none."""
        ...

    def parse_action(self, part: Mapping[str, Any]) -> A:
        """Read the game part of an `action` message; keys that are not the game's are ignored.

        Raises:
            InvalidAction: it counts as no action (R2.2, B2.2).
        """
        ...

    def export_action(self, action: A) -> JsonObject:
        """Return a game part that `parse_action` reads back to an equal action (replays)."""
        ...

    def wants_order(self, state: S) -> bool:
        """Tell whether the order of arrival matters (R3.3, `move_order` "arrival")."""
        ...

    def step(self, state: S, actions: Sequence[A | None], order: Sequence[SeatId] | None = None) -> S:
        """Return the state after the next tick.

        Args:
            state: a state without an outcome.
            actions: one entry a seat; None is the neutral action.
            order: all seats in the order in which they act. None: the game draws it from the
                seed where it needs one (or takes seat order, where it wants the order of arrival).
        """
        ...

    def was_blocked(self, state: S, seat: SeatId) -> bool:
        """Tell whether the rules denied this seat's legal action in the tick of `state` (P2.1)."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return the outcome if the match is over."""
        ...

    def walkover(self, state: S, absent: frozenset[SeatId], reason: str) -> Outcome:
        """Return the outcome of a match that the `absent` seats give up without play (P2.2, B5.1)."""
        ...

    def briefing(self, state: S, seat: SeatId | None) -> JsonObject:
        """Return the static part for `match_start.setup`, redacted for the seat; None: for spectators.

        It never holds the seed.
        """
        ...

    def observe(self, state: S, seat: SeatId) -> JsonObject:
        """Return what the bot on this seat may see: the game part of its `observation`."""
        ...

    def frame(self, state: S) -> JsonObject:
        """Return the whole state as spectators get it: the game part of a `frame` (P3.3)."""
        ...

    def fingerprint(self, state: S) -> bytes:
        """Return an exact encoding of everything in the state that the rules can still depend on.

        Two states have the same fingerprint if and only if they are equal; replays are
        compared by digests of it.
        """
        ...

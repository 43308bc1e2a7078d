"""What a bot is: one object a match with one method to implement, `decide`."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from fangnetz_protocol import right2live, spaceballs
from fangnetz_protocol.messages import LastAction, MatchEnd, MatchStart

__all__ = ["Bot", "LeaveMatch", "Right2LiveBot", "SpaceballsBot"]

Seen = TypeVar("Seen")
Act = TypeVar("Act")


class LeaveMatch(Exception):
    """Raised in `start` or `decide`: the bot gives up its seat for good, and the match goes on without it."""


class Bot(Generic[Seen, Act]):
    """A player of one match.

    A bot of a plug-in game subclasses this one, names its `game`, and gets and gives the game
    part as plain dictionaries, unless it overrides `read` and `write`.

    `Seen` is what `decide` gets, `Act` is what it returns.
    """

    game: ClassVar[str]
    """Name of the game, as in `match_start.game`."""
    name: ClassVar[str | None] = None
    """Name to show to others; None: the name of the class."""

    match: MatchStart
    """What is known about the match; set before `start`."""
    tick: int = 0
    """Number of the tick that `decide` is asked about; 0 is the start position."""
    deadline_ms: float = 0.0
    """Milliseconds that the server gives for this answer."""
    bank_ms: float = 0.0
    """Milliseconds of extra time that are left for the whole match, on top of the deadline (lockstep)."""
    last_action: LastAction | None = None
    """What became of the action before (applied, late, blocked …); None in the first tick."""

    @property
    def seat(self) -> int:
        """The own seat; lists in observations have one entry a seat."""
        return self.match.seat

    def start(self, match: MatchStart) -> Awaitable[None] | None:
        """Prepare for a match; called once, before the first `decide`. It may be async.

        The match begins when it is done, or when the server's time for that is over. If the
        connection breaks while an async `start` is at work, it is called again.
        """
        return None

    def decide(self, observation: Seen) -> Act | Awaitable[Act]:
        """Return the action for this tick. This is the one method to implement; it may be async."""
        raise NotImplementedError(f"{type(self).__name__} has to implement decide(self, observation)")

    def end(self, result: MatchEnd) -> None:
        """Learn how the match ended; lists have one entry a seat."""

    def missed(self, ticks: Sequence[int]) -> None:
        """Learn which ticks went by without an answer of this bot, before the next `decide`."""

    def neutral(self) -> Act | None:
        """Return the action to give when `decide` failed; None: none at all, which counts as missing."""
        return None

    def take_seat(self, match: MatchStart) -> None:
        """Set what `start` and `decide` may use. The runner calls it; overrides call super()."""
        self.match = match

    @classmethod
    def read(cls, part: Mapping[str, Any]) -> Seen:
        """Return what `decide` gets for the game part of an observation."""
        return part  # type: ignore[return-value]  # Seen is a mapping unless a subclass overrides this.

    @classmethod
    def write(cls, action: Act) -> dict[str, Any]:
        """Return the game part of the `action` message for what `decide` returned.

        Raises:
            TypeError: `decide` returned something else than an action.
        """
        if not isinstance(action, Mapping):
            raise TypeError(f"decide() has to return a mapping, not {type(action).__name__}")
        return dict(action)


class Right2LiveBot(Bot[right2live.Observation, right2live.Move]):
    """A player of Right2Live: `decide` gets an `Observation` and returns a `Move`."""

    game = "right2live"
    setup: right2live.Briefing
    """The map; set before `start`."""

    def take_seat(self, match: MatchStart) -> None:
        super().take_seat(match)
        self.setup = right2live.Briefing.model_validate(match.setup)

    def neutral(self) -> right2live.Move:
        return right2live.Move()

    @classmethod
    def read(cls, part: Mapping[str, Any]) -> right2live.Observation:
        return right2live.Observation.model_validate(part)

    @classmethod
    def write(cls, action: right2live.Move) -> dict[str, Any]:
        if not isinstance(action, right2live.Move):
            raise TypeError(f"decide() has to return a Move, not {type(action).__name__}")
        if action.view is None:
            return {"move": action.move}
        return {"move": action.move, "view": action.view}


class SpaceballsBot(Bot[spaceballs.Observation, spaceballs.Thrust]):
    """A player of Spaceballs: `decide` gets an `Observation` and returns a `Thrust`."""

    game = "spaceballs"
    setup: spaceballs.Briefing
    """The field at the start and all sizes; set before `start`."""

    def take_seat(self, match: MatchStart) -> None:
        super().take_seat(match)
        self.setup = spaceballs.Briefing.model_validate(match.setup)

    def neutral(self) -> spaceballs.Thrust:
        return spaceballs.Thrust(thrust=(0.0, 0.0))

    @classmethod
    def read(cls, part: Mapping[str, Any]) -> spaceballs.Observation:
        return spaceballs.Observation.model_validate(part)

    @classmethod
    def write(cls, action: spaceballs.Thrust) -> dict[str, Any]:
        if not isinstance(action, spaceballs.Thrust):
            raise TypeError(f"decide() has to return a Thrust, not {type(action).__name__}")
        return {"thrust": action.thrust}

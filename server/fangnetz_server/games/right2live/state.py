"""The state of a match of Right2Live: frozen values, seats in order."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from fangnetz_protocol.words import Direction, Right2LiveReason, SeatId, Team
from fangnetz_server.games.right2live.arena import Arena
from fangnetz_server.games.right2live.ruleset import Ruleset

__all__ = [
    "BLUE",
    "RED",
    "Action",
    "Blocked",
    "Caught",
    "Event",
    "Forced",
    "Player",
    "Poisoned",
    "State",
    "Turn",
]

# Looking up a member of an enum costs as much as a whole comparison; the stages do it often.
BLUE: Final = Team.BLUE
RED: Final = Team.RED


@dataclass(frozen=True, slots=True)
class Action:
    """What a bot wants to do in a round (R2.2)."""

    move: Direction = Direction.NONE
    view: Direction | None = None
    """None: the view stays as it is."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What moves a state to the next: one action a seat, and who steps first (R3.3)."""

    actions: tuple[Action | None, ...]
    order: tuple[SeatId, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """A player on the map."""

    field: int
    view: Direction
    team: Team
    life: int
    """Hundredths of a life point (R1.6)."""
    standing: int
    """Rounds on this field (R4.1)."""
    points: Fraction


@dataclass(frozen=True, slots=True)
class Blocked:
    """A step failed (R3.4)."""

    seat: SeatId


@dataclass(frozen=True, slots=True)
class Poisoned:
    """A BLUE without life turned RED (R5.1)."""

    seat: SeatId


@dataclass(frozen=True, slots=True)
class Caught:
    """A BLUE was touched and turned RED (R5.2)."""

    seat: SeatId
    by: tuple[SeatId, ...]


@dataclass(frozen=True, slots=True)
class Forced:
    """A BLUE had to turn RED (R5.4)."""

    seat: SeatId


Event = Blocked | Poisoned | Caught | Forced


@dataclass(frozen=True, slots=True)
class State:
    """Everything that decides the rest of a match."""

    ruleset: Ruleset
    arena: Arena
    seed: int
    tick: int
    """Number of rounds played (R2.1)."""
    last_change: int
    """The round M of the last change of a team (R5.4)."""
    players: tuple[Player, ...]
    events: tuple[Event, ...] = ()
    """What happened in the last round."""
    reason: Right2LiveReason | None = None
    """Why the match is over (R7); None: it is not."""

    @property
    def seat_count(self) -> int:
        """Number of players."""
        return len(self.players)

    def count(self, team: Team) -> int:
        """Return how many players a team has."""
        return sum(player.team is team for player in self.players)

"""The game parts of Right2Live: what its observations, frames and actions hold (protocol P2, P3.3)."""

from typing import Annotated, Literal

from pydantic import Field

from fangnetz_protocol.model import Count, Model
from fangnetz_protocol.words import Direction, Team

__all__ = [
    "Blocked",
    "Briefing",
    "Caught",
    "Event",
    "Forced",
    "Frame",
    "FramePlayer",
    "Me",
    "Move",
    "Observation",
    "Player",
    "Poisoned",
]


class Caught(Model):
    """A BLUE was touched and is RED now (R5.2)."""

    kind: Literal["caught"] = "caught"
    seat: Count
    """The seat that was caught."""
    by: tuple[Count, ...]
    """All seats that touched him, in seat order."""


class Poisoned(Model):
    """A BLUE ran out of life and is RED now (R5.1)."""

    kind: Literal["poisoned"] = "poisoned"
    seat: Count
    """The seat that changed."""


class Forced(Model):
    """The BLUE with the lowest life had to change (R5.4)."""

    kind: Literal["forced"] = "forced"
    seat: Count
    """The seat that changed."""


class Blocked(Model):
    """A step failed (R3.4)."""

    kind: Literal["blocked"] = "blocked"
    seat: Count
    """The seat that stood still."""


Event = Annotated[Caught | Poisoned | Forced | Blocked, Field(discriminator="kind")]


class Move(Model):
    """The game part of an action: one step and the direction to look at (R2.2)."""

    move: Direction = Direction.NONE
    """One of the eight directions, or NONE."""
    view: Direction | None = None
    """One of the eight directions; left out or null: the view stays as it is."""


class Me(Model):
    """The observing bot itself."""

    x: Count
    """Column, from 0 at the left."""
    y: Count
    """Row, from 0 at the top."""
    view: Direction
    """Direction that the bot looks at."""
    team: Team
    """The own team."""
    life: float
    """Life points, 100.0 at the start; below zero is shown as it is (R1.6)."""
    points: float
    """Points so far, rounded to 6 decimals (R6.4)."""
    standing: Count
    """Rounds on this field without a change of field (R4.1)."""
    toxicity: float
    """Poison of the own field, in life points a round."""


class Player(Model):
    """Another player whose position is known (R8.1, R8.2)."""

    seat: Count
    """The player's seat."""
    x: Count
    """Column, from 0 at the left."""
    y: Count
    """Row, from 0 at the top."""
    view: Direction
    """Direction that the player looks at."""
    team: Team
    """The player's team."""


class Observation(Model):
    """The game part of an observation: what one bot may know (R8)."""

    me: Me
    """The own player."""
    players: tuple[Player, ...]
    """The others whose position is known, in seat order."""
    teams: tuple[Team, ...]
    """One entry a seat, the own seat included."""
    lives: tuple[float, ...]
    """Life points, one entry a seat."""
    last_change: Count
    """Round of the last change of a team, 0 before the first (R5.4)."""
    next_forced: int | None
    """Round of the next forced change if nobody changes before; null with fewer than two BLUE."""
    events: tuple[Event, ...]
    """What happened in this round; `blocked` only for the own seat."""


class FramePlayer(Model):
    """One player as spectators see him."""

    seat: Count
    """The player's seat."""
    x: Count
    """Column, from 0 at the left."""
    y: Count
    """Row, from 0 at the top."""
    view: Direction
    """Direction that the player looks at."""
    team: Team
    """The player's team."""
    life: float
    """Life points, 100.0 at the start."""
    points: float
    """Points so far, rounded to 6 decimals (R6.4)."""
    standing: Count
    """Rounds on this field without a change of field (R4.1)."""
    connected: bool = True
    """True while the player's bot has a connection."""
    latency_ms: float | None = None
    """Milliseconds that the bot took for its last answer; null if it gave none."""


class Frame(Model):
    """The game part of a frame: a complete snapshot of what moves (P3.3)."""

    players: tuple[FramePlayer, ...]
    """All players, in seat order."""
    blue: Count
    """Number of BLUE players."""
    red: Count
    """Number of RED players."""
    last_change: Count
    """Round of the last change of a team, 0 before the first (R5.4)."""
    next_forced: int | None
    """Round of the next forced change if nobody changes before; null with fewer than two BLUE."""
    events: tuple[Event, ...]
    """What happened in this round."""


class Briefing(Model):
    """The static part, in `match_start.setup`."""

    map: tuple[str, ...]
    """Rows from north to south, `#` a wall, `.` a free field; all of one length (R1.1)."""
    toxicity: tuple[str, ...] | None = None
    """Rows of the map's size (R1.3); spectators only, bots never get it (R8.1)."""

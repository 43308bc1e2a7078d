"""The words of the games and of the wire: plain enums and named types."""

from enum import StrEnum
from typing import Final, NewType

__all__ = [
    "COMPASS",
    "ActionStatus",
    "BotId",
    "Direction",
    "MatchId",
    "MatchPhase",
    "MatchReason",
    "Pace",
    "Right2LiveReason",
    "SeatId",
    "SpaceballsReason",
    "Team",
    "Tick",
]

Tick = NewType("Tick", int)
"""Number of a state of a match; 0 is the start position (R2.1)."""
SeatId = NewType("SeatId", int)
"""Place of a bot in a match, from 0."""
MatchId = NewType("MatchId", str)
BotId = NewType("BotId", str)


class Direction(StrEnum):
    """The eight directions of the grid and standing still (R1.2: NORTH is y - 1)."""

    NONE = "NONE"
    NORTH = "NORTH"
    NORTH_EAST = "NORTH_EAST"
    EAST = "EAST"
    SOUTH_EAST = "SOUTH_EAST"
    SOUTH = "SOUTH"
    SOUTH_WEST = "SOUTH_WEST"
    WEST = "WEST"
    NORTH_WEST = "NORTH_WEST"

    @property
    def dx(self) -> int:
        """Step to the right: -1, 0 or 1."""
        return _OFFSETS[self][0]

    @property
    def dy(self) -> int:
        """Step downwards: -1, 0 or 1."""
        return _OFFSETS[self][1]


_OFFSETS: Final = {
    Direction.NONE: (0, 0),
    Direction.NORTH: (0, -1),
    Direction.NORTH_EAST: (1, -1),
    Direction.EAST: (1, 0),
    Direction.SOUTH_EAST: (1, 1),
    Direction.SOUTH: (0, 1),
    Direction.SOUTH_WEST: (-1, 1),
    Direction.WEST: (-1, 0),
    Direction.NORTH_WEST: (-1, -1),
}

COMPASS: Final = tuple(direction for direction in Direction if direction is not Direction.NONE)
"""The eight directions, clockwise from NORTH."""


class Team(StrEnum):
    """BLUE flees, RED catches."""

    BLUE = "BLUE"
    RED = "RED"


class Pace(StrEnum):
    """How the ticks of a match follow one another (P2.2)."""

    REALTIME = "realtime"
    LOCKSTEP = "lockstep"


class ActionStatus(StrEnum):
    """What became of the action for a tick (P2.1)."""

    APPLIED = "applied"
    BLOCKED = "blocked"
    LATE = "late"
    MISSING = "missing"
    DUPLICATE = "duplicate"
    INVALID = "invalid"


class MatchPhase(StrEnum):
    """How far a match is."""

    WAITING = "waiting"
    READY = "ready"
    RUNNING = "running"
    OVER = "over"


class MatchReason(StrEnum):
    """Why a match of any game can end, besides the reasons of its rules."""

    WALKOVER = "walkover"
    FORFEIT = "forfeit"
    ABORTED = "aborted"
    INFRA_ERROR = "infra_error"


class Right2LiveReason(StrEnum):
    """Why a match of Right2Live ends (R7)."""

    NO_BLUE_LEFT = "no_blue_left"
    MAX_ROUNDS = "max_rounds"


class SpaceballsReason(StrEnum):
    """Why a match of Spaceballs ends (B5.1)."""

    CATCH = "catch"
    CRASH_MINE = "crash_mine"
    CRASH_WALL = "crash_wall"
    DOUBLE_CRASH = "double_crash"
    TIMEOUT = "timeout"

"""The state of a match as a frozen value, and what can happen in it."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from fangnetz_protocol.words import SeatId, SpaceballsReason
from fangnetz_server.games.spaceballs.ruleset import Ruleset

__all__ = [
    "BALL_RADIUS",
    "MINE_RADIUS",
    "SEATS",
    "STATION_RADIUS",
    "Arena",
    "Ball",
    "Caught",
    "Crashed",
    "Event",
    "MineRemoved",
    "Place",
    "Places",
    "Refuelled",
    "State",
    "Thrust",
    "Timeout",
    "places",
]

# B1.1: in field widths.
BALL_RADIUS: Final = 0.01
STATION_RADIUS: Final = 0.01
MINE_RADIUS: Final = 0.05

SEATS: Final = (SeatId(0), SeatId(1))


@dataclass(frozen=True, slots=True)
class Thrust:
    """An action: a direction of any length (B2.2)."""

    x: float
    y: float


class Ball(NamedTuple):
    """One of the two balls: lengths in field widths, times in seconds.

    A named tuple, because a tick builds at least four balls and a dataclass takes three times as long.
    """

    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    ax: float = 0.0
    ay: float = 0.0
    fuel: int = 0


class Place(NamedTuple):
    """A station or a mine; ids count from 0, apart for stations and mines, and stay (B1.4)."""

    id: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Places:
    """All stations or all mines that are left, in the order of their ids.

    `shown` holds the same as the wire shows it, built once a change, because three views a tick
    send it; nobody may write into it.
    """

    items: tuple[Place, ...]
    shown: tuple[dict[str, Any], ...] = field(compare=False, repr=False)

    def without(self, gone: Container[Place]) -> "Places":
        """Return the places that are left when some are gone."""
        return _places(tuple(place for place in self.items if place not in gone))


def places(points: Sequence[tuple[float, float]]) -> Places:
    """Return places at the points, with ids in their order (B1.4)."""
    return _places(tuple(Place(number, x, y) for number, (x, y) in enumerate(points)))


def _places(items: tuple[Place, ...]) -> Places:
    return Places(items, tuple(place._asdict() for place in items))


@dataclass(frozen=True, slots=True)
class Refuelled:
    """A ball took a station (B4.2)."""

    seat: SeatId
    station: int


@dataclass(frozen=True, slots=True)
class MineRemoved:
    """A mine vanished (B4.6)."""

    mine: int


@dataclass(frozen=True, slots=True)
class Crashed:
    """A ball touched a mine or a wall (B4.3)."""

    seat: SeatId
    into: str


@dataclass(frozen=True, slots=True)
class Caught:
    """The ball with fewer stations was touched (B4.4)."""

    seat: SeatId
    by: SeatId


@dataclass(frozen=True, slots=True)
class Timeout:
    """The last step passed without a point (B4.5)."""


Event: TypeAlias = Refuelled | MineRemoved | Crashed | Caught | Timeout


@dataclass(frozen=True, slots=True)
class Arena:
    """What stays the same for the whole match: the ruleset and the field at the start."""

    ruleset: Ruleset
    stations: Places
    mines: Places
    steps: int
    """Steps of a whole match."""
    code: bytes = field(compare=False, repr=False)
    """Exact encoding of all this, the first part of every fingerprint."""


@dataclass(frozen=True, slots=True)
class State:
    """A match between two steps. `events` are those of the tick that led here."""

    arena: Arena
    tick: int
    step: int
    balls: tuple[Ball, Ball]
    stations: Places
    mines: Places
    last_station: int = 0
    """Step in which the last station vanished, L of B4.6; 0 if there never was one or one is left."""
    reason: SpaceballsReason | None = None
    points: tuple[float, float] = (0.0, 0.0)
    events: tuple[Event, ...] = ()

    @property
    def seat_count(self) -> int:
        return len(self.balls)

    @property
    def defender(self) -> SeatId | None:
        """The seat of the ball with fewer stations; None with equal counts (B4.6)."""
        red, blue = (ball.fuel for ball in self.balls)
        if red == blue:
            return None
        return SeatId(0) if red < blue else SeatId(1)

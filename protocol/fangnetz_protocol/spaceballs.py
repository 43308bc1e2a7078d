"""The game parts of Spaceballs: what its observations, frames and actions hold (protocol P2, P3.3)."""

from typing import Annotated, Literal

from pydantic import Field

from fangnetz_protocol.model import Count, Model, Number

__all__ = [
    "Ball",
    "Briefing",
    "Caught",
    "Crashed",
    "Event",
    "Frame",
    "FrameBall",
    "MineRemoved",
    "Observation",
    "Place",
    "Refuelled",
    "Thrust",
    "Timeout",
]


class Refuelled(Model):
    """A ball touched a station, which vanishes (B4.2)."""

    kind: Literal["refuelled"] = "refuelled"
    seat: Count
    """The seat of the ball."""
    station: Count
    """Id of the station."""


class MineRemoved(Model):
    """A mine vanished (B4.6)."""

    kind: Literal["mine_removed"] = "mine_removed"
    mine: Count
    """Id of the mine."""


class Crashed(Model):
    """A ball touched a mine or a wall (B4.3)."""

    kind: Literal["crashed"] = "crashed"
    seat: Count
    """The seat of the ball."""
    into: Literal["mine", "wall"]
    """What it touched; a wall, if both."""


class Caught(Model):
    """The ball with fewer stations was touched by the other (B4.4)."""

    kind: Literal["caught"] = "caught"
    seat: Count
    """The seat of the ball that was caught."""
    by: Count
    """The seat of the other, which gets the point."""


class Timeout(Model):
    """The last step passed without a point (B4.5)."""

    kind: Literal["timeout"] = "timeout"


Event = Annotated[Refuelled | MineRemoved | Crashed | Caught | Timeout, Field(discriminator="kind")]


class Thrust(Model):
    """The game part of an action: where to accelerate in this tick (B2.2)."""

    thrust: tuple[Number, Number]
    """Direction [x, y], y upwards, components up to 1e6 in size; its length is ignored, [0, 0] coasts."""


class Ball(Model):
    """A ball as the bots see it: lengths in field widths, times in seconds."""

    x: float
    """Centre, field widths from the left wall."""
    y: float
    """Centre, field widths from the lower wall."""
    vx: float
    """Velocity in field widths a second."""
    vy: float
    """Velocity in field widths a second."""
    ax: float
    """Acceleration of the last tick, in field widths a second squared."""
    ay: float
    """Acceleration of the last tick, in field widths a second squared."""
    fuel: Count
    """Stations taken."""


class Place(Model):
    """A station or a mine; its id stays the same for the whole match (B1.4)."""

    id: Count
    """Its number, from 0; stations and mines are counted apart."""
    x: float
    """Centre, field widths from the left wall."""
    y: float
    """Centre, field widths from the lower wall."""


class Observation(Model):
    """The game part of an observation: everything (B6.1)."""

    step: Count
    """Steps since the start."""
    time: float
    """Seconds since the start."""
    me: Ball
    """The own ball."""
    opponent: Ball
    """The other ball."""
    stations: tuple[Place, ...]
    """The stations that are left."""
    mines: tuple[Place, ...]
    """The mines that are left."""
    events: tuple[Event, ...]
    """What happened in this tick."""


class FrameBall(Ball):
    """A ball as spectators see it."""

    seat: Count
    """The seat of the ball: 0 is red, 1 is blue (B1.5)."""
    points: float
    """Points of the seat, 0 or 1."""
    connected: bool = True
    """True while the ball's bot has a connection."""
    latency_ms: float | None = None
    """Milliseconds that the bot took for its last answer; null if it gave none."""


class Frame(Model):
    """The game part of a frame: a complete snapshot of what moves (P3.3)."""

    step: Count
    """Steps since the start."""
    time: float
    """Seconds since the start."""
    balls: tuple[FrameBall, ...]
    """Both balls, in seat order."""
    stations: tuple[Place, ...]
    """The stations that are left."""
    mines: tuple[Place, ...]
    """The mines that are left."""
    defender: int | None
    """Seat of the ball with fewer stations; null with equal counts (B4.6)."""
    events: tuple[Event, ...]
    """What happened in this tick."""


class Briefing(Model):
    """The static part, in `match_start.setup`: the field at the start and the sizes (B1.1)."""

    stations: tuple[Place, ...]
    """All stations at the start."""
    mines: tuple[Place, ...]
    """All mines at the start."""
    ball_radius: float
    """Radius of a ball, in field widths."""
    station_radius: float
    """Radius of a station, in field widths."""
    mine_radius: float
    """Radius of a mine, in field widths."""
    steps: Count
    """Steps of a whole match."""
    steps_per_tick: Count
    """Steps under one action (B2.4)."""
    dt: float
    """Seconds a step."""
    thrust: float
    """Size of the acceleration, in field widths a second squared."""

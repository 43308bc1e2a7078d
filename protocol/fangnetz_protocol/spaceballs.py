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
    station: Count


class MineRemoved(Model):
    """A mine vanished (B4.6)."""

    kind: Literal["mine_removed"] = "mine_removed"
    mine: Count


class Crashed(Model):
    """A ball touched a mine or a wall (B4.3)."""

    kind: Literal["crashed"] = "crashed"
    seat: Count
    into: Literal["mine", "wall"]


class Caught(Model):
    """The ball with fewer stations was touched by the other (B4.4)."""

    kind: Literal["caught"] = "caught"
    seat: Count
    by: Count


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
    y: float
    vx: float
    vy: float
    ax: float
    """Acceleration of the last tick."""
    ay: float
    fuel: Count
    """Stations taken."""


class Place(Model):
    """A station or a mine; its id stays the same for the whole match (B1.4)."""

    id: Count
    x: float
    y: float


class Observation(Model):
    """The game part of an observation: everything (B6.1)."""

    step: Count
    time: float
    """Seconds since the start."""
    me: Ball
    opponent: Ball
    stations: tuple[Place, ...]
    mines: tuple[Place, ...]
    events: tuple[Event, ...]


class FrameBall(Ball):
    """A ball as spectators see it."""

    seat: Count
    points: float
    connected: bool = True


class Frame(Model):
    """The game part of a frame: a complete snapshot of what moves (P3.3)."""

    step: Count
    time: float
    balls: tuple[FrameBall, ...]
    stations: tuple[Place, ...]
    mines: tuple[Place, ...]
    defender: int | None
    """Seat of the ball with fewer stations; null with equal counts (B4.6)."""
    events: tuple[Event, ...]


class Briefing(Model):
    """The static part, in `match_start.setup`: the field at the start and the sizes (B1.1)."""

    stations: tuple[Place, ...]
    mines: tuple[Place, ...]
    ball_radius: float
    station_radius: float
    mine_radius: float
    steps: Count
    """Steps of a whole match."""
    steps_per_tick: Count
    dt: float
    """Seconds a step."""
    thrust: float
    """Size of the acceleration."""

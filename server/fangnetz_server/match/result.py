"""What a match leaves behind: a fact that is stored before it is announced (decision 3)."""

from dataclasses import asdict, dataclass
from typing import Any

from fangnetz_protocol.words import MatchId
from fangnetz_server.games.contract import Outcome
from fangnetz_server.match.seats import Presence, Seat, SeatStats

__all__ = ["MatchResult", "SeatResult"]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's part: `points` and `place` are None where the match has no sporting result."""

    seat: int
    bot: str
    name: str
    points: float | None
    place: int | None
    presence: Presence
    stats: SeatStats

    @classmethod
    def of(cls, place: Seat, outcome: Outcome | None) -> "SeatResult":
        """Return the part of a seat in a match that ends with this outcome, or without one."""
        came = Presence.PLAYED if place.ready else Presence.ABSENT
        return cls(
            seat=place.number,
            bot=place.entrant.bot,
            name=place.entrant.name,
            points=outcome.points[place.number] if outcome else None,
            place=outcome.places[place.number] if outcome else None,
            presence=Presence.FORFEITED if place.forfeited else came,
            stats=place.stats(),
        )


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match.

    `reason` is one of the game's reasons or a `MatchReason`; `aborted` and `infra_error` leave
    neither points nor places, and `detail` says why. `digest` is the last one of the replay.
    """

    match: MatchId
    game: str
    rules_version: int
    seed: int
    reason: str
    detail: str | None
    ticks: int
    seats: tuple[SeatResult, ...]
    digest: str

    @property
    def points(self) -> list[float]:
        """One entry a seat; empty without a sporting result."""
        return [seat.points for seat in self.seats if seat.points is not None]

    @property
    def places(self) -> list[int]:
        """One entry a seat, from 1; empty without a sporting result."""
        return [seat.place for seat in self.seats if seat.place is not None]

    def to_json(self) -> dict[str, Any]:
        """Return plain values for the API and for files."""
        return asdict(self)

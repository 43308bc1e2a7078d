"""What goes into the store and comes out of it, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = [
    "AuditNote",
    "AuditRecord",
    "Bot",
    "BotVersion",
    "Correction",
    "Entry",
    "Fact",
    "JsonObject",
    "MatchRecord",
    "MatchStart",
    "MatchState",
    "Page",
    "PairingRecord",
    "PairingRef",
    "PairingState",
    "ReleasedRound",
    "SeatGrant",
    "SeatTotals",
    "StoredMatch",
    "StoredRating",
    "Tournament",
]

JsonObject = Mapping[str, Any]
"""An object that orjson can write."""


# --- bots -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that the host has registered; its token is known to its owner only."""

    id: BotId
    name: str
    owner: str | None
    created_at: datetime
    disabled_at: datetime | None = None
    """Since when it may not come in."""

    @property
    def entrant(self) -> Entrant:
        return Entrant(self.id, self.name)


@dataclass(frozen=True, slots=True)
class BotVersion:
    """A program that a bot came with (`hello.client`); fields that it left out are empty."""

    client: str
    version: str
    language: str
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """What a seat code is good for: to be this bot in a match or in a tournament."""

    bot: BotId
    name: str
    match: MatchId | None = None
    seat: int | None = None
    tournament: str | None = None

    @property
    def entrant(self) -> Entrant:
        return Entrant(self.bot, self.name)


# --- matches ----------------------------------------------------------------------------------


class MatchState(StrEnum):
    """How far the store knows a match."""

    OPEN = "open"
    """It began, and there is no result yet."""
    OVER = "over"
    """Its result is stored."""
    LOST = "lost"
    """It never will have a result: the server stopped, or gave it up."""


@dataclass(frozen=True, slots=True)
class PairingRef:
    """Which pairing of which tournament a match plays; attempts count from 1."""

    tournament: str
    pairing: str
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A match as it begins; `pairing` is None for a friendly match."""

    match: MatchId
    game: str
    rules_version: int
    seed: int
    setup: JsonObject
    settings: JsonObject
    entrants: tuple[Entrant, ...]
    created_at: datetime
    pairing: PairingRef | None = None
    is_public: bool = True


@dataclass(frozen=True, slots=True)
class Correction:
    """What the host decided about a result afterwards, a fact of its own; the newest one counts.

    `points` and `places` have one entry a seat. Both empty: the result is annulled, as if the match
    had been aborted, and its pairing may be played again.
    """

    match: MatchId
    points: tuple[float, ...]
    places: tuple[int, ...]
    why: str
    who: str
    at: datetime

    @property
    def annuls(self) -> bool:
        return not self.places


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match: the fact, and what the host decided about it afterwards."""

    number: int
    """Grows with every stored result; pages and histories go by it."""
    result: MatchResult
    ended_at: datetime
    """Wall-clock time, for people; nothing depends on it."""
    pairing: PairingRef | None
    is_public: bool
    replay_sha256: str | None
    """Digest of the replay file; None for a match that never was played."""
    correction: Correction | None = None

    @property
    def match(self) -> MatchId:
        return self.result.match

    @property
    def game(self) -> str:
        return self.result.game

    @property
    def points(self) -> tuple[float, ...]:
        """The points that count, one entry a seat; empty without a sporting result."""
        return self.correction.points if self.correction else tuple(self.result.points)

    @property
    def places(self) -> tuple[int, ...]:
        """The places that count, one entry a seat; empty without a sporting result."""
        return self.correction.places if self.correction else tuple(self.result.places)

    def to_json(self) -> dict[str, Any]:
        """Return plain values: the result with the points and places that count, and why if corrected."""
        fields = self.result.to_json()
        shown: dict[str, Any] = {"ended_at": self.ended_at.astimezone(UTC).isoformat(timespec="seconds")}
        if self.correction is not None:
            shown["correction"] = _correction_json(self.correction, self.result)
            for seat in fields["seats"]:
                number = seat["seat"]
                seat["points"] = None if self.correction.annuls else self.points[number]
                seat["place"] = None if self.correction.annuls else self.places[number]
        return shown | fields


def _correction_json(correction: Correction, result: MatchResult) -> dict[str, Any]:
    return {
        "why": correction.why,
        "who": correction.who,
        "at": correction.at.astimezone(UTC).isoformat(timespec="seconds"),
        "points_before": result.points,
        "places_before": result.places,
    }


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the finished matches, newest first, and how many there are in all."""

    records: tuple[MatchRecord, ...]
    total: int


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """All that is known of one match; `record` once it is over."""

    start: MatchStart
    state: MatchState
    record: MatchRecord | None = None


# --- tournaments ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: `spec` is its file as JSON, `state` a word of the scheduler."""

    id: str
    name: str
    spec: JsonObject
    state: str
    revision: int
    """Grows with whatever changes in the tournament; what is computed from it is good until then."""
    created_at: datetime
    changed_at: datetime
    """When the state changed last."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a tournament.

    `key` is its name in there for good, even if the bot is renamed; `rank` is its place in the
    seeding, from 1.
    """

    key: BotKey
    bot: BotId
    rank: int
    withdrawn_at: datetime | None = None


class PairingState(StrEnum):
    """Follows from the pairing's matches and is kept with them in one transaction."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class PairingRecord:
    """A stored pairing; `matches` are its attempts in order, `decided_by` is the one that counts."""

    pairing: Pairing
    state: PairingState
    matches: tuple[MatchId, ...] = ()
    decided_by: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A result as ratings need it: one entry for each bot that was there, corrections applied."""

    number: int
    match: MatchId
    bots: tuple[BotId, ...]
    points: tuple[float | None, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatTotals:
    """The actions of a bot in all its matches, by status, and how fast it answered."""

    bot: BotId
    matches: int
    applied: int
    blocked: int
    late: int
    missing: int
    invalid: int
    duplicate: int
    latency_median_ms: float | None
    """Mean of the matches' medians."""
    latency_p99_ms: float | None
    """The worst match's."""


@dataclass(frozen=True, slots=True)
class ReleasedRound:
    """A round whose results everybody may see."""

    round: int
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredRating:
    """A bot's rating after a step: the result with this number."""

    step: int
    bot: BotId
    mu: float
    sigma: float


# --- audit ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuditNote:
    """Who did what; given to a command, it is written in the same transaction."""

    who: str
    command: str
    target: str
    details: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """A line of the audit log, which only grows."""

    number: int
    at: datetime
    note: AuditNote

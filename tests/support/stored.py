"""Values for tests of the store: matches, results and pairings that differ where the test says so."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Entrant, Presence, SeatStats
from fangnetz_server.store.values import Entry, MatchStart, PairingRef
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = [
    "NOON",
    "PICTURE",
    "STATS",
    "attempt",
    "entries",
    "later",
    "pairing",
    "replay_of",
    "result_of",
    "start_of",
]

NOON: Final = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PICTURE: Final = (b'{"type":"match_start"}', b'{"type":"frame"}', b'{"type":"match_end"}')
STATS: Final = SeatStats(90, 4, 3, 2, 1, 5, 1.25, 17.0625)


def start_of(match: str, *bots: str, **fields: Any) -> MatchStart:
    """Return a match of Spaceballs between bots (ada and bert); their names are their ids in capitals."""
    names = bots or ("ada", "bert")
    given: dict[str, Any] = {
        "match": MatchId(match),
        "game": "spaceballs",
        "rules_version": 1,
        "seed": 7,
        "setup": {"ruleset": {"duration": 5}},
        "settings": {"pace": "lockstep"},
        "entrants": tuple(Entrant(BotId(name), name.upper()) for name in names),
        "created_at": NOON,
    }
    return MatchStart(**given | fields)


def result_of(start: MatchStart, places: Sequence[int | None] | None = None, **fields: Any) -> MatchResult:
    """Return a result; the places are those of the seats (default 1, 2, ...), the points follow from them."""
    placed = places or range(1, len(start.entrants) + 1)
    seats = tuple(
        SeatResult(
            seat=number,
            bot=entrant.bot,
            name=entrant.name,
            points=None if place is None else 3.5 - place,
            place=place,
            presence=Presence.PLAYED,
            stats=STATS,
        )
        for number, (entrant, place) in enumerate(zip(start.entrants, placed, strict=True))
    )
    given: dict[str, Any] = {
        "match": start.match,
        "game": start.game,
        "rules_version": start.rules_version,
        "seed": start.seed,
        "reason": "catch",
        "detail": None,
        "ticks": 100,
        "seats": seats,
        "digest": "ab" * 16,
    }
    return MatchResult(**given | fields)


def replay_of(match: str) -> bytes:
    """Return what stands for the replay of a match."""
    return f"replay of {match}\n".encode() * 50


def later(seconds: float) -> datetime:
    """Return a time after noon."""
    return NOON + timedelta(seconds=seconds)


def entries(*bots: str) -> list[Entry]:
    """Return bots as entries of a tournament, in the order of their seeding."""
    return [Entry(BotKey(name.upper()), BotId(name), rank) for rank, name in enumerate(bots, start=1)]


def pairing(table: int = 1, *bots: str, round: int = 1, game: int = 1, **fields: Any) -> Pairing:
    """Return a pairing of Ada and Bert, or of others."""
    given: dict[str, Any] = {
        "stage": "main",
        "round": round,
        "table": table,
        "game": game,
        "seats": tuple(BotKey(name.upper()) for name in bots or ("ada", "bert")),
        "seed": 100 + table,
    }
    return Pairing(**given | fields)


def attempt(of: Pairing, number: int = 1, tournament: str = "cup") -> PairingRef:
    """Return the reference from a match to its pairing."""
    return PairingRef(tournament, of.id, number)

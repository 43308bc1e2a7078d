"""Finished matches of a tournament as the host sees them: what counts, and what is played again."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from fangnetz_server.store.errors import Unknown
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord

__all__ = ["PlayedMatches", "played_matches"]


class PlayedSeat(BaseModel):
    """A seat of a finished match."""

    bot: str
    points: float | None
    place: int | None
    presence: str


class PlayedMatch(BaseModel):
    """A finished match of a tournament, with what counts of it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    match: str
    pairing: str
    """`stage.round.table.game`."""
    attempt: int
    """1, or more if earlier matches of the pairing were broken or annulled."""
    reason: str
    detail: str | None
    seats: list[PlayedSeat]
    counts: bool
    """Whether it has a sporting result; the others are played again."""
    correction: str | None
    """Why the host has changed it."""
    has_replay: bool
    ended_at: datetime


class PlayedMatches(BaseModel):
    """Finished matches of a tournament, newest first."""

    matches: list[PlayedMatch]
    total: int


async def played_matches(
    store: Store, tournament: str, bot: str | None, limit: int, offset: int
) -> PlayedMatches:
    """Return finished matches of all bots, or of one by its name in the tournament.

    Raises:
        Unknown: there is no such tournament, or no such bot in it.
    """
    entries = {str(entry.key): entry.bot for entry in await store.tournaments.entries(tournament)}
    if bot is not None and bot not in entries:
        raise Unknown("bot in the tournament", bot)
    chosen = None if bot is None else entries[bot]
    page = await store.matches.page(tournament=tournament, bot=chosen, limit=limit, offset=offset)
    return PlayedMatches(matches=[_played(record) for record in page.records], total=page.total)


def _played(record: MatchRecord) -> PlayedMatch:
    assert record.pairing is not None, "the store was asked for matches of a tournament"
    return PlayedMatch(
        match=record.match,
        pairing=record.pairing.pairing,
        attempt=record.pairing.attempt,
        reason=record.result.reason,
        detail=record.result.detail,
        seats=_seats(record),
        counts=bool(record.places),
        correction=None if record.correction is None else record.correction.why,
        has_replay=record.replay_sha256 is not None,
        ended_at=record.ended_at,
    )


def _seats(record: MatchRecord) -> list[PlayedSeat]:
    seats = record.result.seats
    points = record.points or (None,) * len(seats)
    places = record.places or (None,) * len(seats)
    return [
        PlayedSeat(bot=seat.name, points=points[number], place=places[number], presence=seat.presence)
        for number, seat in enumerate(seats)
    ]

"""Results of pairings that nobody played, because a bot was away or has withdrawn."""

from typing import Final

from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Presence as SeatPresence
from fangnetz_server.match.seats import SeatStats
from fangnetz_server.store.values import MatchStart
from fangnetz_server.tournament.values import MatchFact, Presence

__all__ = ["walkover_result"]

_NOTHING: Final = SeatStats(0, 0, 0, 0, 0, 0, None, None)


def walkover_result(start: MatchStart, fact: MatchFact) -> MatchResult:
    """Return the result of a match that the rules of the tournament have decided."""
    seats = tuple(
        SeatResult(
            number,
            entrant.bot,
            entrant.name,
            seat.points,
            seat.place,
            SeatPresence.ABSENT if seat.presence is Presence.ABSENT else SeatPresence.PLAYED,
            _NOTHING,
        )
        for number, (entrant, seat) in enumerate(zip(start.entrants, fact.seats, strict=True))
    )
    return MatchResult(
        match=start.match,
        game=start.game,
        rules_version=start.rules_version,
        seed=start.seed,
        reason=fact.reason,
        detail="nobody had to play: a bot was away or has withdrawn",
        ticks=0,
        seats=seats,
        digest="",
    )

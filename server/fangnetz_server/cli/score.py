"""What a series of matches says about a bot: wins, draws, losses, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev

from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.tournament.elo import Z_95, EloEstimate, elo_from_results
from fangnetz_server.tournament.sprt import SprtState

__all__ = ["Score", "duel_elo", "score_of", "seat_of", "share"]


@dataclass(frozen=True, slots=True)
class Score:
    """One bot's part in a series.

    The first place alone is a win, a shared one a draw. The score of a match is the share of the
    others that were left behind, a shared place counting half; in a duel that is 1, ½ or 0.
    """

    name: str
    wins: int
    draws: int
    losses: int
    score: float
    """Mean score, 0 to 1."""
    error: float
    """Half the width of its 95 % interval."""
    points: float
    """Mean points."""
    latency_ms: float | None
    """Mean of the matches' medians."""
    faults: int
    """Answers that were late, missing or invalid."""


def score_of(name: str, results: Sequence[MatchResult], *, paired: bool) -> Score:
    """Return a bot's part in the matches of a series; there is at least one.

    Args:
        name: the bot's.
        results: in the order of their numbers, all with places.
        paired: matches 1 and 2, 3 and 4 … have the same field and swapped seats, so their mean is one
            observation.
    """
    seats = [seat_of(name, result) for result in results]
    firsts = [
        (seat.place == 1, result.places.count(1) > 1) for seat, result in zip(seats, results, strict=True)
    ]
    scores = [share(result, seat) for seat, result in zip(seats, results, strict=True)]
    latencies = [ms for seat in seats if (ms := seat.stats.latency_median_ms) is not None]
    return Score(
        name=name,
        wins=firsts.count((True, False)),
        draws=firsts.count((True, True)),
        losses=sum(not first for first, _ in firsts),
        score=fmean(scores),
        error=_error(_pairs(scores) if paired else scores),
        points=fmean(seat.points or 0.0 for seat in seats),
        latency_ms=fmean(latencies) if latencies else None,
        faults=sum(seat.stats.late + seat.stats.missing + seat.stats.invalid for seat in seats),
    )


def share(result: MatchResult, seat: SeatResult) -> float:
    """Return the share of the others that a seat has left behind."""
    place = seat.place or len(result.places)
    behind = sum(place < other for other in result.places)
    beside = sum(place == other for other in result.places) - 1
    return (behind + beside / 2) / (len(result.places) - 1)


def duel_elo(name: str, results: Sequence[MatchResult]) -> EloEstimate:
    """Return how much stronger a bot is than the other one in paired duels; an odd last one adds no pair."""
    scores = [share(result, seat_of(name, result)) for result in results]
    if len(scores) < 2:
        return elo_from_results(*(scores.count(score) for score in (1.0, 0.5, 0.0)))
    state = SprtState()
    for first, second in zip(scores[::2], scores[1::2], strict=False):
        state = state.add_pair(first, second)
    return state.elo


def seat_of(name: str, result: MatchResult) -> SeatResult:
    """Return a bot's part in a match."""
    return next(seat for seat in result.seats if seat.name == name)


def _pairs(scores: Sequence[float]) -> list[float]:
    return [fmean(scores[first : first + 2]) for first in range(0, len(scores), 2)]


def _error(values: Sequence[float]) -> float:
    return Z_95 * pstdev(values) / sqrt(len(values))

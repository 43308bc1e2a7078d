"""Ratings by openskill, computed from the facts alone.

The model is Weng and Lin's full Bradley-Terry: every two bots of a match are compared, and a tie
counts as half a win for each. Matches that were played at the same time are rated as one batch,
all against the ratings before it, so that the order in which they ended changes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

from fangnetz_server.tournament.values import BotKey, History, MatchFact, Presence

__all__ = ["NEWCOMER", "Rating", "RatingPoint", "rate_batch", "rating_history", "ratings", "standing_of"]

_MODEL: Final = BradleyTerryFull()
_CERTAIN: Final = 3
"""Standard deviations below the mean at which nearly every true strength lies higher."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength as a normal distribution: `mu` is its mean, `sigma` the uncertainty."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def low(self) -> float:
        """The strength that a bot has shown for sure; ladders are sorted by it."""
        return self.mu - _CERTAIN * self.sigma


NEWCOMER: Final = Rating()


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A bot's rating after a batch: the games with this number of this round."""

    round: int
    game: int
    rating: Rating


Standing = Sequence[tuple[BotKey, int]]
"""Bots of a match that took part, with their places; equal places are ties."""


def rate_batch(prior: Mapping[BotKey, Rating], results: Iterable[Standing]) -> dict[BotKey, Rating]:
    """Return the new ratings of all bots in `results`, which were played at the same time.

    Each result alone turns the prior of a bot into a posterior. The evidence of several adds up: their
    precisions (1/sigma²) and precision-weighted means, less the prior, which is in each of them.
    """
    posteriors: dict[BotKey, list[Rating]] = {}
    for standing in results:
        for bot, posterior in _rate_one(prior, standing):
            posteriors.setdefault(bot, []).append(posterior)
    return {bot: _combine(prior.get(bot, NEWCOMER), found) for bot, found in posteriors.items()}


def rating_history(
    history: History, prior: Mapping[BotKey, Rating] | None = None
) -> dict[BotKey, list[RatingPoint]]:
    """Return every bot's ratings in the order of the batches; walkovers and byes rate nobody.

    Args:
        prior: what was known of the bots before; who is not in it starts as `NEWCOMER`.
    """
    known = dict(prior or {})
    points: dict[BotKey, list[RatingPoint]] = {}
    for (round_, game), batch in groupby(history.played(), key=lambda item: (item[0].round, item[0].game)):
        new = rate_batch(known, (standing_of(fact) for _, fact in batch))
        known.update(new)
        for bot, rating in new.items():
            points.setdefault(bot, []).append(RatingPoint(round_, game, rating))
    return points


def ratings(history: History, prior: Mapping[BotKey, Rating] | None = None) -> dict[BotKey, Rating]:
    """Return every bot's rating after all results; bots without a rated game only if in `prior`."""
    latest = {bot: points[-1].rating for bot, points in rating_history(history, prior).items()}
    return {**(prior or {}), **latest}


def standing_of(fact: MatchFact) -> Standing:
    """Return the bots that took part, with their places."""
    return [
        (seat.bot, seat.place)
        for seat in fact.seats
        if seat.place is not None and seat.presence is not Presence.ABSENT
    ]


def _rate_one(prior: Mapping[BotKey, Rating], standing: Standing) -> Iterator[tuple[BotKey, Rating]]:
    if len(standing) < 2:
        return
    before = (prior.get(bot, NEWCOMER) for bot, _ in standing)
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for _, place in standing])
    for (bot, _), (rated,) in zip(standing, after, strict=True):
        yield bot, Rating(rated.mu, rated.sigma)


def _combine(prior: Rating, posteriors: Sequence[Rating]) -> Rating:
    if len(posteriors) == 1:
        return posteriors[0]
    # openskill widens sigma a little before a match (its tau); each posterior contains that once.
    known = 1 / (prior.sigma**2 + _MODEL.tau**2)
    weights = [1 / posterior.sigma**2 for posterior in posteriors]
    precision = known + fsum(weight - known for weight in weights)
    pulls = [
        weight * (posterior.mu - prior.mu) for weight, posterior in zip(weights, posteriors, strict=True)
    ]
    return Rating(prior.mu + fsum(pulls) / precision, sqrt(1 / precision))

"""Elo differences of duels with error bars, from wins, draws and losses.

The logistic model: a bot that is d points stronger scores 1 / (1 + 10^(-d/400)) on average.
"""

from dataclasses import dataclass
from math import erf, log10, sqrt
from typing import Final

__all__ = ["Z_95", "EloEstimate", "elo_from_results", "elo_of", "estimate", "expected_score", "superiority"]

Z_95: Final = 1.959963984540054
"""Standard deviations to each side of the mean that hold 95 % of a normal distribution."""
_SCALE: Final = 400


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """How much stronger one bot is than another.

    `elo`, and its 95 % bounds `low` and `high`, are None where they are beyond all numbers (a score of
    0 or 1, or a bound outside). `superiority` is the likelihood that it is stronger at all.
    """

    games: int
    score: float
    elo: float | None
    low: float | None
    high: float | None
    superiority: float


def expected_score(elo: float) -> float:
    """Return the mean score of a bot that is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / _SCALE))


def elo_of(score: float) -> float | None:
    """Return the Elo difference that gives this mean score; None at 0 and 1 and beyond."""
    if not 0 < score < 1:
        return None
    return -_SCALE * log10(1 / score - 1)


def superiority(wins: int, losses: int) -> float:
    """Return the likelihood of superiority: the normal approximation, in which draws tell nothing."""
    if wins + losses == 0:
        return 0.5
    return 0.5 * (1 + erf((wins - losses) / sqrt(2 * (wins + losses))))


def elo_from_results(wins: int, draws: int, losses: int) -> EloEstimate:
    """Return the estimate of independent games, with the variance of the three outcomes."""
    games = wins + draws + losses
    if games == 0:
        return EloEstimate(0, 0.5, None, None, None, 0.5)
    score = (wins + draws / 2) / games
    variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / games
    return estimate(games, score, sqrt(variance / games), superiority(wins, losses))


def estimate(games: int, score: float, error: float, likelihood: float) -> EloEstimate:
    """Return the estimate for a mean score with its standard error."""
    return EloEstimate(
        games,
        score,
        elo_of(score),
        elo_of(score - Z_95 * error),
        elo_of(score + Z_95 * error),
        likelihood,
    )

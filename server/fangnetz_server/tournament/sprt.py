"""Sequential probability ratio test for paired games: stop as soon as the answer is sure enough.

Two games on one field with swapped seats are one observation with five outcomes (0, ½, 1, 1½ or 2
points): an unfair field then widens nothing, which it would if games were counted one by one. The
test is the generalised one: the likelihoods of "elo0 stronger" and "elo1 stronger" are each the
largest that any distribution over the five outcomes with that mean score can have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import erf, log, sqrt
from typing import Final

from fangnetz_server.tournament.elo import EloEstimate, estimate, expected_score

__all__ = ["Decision", "SprtOptions", "SprtState"]

_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean score a game for the five outcomes of a pair."""
_UNSEEN: Final = 1e-3
"""Stands for an outcome that has not come yet: nothing can be shown to be impossible."""
_BISECTIONS: Final = 100
"""Halve any interval of doubles down to neighbours."""


class Decision(StrEnum):
    """What the test says."""

    CONTINUE = "continue"
    ELO0 = "elo0"
    """Not better than elo0."""
    ELO1 = "elo1"
    """At least as good as elo1."""


@dataclass(frozen=True, slots=True)
class SprtOptions:
    """The question and how sure the answer has to be.

    `alpha` is the chance of answering elo1 although elo0 is true, `beta` the other way round.

    Raises:
        ValueError: elo0 is not below elo1, or a chance is not between 0 and 0.5.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(f"elo0 ({self.elo0}) must be below elo1 ({self.elo1}), both within 1000 of 0")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {chance}")

    @property
    def lower(self) -> float:
        """The test answers elo0 when the log-likelihood ratio falls to this."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The test answers elo1 when the log-likelihood ratio rises to this."""
        return log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class SprtState:
    """The pairs of games so far; `pairs` counts those with 0, ½, 1, 1½ and 2 points."""

    options: SprtOptions = SprtOptions()
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def add_pair(self, first: float, second: float) -> "SprtState":
        """Return the state after one more pair.

        Args:
            first, second: the bot's scores of the two games, each 0, 0.5 or 1.
        """
        if first not in (0, 0.5, 1) or second not in (0, 0.5, 1):
            raise ValueError(f"the score of a game is 0, 0.5 or 1, not {first} and {second}")
        outcome = round(2 * (first + second))
        low, below, even, above, top = (count + (index == outcome) for index, count in enumerate(self.pairs))
        return replace(self, pairs=(low, below, even, above, top))

    @property
    def games(self) -> int:
        return 2 * sum(self.pairs)

    @property
    def llr(self) -> float:
        """Log-likelihood ratio of elo1 to elo0; 0 before the first pair."""
        if not sum(self.pairs):
            return 0.0
        counts = [count or _UNSEEN for count in self.pairs]
        total = sum(counts)
        seen = [count / total for count in counts]
        at_0 = _most_likely(seen, expected_score(self.options.elo0))
        at_1 = _most_likely(seen, expected_score(self.options.elo1))
        return sum(count * log(one / zero) for count, zero, one in zip(counts, at_0, at_1, strict=True))

    @property
    def decision(self) -> Decision:
        llr = self.llr
        if llr >= self.options.upper:
            return Decision.ELO1
        return Decision.ELO0 if llr <= self.options.lower else Decision.CONTINUE

    @property
    def elo(self) -> EloEstimate:
        """The running estimate, with the variance of pairs."""
        count = sum(self.pairs)
        if not count:
            return EloEstimate(0, 0.5, None, None, None, 0.5)
        mean = sum(n * score for n, score in zip(self.pairs, _SCORES, strict=True)) / count
        variance = sum(n * (score - mean) ** 2 for n, score in zip(self.pairs, _SCORES, strict=True)) / count
        error = sqrt(variance / count)
        return estimate(2 * count, mean, error, _above_half(mean, error))


def _above_half(mean: float, error: float) -> float:
    if error == 0:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return 0.5 * (1 + erf((mean - 0.5) / (error * sqrt(2))))


def _most_likely(seen: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with this mean under which `seen` is most likely.

    By Lagrange multipliers it is p / (1 + x (a - mean)) with the one x that gives the mean; x lies
    between the poles of the outermost outcomes, and the sum below falls with x.
    """
    offsets = [score - mean for score in _SCORES]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        slope = sum(p * offset / (1 + middle * offset) for p, offset in zip(seen, offsets, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    multiplier = (low + high) / 2
    return [p / (1 + multiplier * offset) for p, offset in zip(seen, offsets, strict=True)]

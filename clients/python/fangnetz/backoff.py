"""How long to wait before the next attempt to connect."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Backoff"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double, with jitter so that a hundred bots do not come back in one moment."""

    first_s: float = 0.25
    """The first wait in seconds: a short hiccup costs a ranked match only a tick or two."""
    longest_s: float = 10.0
    """No wait gets longer than this."""
    give_up_s: float = 86_400.0
    """Seconds without a welcome after which the client gives up. A tournament may stand still for a night,
    until somebody repairs the server, and when it goes on its bots should be there."""
    jitter: float = 0.5
    """Share of a wait that is drawn at random, from 0 to 1."""

    def waits(self, chance: random.Random) -> Iterator[float]:
        """Yield the waits in seconds until the sum of them reaches `give_up_s`."""
        longest, total = self.first_s, 0.0
        while total < self.give_up_s:
            wait = longest * (1 - self.jitter * chance.random())
            yield wait
            total += wait
            longest = min(2 * longest, self.longest_s)

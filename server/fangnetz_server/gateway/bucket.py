"""Token buckets: how often a peer may do something."""

from typing import Final

from fangnetz_server.match.clock import Clock

__all__ = ["Buckets", "TokenBucket"]

_SECOND_NS: Final = 1_000_000_000
_KNOWN: Final = 10_000
"""Peers that have a bucket; so many at once are no crowd that a limit for each of them could hold back."""


class TokenBucket:
    """Lets `rate` messages a second through on average, and a burst that is longer.

    Args:
        rate: messages a second, at least 1.
        clock: counts the time.
        burst: messages at once; None: a whole second's worth.
    """

    __slots__ = ("_burst_ns", "_clock", "_empty_at", "_interval_ns")

    def __init__(self, rate: int, clock: Clock, *, burst: int | None = None) -> None:
        self._clock = clock
        self._interval_ns = _SECOND_NS // rate
        self._burst_ns = _SECOND_NS if burst is None else burst * self._interval_ns
        self._empty_at = clock.now_ns() - self._burst_ns

    def take(self) -> int:
        """Take one message; return 0 if it may pass, else the milliseconds until the next one may."""
        now = self._clock.now_ns()
        # The bucket is kept as the time up to which it is used up: one number, no timer that fills it.
        used_up = max(self._empty_at, now - self._burst_ns) + self._interval_ns
        if used_up > now:
            return -(-(used_up - now) // 1_000_000)
        self._empty_at = used_up
        return 0

    def give_back(self) -> None:
        """Put the message that was taken last back: it does not count."""
        self._empty_at -= self._interval_ns


class Buckets:
    """A bucket for each of many peers.

    Args:
        rate, clock, burst: of each bucket.
    """

    def __init__(self, rate: int, clock: Clock, *, burst: int) -> None:
        self._rate = rate
        self._clock = clock
        self._burst = burst
        self._of: dict[str, TokenBucket] = {}

    def take(self, peer: str) -> int:
        """Take one of a peer; return 0 if it may pass, else the milliseconds until the next one may."""
        if peer not in self._of:
            if len(self._of) >= _KNOWN:
                self._of.clear()
            self._of[peer] = TokenBucket(self._rate, self._clock, burst=self._burst)
        return self._of[peer].take()

"""Token buckets: how often a peer may do something."""

from typing import Final

from fangnetz_server.match.clock import Clock

__all__ = ["Buckets", "Shares", "TokenBucket"]

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


class Shares:
    """How much of the server's work each of many peers may cause.

    Args:
        share: seconds of work in a second, in the long run.
        clock: counts the time.
        burst_s: seconds of work at once.
    """

    def __init__(self, share: float, clock: Clock, *, burst_s: float) -> None:
        self._share = share
        self._clock = clock
        self._burst_ns = int(burst_s / share * _SECOND_NS)
        self._used_up: dict[str, int] = {}

    def wait_s(self, peer: str) -> float:
        """Return the time until work for a peer may begin; 0 for at once."""
        return max(0, self._used_up.get(peer, 0) - self._clock.now_ns()) / _SECOND_NS

    def begin(self) -> int:
        """Return the moment at which some work begins, for `end`."""
        return self._clock.now_ns()

    def end(self, peer: str, begun: int) -> None:
        """Work for a peer has ended."""
        now = self._clock.now_ns()
        if peer not in self._used_up and len(self._used_up) >= _KNOWN:
            self._used_up.clear()
        earliest = now - self._burst_ns
        start = max(self._used_up.get(peer, earliest), earliest)
        self._used_up[peer] = start + int((now - begun) / self._share)

"""A token bucket: how many messages a peer may send."""

from fangnetz_server.match.clock import Clock

__all__ = ["TokenBucket"]

_SECOND_NS = 1_000_000_000


class TokenBucket:
    """Lets `rate` messages a second through on average, and a burst of a whole second's worth.

    Args:
        rate: messages a second, at least 1.
        clock: counts the time.
    """

    __slots__ = ("_clock", "_empty_at", "_interval_ns")

    def __init__(self, rate: int, clock: Clock) -> None:
        self._clock = clock
        self._interval_ns = _SECOND_NS // rate
        self._empty_at = clock.now_ns() - _SECOND_NS

    def take(self) -> int:
        """Take one message; return 0 if it may pass, else the milliseconds until the next one may."""
        now = self._clock.now_ns()
        # The bucket is kept as the time up to which it is used up: one number, no timer that fills it.
        used_up = max(self._empty_at, now - _SECOND_NS) + self._interval_ns
        if used_up > now:
            return -(-(used_up - now) // 1_000_000)
        self._empty_at = used_up
        return 0

    def give_back(self) -> None:
        """Put the message that was taken last back: it does not count."""
        self._empty_at -= self._interval_ns

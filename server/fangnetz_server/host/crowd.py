"""How many connections that are no WebSockets each address has, and how fast it comes and asks."""

from collections import Counter
from typing import Final

from fangnetz_server.gateway.bucket import Buckets
from fangnetz_server.gateway.doorman import arrivals
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.clock import MonotonicClock

__all__ = ["Crowd"]

_REQUESTS_AT_ONCE: Final = 10
"""Seconds' worth of requests that may come at once: a class opens the page, some 40 files each."""


class Crowd:
    """The connections from their beginning until they are closed or become WebSockets."""

    def __init__(self, limits: Limits) -> None:
        clock, rate = MonotonicClock(), limits.requests_per_second
        self._most = limits.connections_per_address
        self._open: Counter[str] = Counter()
        self._arrivals = arrivals(limits, clock)
        self._requests = Buckets(rate, clock, burst=_REQUESTS_AT_ONCE * rate)

    def enter(self, address: str) -> str | None:
        """Count a connection; return the name of the limit that it breaks, or None: it may stay."""
        self._open[address] += 1
        if self._open[address] > self._most:
            return "connections_per_address"
        return "connections_per_second" if self._arrivals.take(address) else None

    def leave(self, address: str) -> None:
        """Count a connection out."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def wait_ms(self, address: str) -> int:
        """Take a request; return 0 if the next one may come at once, else the milliseconds until then."""
        return self._requests.take(address)

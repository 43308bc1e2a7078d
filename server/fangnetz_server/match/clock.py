"""Time, handed in: matches ask a clock, never the machine (decision 6)."""

import time
from typing import Final, Protocol

__all__ = ["MS", "Clock", "MonotonicClock"]

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""


class Clock(Protocol):
    """Counts nanoseconds from any start; it never goes back and ignores changes of the wall clock."""

    def now_ns(self) -> int: ...


class MonotonicClock:
    """The machine's monotonic clock; unlike `loop.time()` under uvloop it moves in nanoseconds."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

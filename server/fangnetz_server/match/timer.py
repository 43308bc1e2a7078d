"""Wakes a match when it is due, by the timers of the event loop."""

import asyncio
from typing import Final

from fangnetz_server.match.clock import Clock
from fangnetz_server.match.runner import Match

__all__ = ["MatchTimer"]

_NS: Final = 1_000_000_000
_STALL_NS: Final = 50_000_000
"""A timer this late was held up by the server itself."""
_READ_S: Final = 0.01
"""Time to read the answers that came while the server was held up, before their time is declared over."""


class MatchTimer:
    """One timer for one match.

    In lockstep the due time moves with every tick, mostly later. The timer is therefore left as
    it is unless the due time comes nearer; a call that comes too early does nothing but arm it
    again. So a fast match costs one timer in `deadline_ms`, not one a tick.
    """

    def __init__(self, match: Match, clock: Clock) -> None:
        self._match = match
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._armed_ns = 0

    def moved(self) -> None:
        """Look at the match's due time; to be called whenever it may be earlier than before."""
        due = self._match.due_ns
        if due is None:
            self.cancel()
        elif self._handle is None or due < self._armed_ns:
            self.cancel()
            self._armed_ns = due
            self._handle = self._loop.call_later(max(0, due - self._clock.now_ns()) / _NS, self._fire)

    def cancel(self) -> None:
        """Wake the match no more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        now = self._clock.now_ns()
        if now - self._armed_ns > _STALL_NS:
            self._armed_ns = now
            self._handle = self._loop.call_later(_READ_S, self._fire)
        else:
            self._match.wake()
            self.moved()

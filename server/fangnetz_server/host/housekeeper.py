"""Looks after the whole server ten times a second: lost time, buffers, idle bots, figures."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

import structlog

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import MatchPhase
from fangnetz_server.gateway.gateway import Gateway
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.table import Table
from fangnetz_server.match.clock import Clock
from fangnetz_server.metrics import Metrics

__all__ = ["Housekeeper"]

_log = structlog.get_logger(__name__)
_PERIOD_S: Final = 0.1
_ROUNDS_A_LOOK: Final = 5
"""All connections are looked at twice a second: hundreds of them are most of the work of a server at rest."""
_NS: Final = 1_000_000_000
_LOST_NS: Final = 50_000_000
"""A timer of the event loop this late means that something has blocked the loop."""
_WORTH_TELLING_NS: Final = 250_000_000
"""A loss of time this long is logged; shorter ones are in the metrics."""


class Housekeeper:
    """A timer that comes again and again while the server runs.

    Args:
        gateway: whose sockets and links are looked after.
        tables: gives the live matches.
        limits, clock, metrics: of the whole server.
    """

    def __init__(
        self,
        gateway: Gateway,
        tables: Callable[[], Collection[Table]],
        *,
        limits: Limits,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._gateway = gateway
        self._tables = tables
        self._limits = limits
        self._clock = clock
        self._metrics = metrics
        self._due_ns = 0
        self._rounds = 0
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin; needs a running event loop."""
        self._due_ns = self._clock.now_ns() + int(_PERIOD_S * _NS)
        self._handle = asyncio.get_running_loop().call_later(_PERIOD_S, self._round)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def catch_up(self, now_ns: int) -> None:
        """Give lost time back before a bot's message is judged: it may be read before our own timer runs."""
        if now_ns - self._due_ns > _LOST_NS and self._handle is not None:
            self._look_at_the_time()

    def _look_at_the_time(self) -> None:
        now_ns = self._clock.now_ns()
        lost_ns = max(0, now_ns - self._due_ns)
        self._metrics.loop_lag.observe(lost_ns / _NS)
        if lost_ns > _LOST_NS:
            self._due_ns = now_ns
            if lost_ns > _WORTH_TELLING_NS:
                _log.warning("event_loop_blocked", milliseconds=lost_ns // 1_000_000)
            for table in self._tables():
                table.forgive(lost_ns)

    def _round(self) -> None:
        self._look_at_the_time()
        self._rounds += 1
        if self._rounds % _ROUNDS_A_LOOK == 0:
            self._bound_buffers()
            self._send_idle_away()
        self._count_matches()
        self.start()

    def _bound_buffers(self) -> None:
        """Drop those with the most unsent bytes until all together are within the limit."""
        total = sum([socket.unsent_bytes for socket in self._gateway.sockets])
        if total <= self._limits.buffer_bytes:
            return
        unsent = {socket: socket.unsent_bytes for socket in self._gateway.sockets}
        for socket in sorted(unsent, key=lambda socket: -unsent[socket]):
            if total <= self._limits.buffer_bytes:
                return
            total -= unsent[socket]
            socket.cut(CloseCode.TOO_SLOW)

    def _send_idle_away(self) -> None:
        oldest = self._clock.now_ns() - int(self._limits.idle_s * _NS)
        for link in self._gateway.links:
            if link.socket is not None and not link.tables and link.heard_ns < oldest:
                link.socket.drop(CloseCode.IDLE)

    def _count_matches(self) -> None:
        counts = Counter(table.match.phase for table in self._tables())
        self._metrics.set_matches((phase, counts[phase]) for phase in MatchPhase)

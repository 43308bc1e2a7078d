"""The server's own figures, kept one by one instead of in buckets."""

import time
from array import array
from functools import cache

from fangnetz_server.metrics import GameMetrics, Metrics

__all__ = ["TickWatch"]


class TickWatch(Metrics):
    """Metrics that also keep the time of every tick, in seconds, and its lateness, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.times = array("d")
        self.late_ms = array("d")
        self.of_game = cache(self._of_game)  # type: ignore[method-assign]  # A match shall cost no class.

    def clear(self) -> None:
        """Forget the ticks so far."""
        del self.times[:], self.late_ms[:]

    def _of_game(self, game: str) -> GameMetrics:
        usual, watch = super().of_game(game), self

        class Watched(GameMetrics):
            __slots__ = ()

            def ticked(self, late_ns: int | None, took_ns: int) -> None:
                GameMetrics.ticked(self, late_ns, took_ns)
                watch.times.append(time.perf_counter())
                if late_ns is not None:
                    watch.late_ms.append(late_ns / 1e6)

        return Watched(usual.game, usual.ticks, usual.lateness, usual.duration, usual.latency)

"""What the server tells Prometheus, all of it in one place."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from fangnetz_server.tallies import Counts, Tallies, Tally

__all__ = ["CONTENT_TYPE", "GameMetrics", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_MILLISECONDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Bounds from a tenth of a millisecond to a second, in seconds."""
_NS: Final = 1_000_000_000
# Nobody asks when a counter was made, and it doubles the page.
disable_created_metrics()  # type: ignore[no-untyped-call]
_ANSWERS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The counters and histograms of one server, in a registry of its own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.matches = Gauge("fangnetz_matches", "Matches by phase.", ["phase"], registry=registry)
        self.endings = Counter(
            "fangnetz_matches_over", "Finished matches.", ["game", "reason"], registry=registry
        )
        self.ticks = Counts("fangnetz_ticks", "Ticks played.", ["game"])
        self.lateness = Tallies(
            "fangnetz_tick_lateness_seconds",
            "Time from when a realtime tick was due to when it was played.",
            [],
            _MILLISECONDS,
        )
        self.duration = Tallies(
            "fangnetz_tick_duration_seconds",
            "Time that the rules, the views and the sending of a tick took.",
            ["game"],
            _MILLISECONDS,
        )
        self.messages = Counts(
            "fangnetz_messages_received",
            "Messages of bots by kind, and by what became of them.",
            ["kind", "status"],
        )
        self.latency = Tallies(
            "fangnetz_action_latency_seconds",
            "Time from the sending of an observation to its answer.",
            ["game"],
            _ANSWERS,
        )
        for collector in (self.ticks, self.lateness, self.duration, self.messages, self.latency):
            registry.register(collector)
        self.connections = Gauge(
            "fangnetz_connections", "Open WebSockets by role.", ["role"], registry=registry
        )
        self.refusals = Counter(
            "fangnetz_refusals", "Connections refused at the upgrade, by limit.", ["limit"], registry=registry
        )
        self.evictions = Counter(
            "fangnetz_evictions",
            "Connections closed by the server, by close code.",
            ["reason"],
            registry=registry,
        )
        self.replay_bytes = Counter("fangnetz_replay_bytes", "Bytes of stored replays.", registry=registry)
        self.loop_lag = Histogram(
            "fangnetz_event_loop_lag_seconds",
            "How late a timer of the event loop is; more than a few milliseconds disturb all matches.",
            registry=registry,
            buckets=_MILLISECONDS,
        )

    def count_message(self, kind: str, status: str) -> None:
        """Count a message of a bot."""
        self.messages.add(kind, status)

    def count_refusal(self, limit: str) -> None:
        """Count a connection that a limit keeps out."""
        self.refusals.labels(limit).inc()

    def of_game(self, game: str) -> "GameMetrics":
        """Return the counters of one game, ready to be used every tick."""
        return GameMetrics(
            game, self.ticks, self.lateness.of(), self.duration.of(game), self.latency.of(game)
        )

    def set_matches(self, phases: Iterable[tuple[str, int]]) -> None:
        """Set the number of matches a phase."""
        for phase, count in phases:
            self.matches.labels(phase).set(count)

    def page(self) -> bytes:
        """Return the text that Prometheus reads."""
        return generate_latest(self.registry)


@dataclass(frozen=True, slots=True)
class GameMetrics:
    """What the matches of one game report."""

    game: str
    ticks: Counts
    lateness: Tally
    duration: Tally
    latency: Tally

    def ticked(self, late_ns: int | None, took_ns: int) -> None:
        """Count a tick: how late it was (None: lockstep, where nothing is late) and how long it took."""
        self.ticks.add(self.game)
        self.duration.note(took_ns / _NS)
        if late_ns is not None:
            self.lateness.note(late_ns / _NS)

    def answered(self, latency_ms: float) -> None:
        """Count an answer of a bot."""
        self.latency.note(latency_ms / 1000)

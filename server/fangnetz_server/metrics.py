"""What the server tells Prometheus, all of it in one place."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["CONTENT_TYPE", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_MILLISECONDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Bounds from a tenth of a millisecond to a second, in seconds."""
_ANSWERS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The counters and histograms of one server, in a registry of its own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.matches = Gauge("fangnetz_matches", "Matches by phase.", ["phase"], registry=registry)
        self.endings = Counter(
            "fangnetz_matches_over", "Finished matches.", ["game", "reason"], registry=registry
        )
        self.ticks = Counter("fangnetz_ticks", "Ticks played.", ["game"], registry=registry)
        self.lateness = Histogram(
            "fangnetz_tick_lateness_seconds",
            "Time from when a realtime tick was due to when it was played.",
            registry=registry,
            buckets=_MILLISECONDS,
        )
        self.duration = Histogram(
            "fangnetz_tick_duration_seconds",
            "Time that the rules, the views and the sending of a tick took.",
            ["game"],
            registry=registry,
            buckets=_MILLISECONDS,
        )
        self.messages = Counter(
            "fangnetz_messages_received",
            "Messages of bots by kind, and by what became of them.",
            ["kind", "status"],
            registry=registry,
        )
        self.latency = Histogram(
            "fangnetz_action_latency_seconds",
            "Time from the sending of an observation to its answer.",
            ["game"],
            registry=registry,
            buckets=_ANSWERS,
        )
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

    def set_matches(self, phases: Iterable[tuple[str, int]]) -> None:
        """Set the number of matches a phase."""
        for phase, count in phases:
            self.matches.labels(phase).set(count)

    def page(self) -> bytes:
        """Return the text that Prometheus reads."""
        return generate_latest(self.registry)

"""Counters for what happens thousands of times a second, shown to Prometheus when it asks.

The client library's own take a lock and check their labels each time: some microseconds a tick.
All of these are changed and read in the event loop only, so they need neither.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

__all__ = ["Counts", "Tallies", "Tally"]


class Tally:
    """Counts values by size.

    Args:
        bounds: upper bounds of the sizes, ascending; what is larger is counted, too.
    """

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def note(self, value: float) -> None:
        """Count a value; one that is equal to a bound is below it."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def buckets(self) -> list[tuple[str, float]]:
        """Return how many values were at most as large as each bound, as Prometheus wants it."""
        names = [*map(str, self._bounds), "+Inf"]
        return list(zip(names, accumulate(self._counts), strict=True))

    @property
    def sum(self) -> float:
        return self._sum


class Tallies(Collector):
    """One histogram of Prometheus, a tally a combination of labels.

    Args:
        name, text: of the metric.
        labels: names of its labels.
        bounds: of each tally.
    """

    def __init__(self, name: str, text: str, labels: Sequence[str], bounds: Sequence[float]) -> None:
        self._name, self._text, self._labels, self._bounds = name, text, tuple(labels), bounds
        self._tallies: dict[tuple[str, ...], Tally] = {}

    def of(self, *labels: str) -> Tally:
        """Return the tally with these labels."""
        return self._tallies.setdefault(labels, Tally(self._bounds))

    def collect(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        for labels, tally in self._tallies.items():
            family.add_metric(labels, tally.buckets(), tally.sum)
        yield family


class Counts(Collector):
    """One counter of Prometheus.

    Args:
        name, text: of the metric.
        labels: names of its labels.
    """

    def __init__(self, name: str, text: str, labels: Sequence[str]) -> None:
        self._name, self._text, self._labels = name, text, tuple(labels)
        self._counts: Counter[tuple[str, ...]] = Counter()

    def add(self, *labels: str) -> None:
        """Count one more with these labels."""
        self._counts[labels] += 1

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        yield family

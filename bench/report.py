"""What a benchmark says: what it measured, what was demanded, and whether that was met."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from prometheus_client import Counter

__all__ = ["Benchmark", "Verdict", "counts", "note"]

_WHOLE: Final = 100
"""From here on a figure is shown without decimals."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One demanded figure.

    Args:
        what: what was measured, as a short phrase.
        value: the figure.
        relation: on which side of the bound it has to be.
        bound: the demanded figure.
        unit: of both; empty for ratios.
    """

    what: str
    value: float
    relation: Literal[">=", "<="]
    bound: float
    unit: str = ""

    @property
    def is_met(self) -> bool:
        return self.value >= self.bound if self.relation == ">=" else self.value <= self.bound

    def __str__(self) -> str:
        mark = "met" if self.is_met else "MISSED"
        unit = f" {self.unit}" if self.unit else ""
        demand = f"demanded {self.relation} {self.bound:,g}{unit}"
        figure = f"{self.value:,.0f}" if abs(self.value) >= _WHOLE else f"{self.value:.3g}"
        return f"  {mark:6} {self.what}: {figure}{unit} ({demand})"


Benchmark = Callable[[], Iterable[Verdict]]
"""Measures and returns what it found; it prints the figures in between with `note`."""


def note(text: str) -> None:
    """Print a figure that is not demanded but explains one that is."""
    print(f"         {text}", flush=True)


def counts(counter: Counter) -> str:
    """Return the samples of a counter with one label as text."""
    samples = [sample for family in counter.collect() for sample in family.samples]
    found = {
        next(iter(sample.labels.values())): int(sample.value)
        for sample in samples
        if sample.name.endswith("_total")
    }
    return ", ".join(f"{name} {count:,}" for name, count in sorted(found.items())) or "none"

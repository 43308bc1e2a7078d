"""How far a tournament is, and when it will be over."""

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

__all__ = ["Pace", "Progress", "expected_end"]

_WINDOW: Final = 60
"""Results from which the rate is taken: enough to be steady, few enough to follow a change."""
_ENOUGH: Final = 3


class Pace:
    """The rate of the newest results."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_WINDOW)

    def note(self, now_s: float) -> None:
        """A match was finished at this time."""
        self._times.append(now_s)

    def per_second(self, now_s: float) -> float | None:
        """Return results a second; None before there are a few."""
        if len(self._times) < _ENOUGH:
            return None
        # Until now, not until the newest result: a tournament that stands still gets slower.
        span = max(now_s - self._times[0], 1e-3)
        return (len(self._times) - 1) / span


@dataclass(frozen=True, slots=True)
class Progress:
    """Matches by what has become of them.

    `total` is how many there will be, as far as the format tells; None: no end. `away` are bots that
    others wait for. `stuck` are pairings that the server broke again and again, with their newest
    match. `problems` are for the host: what does not work, and where. `confined` says for each
    confined bot that the server started what is in force.
    """

    state: str
    done: int
    running: int
    waiting: int
    total: int | None
    per_minute: float | None = None
    expected_end: datetime | None = None
    away: tuple[str, ...] = ()
    stuck: Mapping[str, str | None] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    confined: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        end = self.expected_end
        return {
            **asdict(self),
            "expected_end": None if end is None else end.isoformat(timespec="seconds"),
            "away": list(self.away),
            "problems": list(self.problems),
        }


def expected_end(left: int, per_second: float | None) -> datetime | None:
    """Return when so many more matches will be over; None where nobody knows."""
    if per_second is None or per_second <= 0 or left <= 0:
        return None
    return datetime.now(UTC) + timedelta(seconds=min(left / per_second, 1e8))

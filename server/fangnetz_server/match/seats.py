"""A seat of a running match: its inbox, its time bank and what became of its actions."""

from array import array
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median, quantiles
from typing import Any, Final

from fangnetz_protocol.words import ActionStatus, BotId, SeatId, Tick

__all__ = ["Answer", "Entrant", "LastAction", "Presence", "Seat", "SeatStats"]

_UNANSWERED: Final = 0
_ANSWERED: Final = 1


class Presence(StrEnum):
    """Whether a seat took part; told apart because an absence is no loss by play (P2.2)."""

    PLAYED = "played"
    ABSENT = "absent"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who sits on a seat: the bot's stable id and the name that people read."""

    bot: BotId
    name: str


@dataclass(frozen=True, slots=True)
class LastAction:
    """What became of a seat's action, as its next observation reports it (P2.1)."""

    tick: Tick
    status: ActionStatus
    latency_ms: float | None

    def to_wire(self) -> dict[str, object]:
        return {"tick": self.tick, "status": self.status, "latency_ms": self.latency_ms}


@dataclass(frozen=True, slots=True)
class SeatStats:
    """A seat's actions by status and how long they took: why a match was lost (P2.1).

    Latencies count from the sending of an observation to the arrival of its answer, late ones included;
    None where nothing was answered.
    """

    applied: int
    blocked: int
    late: int
    missing: int
    invalid: int
    duplicate: int
    latency_median_ms: float | None
    latency_p99_ms: float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot said while the tick was open; `action` is None where it has no effect (invalid, late)."""

    action: Any
    status: ActionStatus
    latency_ms: float


@dataclass(slots=True)
class Seat:
    """The changing side of one seat. Only `Match` touches it."""

    number: SeatId
    entrant: Entrant
    bank_ns: int
    connected: bool = False
    seated: bool = False
    """A connection was there at least once."""
    ready: bool = False
    left: bool = False
    """The bot gave the seat up for good."""
    forfeited: bool = False
    first_tick: int = 0
    """Number of the state that the match starts from."""
    inbox: dict[Tick, Answer] = field(default_factory=dict)
    """Answers to open ticks, by the tick."""
    last_action: LastAction | None = None
    absent_since_ns: int | None = None
    """When the connection was lost; None while there is one or never was."""
    _answers: bytearray = field(default_factory=bytearray)
    """For each tick whose time is over, from the first on: answered or not."""
    _counts: dict[ActionStatus, int] = field(default_factory=lambda: dict.fromkeys(ActionStatus, 0))
    _latencies: "array[float]" = field(default_factory=lambda: array("f"))

    def has_answered(self, tick: Tick) -> bool:
        """Tell whether this tick had an answer, whatever became of it."""
        index = tick - self.first_tick
        return tick in self.inbox or (index < len(self._answers) and self._answers[index] == _ANSWERED)

    def is_open(self, tick: Tick) -> bool:
        """Tell whether the time for answers to this tick is not over yet."""
        return tick - self.first_tick >= len(self._answers)

    def post(self, tick: Tick, answer: Answer) -> None:
        """Keep the first answer to an open tick."""
        self.inbox[tick] = answer
        self._latencies.append(answer.latency_ms)

    def settle(self, tick: Tick) -> Any:
        """Take and count the answer to `tick`, whose time is over; return its action or None."""
        answer = self.inbox.pop(tick, None)
        self._answers.append(_UNANSWERED if answer is None else _ANSWERED)
        if answer is None:
            self.last_action = LastAction(tick, ActionStatus.MISSING, None)
        else:
            self.last_action = LastAction(tick, answer.status, answer.latency_ms)
        self._counts[self.last_action.status] += 1
        return None if answer is None else answer.action

    def note_blocked(self) -> None:
        """The rules denied the action that was settled last."""
        assert self.last_action is not None
        self._recount(ActionStatus.BLOCKED, self.last_action.latency_ms)

    def note_late(self, tick: Tick, latency_ms: float) -> None:
        """An answer came after the time of its tick was over; it has no other effect (P2.1)."""
        self._answers[tick - self.first_tick] = _ANSWERED
        self._latencies.append(latency_ms)
        if self.last_action is not None and self.last_action.tick == tick:
            self._recount(ActionStatus.LATE, latency_ms)
        else:
            self._counts[ActionStatus.MISSING] -= 1
            self._counts[ActionStatus.LATE] += 1

    def note_duplicate(self) -> None:
        self._counts[ActionStatus.DUPLICATE] += 1

    def missed_before(self, tick: Tick) -> list[Tick]:
        """Return the ticks before `tick` since the last one that the bot answered (P2.4)."""
        answered = max(self.inbox, default=self._answers.rfind(_ANSWERED) + self.first_tick)
        return [Tick(number) for number in range(answered + 1, tick)]

    def stats(self) -> SeatStats:
        """Return the counts and latencies so far."""
        latencies = self._latencies
        p99 = (
            quantiles(latencies, n=100, method="inclusive")[98]
            if len(latencies) > 1
            else next(iter(latencies), None)
        )
        return SeatStats(
            applied=self._counts[ActionStatus.APPLIED],
            blocked=self._counts[ActionStatus.BLOCKED],
            late=self._counts[ActionStatus.LATE],
            missing=self._counts[ActionStatus.MISSING],
            invalid=self._counts[ActionStatus.INVALID],
            duplicate=self._counts[ActionStatus.DUPLICATE],
            latency_median_ms=round(median(latencies), 3) if latencies else None,
            latency_p99_ms=None if p99 is None else round(p99, 3),
        )

    def _recount(self, status: ActionStatus, latency_ms: float | None) -> None:
        assert self.last_action is not None
        self._counts[self.last_action.status] -= 1
        self._counts[status] += 1
        self.last_action = LastAction(self.last_action.tick, status, latency_ms)

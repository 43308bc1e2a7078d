"""When the next tick comes: the two paces of protocol P2.2. Times are nanoseconds of the match's clock."""

from collections.abc import Sequence
from typing import Final, Protocol

from fangnetz_protocol.words import Pace, Tick
from fangnetz_server.match.clock import MS
from fangnetz_server.match.seats import Seat
from fangnetz_server.match.settings import MatchSettings

__all__ = ["JITTER_NS", "Lockstep", "Pacing", "Realtime", "pacing_for"]

JITTER_NS: Final = 5 * MS
"""A tick this late keeps its schedule; a later one moves it, because no tick may be shorter (P2.2)."""


class Pacing(Protocol):
    """Decides how long a match waits for its seats."""

    answer_ms: int
    """Time for an answer, without the bank."""

    def sent(self, now: int) -> None:
        """The observations of a new tick go out."""
        ...

    def due_ns(self, seats: Sequence[Seat], tick: Tick, now: int) -> int:
        """Return when the tick after `tick` comes: `now`, if nobody is waited for."""
        ...

    def is_out_of_time(self, place: Seat, now: int) -> bool:
        """Tell whether this seat's own time is over although the tick is still open."""
        ...

    def left_ms(self, place: Seat, now: int) -> tuple[int, int]:
        """Return what this seat has left for the newest observation: of the deadline and of its bank."""
        ...

    def answered(self, place: Seat, now: int) -> None:
        """Charge a seat for the time that its answer took."""
        ...

    def closed(self, seats: Sequence[Seat], tick: Tick) -> None:
        """Charge the seats that let the time of `tick` pass."""
        ...

    def is_gone(self, place: Seat, now: int) -> bool:
        """Tell whether a seat has been away for longer than it may."""
        ...

    def forgive(self, lost_ns: int) -> None:
        """Give back time that the server itself has lost; no seat pays for it."""
        ...


class Realtime:
    """Ticks at fixed times, whatever the bots do; lost time is not caught up by shorter ticks."""

    def __init__(self, settings: MatchSettings) -> None:
        self.answer_ms = settings.tick_ms * (1 + settings.action_delay)
        self._tick_ns = settings.tick_ms * MS
        self._grace_ns = settings.bank_ms * MS
        self._scheduled_ns: int | None = None

    def sent(self, now: int) -> None:
        on_time = now if self._scheduled_ns is None else self._scheduled_ns + self._tick_ns
        # Too early it is only after the host has stepped by hand; then the schedule begins anew as well.
        self._scheduled_ns = on_time if abs(now - on_time) <= JITTER_NS else now

    def due_ns(self, seats: Sequence[Seat], tick: Tick, now: int) -> int:
        assert self._scheduled_ns is not None, "no tick was sent yet"
        return self._scheduled_ns + self._tick_ns

    def is_out_of_time(self, place: Seat, now: int) -> bool:
        return False

    def left_ms(self, place: Seat, now: int) -> tuple[int, int]:
        assert self._scheduled_ns is not None, "no tick was sent yet"
        return _whole_ms(self._scheduled_ns + self.answer_ms * MS - now), 0

    def answered(self, place: Seat, now: int) -> None:
        pass

    def closed(self, seats: Sequence[Seat], tick: Tick) -> None:
        pass

    def is_gone(self, place: Seat, now: int) -> bool:
        return place.absent_since_ns is not None and now - place.absent_since_ns > self._grace_ns

    def forgive(self, lost_ns: int) -> None:
        if self._scheduled_ns is not None:
            self._scheduled_ns += lost_ns


class Lockstep:
    """The next tick as soon as all have answered; each has a deadline and a time bank of its own.

    A seat that is away is waited for until its bank is spent, once; from then on it is neutral at
    once (P2.5), so that a dead bot does not hold up the others.
    """

    def __init__(self, settings: MatchSettings) -> None:
        self.answer_ms = settings.deadline_ms
        self._deadline_ns = 0

    def sent(self, now: int) -> None:
        self._deadline_ns = now + self.answer_ms * MS

    def due_ns(self, seats: Sequence[Seat], tick: Tick, now: int) -> int:
        if self._all_in(seats, tick, now):
            return now
        return self._deadline_ns + max(place.bank_ns for place in seats if tick not in place.inbox)

    def _all_in(self, seats: Sequence[Seat], tick: Tick, now: int) -> bool:
        for place in seats:
            if tick in place.inbox or (not place.connected and not place.bank_ns):
                continue
            if not self.is_out_of_time(place, now):
                return False
        return True

    def is_out_of_time(self, place: Seat, now: int) -> bool:
        return now >= self._deadline_ns + place.bank_ns

    def left_ms(self, place: Seat, now: int) -> tuple[int, int]:
        left_ns = self._deadline_ns - now
        return _whole_ms(left_ns), max(0, place.bank_ns + min(0, left_ns)) // MS

    def answered(self, place: Seat, now: int) -> None:
        place.bank_ns -= max(0, min(now - self._deadline_ns, place.bank_ns))

    def closed(self, seats: Sequence[Seat], tick: Tick) -> None:
        for place in seats:
            if tick not in place.inbox:
                place.bank_ns = 0

    def is_gone(self, place: Seat, now: int) -> bool:
        return place.absent_since_ns is not None and place.bank_ns == 0

    def forgive(self, lost_ns: int) -> None:
        self._deadline_ns += lost_ns


def _whole_ms(ns: int) -> int:
    """Return a time in whole milliseconds, a part of one counted as one; never below 0."""
    return max(0, -(-ns // MS))


def pacing_for(settings: MatchSettings) -> Pacing:
    """Return a fresh pacing for one match."""
    return Lockstep(settings) if settings.pace is Pace.LOCKSTEP else Realtime(settings)

"""The life of a match: every phase and every transition in one table.

waiting ──seated──> ready ──started──> running ──ended──> over
   └──cancelled──────┴─────walkover────────┴──failed───────^
"""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from fangnetz_protocol.words import MatchPhase as Phase

__all__ = ["TRANSITIONS", "MatchEvent", "Phase", "next_phase"]


class MatchEvent(StrEnum):
    """What moves a match from one phase to another."""

    SEATED = "seated"
    """Every seat has a connection, or the time for that is over and somebody came."""
    STARTED = "started"
    """All are ready, or the time for that is over and enough are."""
    ENDED = "ended"
    """The rules ended it, or a seat forfeited."""
    WALKOVER = "walkover"
    """Too few showed up."""
    CANCELLED = "cancelled"
    """Nobody showed up, or the host aborted it."""
    FAILED = "failed"
    """The server's own fault (`infra_error`): to be repeated, nobody is charged."""


TRANSITIONS: Final = MappingProxyType(
    {
        (Phase.WAITING, MatchEvent.SEATED): Phase.READY,
        (Phase.WAITING, MatchEvent.CANCELLED): Phase.OVER,
        (Phase.WAITING, MatchEvent.FAILED): Phase.OVER,
        (Phase.READY, MatchEvent.STARTED): Phase.RUNNING,
        (Phase.READY, MatchEvent.WALKOVER): Phase.OVER,
        (Phase.READY, MatchEvent.CANCELLED): Phase.OVER,
        (Phase.READY, MatchEvent.FAILED): Phase.OVER,
        (Phase.RUNNING, MatchEvent.ENDED): Phase.OVER,
        (Phase.RUNNING, MatchEvent.CANCELLED): Phase.OVER,
        (Phase.RUNNING, MatchEvent.FAILED): Phase.OVER,
    }
)


def next_phase(phase: Phase, event: MatchEvent) -> Phase:
    """Return the phase that `event` leads to; a pair outside the table is a bug of the caller."""
    assert (phase, event) in TRANSITIONS, f"no way from {phase} by {event}"
    return TRANSITIONS[phase, event]

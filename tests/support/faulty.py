"""The tiny game with a fault: one of its functions raises, from a tick on."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import JsonObject, Outcome
from support.tiny_game import Ring, RingTag

__all__ = ["FAULTS", "FaultyRing"]

FAULTS: Final = (
    "step",
    "observe",
    "frame",
    "parse_action",
    "export_action",
    "was_blocked",
    "outcome",
    "fingerprint",
    "briefing",
    "walkover",
)
"""Functions that may fail while a match is played."""


class FaultyRing(RingTag):
    """Ring tag whose function `where` raises in every state from tick `since` on.

    Functions without a state raise always, once `armed`.
    """

    def __init__(self, where: str, since: int = 0) -> None:
        assert where in FAULTS
        self.where = where
        self.since = since
        self.armed = True

    def _trip(self, name: str, tick: int | None = None) -> None:
        if self.armed and name == self.where and (tick is None or tick >= self.since):
            raise RuntimeError(f"planted in {name}")

    def parse_action(self, part: Mapping[str, Any]) -> int:
        self._trip("parse_action")
        return super().parse_action(part)

    def export_action(self, action: int) -> JsonObject:
        self._trip("export_action")
        return super().export_action(action)

    def step(self, state: Ring, actions: Sequence[int | None], order: Sequence[SeatId] | None = None) -> Ring:
        self._trip("step", state.tick)
        return super().step(state, actions, order)

    def was_blocked(self, state: Ring, seat: SeatId) -> bool:
        self._trip("was_blocked", state.tick)
        return super().was_blocked(state, seat)

    def outcome(self, state: Ring) -> Outcome | None:
        self._trip("outcome", state.tick)
        return super().outcome(state)

    def walkover(self, state: Ring, absent: frozenset[SeatId], reason: str) -> Outcome:
        self._trip("walkover")
        return super().walkover(state, absent, reason)

    def briefing(self, state: Ring, seat: SeatId | None) -> JsonObject:
        self._trip("briefing", state.tick)
        return super().briefing(state, seat)

    def observe(self, state: Ring, seat: SeatId) -> JsonObject:
        self._trip("observe", state.tick)
        return super().observe(state, seat)

    def frame(self, state: Ring) -> JsonObject:
        self._trip("frame", state.tick)
        return super().frame(state)

    def fingerprint(self, state: Ring) -> bytes:
        self._trip("fingerprint", state.tick)
        return super().fingerprint(state)

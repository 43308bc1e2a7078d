"""Spaceballs behind the game contract."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import GameInfo, InvalidAction, JsonObject, Outcome
from fangnetz_server.games.spaceballs import fingerprint, setup, tick, view
from fangnetz_server.games.spaceballs.state import SEATS, State, Thrust

__all__ = ["GAME", "LARGEST", "Spaceballs"]

LARGEST: Final = 1e6
"""Size up to which a component of a thrust is read (B2.2)."""


class Spaceballs:
    """The rules of Spaceballs; `docs/rules/spaceballs.md` explains and numbers them."""

    info: Final = GameInfo(
        id="spaceballs",
        title="Spaceballs",
        rules_version=1,
        min_seats=len(SEATS),
        max_seats=len(SEATS),
        tick_ms=50,
        deadline_ms=250,
        roster="balls",
    )

    def prepare(self, seed: int, setup_part: Mapping[str, Any]) -> State:
        return setup.prepare(seed, setup_part)

    def export_setup(self, state: State) -> JsonObject:
        return setup.export_setup(state)

    def ruleset(self, state: State) -> JsonObject:
        return state.arena.ruleset.model_dump()

    def last_tick(self, state: State) -> int:
        return state.arena.ruleset.ticks

    def parse_action(self, part: Mapping[str, Any]) -> Thrust:
        match part.get("thrust"):
            case [x, y]:
                return Thrust(_component(x, "thrust.0"), _component(y, "thrust.1"))
            case None:
                raise InvalidAction("thrust", "is missing; it should be [x, y]")
            case other:
                raise InvalidAction("thrust", f"should be [x, y], not {other!r:.60}")

    def export_action(self, action: Thrust) -> JsonObject:
        return {"thrust": [action.x, action.y]}

    def wants_order(self, state: State) -> bool:
        return False

    def step(
        self, state: State, actions: Sequence[Thrust | None], order: Sequence[SeatId] | None = None
    ) -> State:
        # B2.4: both act on the same state, so no order matters.
        return tick.run_tick(state, actions)

    def was_blocked(self, state: State, seat: SeatId) -> bool:
        return False

    def outcome(self, state: State) -> Outcome | None:
        return None if state.reason is None else _outcome(state.reason, state.points)

    def walkover(self, state: State, absent: frozenset[SeatId], reason: str) -> Outcome:
        # B5.1: who shows up wins against who does not.
        red, blue = (float(seat not in absent) for seat in SEATS)
        return _outcome(reason, (0.0, 0.0) if red == blue else (red, blue))

    def briefing(self, state: State, seat: SeatId | None) -> JsonObject:
        return view.briefing(state)

    def observe(self, state: State, seat: SeatId) -> JsonObject:
        return view.observe(state, seat)

    def frame(self, state: State) -> JsonObject:
        return view.frame(state)

    def fingerprint(self, state: State) -> bytes:
        return fingerprint.fingerprint(state)


def _component(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidAction(where, f"should be a number, not {value!r:.60}")
    # Compared before it is converted, because a large int has no float.
    if not (isinstance(value, int) or isfinite(value)) or not -LARGEST <= value <= LARGEST:
        raise InvalidAction(where, f"should be a finite number from -1e6 to 1e6, not {value!r:.60}")
    # Adding 0.0 turns -0.0 into 0.0, so that equal actions are equal bit by bit.
    return float(value) + 0.0


def _outcome(reason: str, points: tuple[float, float]) -> Outcome:
    red, blue = points
    return Outcome(str(reason), points, (1 if red >= blue else 2, 1 if blue >= red else 2))


GAME: Final = Spaceballs()

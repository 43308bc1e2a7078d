"""The contract suite passes over all games and finds planted faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

import pytest

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import GameInfo, InvalidAction, JsonObject, Outcome
from fangnetz_server.games.registry import load_games
from fangnetz_server.testing import CLAUSES, ContractViolation, check_game
from support import tiny_game
from support.tiny_game import Ring, RingTag

STEPS: Final = ({"step": 1}, {"step": -1})
SAMPLES: Final[Mapping[str, Sequence[JsonObject]]] = {
    "right2live": (
        {"move": "EAST", "view": "WEST"},
        {"move": "SOUTH_WEST"},
        {"move": "NONE", "view": "SOUTH"},
    ),
    "spaceballs": ({"thrust": [1, 0]}, {"thrust": [-0.5, 2]}, {"thrust": [0, 1]}, {"thrust": [0, 0]}),
    "ring_tag": STEPS,
}


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.info.id)
def test_installed_games_keep_the_contract(game: Any) -> None:
    check_game(game, samples=SAMPLES.get(game.info.id, ()), matches=3)


def test_the_example_game_keeps_the_contract() -> None:
    check_game(tiny_game.GAME, samples=STEPS, matches=20)


@pytest.mark.parametrize("setup", [{"ruleset": {"preset": "bremen-2015"}}, {"stations": []}], ids=str)
def test_spaceballs_keeps_the_contract_with_other_setups(setup: JsonObject) -> None:
    check_game(load_games()["spaceballs"], samples=SAMPLES["spaceballs"], setup=setup)


def test_right2live_keeps_the_contract_in_order_of_arrival() -> None:
    setup = {"ruleset": {"preset": "contest-2010"}, "seats": 3}
    check_game(load_games()["right2live"], samples=SAMPLES["right2live"], setup=setup)


def test_a_game_without_samples_is_checked_with_neutral_actions() -> None:
    check_game(tiny_game.GAME)


# --- planted faults: each variant breaks one clause ------------------------------------------------


@dataclass(slots=True)
class LooseRing:
    """A state that is not frozen."""

    inner: Ring

    @property
    def tick(self) -> int:
        return self.inner.tick

    @property
    def seat_count(self) -> int:
        return self.inner.seat_count


class NotFrozen(RingTag):
    """Wraps the states into something that can be changed."""

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Any:
        return LooseRing(super().prepare(seed, setup))

    def step(self, state: Any, actions: Any, order: Any = None) -> Any:
        return LooseRing(super().step(state.inner, actions, order))

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name in {"prepare", "step", "info", "parse_action", "export_action"}:
            return found
        return lambda state, *more: found(state.inner, *more)


class ListInState(RingTag):
    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        state = super().prepare(seed, setup)
        return replace(state, caught=list(state.caught))  # type: ignore[arg-type]


class BadId(RingTag):
    info = GameInfo("Ring Tag", "Ring tag", 1, 2, 5, tick_ms=100, deadline_ms=500)  # type: ignore[misc]


class TooFewSeats(RingTag):
    info = GameInfo("ring_tag", "Ring tag", 1, 4, 5, tick_ms=100, deadline_ms=500)  # type: ignore[misc]


class StandingClock(RingTag):
    def step(self, state: Ring, actions: Any, order: Any = None) -> Ring:
        after = super().step(state, actions, order)
        return replace(after, tick=after.tick + 1)


class EatsActions(RingTag):
    def step(self, state: Ring, actions: Any, order: Any = None) -> Ring:
        after = super().step(state, actions, order)
        if isinstance(actions, list):
            actions[:] = [None] * len(actions)
        return after


class SortsOrder(RingTag):
    def step(self, state: Ring, actions: Any, order: Any = None) -> Ring:
        if order is not None:
            order.pop()
        return super().step(state, actions, order)


class EatsSetup(RingTag):
    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        state = super().prepare(seed, setup)
        setup.pop("ruleset", None)  # type: ignore[attr-defined]
        return state


class Ambient(RingTag):
    """Draws from something that is not in (seed, setup, actions)."""

    calls = count()

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        return super().prepare(seed + next(self.calls), setup)


class AmbientStep(RingTag):
    calls = count()

    def step(self, state: Ring, actions: Any, order: Any = None) -> Ring:
        return super().step(state, [next(self.calls) % 2] * len(actions), order)


class LossySetup(RingTag):
    def export_setup(self, state: Ring) -> JsonObject:
        return {"places": list(state.places)}


class LossyAction(RingTag):
    def export_action(self, action: int) -> JsonObject:
        return {"step": abs(action)}


class ShortFingerprint(RingTag):
    def fingerprint(self, state: Ring) -> bytes:
        return repr(state.places).encode()


class NanInFrame(RingTag):
    def frame(self, state: Ring) -> JsonObject:
        return {**super().frame(state), "heat": float("nan") if state.tick == 3 else 1.0}


class SetInObservation(RingTag):
    def observe(self, state: Ring, seat: SeatId) -> JsonObject:
        return {"places": set(state.places)}


class LeakySeed(RingTag):
    seed = 0

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        self.seed = seed
        return super().prepare(seed, setup)

    def briefing(self, state: Ring, seat: SeatId | None) -> JsonObject:
        return {"map": f"ring-{self.seed}"}


class NoRoster(RingTag):
    def frame(self, state: Ring) -> JsonObject:
        return {"places": list(state.places)}


class ShortRoster(RingTag):
    def frame(self, state: Ring) -> JsonObject:
        return {"players": super().frame(state)["players"][1:]}


class OwnTick(RingTag):
    def frame(self, state: Ring) -> JsonObject:
        return {**super().frame(state), "tick": state.tick}


class LossyRuleset(RingTag):
    def ruleset(self, state: Ring) -> JsonObject:
        return {"fields": state.fields} if state.tick else super().ruleset(state)


class Endless(RingTag):
    def outcome(self, state: Ring) -> Outcome | None:
        return None


class Overtime(RingTag):
    def last_tick(self, state: Ring) -> int:
        return 1


class PlacesWithoutGaps(RingTag):
    def outcome(self, state: Ring) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=(1, 1, 2))


class NoReason(RingTag):
    def outcome(self, state: Ring) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, reason="")


class AbsentWins(RingTag):
    def walkover(self, state: Ring, absent: frozenset[SeatId], reason: str) -> Outcome:
        return Outcome(reason, (0.0, 0.0, 0.0), (1, 1, 1))


class OwnReason(RingTag):
    def walkover(self, state: Ring, absent: frozenset[SeatId], reason: str) -> Outcome:
        return replace(super().walkover(state, absent, reason), reason="gone")


class BlocksTheIdle(RingTag):
    def was_blocked(self, state: Ring, seat: SeatId) -> bool:
        return True


class CrashesOnGarbage(RingTag):
    def parse_action(self, part: Mapping[str, Any]) -> int:
        return super().parse_action({"step": int(part["step"])})


class PlaysNan(RingTag):
    def parse_action(self, part: Mapping[str, Any]) -> Any:
        step = part.get("step")
        if isinstance(step, float):
            return step
        return super().parse_action(part)


class Picky(RingTag):
    def parse_action(self, part: Mapping[str, Any]) -> int:
        if len(part) > 1:
            raise InvalidAction("step", "should be alone")
        return super().parse_action(part)


class TakesUnknownKeys(RingTag):
    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        return super().prepare(seed, {key: setup[key] for key in setup if key != "no_such_key"})


class CrashesOnSetup(RingTag):
    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        len(setup.get("places", ()))
        return super().prepare(seed, setup)


class Collapsing(RingTag):
    def step(self, state: Ring, actions: Any, order: Any = None) -> Ring:
        raise ZeroDivisionError("division by zero")


FAULTS: Final = [
    (NotFrozen(), "frozen_states"),
    (ListInState(), "frozen_states"),
    (BadId(), "sensible_info"),
    (TooFewSeats(), "sensible_info"),
    (StandingClock(), "ticks_count_up"),
    (EatsActions(), "untouched_inputs"),
    (SortsOrder(), "untouched_inputs"),
    (EatsSetup(), "untouched_inputs"),
    (Ambient(), "same_again"),
    (AmbientStep(), "same_again"),
    (LossySetup(), "replayable"),
    (LossyAction(), "replayable"),
    (ShortFingerprint(), "exact_fingerprints"),
    (NanInFrame(), "json_parts"),
    (SetInObservation(), "json_parts"),
    (LeakySeed(), "secret_seed"),
    (NoRoster(), "full_roster"),
    (ShortRoster(), "full_roster"),
    (OwnTick(), "envelope_keys"),
    (LossyRuleset(), "full_ruleset"),
    (Endless(), "ends"),
    (Overtime(), "ends"),
    (PlacesWithoutGaps(), "well_formed_outcome"),
    (NoReason(), "well_formed_outcome"),
    (AbsentWins(), "fair_walkover"),
    (OwnReason(), "fair_walkover"),
    (BlocksTheIdle(), "blocked_actions"),
    (CrashesOnGarbage(), "robust_actions"),
    (PlaysNan(), "robust_actions"),
    (Picky(), "ignored_keys"),
    (TakesUnknownKeys(), "robust_setups"),
    (CrashesOnSetup(), "robust_setups"),
    (Collapsing(), "play"),
]


@pytest.mark.parametrize(("game", "clause"), FAULTS, ids=lambda value: type(value).__name__)
def test_a_planted_fault_is_found(game: Any, clause: str) -> None:
    setup = {"ruleset": {"ticks": 40}}
    with pytest.raises(ContractViolation, match=f"^{clause}: ") as caught:
        check_game(game, samples=STEPS, setup=setup, matches=1, max_ticks=200)
    assert caught.value.clause == clause
    assert caught.value.problem


def test_every_clause_has_a_planted_fault() -> None:
    assert {clause.__name__ for clause in CLAUSES} == {clause for _, clause in FAULTS} - {"play"}

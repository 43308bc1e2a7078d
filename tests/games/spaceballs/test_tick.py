"""A tick flown at once is the same, bit by bit, as one of single steps."""

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.motion import begin_tick
from fangnetz_server.games.spaceballs.stages import SPACEBALLS
from fangnetz_server.games.spaceballs.state import State, Thrust
from support.flying import Flight, flights


def step_by_step(state: State, actions: list[Thrust | None]) -> State:
    """Run a tick by nothing but the stages."""
    ruleset = state.arena.ruleset
    until = min(state.step + ruleset.steps_per_tick, state.arena.steps)
    state = begin_tick(state, actions)
    while state.reason is None and state.step < until:
        for stage in SPACEBALLS:
            state = stage(state)
    return state


@given(flights(), st.sampled_from([1, 5, 40]))
def test_calm_ticks_leave_nothing_out(flight: Flight, steps_per_tick: int) -> None:
    ruleset = {**flight.setup["ruleset"], "steps_per_tick": steps_per_tick}
    state = GAME.prepare(flight.seed, {**flight.setup, "ruleset": ruleset})
    for parts in flight.actions:
        if GAME.outcome(state) is not None:
            break
        actions = [None if part is None else GAME.parse_action(part) for part in parts]
        wanted = step_by_step(state, actions)
        state = GAME.step(state, actions)
        assert state == wanted
        assert GAME.fingerprint(state) == GAME.fingerprint(wanted)


def test_a_hit_between_two_far_points_is_found() -> None:
    """A fast ball is before the mine at the beginning of a tick and behind it at the end."""
    setup = {"stations": [], "mines": [[0.5, 0.5]], "balls": [{"x": 0.2, "y": 0.5, "vx": 15.0}, {}]}
    state = GAME.step(GAME.prepare(0, {**setup, "ruleset": {"steps_per_tick": 5}}), [None, None])
    assert state.reason == "crash_mine"
    assert state.step == 2

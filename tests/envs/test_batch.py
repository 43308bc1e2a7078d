"""The batch of Spaceballs is the scalar rules, bit by bit: any ruleset, any positions, any thrusts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fangnetz_server.envs.batch import SpaceballsBatch
from fangnetz_server.envs.starts import Starts
from fangnetz_server.games.contract import InvalidAction
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import State, Thrust

Thrusts = NDArray[np.float64]


def action(pair: Sequence[float]) -> Thrust | None:
    try:
        return GAME.parse_action({"thrust": list(pair)})
    except InvalidAction:
        return None


def played(state: State, thrust: Thrusts, ticks: int) -> State:
    """Return a state some ticks later by the scalar rules, without its events."""
    for _ in range(ticks):
        if state.reason is None:
            state = GAME.step(state, [action(pair) for pair in thrust.tolist()])
    return replace(state, events=())


def same(batch: SpaceballsBatch, match: int, state: State) -> None:
    found = batch.state(match)
    assert found == state
    assert GAME.fingerprint(found) == GAME.fingerprint(state), "equal, but not bit by bit"


# --- any match ----------------------------------------------------------------------------------

COORDINATE = st.floats(0.0, 1.0, width=32)
NUDGE = st.floats(-0.0625, 0.0625, width=32)
SPEED = st.sampled_from([0.0, 0.0, 0.02, -0.05, 0.2, -0.3, 1.0])
COMPONENT = st.one_of(
    st.floats(-1.0, 1.0),
    st.sampled_from([0.0, -0.0, 1e-9, 5e-10, 1e6, 1.1e6, -2e7, 1e300, float("inf"), float("nan")]),
)
RULESET = st.fixed_dictionaries(
    {
        "steps_per_tick": st.sampled_from([1, 2, 5, 5, 5, 30, 100]),
        "duration": st.sampled_from([0.01, 0.5, 3.02, 10.0, 60.0]),
        "thrust": st.sampled_from([0.1, 0.1, 3.0]),
        "mine_choice": st.sampled_from(["nearest", "last"]),
        "mine_clock": st.sampled_from(["since_last_station", "grid"]),
        "crash_and_catch": st.sampled_from(["crash", "both"]),
    }
)


@st.composite
def setups(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Some start positions that fit into one batch; the objects lie near the balls, so that much happens."""
    ruleset, counts = draw(RULESET), draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    return [_setup(draw, ruleset, *counts) for _ in range(draw(st.integers(1, 4)))]


def _setup(draw: st.DrawFn, ruleset: dict[str, Any], stations: int, mines: int) -> dict[str, Any]:
    first = (draw(COORDINATE), draw(COORDINATE))
    balls = [first, draw(st.one_of(_near(first), st.tuples(COORDINATE, COORDINATE)))]
    place = st.one_of(*(_near(ball) for ball in balls), st.tuples(COORDINATE, COORDINATE))
    return {
        "ruleset": ruleset,
        "stations": [draw(place) for _ in range(stations)],
        "mines": [draw(place) for _ in range(mines)],
        "balls": [
            {"x": x, "y": y, "vx": draw(SPEED), "vy": draw(SPEED), "fuel": draw(st.integers(0, 2))}
            for x, y in balls
        ],
    }


def _near(ball: tuple[float, float]) -> st.SearchStrategy[tuple[float, float]]:
    def shifted(way: tuple[float, float]) -> tuple[float, float]:
        return tuple(min(1.0, max(0.0, old + new)) for old, new in zip(ball, way, strict=True))  # type: ignore[return-value]

    return st.tuples(NUDGE, NUDGE).map(shifted)


@settings(max_examples=150, deadline=None)
@given(setups(), st.data())
def test_any_matches_have_the_same_bits_as_by_the_scalar_rules(
    chosen: list[dict[str, Any]], data: st.DataObject
) -> None:
    states = [GAME.prepare(0, setup) for setup in chosen]
    batch = SpaceballsBatch(Starts.of(states), len(states), restart=False)
    most = 300 // states[0].arena.ruleset.steps_per_tick
    for _ in range(data.draw(st.integers(1, 12), "calls")):
        thrust = np.array(
            [data.draw(st.tuples(*[st.tuples(COMPONENT, COMPONENT)] * 2), "thrusts") for _ in states]
        )
        ticks = data.draw(st.sampled_from([1, 1, 2, most]), "ticks")
        before = [state.reason for state in states]
        ended = batch.step(thrust, ticks)
        states = [played(state, thrust[match], ticks) for match, state in enumerate(states)]
        for match, state in enumerate(states):
            same(batch, match, state)
        new = [n for n, state in enumerate(states) if state.reason is not None and before[n] is None]
        assert ended.match.tolist() == new
        assert ended.reasons == tuple(str(states[match].reason) for match in new)
        assert [tuple(points) for points in ended.points.tolist()] == [states[match].points for match in new]
        assert ended.ticks.tolist() == [states[match].tick for match in new]


# --- whole matches ------------------------------------------------------------------------------


def chasing(batch: SpaceballsBatch, chance: np.random.Generator) -> Thrusts:
    """Fly to a station, or to each other when there is none left; in every second match blue stays put."""
    count = batch.starts.station_count
    ways = batch.objects[:, :, None] - batch.position[:, None]
    far = np.hypot(*ways)
    nearest = far[:count].argmin(axis=0)
    goal = np.take_along_axis(ways, nearest[None, None], axis=1)[:, 0]
    goal = np.where(np.abs(goal) > 2, batch.position[:, ::-1] - batch.position, goal)
    goal = goal - (ways[:, count:] * 0.002 / np.maximum(far[count:] - 0.06, 0.01) ** 2).sum(axis=1)
    thrust: Thrusts = 0.1 * goal / np.hypot(*goal) - batch.velocity + chance.normal(0, 0.005, goal.shape)
    thrust[:, 1, ::2] = 0.0
    return np.ascontiguousarray(thrust.T)


@pytest.mark.parametrize(
    ("ruleset", "ticks"),
    [
        ({}, 1),
        ({"stations": 1}, 4),
        ({"preset": "bremen-2015", "stations": 1}, 5),
        ({"mine_clock": "grid"}, 3),
    ],
)
def test_whole_matches_end_alike_and_begin_anew(ruleset: dict[str, Any], ticks: int) -> None:
    matches = 24
    starts = Starts.drawn(7, 10, {"ruleset": ruleset})
    batch, chance = SpaceballsBatch(starts, matches), np.random.default_rng(1)
    states = [starts.states[start] for start in batch.start]
    endings, mines = set[str | None](), set[int]()
    for _ in range(400):
        thrust = chasing(batch, chance)
        ended = batch.step(thrust, ticks)
        states = [played(state, thrust[match], ticks) for match, state in enumerate(states)]
        assert ended.match.tolist() == [n for n, state in enumerate(states) if state.reason is not None]
        for number, match in enumerate(ended.match):
            over = states[match]
            assert (over.reason, over.points) == (ended.reasons[number], tuple(ended.points[number]))
            assert (over.tick, ended.seed[number]) == (ended.ticks[number], 7 + ended.start[number])
            assert over.arena == starts.states[ended.start[number]].arena
            states[match] = starts.states[batch.start[match]]
            endings.add(over.reason)
        for match, state in enumerate(states):
            same(batch, match, state)
            mines.add(len(state.mines.items))
    assert len(endings) >= 2
    assert "stations" not in ruleset or len(mines) > 1, "some matches last until mines vanish"


@pytest.mark.parametrize("clock", ["since_last_station", "grid"])
@pytest.mark.parametrize("choice", ["nearest", "last"])
@pytest.mark.parametrize("fuel", [(0, 0), (0, 1), (1, 0)])
@pytest.mark.parametrize(("into", "x", "y"), [("wall", 0.9, 0.4), ("mine", 1.05, 0.5)])
def test_a_crash_round_the_step_in_which_a_mine_vanishes(
    clock: str, choice: str, fuel: tuple[int, int], into: str, x: float, y: float
) -> None:
    # Red flies into the wall, or into the second mine, in one of the steps 296 to 305, if it still can:
    # a mine vanishes in step 300. The way ends at x = 0.99, where the ball touches either of them.
    shift = 0.0 if into == "wall" else 0.15
    setup = {
        "ruleset": {"mine_clock": clock, "mine_choice": choice},
        "stations": [],
        "mines": [[0.5, 0.6], [x - shift, y]],
    }
    blue = {"x": 0.5, "y": 0.8, "fuel": fuel[1]}
    reds = [{"x": 0.39 - shift + 0.002 * late, "y": 0.5, "vx": 0.2, "fuel": fuel[0]} for late in range(-5, 5)]
    states = [GAME.prepare(0, {**setup, "balls": [red, blue]}) for red in reds]
    batch = SpaceballsBatch(Starts.of(states), len(states), restart=False)
    for _ in range(62):
        batch.step(np.zeros((len(states), 2, 2)))
        states = [played(state, np.zeros((2, 2)), 1) for state in states]
        for match, state in enumerate(states):
            same(batch, match, state)
    assert {len(state.mines.items) for state in states} == {1, 2}
    assert {state.step for state in states if state.reason} >= {297, 298, 299}


def test_new_matches_take_the_starts_in_turn() -> None:
    batch = SpaceballsBatch(Starts.drawn(1, 3), 2)
    assert batch.seed.tolist() == [1, 2]
    down = np.full((2, 2, 2), [0.0, -1.0])
    down[1] = 0.0
    while not len(ended := batch.step(down).match):
        pass
    assert ended.tolist() == [0]
    assert batch.seed.tolist() == [3, 2]
    while not len(batch.step(down).match):
        pass
    assert batch.seed.tolist() == [1, 2], "after the last one comes the first"
    assert batch.tick.tolist() == [0, 14]


# --- wrong use ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ticks", "steps"), [(0, 0), (-1, -5), (61, 305)])
def test_the_steps_at_once_are_limited(ticks: int, steps: int) -> None:
    batch = SpaceballsBatch(Starts.drawn(1, 1), 1)
    with pytest.raises(ValueError, match=rf"^{steps} steps at once are not from 1 to 300$"):
        batch.step(np.zeros((1, 2, 2)), ticks)


def test_starts_have_to_fit_together() -> None:
    one = GAME.prepare(1, {})
    with pytest.raises(ValueError, match="at least one start"):
        Starts.of([])
    with pytest.raises(ValueError, match="one ruleset and the same numbers of objects"):
        Starts.of([one, GAME.prepare(1, {"mines": []})])
    with pytest.raises(ValueError, match="one ruleset"):
        Starts.of([one, GAME.prepare(1, {"ruleset": {"thrust": 0.2}})])
    with pytest.raises(ValueError, match="at tick 0"):
        Starts.of([GAME.step(one, [None, None])])

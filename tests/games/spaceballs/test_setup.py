"""Wrong setups are refused with the place and what would be right; right ones survive a round trip."""

from typing import Any

import orjson
import pytest
from hypothesis import given

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.spaceballs import GAME
from support.flying import Flight, flights

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"map": []}, "map: unknown; known are ruleset, stations, mines, balls"),
    ({"ruleset": []}, "ruleset: should be an object, not []"),
    ({"ruleset": {"speed": 1}}, "ruleset.speed: unknown; known are steps_per_tick, duration"),
    (
        {"ruleset": {"preset": "bremen"}},
        "ruleset.preset: should be one of default, bremen-2015, not 'bremen'",
    ),
    ({"ruleset": {"preset": ["x"]}}, "ruleset.preset: should be one of"),
    (
        {"ruleset": {"steps_per_tick": 0}},
        "ruleset.steps_per_tick: should be greater than or equal to 1, not 0",
    ),
    ({"ruleset": {"steps_per_tick": 2.5}}, "ruleset.steps_per_tick: should be a valid integer"),
    ({"ruleset": {"steps_per_tick": True}}, "ruleset.steps_per_tick: should be a valid integer"),
    ({"ruleset": {"duration": 0}}, "ruleset.duration: should be greater than or equal to 0.01"),
    ({"ruleset": {"duration": 1e9}}, "ruleset.duration: should be less than or equal to 3600"),
    ({"ruleset": {"duration": 0.015}}, "ruleset.duration: should be a multiple of 0.01"),
    ({"ruleset": {"thrust": float("nan")}}, "ruleset.thrust: should be a finite number"),
    ({"ruleset": {"thrust": 0}}, "ruleset.thrust: should be greater than 0"),
    ({"ruleset": {"stations": 8}}, "ruleset.stations: should be odd"),
    ({"ruleset": {"mines": 3}}, "ruleset.mines: should be even"),
    ({"ruleset": {"mines": 10**6}}, "ruleset: should have at most 25 stations and mines together"),
    (
        {"ruleset": {"mine_choice": "first"}},
        "ruleset.mine_choice: should be 'nearest' or 'last', not 'first'",
    ),
    ({"stations": "none"}, "stations: should be a list, not 'none'"),
    ({"stations": [[0.5]]}, "stations.0.1: is missing"),
    ({"stations": [[0.5, 0.5, 0.5]]}, "stations.0: "),
    ({"stations": [[0.5, 0.5], [0.5, 1.5]]}, "stations.1.1: should be less than or equal to 1, not 1.5"),
    ({"mines": [[0.5, "0.5"]]}, "mines.0.1: should be a valid number, not '0.5'"),
    ({"mines": [[float("inf"), 0.5]]}, "mines.0.0: should be a finite number, not inf"),
    ({"mines": [[0.5, 0.5]] * 101}, "mines: "),
    ({"balls": [{}]}, "balls.1: is missing"),
    ({"balls": [{}, {}, {}]}, "balls: "),
    ({"balls": [{}, 1]}, "balls.1: should be an object, not 1"),
    ({"balls": [{}, {"z": 1}]}, "balls.1.z: unknown"),
    ({"balls": [{"x": -0.1}, {}]}, "balls.0.x: should be greater than or equal to 0, not -0.1"),
    ({"balls": [{"vx": 1e400}, {}]}, "balls.0.vx: should be a finite number"),
    ({"balls": [{"fuel": -1}, {}]}, "balls.0.fuel: should be greater than or equal to 0"),
    ({"balls": [{"fuel": 10**400}, {}]}, "balls.0.fuel: "),
]


@pytest.mark.parametrize(("setup", "text"), FAULTS, ids=[text for _, text in FAULTS])
def test_a_fault_is_named(setup: dict[str, Any], text: str) -> None:
    with pytest.raises(SetupError) as caught:
        GAME.prepare(0, setup)
    assert str(caught.value).startswith(text)
    assert str(caught.value) == f"{caught.value.where}: {caught.value.problem}"


def test_what_a_ball_leaves_out_is_that_of_the_usual_start() -> None:
    state = GAME.prepare(0, {"balls": [{"vx": 0.5}, {"fuel": 2}]})
    assert [(ball.x, ball.y) for ball in state.balls] == [(0.015, 0.015), (0.985, 0.015)]
    assert [(ball.vx, ball.fuel) for ball in state.balls] == [(0.5, 0), (0.0, 2)]


def test_null_is_left_out() -> None:
    assert GAME.prepare(5, {"stations": None, "balls": None}) == GAME.prepare(5, {})


@given(flights())
def test_an_exported_setup_gives_the_same_bits(flight: Flight) -> None:
    state = GAME.prepare(flight.seed, flight.setup)
    file = orjson.dumps(GAME.export_setup(state))
    again = GAME.prepare(0, orjson.loads(file))
    assert again == state
    assert GAME.fingerprint(again) == GAME.fingerprint(state)

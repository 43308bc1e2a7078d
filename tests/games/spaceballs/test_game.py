"""The contract side of Spaceballs: actions, walkover, ruleset; and determinism over processes."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from math import nextafter
from typing import Any

import pytest

from fangnetz_protocol.words import SeatId, SpaceballsReason
from fangnetz_server.games.contract import InvalidAction, Outcome
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import Ball, MineRemoved, Thrust, Timeout

INVALID: list[tuple[dict[str, Any], str]] = [
    ({}, "thrust"),
    ({"thrust": None}, "thrust"),
    ({"thrust": 1}, "thrust"),
    ({"thrust": "xy"}, "thrust"),
    ({"thrust": {"x": 1, "y": 2}}, "thrust"),
    ({"thrust": [1]}, "thrust"),
    ({"thrust": [1, 2, 3]}, "thrust"),
    ({"thrust": ["1", 2]}, "thrust.0"),
    ({"thrust": [1, None]}, "thrust.1"),
    ({"thrust": [True, 2]}, "thrust.0"),
    ({"thrust": [float("nan"), 2]}, "thrust.0"),
    ({"thrust": [1, float("-inf")]}, "thrust.1"),
    ({"thrust": [1, 1e6 + 1]}, "thrust.1"),
    ({"thrust": [-1e7, 0]}, "thrust.0"),
    ({"thrust": [10**400, 0]}, "thrust.0"),
]


@pytest.mark.parametrize(("part", "field"), INVALID, ids=lambda value: str(value)[:30])
def test_an_invalid_action_is_named(part: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.parse_action(part)
    assert caught.value.field == field


@pytest.mark.parametrize("thrust", [[0, 0], [1e6, -1e6], [0.1, 5e-324], (1, 2)], ids=str)
def test_a_valid_action_survives_the_round_trip(thrust: Any) -> None:
    action = GAME.parse_action({"thrust": thrust, "tick": 4, "match": "m"})
    assert action == Thrust(float(thrust[0]), float(thrust[1]))
    assert GAME.parse_action(GAME.export_action(action)) == action


@pytest.mark.parametrize(
    ("absent", "points", "places"),
    [({0}, (0.0, 1.0), (2, 1)), ({1}, (1.0, 0.0), (1, 2)), ({0, 1}, (0.0, 0.0), (1, 1))],
)
def test_walkover(absent: set[int], points: tuple[float, float], places: tuple[int, int]) -> None:
    seats = frozenset(SeatId(seat) for seat in absent)
    assert GAME.walkover(GAME.prepare(0, {}), seats, "walkover") == Outcome("walkover", points, places)


def test_the_ruleset_is_given_whole() -> None:
    assert GAME.ruleset(GAME.prepare(0, {"ruleset": {"preset": "bremen-2015", "thrust": 0.2}})) == {
        "steps_per_tick": 1,
        "duration": 60.0,
        "thrust": 0.2,
        "stations": 9,
        "mines": 12,
        "mine_choice": "last",
        "mine_clock": "grid",
        "crash_and_catch": "both",
    }


@pytest.mark.parametrize(("steps_per_tick", "ticks"), [(1, 6000), (5, 1200), (7, 858), (1000, 6)])
def test_the_last_tick(steps_per_tick: int, ticks: int) -> None:
    assert GAME.last_tick(GAME.prepare(0, {"ruleset": {"steps_per_tick": steps_per_tick}})) == ticks


def test_different_rulesets_have_different_fingerprints() -> None:
    field = GAME.export_setup(GAME.prepare(0, {}))
    rulesets = [{}, {"thrust": 0.2}, {"mine_choice": "last"}, {"mine_clock": "grid"}, {"duration": 59.0}]
    prints = {GAME.fingerprint(GAME.prepare(0, {**field, "ruleset": ruleset})) for ruleset in rulesets}
    assert len(prints) == len(rulesets)


def test_every_part_of_a_state_is_in_its_fingerprint() -> None:
    setup = {"stations": [[0.5, 0.5]], "mines": [[0.3, 0.3], [0.7, 0.7]]}
    state, other = GAME.prepare(0, setup), GAME.prepare(0, {**setup, "mines": []})
    changed = [
        state,
        replace(state, arena=other.arena),
        replace(state, tick=1),
        replace(state, step=1),
        *(replace(state, balls=(ball, state.balls[1])) for ball in changes(state.balls[0])),
        *(replace(state, balls=(state.balls[0], ball)) for ball in changes(state.balls[1])),
        replace(state, stations=other.mines),
        replace(state, mines=other.mines),
        replace(state, last_station=1),
        replace(state, reason=SpaceballsReason.CATCH),
        replace(state, points=(1.0, 0.0)),
        replace(state, points=(0.0, 1.0)),
        replace(state, events=(Timeout(),)),
        replace(state, events=(MineRemoved(0),)),
    ]
    assert len({GAME.fingerprint(one) for one in changed}) == len(changed)


def changes(ball: Ball) -> list[Ball]:
    """Return the ball with each of its fields changed by the least possible amount."""
    changed = []
    for index, value in enumerate(ball):
        values: list[Any] = list(ball)
        values[index] = value + 1 if isinstance(value, int) else nextafter(value, 2.0)
        changed.append(Ball._make(values))
    return changed


PROGRAM = """
import hashlib
from fangnetz_server.games.spaceballs import GAME
digest = hashlib.sha256()
for seed in range(3):
    state = GAME.prepare(seed, {})
    while GAME.outcome(state) is None and state.tick < 300:
        red, blue = state.balls
        actions = [{"thrust": [0.5 - red.x, 0.4 - red.y]}, {"thrust": [0.5 - blue.x, blue.y - 0.6]}]
        state = GAME.step(state, [GAME.parse_action(action) for action in actions])
        digest.update(GAME.fingerprint(state))
print(digest.hexdigest())
"""


def test_the_same_match_in_fresh_processes_has_the_same_bits() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == len(hashlib.sha256().hexdigest())

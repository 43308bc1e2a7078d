"""Right2Live behind the contract: actions, order, outcome, and the same match everywhere."""

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol.right2live import Move
from fangnetz_protocol.words import Direction, SeatId, Team
from fangnetz_server.games.contract import InvalidAction, SetupError
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import Action, Blocked, State
from support.right2live import actions_of, draw, position
from support.right2live_any import positions

ROUNDS = """
import hashlib
from fangnetz_protocol.words import COMPASS
from fangnetz_server.games.draw import Draw
from fangnetz_server.games.right2live import GAME

state = GAME.prepare(77, {"seats": 6, "ruleset": {"max_rounds": 120}})
digest = hashlib.sha256(GAME.fingerprint(state))
while GAME.outcome(state) is None:
    draw = Draw(77, state.tick, "walk")
    parts = [{"move": draw.shuffled(COMPASS)[0], "view": draw.shuffled(COMPASS)[0]} for _ in range(6)]
    state = GAME.step(state, [GAME.parse_action(part) for part in parts])
    digest.update(GAME.fingerprint(state))
    seen = [GAME.observe(state, seat) for seat in range(6)] + [GAME.frame(state)]
    digest.update(repr(seen).encode())
print(digest.hexdigest(), GAME.outcome(state))
"""


@pytest.mark.parametrize(
    ("part", "action"),
    [
        ({}, Action()),
        ({"move": "NONE"}, Action()),
        ({"move": "EAST"}, Action(Direction.EAST)),
        ({"view": "NORTH_WEST"}, Action(view=Direction.NORTH_WEST)),
        (
            {"move": "SOUTH_EAST", "view": "SOUTH", "tick": 4, "mood": "bold"},
            Action(Direction.SOUTH_EAST, Direction.SOUTH),
        ),
        ({"move": "WEST", "view": None}, Action(Direction.WEST)),
        (Move(move=Direction.NORTH).model_dump(), Action(Direction.NORTH)),
    ],
)
def test_actions_that_make_sense(part: dict[str, Any], action: Action) -> None:
    assert GAME.parse_action(part) == action
    assert GAME.parse_action(GAME.export_action(action)) == action


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"move": "UP"}, "move"),
        ({"move": "north"}, "move"),
        ({"move": None}, "move"),
        ({"move": 1}, "move"),
        ({"move": ["NORTH"]}, "move"),
        ({"move": {}}, "move"),
        ({"view": "NONE"}, "view"),
        ({"view": ""}, "view"),
        ({"view": False}, "view"),
        ({"move": "NORTH", "view": "n" * 10_000}, "view"),
    ],
)
def test_actions_that_make_no_sense(part: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        GAME.parse_action(part)
    assert caught.value.field == field
    assert len(str(caught.value)) < 250


def test_an_order_must_hold_each_seat_once() -> None:
    state = position("a.b")
    for order in ([0], [0, 0], [0, 1, 2], [1, 2]):
        with pytest.raises(SetupError, match="order: must hold each seat from 0 to 1 once"):
            GAME.step(state, [None, None], [SeatId(seat) for seat in order])


def test_the_drawn_order_changes_from_round_to_round() -> None:
    """Both want the middle field in every round, and each gets it about half the time."""
    wins = []
    for tick in range(200):
        state = position("a.b", tick=tick, last_change=tick)
        after = GAME.step(state, actions_of(state, {"a": "E", "b": "W"}))
        wins.append(draw(after) == ".ab")
    assert 70 < sum(wins) < 130
    assert wins != sorted(wins)


@given(positions())
def test_the_order_of_arrival_is_asked_for_by_its_ruleset(state: State) -> None:
    assert GAME.wants_order(state) == (state.ruleset.move_order == "arrival")
    assert GAME.last_tick(state) == state.ruleset.max_rounds


def test_blocked_is_told_of_the_right_seat() -> None:
    start = position("ab.c")
    state = GAME.step(start, actions_of(start, {"a": "E", "c": "W"}))
    assert [GAME.was_blocked(state, SeatId(seat)) for seat in range(3)] == [True, False, False]


def test_a_walkover_gives_the_first_place_to_those_who_came() -> None:
    state = position("a.b.c.d")
    outcome = GAME.walkover(state, frozenset({SeatId(0), SeatId(3)}), "walkover")
    assert (outcome.reason, outcome.points, outcome.places) == ("walkover", (0.0,) * 4, (3, 1, 1, 3))
    nobody = GAME.walkover(state, frozenset(map(SeatId, range(4))), "walkover")
    assert nobody.places == (1, 1, 1, 1)


@given(positions(), st.data())
def test_fingerprints_tell_any_difference(state: State, data: st.DataObject) -> None:
    player = state.players[0]
    changed = data.draw(
        st.sampled_from(
            [
                replace(state, tick=state.tick + 1),
                replace(state, seed=state.seed + 1),
                replace(state, last_change=state.last_change + 1),
                replace(state, events=(Blocked(SeatId(0)),)),
                replace(state, ruleset=state.ruleset.model_copy(update={"life": 99.0})),
                replace(state, arena=position("a.b").arena),
                *(
                    replace(state, players=(other, *state.players[1:]))
                    for other in (
                        replace(player, life=player.life + 1),
                        replace(player, standing=player.standing + 1),
                        replace(player, points=player.points + Fraction(1, 10**9)),
                        replace(player, team=Team.RED),
                        replace(player, view=Direction.NONE),
                        replace(player, field=player.field + 1),
                    )
                ),
            ]
        )
    )
    assert changed != state
    assert GAME.fingerprint(changed) != GAME.fingerprint(state)


def test_a_match_is_the_same_in_every_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ROUNDS],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert "Outcome" in outputs.pop()

"""Setups: what is refused and where, what the seed decides, and the way back."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import State
from support.right2live_any import positions

MAP = ["...", "..#"]
HERE = {"x": 0, "y": 0}
THERE = {"x": 1, "y": 0}
TWO = [HERE, THERE]


def with_seat(**more: Any) -> dict[str, Any]:
    return {"map": MAP, "seats": [HERE, {"x": 1, "y": 1} | more]}


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "unknown_key": ({"mpa": MAP}, "mpa", "known are ruleset, map"),
    "map_is_text": ({"map": "..."}, "map", "list of lines"),
    "map_line_is_number": ({"map": ["..", 5]}, "map line 2", "text"),
    "map_empty": ({"map": []}, "map line 1, column 1", "empty"),
    "map_of_empty_lines": ({"map": ["", ""]}, "map line 1, column 1", "empty"),
    "map_ragged": (
        {"map": ["...", "..", "..."]},
        "map line 2, column 3",
        "has 2 columns; other lines of the map have 3",
    ),
    "map_first_line_ragged": ({"map": ["....", "...", "..."]}, "map line 1, column 4", "has 4 columns"),
    "map_sign": ({"map": ["..", ".x"]}, "map line 2, column 2", "'x'"),
    "map_tab": ({"map": ["..", "\t."]}, "map line 2, column 1", r"'\t'"),
    "map_too_wide": ({"map": ["." * 501]}, "map line 1, column 501", "at most 500"),
    "map_too_high": ({"map": ["."] * 501}, "map line 501, column 1", "at most 500"),
    "map_too_full": ({"map": [".##"], "seats": 2}, "map", "1 free fields for 2 seats"),
    "layer_without_map": ({"toxicity": ["..."]}, "toxicity", "map"),
    "layer_lines": ({"map": MAP, "toxicity": ["..."]}, "toxicity line 2, column 1", "1 lines; the map has 2"),
    "layer_columns": (
        {"map": MAP, "toxicity": ["...", "...."]},
        "toxicity line 2, column 4",
        "the map has 3",
    ),
    "layer_sign": ({"map": MAP, "toxicity": ["...", ".a."]}, "toxicity line 2, column 2", "'a'"),
    "seats_text": ({"map": MAP, "seats": "2"}, "seats", "number or a list"),
    "seats_true": ({"map": MAP, "seats": True}, "seats", "number or a list"),
    "one_seat": ({"map": MAP, "seats": 1}, "seats", "2 to 20"),
    "many_seats": ({"seats": 21}, "seats", "2 to 20"),
    "one_seat_listed": ({"map": MAP, "seats": [HERE]}, "seats", "2 to 20"),
    "seat_is_list": ({"map": MAP, "seats": [HERE, [1, 1]]}, "seats.1", "object"),
    "seat_unknown_key": (with_seat(z=1), "seats.1.z", "known are x, y"),
    "seat_x_text": ({"map": MAP, "seats": [HERE, {"x": "1", "y": 0}]}, "seats.1.x", "integer"),
    "seat_without_y": ({"map": MAP, "seats": [HERE, {"x": 1}]}, "seats.1", "both x and y"),
    "seat_off_the_map": ({"map": MAP, "seats": [HERE, {"x": 3, "y": 0}]}, "seats.1.x", "from 0 to 2"),
    "seat_above_the_map": ({"map": MAP, "seats": [HERE, {"x": 1, "y": -1}]}, "seats.1.y", "from 0 to 1"),
    "seat_in_a_wall": ({"map": MAP, "seats": [HERE, {"x": 2, "y": 1}]}, "seats.1", "wall"),
    "seats_together": ({"map": MAP, "seats": [HERE, THERE, HERE]}, "seats.2", "same field as seat 0"),
    "seat_view_small": (with_seat(view="north"), "seats.1.view", "NORTH"),
    "seat_view_none": (with_seat(view="NONE"), "seats.1.view", "eight directions"),
    "seat_team": (with_seat(team="GREEN"), "seats.1.team", "BLUE"),
    "seat_life_text": (with_seat(life="100"), "seats.1.life", "number"),
    "seat_life_thousandths": (with_seat(life=0.005), "seats.1.life", "hundredths"),
    "seat_life_infinite": (with_seat(life=float("inf")), "seats.1.life", ""),
    "seat_standing": (with_seat(standing=-1), "seats.1.standing", "0"),
    "nobody_blue": (
        {"map": MAP, "seats": [HERE | {"team": "RED"}, THERE | {"team": "RED"}]},
        "seats",
        "BLUE",
    ),
    "tick_below_zero": ({"tick": -1}, "tick", "whole number"),
    "tick_fraction": ({"tick": 1.5}, "tick", "whole number"),
    "change_after_tick": ({"tick": 3, "last_change": 4}, "last_change", "tick 3"),
    "tick_after_the_end": ({"tick": 4, "ruleset": {"max_rounds": 4}}, "tick", "max_rounds"),
    "ruleset_list": ({"ruleset": []}, "ruleset", "object"),
    "ruleset_unknown": ({"ruleset": {"rounds": 4}}, "ruleset.rounds", "known are move_order"),
    "ruleset_preset": ({"ruleset": {"preset": "2011"}}, "ruleset.preset", "contest-2010"),
    "ruleset_order": ({"ruleset": {"move_order": "random"}}, "ruleset.move_order", "'drawn' or 'arrival'"),
    "ruleset_rounds": ({"ruleset": {"max_rounds": 0}}, "ruleset.max_rounds", "1"),
    "ruleset_life": ({"ruleset": {"life": 0}}, "ruleset.life", "greater than 0"),
    "ruleset_fov": ({"ruleset": {"fov_degrees": 361}}, "ruleset.fov_degrees", "360"),
    "ruleset_fov_true": ({"ruleset": {"fov_degrees": True}}, "ruleset.fov_degrees", "integer"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setup_is_refused_with_its_place(name: str) -> None:
    setup, where, hint = WRONG[name]
    with pytest.raises(SetupError) as caught:
        GAME.prepare(1, setup)
    assert caught.value.where == where
    assert hint in caught.value.problem


def test_a_setup_may_leave_everything_out() -> None:
    state = GAME.prepare(1, {})
    assert state.seat_count == 10
    assert state == GAME.prepare(1, {"map": None, "seats": None, "ruleset": {}})
    assert {player.life for player in state.players} == {10000}


def test_presets() -> None:
    contest = GAME.ruleset(GAME.prepare(1, {"ruleset": {"preset": "contest-2010"}}))
    default = GAME.ruleset(GAME.prepare(1, {"ruleset": {"preset": "default"}}))
    assert default == {"move_order": "drawn", "max_rounds": None, "life": 100.0, "fov_degrees": 179}
    assert contest == default | {"move_order": "arrival"}
    mixed = GAME.prepare(1, {"ruleset": {"preset": "contest-2010", "max_rounds": 9}})
    assert GAME.ruleset(mixed) == contest | {"max_rounds": 9}


def test_the_seed_draws_start_fields_evenly() -> None:
    starts: Counter[int] = Counter()
    for seed in range(600):
        fields = [player.field for player in GAME.prepare(seed, {"map": MAP, "seats": 2}).players]
        assert fields[0] != fields[1]
        starts.update(fields)
    assert len(starts) == 5
    assert all(150 < count < 340 for count in starts.values()), "expected about 240 each"


def test_the_seed_leaves_given_fields_alone() -> None:
    for seed in range(30):
        state = GAME.prepare(seed, {"map": ["..#."], "seats": [{}, {"x": 1, "y": 0}, {"team": "RED"}]})
        assert sorted(state.arena.xy(player.field)[0] for player in state.players) == [0, 1, 3]
        assert state.arena.xy(state.players[1].field) == (1, 0)


@given(positions())
def test_an_exported_setup_builds_an_equal_state(state: State) -> None:
    again = GAME.prepare(state.seed, GAME.export_setup(state))
    assert again == state
    assert GAME.fingerprint(again) == GAME.fingerprint(state)

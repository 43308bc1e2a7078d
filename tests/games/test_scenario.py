"""Scenario files over every kind of game (protocol section 4)."""

import json
import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.games import right2live, spaceballs
from fangnetz_server.games.scenario import ScenarioError, load_scenario, run_scenario
from support import tiny_game

GAMES: dict[str, Any] = {
    "ring_tag": tiny_game.GAME,
    "right2live": right2live.GAME,
    "spaceballs": spaceballs.GAME,
}
RING = {"game": "ring_tag", "places": [0, 5, 9]}


def run(document: Any) -> list[dict[str, Any]]:
    """Run a document given as a value and return its lines, as JSON has them."""
    data = document if isinstance(document, bytes) else orjson.dumps(document)
    return [orjson.loads(orjson.dumps(line)) for line in run_scenario(load_scenario(data, GAMES))]


def places(lines: list[dict[str, Any]]) -> list[list[int]]:
    return [[player["place"] for player in line["players"]] for line in lines if line["type"] == "frame"]


def test_a_frame_a_tick_and_one_last_line() -> None:
    lines = run({**RING, "ticks": 2})
    assert [line["type"] for line in lines] == ["frame", "frame", "frame", "stopped"]
    assert [line["tick"] for line in lines[:-1]] == [0, 1, 2]
    assert lines[-1] == {"type": "stopped"}


def test_the_last_line_of_a_match_that_ended() -> None:
    lines = run({**RING, "actions": [{"tick": "*", "seat": 0, "step": 1}], "ticks": 100})
    assert lines[-1] == {
        "type": "match_end",
        "reason": "all_caught",
        "points": [1, 0, 0],
        "places": [1, 2, 2],
        "ticks": 9,
    }
    assert len(lines) == 11


def test_an_end_in_the_very_last_tick_is_an_end() -> None:
    actions = [{"tick": "*", "seat": 0, "step": 1}]
    assert run({**RING, "actions": actions, "ticks": 9})[-1]["type"] == "match_end"
    assert run({**RING, "actions": actions, "ticks": 8})[-1] == {"type": "stopped"}


def test_p4_1_what_is_not_given_is_neutral() -> None:
    actions = [{"tick": 1, "seat": 0, "step": 1}, {"tick": 3, "seat": 2, "step": -1}]
    assert places(run({**RING, "actions": actions, "ticks": 3})) == [
        [0, 5, 9],
        [1, 5, 9],
        [1, 5, 9],
        [1, 5, 8],
    ]


def test_p4_1_a_star_holds_for_all_ticks_without_an_action_of_their_own() -> None:
    actions = [{"tick": "*", "seat": 1, "step": 1}, {"tick": 2, "seat": 1, "step": 0}]
    assert places(run({**RING, "actions": actions, "ticks": 3})) == [
        [0, 5, 9],
        [0, 6, 9],
        [0, 6, 9],
        [0, 7, 9],
    ]


def test_p4_4_an_invalid_action_counts_as_in_a_match() -> None:
    """It is neutral, and it is the tick's own action, so the one for all ticks does not come in."""
    actions = [{"tick": "*", "seat": 1, "step": 1}, {"tick": 1, "seat": 1, "step": "far"}]
    assert places(run({**RING, "actions": actions, "ticks": 2})) == [[0, 5, 9], [0, 5, 9], [0, 6, 9]]


def test_p2_1_of_two_actions_for_one_tick_the_first_counts() -> None:
    actions = [{"tick": 1, "seat": 1, "step": 1}, {"tick": 1, "seat": 1, "step": -1}]
    assert places(run({**RING, "actions": actions, "ticks": 1}))[-1] == [0, 6, 9]


def test_p4_2_what_is_left_out_comes_from_the_seed() -> None:
    first, again, other = (run({"game": "ring_tag", "seed": seed, "ticks": 0}) for seed in (4, 4, 5))
    assert first == again
    assert first != other
    assert run({"game": "ring_tag", "ticks": 0}) == run({"game": "ring_tag", "seed": 0, "ticks": 0})


def corridor(order: Any, ticks: int = 1) -> list[dict[str, Any]]:
    """Two players want to the same field between them."""
    actions = [{"tick": "*", "seat": 0, "move": "EAST"}, {"tick": "*", "seat": 1, "move": "WEST"}]
    seats = [{"x": 0, "y": 0}, {"x": 2, "y": 0}]
    return run(
        {
            "game": "right2live",
            "map": ["..."],
            "seats": seats,
            "order": order,
            "actions": actions,
            "ticks": ticks,
        }
    )


def test_p4_2_one_order_for_all_ticks() -> None:
    assert [player["x"] for player in corridor([0, 1])[1]["players"]] == [1, 2]
    assert [player["x"] for player in corridor([1, 0])[1]["players"]] == [0, 1]


def test_p4_2_an_order_a_tick() -> None:
    assert [player["x"] for player in corridor([[1, 0], [0, 1]])[1]["players"]] == [0, 1]
    lines = run(
        {
            "game": "right2live",
            "map": ["...."],
            "seats": [{"x": 0, "y": 0}, {"x": 2, "y": 0}],
            "order": [[0, 1], [1, 0]],
            "actions": [
                {"tick": 1, "seat": 1, "move": "EAST"},
                {"tick": 2, "seat": 0, "move": "EAST"},
                {"tick": 2, "seat": 1, "move": "WEST"},
            ],
            "ticks": 2,
        }
    )
    assert [[player["x"] for player in line["players"]] for line in lines[:3]] == [[0, 2], [0, 3], [1, 2]]


def test_p4_2_ticks_beyond_the_listed_orders_are_drawn() -> None:
    assert len(corridor([[0, 1]], ticks=5)) == 7


def test_p4_3_ticks_is_a_number_not_a_count() -> None:
    lines = run(
        {"game": "right2live", "map": ["...."], "seats": 2, "tick": 30, "last_change": 30, "ticks": 32}
    )
    assert [line["tick"] for line in lines[:-1]] == [30, 31, 32]


@pytest.mark.parametrize("game", ["ring_tag", "right2live", "spaceballs"])
def test_p4_5_observe_adds_what_each_seat_sees(game: str) -> None:
    for line in run({"game": game, "observe": True, "ticks": 2})[:-1]:
        seats = len(line[GAMES[game].info.roster])
        assert len(line["observations"]) == seats
    assert "observations" not in run({"game": game, "ticks": 0})[0]


def test_observations_are_those_of_the_game() -> None:
    scenario = load_scenario(orjson.dumps({**RING, "observe": True, "ticks": 0}), GAMES)
    line = next(run_scenario(scenario))
    assert line["observations"] == [GAMES["ring_tag"].observe(scenario.start, seat) for seat in range(3)]


def test_running_twice_gives_the_same_lines() -> None:
    scenario = load_scenario(orjson.dumps({"game": "right2live", "seed": 3, "ticks": 20}), GAMES)
    assert list(run_scenario(scenario)) == list(run_scenario(scenario))


DOCS = Path(__file__).parents[2] / "docs" / "reference" / "scenario-files.md"
EXAMPLES = re.findall(r"```json\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=[json.loads(example)["game"] for example in EXAMPLES])
def test_the_documented_examples_run(example: str) -> None:
    lines = run(example.encode())
    assert lines[-1]["type"] in ("match_end", "stopped")
    assert len(lines) > 5


def test_the_documented_errors_are_the_real_ones() -> None:
    actions = [{"tick": 1, "seat": 0}] * 3 + [{"tick": 1, "seat": 5}]
    with pytest.raises(ScenarioError) as caught:
        run({"game": "spaceballs", "ticks": 1, "actions": actions})
    assert str(caught.value) in DOCS.read_text(encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        run(b"{" + b"\n" * 6 + b'"ticks": 100 "seed": 7}')
    assert str(caught.value) == "line 7, column 14: no JSON: Expecting ',' delimiter"
    assert str(caught.value) in DOCS.read_text(encoding="utf-8")


BASE = {"game": "ring_tag", "ticks": 3}
FAULTS: list[tuple[Any, str]] = [
    (b"", "line 1, column 1: no JSON"),
    (b'{"game": "ring_tag",\n "ticks": 3,}', "line 2, column 13: no JSON"),
    (b'{"ticks": "NaN",\n "seed": NaN}', "line 2, column 10: no JSON: NaN is no number"),
    (b"[-Infinity]", "line 1, column 2: no JSON: -Infinity is no number"),
    (b'{"game":\n\n "\xff"}', "line 3: no text in UTF-8"),
    (b"[" * 100_000, "the document is nested too deeply"),
    (b'{"seed": ' + b"9" * 5000 + b"}", "a number has too many digits"),
    ([], "a scenario is a JSON object, not []"),
    ({"ticks": 3}, "game: is missing"),
    ({"game": 5, "ticks": 3}, "game: should be a valid string, not 5"),
    ({"game": "chess", "ticks": 3}, "game: should be one of right2live, ring_tag, spaceballs, not 'chess'"),
    ({"game": "ring_tag"}, "ticks: is missing"),
    ({**BASE, "ticks": 2.5}, "ticks: should be a valid integer"),
    ({**BASE, "ticks": True}, "ticks: should be a valid integer"),
    ({**BASE, "ticks": -1}, "ticks: should be greater than or equal to 0"),
    ({**BASE, "ticks": 10**9}, "ticks: should be less than or equal to 1000000"),
    ({**BASE, "seed": "7"}, "seed: should be a valid integer"),
    ({**BASE, "observe": 1}, "observe: should be a valid boolean"),
    ({**BASE, "colour": 1}, "colour: unknown"),
    ({**BASE, "places": [0, 99]}, "places.1: should be a whole number from 0 to 11, not 99"),
    ({**BASE, "actions": {}}, "actions: should be a list, not {}"),
    ({**BASE, "actions": [1]}, "actions.0: should be an object, not 1"),
    ({**BASE, "actions": [{"tick": 1}]}, "actions.0.seat: is missing"),
    ({**BASE, "actions": [{"seat": 1}]}, "actions.0.tick: is missing"),
    (
        {**BASE, "actions": [{"seat": 1, "tick": 0}]},
        'actions.0.tick: should be the number of a tick, from 1 on, or "*"',
    ),
    ({**BASE, "actions": [{"seat": 1, "tick": "all"}]}, "actions.0.tick: should be the number of a tick"),
    ({**BASE, "actions": [{"seat": 1, "tick": True}]}, "actions.0.tick: should be the number of a tick"),
    (
        {**BASE, "actions": [{"seat": 1, "tick": 1}, {"seat": 3, "tick": 1}]},
        "actions.1.seat: should be below 3",
    ),
    ({**BASE, "actions": [{"seat": -1, "tick": 1}]}, "actions.0.seat: should be greater than or equal to 0"),
    ({**BASE, "order": 1}, "order: should be a list"),
    ({**BASE, "order": [0, 1]}, "order: should hold each of the seats 0 to 2 once, not [0, 1]"),
    ({**BASE, "order": [[0, 1, 2], [0, 1, 1]]}, "order.1: should hold each of the seats 0 to 2 once"),
    ({**BASE, "order": [[0, 1, 2], 0]}, "order.1: should hold each of the seats 0 to 2 once, not 0"),
    ({**BASE, "order": [True, 0, 2]}, "order: should hold each of the seats 0 to 2 once"),
    (
        {"game": "right2live", "tick": 9, "ticks": 3},
        "ticks: should be at least 9, the tick of the start, not 3",
    ),
]


@pytest.mark.parametrize(("document", "text"), FAULTS, ids=[text[:60] for _, text in FAULTS])
def test_p4_4_a_wrong_file_is_named(document: Any, text: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        run(document)
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert run(b"\xef\xbb\xbf" + orjson.dumps({**RING, "ticks": 0}))[0]["tick"] == 0


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ScenarioError):
        load_scenario(data, GAMES)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = [
    "seed",
    "actions",
    "order",
    "observe",
    "ruleset",
    "stations",
    "mines",
    "balls",
    "seats",
    "map",
    "toxicity",
    "tick",
]


@given(
    st.sampled_from(["right2live", "spaceballs"]), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3)
)
def test_any_object_is_read_or_refused(game: str, more: dict[str, Any]) -> None:
    try:
        lines = list(
            run_scenario(load_scenario(json.dumps({"game": game, "ticks": 2, **more}).encode(), GAMES))
        )
    except ScenarioError:
        return
    assert lines[-1]["type"] in ("match_end", "stopped")

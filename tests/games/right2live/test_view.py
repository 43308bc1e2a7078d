"""What goes out: exactly the fields of the protocol's models, and nothing that must stay hidden (R8)."""

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from fangnetz_protocol import right2live as models
from fangnetz_protocol.words import SeatId
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import State
from support.right2live import actions_of, position, said
from support.right2live_any import actions, positions

BY_SERVER = frozenset({"connected", "latency_ms"})


def same_keys(part: dict[str, Any], model: BaseModel, absent: frozenset[str] = frozenset()) -> None:
    """Assert that a part has exactly the keys of the model that read it, all the way down."""
    assert set(part) == set(type(model).model_fields) - absent
    for key, value in part.items():
        read = getattr(model, key)
        if isinstance(read, BaseModel):
            same_keys(value, read)
        elif isinstance(read, tuple) and read and isinstance(read[0], BaseModel):
            for one, other in zip(value, read, strict=True):
                same_keys(
                    one,
                    other,
                    BY_SERVER if key == "players" and "life" in one else frozenset(),
                )


@given(positions(), st.data())
def test_parts_are_what_the_models_describe(state: State, data: st.DataObject) -> None:
    state = GAME.step(state, data.draw(actions(state.seat_count)))
    same_keys(GAME.frame(state), models.Frame.model_validate(GAME.frame(state)))
    for seat in map(SeatId, range(state.seat_count)):
        part = GAME.observe(state, seat)
        same_keys(part, models.Observation.model_validate(part))
        assert orjson.loads(orjson.dumps(part)) == part
    briefing = GAME.briefing(state, None)
    same_keys(briefing, models.Briefing.model_validate(briefing))
    same_keys(
        GAME.briefing(state, SeatId(0)), models.Briefing.model_validate(briefing), frozenset({"toxicity"})
    )


def test_bots_get_the_map_without_its_poison() -> None:
    state = position("a.#b", toxicity=["12 0"])
    assert GAME.briefing(state, SeatId(0)) == {"map": ["..#."]}
    assert GAME.briefing(state, None) == {"map": ["..#."], "toxicity": ["12#0"]}


@given(positions(), st.data())
def test_what_is_out_of_sight_makes_no_difference(state: State, data: st.DataObject) -> None:
    """Turning an unseen opponent, or changing poison elsewhere, changes no byte of an observation."""
    seat = SeatId(0)
    before = GAME.observe(state, seat)
    known = {player["seat"] for player in before["players"]} | {seat}
    setup = GAME.export_setup(state)
    for other, entry in enumerate(setup["seats"]):
        if other not in known:
            entry["view"] = data.draw(st.sampled_from(["NORTH", "SOUTH", "EAST"]))
            entry["standing"] = data.draw(st.integers(0, 9))
    me = setup["seats"][0]
    setup["toxicity"] = [
        "".join(sign if (x, y) == (me["x"], me["y"]) else "7" for x, sign in enumerate(line))
        for y, line in enumerate(setup["toxicity"])
    ]
    assert GAME.observe(GAME.prepare(data.draw(st.integers()), setup), seat) == before


def test_failed_steps_of_others_are_hidden() -> None:
    start = position("ab#C")
    state = GAME.step(start, actions_of(start, {"a": "E", "b": "W", "C": "W"}))
    assert said(GAME.observe(state, SeatId(0))["events"]) == ["blocked a"]
    assert said(GAME.observe(state, SeatId(2))["events"]) == ["blocked c"]
    assert said(GAME.frame(state)["events"]) == ["blocked a", "blocked b", "blocked c"]


def test_everybody_learns_of_changes_lives_and_teams() -> None:
    start = position("Ab#c#d", life={"d": 40})
    state = GAME.step(start, actions_of(start, {}))
    for seat in range(4):
        part = GAME.observe(state, SeatId(seat))
        assert said(part["events"]) == ["caught b by a"]
        assert part["teams"] == ["RED", "RED", "BLUE", "BLUE"]
        assert part["lives"] == [100.0, 99.99, 99.99, 39.99]
        assert (part["last_change"], part["next_forced"]) == (1, 29)


def test_an_observation_in_full() -> None:
    state = position("a.#c|B...", toxicity=["5...", "...."], views={"a": "SW"}, life={"a": 12.5}, tick=3)
    assert GAME.observe(state, SeatId(0)) == {
        "me": {
            "x": 0,
            "y": 0,
            "view": "SOUTH_WEST",
            "team": "BLUE",
            "life": 12.5,
            "points": 0.0,
            "standing": 0,
            "toxicity": 0.1,
        },
        "players": [
            {"seat": 1, "x": 0, "y": 1, "view": "NORTH", "team": "RED"},
            {"seat": 2, "x": 3, "y": 0, "view": "NORTH", "team": "BLUE"},
        ],
        "teams": ["BLUE", "RED", "BLUE"],
        "lives": [12.5, 100.0, 100.0],
        "last_change": 0,
        "next_forced": 28,
        "events": [],
    }

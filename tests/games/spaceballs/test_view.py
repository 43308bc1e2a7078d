"""The views are what the protocol's models describe, with exactly their keys (P3.3)."""

from typing import Any

import pytest
from hypothesis import given
from pydantic import BaseModel

from fangnetz_protocol import spaceballs
from fangnetz_protocol.words import SeatId
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.state import State
from support.flying import Flight, flights

BY_SERVER = {"connected", "latency_ms"}
"""What the server adds to a frame's balls."""


def assert_matches(part: Any, model: Any) -> None:
    """Assert that a part has exactly the fields of a validated model, at every depth."""
    if isinstance(model, BaseModel):
        assert set(part) == set(type(model).model_fields) - BY_SERVER
        for name in part:
            assert_matches(part[name], getattr(model, name))
    elif isinstance(model, tuple):
        assert len(part) == len(model)
        for entry, sub in zip(part, model, strict=True):
            assert_matches(entry, sub)
    else:
        assert type(part) is type(model)
        assert part == model


def last_state(flight: Flight) -> State:
    state = GAME.prepare(flight.seed, flight.setup)
    for parts in flight.actions:
        if GAME.outcome(state) is not None:
            break
        state = GAME.step(state, [None if part is None else GAME.parse_action(part) for part in parts])
    return state


@given(flights())
def test_views_match_their_models(flight: Flight) -> None:
    state = last_state(flight)
    assert_matches(GAME.frame(state), spaceballs.Frame.model_validate(GAME.frame(state)))
    for seat in (SeatId(0), SeatId(1)):
        observation = GAME.observe(state, seat)
        assert_matches(observation, spaceballs.Observation.model_validate(observation))
        briefing = GAME.briefing(state, seat)
        assert_matches(briefing, spaceballs.Briefing.model_validate(briefing))


@pytest.mark.parametrize("seat", [0, 1])
def test_each_seat_sees_itself_as_me(seat: int) -> None:
    state = GAME.step(GAME.prepare(1, {}), [GAME.parse_action({"thrust": [0, 1]}), None])
    observation = GAME.observe(state, SeatId(seat))
    frame = GAME.frame(state)["balls"]
    for mine, theirs in (("me", seat), ("opponent", 1 - seat)):
        assert observation[mine].items() <= frame[theirs].items()


def test_the_briefing_stays_that_of_the_start() -> None:
    setup = {"stations": [[0.03, 0.015], [0.5, 0.5]], "mines": [[0.5, 0.8]]}
    start = GAME.prepare(1, setup)
    later = GAME.step(start, [None, None])
    assert len(GAME.frame(later)["stations"]) == 1
    assert GAME.briefing(later, SeatId(0)) == GAME.briefing(start, None)
    assert len(GAME.briefing(later, None)["stations"]) == 2


def test_the_briefing_gives_all_sizes() -> None:
    briefing = GAME.briefing(GAME.prepare(1, {"ruleset": {"thrust": 0.25, "duration": 30.0}}), None)
    sizes = {key: value for key, value in briefing.items() if key not in ("stations", "mines")}
    assert sizes == {
        "ball_radius": 0.01,
        "station_radius": 0.01,
        "mine_radius": 0.05,
        "steps": 3000,
        "steps_per_tick": 5,
        "dt": 0.01,
        "thrust": 0.25,
    }

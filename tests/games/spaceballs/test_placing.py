"""The field of a match (B1.2, B1.3)."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.placing import CLEARANCE, draw_field
from fangnetz_server.games.spaceballs.ruleset import MOST_OBJECTS
from fangnetz_server.games.spaceballs.state import Place, State

SEEDS = st.integers(-(2**63), 2**64)


def field(seed: int) -> State:
    return GAME.prepare(seed, {})


@given(SEEDS)
def test_the_field_is_mirrored(seed: int) -> None:
    state = field(seed)
    assert state.stations.items[0].x == 0.5
    for places in (state.stations.items[1:], state.mines.items):
        for left, right in zip(places[::2], places[1::2], strict=True):
            assert right == Place(left.id + 1, 1 - left.x, left.y)


@given(SEEDS)
def test_nothing_overlaps(seed: int) -> None:
    state = field(seed)
    places = [*state.stations.items, *state.mines.items]
    for one, other in combinations(places, 2):
        assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > (2 * CLEARANCE) ** 2
    for place in places:
        assert CLEARANCE < place.x < 1 - CLEARANCE
        assert CLEARANCE < place.y < 1 - CLEARANCE


@given(SEEDS)
def test_all_are_there_with_their_numbers(seed: int) -> None:
    state = field(seed)
    assert [place.id for place in state.stations.items] == list(range(9))
    assert [place.id for place in state.mines.items] == list(range(12))


def test_every_seed_has_a_field_of_its_own() -> None:
    fields = {GAME.fingerprint(field(seed)) for seed in range(200)}
    assert len(fields) == 200


def test_the_places_are_spread_evenly() -> None:
    """The middle station's y is uniform in [0.075, 0.925]: each third gets a third."""
    heights = [field(seed).stations.items[0].y for seed in range(600)]
    thirds = [sum(0.075 + 0.85 * k / 3 <= y < 0.075 + 0.85 * (k + 1) / 3 for y in heights) for k in range(3)]
    assert sum(thirds) == 600
    assert all(150 < third < 250 for third in thirds), thirds


def test_a_stuck_field_is_started_over() -> None:
    """With most objects every third field is stuck, but each seed gets one."""
    ruleset = {"stations": 1, "mines": MOST_OBJECTS - 1}
    for seed in range(30):
        assert len(GAME.prepare(seed, {"ruleset": ruleset}).mines.items) == MOST_OBJECTS - 1


def test_given_mines_are_kept_and_nothing_is_placed_on_them() -> None:
    mines = [[0.5, 0.3], [0.25, 0.75]]
    state = GAME.prepare(3, {"mines": mines})
    assert [[place.x, place.y] for place in state.mines.items] == mines
    assert len(state.stations.items) == 9
    for station in state.stations.items:
        for mine in state.mines.items:
            assert (station.x - mine.x) ** 2 + (station.y - mine.y) ** 2 > (2 * CLEARANCE) ** 2


def test_nothing_is_placed_on_a_ball() -> None:
    for seed in range(50):
        state = GAME.prepare(seed, {"balls": [{"x": 0.3, "y": 0.5}, {"x": 0.6, "y": 0.4}]})
        for place in state.stations.items + state.mines.items:
            for ball in state.balls:
                assert (place.x - ball.x) ** 2 + (place.y - ball.y) ** 2 > (CLEARANCE + 0.01) ** 2


def test_a_hopeless_field_is_refused() -> None:
    blocked = tuple((0.05 + 0.1 * i, 0.05 + 0.1 * j) for i in range(10) for j in range(10))
    with pytest.raises(SetupError, match="9 stations and 12 mines do not fit"):
        draw_field(1, (9, 12), (None, blocked), ())
    with pytest.raises(SetupError, match="do not fit"):
        GAME.prepare(1, {"mines": [list(point) for point in blocked]})

"""The bots' grid says the same as the rules of the server."""

from hypothesis import given
from hypothesis import strategies as st

from fangnetz.grid import UNREACHABLE, Grid
from fangnetz_protocol.words import COMPASS, SeatId
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.state import State
from support.right2live_any import positions


def grid_of(state: State) -> Grid:
    return Grid(GAME.briefing(state, SeatId(0))["map"])


def listed(grid: Grid, fields: int) -> set[int]:
    return {field for field in range(fields.bit_length()) if fields >> field & 1}


@given(positions())
def test_steps(state: State) -> None:
    grid = grid_of(state)
    for field in grid.fields:
        x, y = grid.xy(field)
        start = state.arena.at(x, y)
        allowed = {way for way in COMPASS if state.arena.can_step(start, way)}
        assert {step.direction for step in grid.steps(field)} == allowed
        assert {way for way in COMPASS if grid.can_step(field, way)} == allowed
        for way, target in grid.steps(field):
            assert grid.xy(target) == (x + way.dx, y + way.dy)


@given(positions(), st.data())
def test_sets_of_fields_spread_and_touch(state: State, data: st.DataObject) -> None:
    grid = grid_of(state)
    some = data.draw(st.sets(st.sampled_from(grid.fields)))
    bits = sum(1 << field for field in some)
    steps = {step.field for field in some for step in grid.steps(field)}
    assert listed(grid, grid.spread(bits)) == some | steps
    touched = {other for other in grid.fields for one in some if grid.can_touch(one, other)}
    assert listed(grid, grid.touched(bits)) == some | touched


@given(positions())
def test_touches(state: State) -> None:
    grid = grid_of(state)
    players = [grid.at(*state.arena.xy(player.field)) for player in state.players]
    occupied = sum(1 << player.field for player in state.players)
    for field in grid.fields:
        x, y = grid.xy(field)
        for way in COMPASS:
            other = grid.at(x + way.dx, y + way.dy)
            if grid.is_free(other):
                expected = state.arena.can_touch(
                    state.arena.at(x, y), state.arena.at(*grid.xy(other)), occupied
                )
                assert grid.can_touch(field, other, players) == expected
        assert not grid.can_touch(field, field)


def test_no_touch_over_a_distance_or_round_the_edge() -> None:
    grid = Grid(["..#", "..."])
    assert not grid.can_touch(grid.at(0, 0), grid.at(2, 1))
    assert not grid.can_touch(grid.at(1, 0), grid.at(0, 1), [grid.at(0, 0), grid.at(1, 1)])
    assert listed(grid, grid.touched(1 << grid.at(2, 1))) == {grid.at(1, 0), grid.at(1, 1), grid.at(2, 1)}


@given(positions())
def test_distances_and_ways(state: State) -> None:
    grid = grid_of(state)
    start = grid.fields[0]
    far = grid.distances(start)
    assert far[start] == 0
    for field in grid.fields:
        near = [far[step.field] for step in grid.steps(field)]
        if field != start:
            assert far[field] == min([*(distance + 1 for distance in near), UNREACHABLE])
        way = grid.path(field, start)
        assert len(way) == (far[field] if far[field] < UNREACHABLE else 0)
        if way:
            assert way[-1] == start
            for one, other in zip([field, *way], way, strict=False):
                assert other in {step.field for step in grid.steps(one)}


@given(positions())
def test_sight(state: State) -> None:
    grid = grid_of(state)
    frame = GAME.frame(state)["players"]
    places = [grid.at(player["x"], player["y"]) for player in frame]
    for seat, me in enumerate(state.players):
        seen = {
            other
            for other, player in enumerate(state.players)
            if player.team is not me.team
            and grid.sees(places[seat], me.view, places[other], places, state.ruleset.fov_degrees)
        }
        mates = {other for other, player in enumerate(state.players) if player.team is me.team}
        known = {player["seat"] for player in GAME.observe(state, SeatId(seat))["players"]}
        assert known - mates == seen


@given(positions(), st.data())
def test_what_lies_in_sight_and_ahead(state: State, data: st.DataObject) -> None:
    grid = grid_of(state)
    field = data.draw(st.sampled_from(grid.fields))
    x, y = grid.xy(field)
    all_round = {other for other in grid.fields if grid.sees(field, COMPASS[0], other, fov_degrees=360)}
    assert listed(grid, grid.in_sight(field)) == all_round | {field}
    for way in COMPASS:
        ahead = {
            other
            for other in grid.fields
            if way.dx * (grid.xy(other)[0] - x) + way.dy * (grid.xy(other)[1] - y) > 0
        }
        assert listed(grid, grid.ahead(field, way) & grid.free) == ahead

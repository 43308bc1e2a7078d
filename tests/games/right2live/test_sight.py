"""Sight against a slow reference that clips lines at squares in exact fractions (R8.2, R8.3)."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fangnetz_protocol.words import COMPASS, Direction, SeatId
from fangnetz_server.games.right2live import GAME, sight
from fangnetz_server.games.right2live.sight import Sight, crossed_runs, in_view
from fangnetz_server.games.right2live.state import State
from support.right2live import letters, position
from support.right2live_any import positions

CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def crosses(x: int, y: int, column: int, row: int) -> bool:
    """Tell whether the line from (0, 0) to (x, y) enters the inside of a field, all coordinates doubled."""
    enter, leave = Fraction(0), Fraction(1)
    for end, low, high in ((x, 2 * column - 1, 2 * column + 1), (y, 2 * row - 1, 2 * row + 1)):
        if end == 0:
            if not low < 0 < high:
                return False
            continue
        first, second = sorted((Fraction(low, end), Fraction(high, end)))
        enter, leave = max(enter, first), min(leave, second)
    return enter < leave


def degrees_off(view: Direction, x: int, y: int) -> float:
    """Return the angle between a view and the direction (x, y)."""
    off = math.degrees(math.atan2(y, x) - math.atan2(view.dy, view.dx))
    return abs((off + 180) % 360 - 180)


def slowly_sees(state: State, seat: int, other: int) -> bool:
    """Tell whether one player sees another, by looking at every field of the map."""
    frame = GAME.frame(state)["players"]
    rows = GAME.briefing(state, None)["map"]
    me, him = frame[seat], frame[other]
    solid = {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"}
    solid |= {(player["x"], player["y"]) for player in frame}
    solid -= {(me["x"], me["y"]), (him["x"], him["y"])}
    for cx, cy in CORNERS:
        x, y = 2 * (him["x"] - me["x"]) + cx, 2 * (him["y"] - me["y"]) + cy
        off = degrees_off(Direction(me["view"]), x, y)
        in_angle = off <= state.ruleset.fov_degrees / 2 + 1e-9
        if in_angle and not any(crosses(x, y, column - me["x"], row - me["y"]) for column, row in solid):
            return True
    return False


@given(positions())
def test_who_is_known_is_what_the_reference_says(state: State) -> None:
    teams = [player.team for player in state.players]
    for seat in range(state.seat_count):
        known = [player["seat"] for player in GAME.observe(state, SeatId(seat))["players"]]
        expected = [
            other
            for other in range(state.seat_count)
            if other != seat and (teams[other] is teams[seat] or slowly_sees(state, seat, other))
        ]
        assert known == expected


@given(st.integers(-40, 40), st.integers(-40, 40))
@example(0, 0)
@example(-1, 0)
@example(35, -1)
def test_the_fields_on_a_line(dx: int, dy: int) -> None:
    x, y = 2 * dx + 1, 2 * dy + 1
    runs = {(column, row) for row, first, last in crossed_runs(x, y) for column in range(first, last + 1)}
    around = [
        (column, row)
        for column in range(min(0, dx) - 1, max(0, dx) + 3)
        for row in range(min(0, dy) - 1, max(0, dy) + 3)
    ]
    assert runs == {(column, row) for column, row in around if crosses(x, y, column, row)}


@given(
    st.sampled_from(COMPASS),
    st.integers(-999, 999),
    st.integers(-999, 999),
    st.integers(1, 360) | st.sampled_from([60, 90, 120, 179, 180, 181, 270, 360]),
)
@example(Direction.EAST, 1, 115, 179)
@example(Direction.EAST, 1, -113, 179)
@example(Direction.NORTH, 5, -5, 90)
@example(Direction.NORTH, 5, 5, 270)
@example(Direction.SOUTH_EAST, -7, -7, 360)
def test_the_angle_of_view(view: Direction, x: int, y: int, fov: int) -> None:
    if x == y == 0:
        return
    assert in_view(view, x, y, fov) == (degrees_off(view, x, y) <= fov / 2 + 1e-9)


def test_the_edge_of_the_angle_is_inside() -> None:
    assert in_view(Direction.NORTH, 3, -3, 90)
    assert not in_view(Direction.NORTH, 3, -2, 90)
    assert in_view(Direction.EAST, 0, 1, 180)
    assert not in_view(Direction.EAST, -1, 1000, 180)
    assert in_view(Direction.NORTH_WEST, 1, -1, 180)


@pytest.mark.parametrize(
    ("board", "seen"),
    [
        ("B....|.#...|.#...|..a..", ""),
        ("B....|.....|.....|..a..", "b"),
        ("..B..|.....|.#.#.|..a..", "b"),
        ("..B..|..#..|.....|..a..", ""),
        (".B...|..#..|.....|..a..", "b"),
        ("...B#|...##|.....|a....", "b"),
        ("....B|...##|.....|a....", "b"),
        ("....B|...#.|..#..|a....", "b"),
        ("....B|...#.|.#...|a....", ""),
    ],
)
def test_drawn_lines_of_sight(board: str, seen: str) -> None:
    state = position(board)
    assert bool(seen) == slowly_sees(state, 0, 1)
    assert "".join(letters(GAME.observe(state, SeatId(0)))) == seen


def test_forgotten_lines_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = 1 << 20 + 2 * 71
    monkeypatch.setattr(sight, "_MEMORY_BITS", 20_000)
    looks = [(dx, dy) for dx in range(1, 40) for dy in (0, 2, 4)] * 2
    small, fresh = Sight(71, 179), [Sight(71, 179) for _ in looks]
    seen = [small.sees(Direction.EAST, 0, dx, dy, wall) for dx, dy in looks]
    assert seen == [one.sees(Direction.EAST, 0, *at, wall) for one, at in zip(fresh, looks, strict=True)]
    assert True in seen
    assert False in seen

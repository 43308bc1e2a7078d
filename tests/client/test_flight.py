"""The flight helpers against the real rules and against brute force."""

from math import hypot, inf, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz.flight import (
    DT,
    Flight,
    Motion,
    Obstacles,
    braking_distance,
    compass,
    contact_time,
    direction,
    motion_of,
    thrust_to_reach,
    time_between,
    time_to_reach,
)
from fangnetz_protocol.spaceballs import Ball, Briefing, Place
from fangnetz_server.games.spaceballs import GAME

THRUST = 0.1
PLACES = st.floats(0.1, 0.9)
SPEEDS = st.floats(-0.2, 0.2).map(lambda speed: round(speed, 6))
MOTIONS = st.builds(Motion, PLACES, PLACES, SPEEDS, SPEEDS)
PUSHES = st.floats(0, 2 * pi).map(lambda angle: compass(1, angle / (2 * pi))[0])


def briefing(**changes: object) -> Briefing:
    return Briefing.model_validate({**GAME.briefing(GAME.prepare(0, {}), None), **changes})


def obstacles(*mines: tuple[float, float], margin: float = 0.0) -> Obstacles:
    places = [Place(id=number, x=x, y=y) for number, (x, y) in enumerate(mines)]
    return Obstacles(places, briefing(), margin)


# --- motion -------------------------------------------------------------------------------------


@given(MOTIONS, PUSHES, st.integers(1, 40))
def test_after_is_the_motion_of_the_rules(start: Motion, push: tuple[float, float], steps: int) -> None:
    ball = dict(zip(("x", "y", "vx", "vy"), start, strict=True))
    setup = {
        "ruleset": {"steps_per_tick": steps},
        "stations": [],
        "mines": [],
        "balls": [ball, {"x": 0.5, "y": 0.5}],
    }
    state = GAME.step(GAME.prepare(0, setup), [GAME.parse_action({"thrust": push}), None])
    wanted = state.balls[0]
    found = start.after((push[0] * THRUST, push[1] * THRUST), state.step)
    assert found == pytest.approx((wanted.x, wanted.y, wanted.vx, wanted.vy), abs=1e-9)


def test_a_path_is_one_motion_a_tick() -> None:
    start = Motion(0.2, 0.2, 0.1, 0.0)
    path = list(start.path((0.0, THRUST), ticks=3, steps_per_tick=5))
    assert path == [start.after((0.0, THRUST), steps) for steps in (5, 10, 15)]


def test_the_motion_of_a_ball() -> None:
    ball = Ball(x=0.1, y=0.2, vx=0.3, vy=0.4, ax=9, ay=9, fuel=2)
    assert motion_of(ball) == Motion(0.1, 0.2, 0.3, 0.4)
    assert motion_of(ball).speed == pytest.approx(0.5)


def test_directions() -> None:
    assert direction(3, 4) == pytest.approx((0.6, 0.8))
    assert direction(0, -2, 0.1) == pytest.approx((0, -0.1))
    assert direction(0, 0) == (0, 0)
    for found, wanted in zip(compass(4), [(1, 0), (0, 1), (-1, 0), (0, -1)], strict=True):
        assert found == pytest.approx(wanted)
    assert compass(4, turn=0.5)[0] == pytest.approx((0.5**0.5, 0.5**0.5))


@given(st.floats(0.01, 0.3))
def test_the_braking_distance_is_enough(speed: float) -> None:
    motion = Motion(0.0, 0.0, speed, 0.0)
    while motion.vx > 0:
        motion = motion.after((-THRUST, 0.0), 1)
    assert motion.x <= braking_distance(speed, THRUST) <= motion.x + speed * DT


# --- times --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("d", "v", "time"),
    [
        ((1.0, 0.0), (-0.1, 0.0), 9.8),
        ((1.0, 0.0), (0.1, 0.0), None),
        ((1.0, 0.0), (0.0, 0.0), None),
        ((1.0, 0.1), (-0.1, 0.0), None),
        ((0.01, 0.01), (0.5, 0.5), 0.0),
        ((0.3, 0.4), (-0.03, -0.04), 9.6),
        ((1.0, 0.02), (-0.1, 0.0), 10.0),
    ],
    ids=str,
)
def test_contact_time(d: tuple[float, float], v: tuple[float, float], time: float | None) -> None:
    found = contact_time(*d, *v, reach=0.02)
    assert found == (None if time is None else pytest.approx(time, abs=1e-6))


@given(PLACES, PLACES, SPEEDS, SPEEDS)
def test_contact_time_is_the_first_contact(dx: float, dy: float, vx: float, vy: float) -> None:
    time = contact_time(dx, dy, vx, vy, 0.02)
    if time is not None:
        assert hypot(dx + vx * time, dy + vy * time) == pytest.approx(0.02, abs=1e-6)
    samples = [hypot(dx + vx * t / 50, dy + vy * t / 50) for t in range(int(min(time or 20, 20) * 50))]
    assert min(samples, default=inf) > 0.02 - 1e-6


@given(MOTIONS, PLACES, PLACES)
def test_time_to_reach_can_be_flown(start: Motion, x: float, y: float) -> None:
    args = (x - start.x, y - start.y, start.vx, start.vy, THRUST, 0.02)
    time, (px, py) = time_to_reach(*args), thrust_to_reach(*args)
    end = start.after((px * THRUST, py * THRUST), round(time / DT))
    # Within the reach, what the search leaves open, and what a step is long.
    assert hypot(end.x - x, end.y - y) < 0.02 + 0.001 + (start.speed + THRUST * time) * DT


@given(MOTIONS, PLACES, PLACES, PUSHES)
def test_no_steady_thrust_is_faster(start: Motion, x: float, y: float, push: tuple[float, float]) -> None:
    time = time_to_reach(x - start.x, y - start.y, start.vx, start.vy, THRUST, 0.02)
    for steps in range(0, int(time / DT) - 8, 4):
        end = start.after((push[0] * THRUST, push[1] * THRUST), steps)
        assert hypot(end.x - x, end.y - y) > 0.02


def test_time_to_reach_from_rest() -> None:
    assert time_to_reach(0.2, 0.0, 0.0, 0.0, THRUST) == pytest.approx(2.0, abs=0.02)
    assert time_to_reach(0.01, 0.0, 0.0, 0.0, THRUST, reach=0.02) == 0.0


@given(MOTIONS, MOTIONS)
def test_a_flight_needs_no_more_than_the_thrust(start: Motion, end: Motion) -> None:
    flight = Flight.between(start, end, THRUST)
    half = flight.time / 2
    x, y = flight.middle
    middle = flight.at(half)
    assert (middle.x, middle.y) == pytest.approx((x, y), abs=1e-9)
    for (vx, vy), (wx, wy) in (((start.vx, start.vy), middle[2:]), (middle[2:], (end.vx, end.vy))):
        assert hypot(wx - vx, wy - vy) <= half * THRUST * 1.05 + 1e-6
    assert flight.at(0.0) == pytest.approx(start, abs=1e-6)
    assert flight.at(flight.time) == pytest.approx(end, abs=1e-6)
    assert flight.at(flight.time + 1) == pytest.approx(end, abs=1e-6)


def test_time_between_on_a_straight_line() -> None:
    """From rest to rest over 0.4: half of it accelerating, half of it braking, 2 s each."""
    time = time_between(Motion(0, 0, 0, 0), Motion(0.4, 0, 0, 0), THRUST)
    assert time == pytest.approx(4.0, rel=0.01)


# --- obstacles ----------------------------------------------------------------------------------


def test_clearance() -> None:
    field = obstacles((0.5, 0.5))
    assert field.clearance(0.3, 0.5) == pytest.approx(0.14)
    assert field.clearance(0.05, 0.5) == pytest.approx(0.04)
    assert field.clearance(0.5, 0.995) == pytest.approx(-0.005)
    assert field.clearance(0.5, 0.47) == pytest.approx(-0.03)
    assert obstacles((0.5, 0.5), margin=0.01).clearance(0.3, 0.5) == pytest.approx(0.13)


@given(PLACES, PLACES, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_a_clear_way_is_clear_all_along(x: float, y: float, dx: float, dy: float) -> None:
    field = obstacles((0.5, 0.5), (0.3, 0.2), (0.8, 0.75))
    clearances = [field.clearance(x + dx * k / 200, y + dy * k / 200) for k in range(201)]
    if field.is_clear(x, y, dx, dy):
        assert min(clearances) > 0
    else:
        assert min(clearances) < 0.001


def test_the_first_mine_on_the_way() -> None:
    field = obstacles((0.7, 0.5), (0.4, 0.52), (0.4, 0.9))
    assert field.first_mine(0.1, 0.5, 0.8, 0.0) == (0.4, 0.52)
    assert field.first_mine(0.9, 0.5, -0.8, 0.0) == (0.7, 0.5)
    assert field.first_mine(0.1, 0.5, 0.1, 0.0) is None


@pytest.mark.parametrize(
    ("motion", "safe"),
    [
        (Motion(0.5, 0.5, 0.3, 0.0), True),
        (Motion(0.5, 0.5, 0.32, 0.0), False),
        (Motion(0.98, 0.5, 0.0, 0.0), True),
        (Motion(0.995, 0.5, 0.0, 0.0), False),
        (Motion(0.2, 0.2, 0.1, 0.0), True),
        (Motion(0.2, 0.2, 0.0, -0.2), False),
    ],
    ids=str,
)
def test_can_stop(motion: Motion, safe: bool) -> None:
    assert obstacles().can_stop(motion) is safe


@given(MOTIONS)
def test_who_can_stop_does_so_under_the_real_rules(motion: Motion) -> None:
    mines = ((0.4, 0.5), (0.7, 0.3))
    if not obstacles(*mines).can_stop(motion):
        return
    ball = dict(zip(("x", "y", "vx", "vy"), motion, strict=True))
    setup = {
        "ruleset": {"steps_per_tick": 1},
        "stations": [],
        "mines": [list(mine) for mine in mines],
        "balls": [ball, {}],
    }
    state = GAME.prepare(0, setup)
    while (speed := hypot(state.balls[0].vx, state.balls[0].vy)) > THRUST * DT:
        state = GAME.step(
            state, [GAME.parse_action({"thrust": [-state.balls[0].vx, -state.balls[0].vy]}), None]
        )
        assert state.reason is None, speed


@given(MOTIONS)
def test_an_escape_is_one(motion: Motion) -> None:
    field = obstacles((0.4, 0.5), (0.7, 0.3), (0.25, 0.8), margin=0.002)
    bare = obstacles((0.4, 0.5), (0.7, 0.3), (0.25, 0.8))
    escape = field.escape(motion, 5)
    if escape is None:
        return
    for _ in range(escape.ticks * 5):
        motion = motion.after((escape.push[0] * THRUST, escape.push[1] * THRUST), 1)
        assert bare.clearance(motion.x, motion.y) > 0
    assert bare.can_stop(motion)


def test_where_braking_does_not_help_a_swerve_may() -> None:
    towards = Motion(0.3, 0.52, 0.2, 0.0)
    field = obstacles((0.5, 0.5))
    assert not field.can_stop(towards)
    escape = field.escape(towards, 5)
    assert escape is not None
    assert escape.push == pytest.approx((0.0, 1.0))
    assert escape.ticks > 0
    assert field.escape(Motion(0.43, 0.5, 0.3, 0.0), 5) is None


def test_the_way_round_a_mine() -> None:
    field = obstacles((0.5, 0.5))
    assert field.way_round(0.1, 0.1, (0.2, 0.9)) == (0.2, 0.9)
    x, y = field.way_round(0.2, 0.51, (0.8, 0.51))
    assert x == pytest.approx(0.5, abs=0.05)
    assert y > 0.56
    assert field.is_clear(0.2, 0.51, x - 0.2, y - 0.51)


def test_the_way_round_does_not_lead_into_a_wall() -> None:
    """Below the mine there is no room, so the longer way above it is taken."""
    x, y = obstacles((0.5, 0.07)).way_round(0.2, 0.06, (0.8, 0.06))
    assert y > 0.07
    assert 0.4 < x < 0.6

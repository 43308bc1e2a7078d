"""Motion, bit by bit (B2.3)."""

from fractions import Fraction

import pytest

from fangnetz_server.games.spaceballs import GAME
from fangnetz_server.games.spaceballs.motion import begin_tick, fly
from fangnetz_server.games.spaceballs.state import Thrust

QUIET = {"stations": [], "mines": [], "balls": [{"x": 0.3, "y": 0.3}, {"x": 0.7, "y": 0.7}]}


def test_motion_gives_the_bits_of_the_rule() -> None:
    state = begin_tick(GAME.prepare(0, QUIET), (Thrust(3.0, 4.0), Thrust(-1.0, 0.0)))
    ball = state.balls[0]
    x, y, vx, vy = ball.x, ball.y, ball.vx, ball.vy
    for steps in range(1, 200):
        state = fly(state, 1)
        vx = vx + ball.ax * 0.01
        vy = vy + ball.ay * 0.01
        x = x + vx * 0.01
        y = y + vy * 0.01
        moved = state.balls[0]
        assert (moved.x, moved.y, moved.vx, moved.vy) == (x, y, vx, vy), steps


def test_many_steps_at_once_give_the_same_bits_as_one_by_one() -> None:
    start = begin_tick(GAME.prepare(0, QUIET), (Thrust(0.123, -0.456), None))
    one_by_one = start
    for _ in range(17):
        one_by_one = fly(one_by_one, 1)
    assert fly(start, 17) == one_by_one
    assert GAME.fingerprint(fly(start, 17)) == GAME.fingerprint(one_by_one)


@pytest.mark.parametrize("steps", [1, 2, 10, 100, 250])
def test_the_way_from_rest_is_that_of_the_formula(steps: int) -> None:
    state = fly(begin_tick(GAME.prepare(0, QUIET), (Thrust(1.0, 0.0), None)), steps)
    way = Fraction(1, 100_000) * steps * (steps + 1) / 2
    assert state.balls[0].x - 0.3 == pytest.approx(float(way), abs=1e-12)
    assert state.balls[0].vx == pytest.approx(0.001 * steps, abs=1e-12)


def test_a_zero_has_no_sign() -> None:
    """Equal states have equal bits: -0.0 equals 0.0, but its fingerprint would differ."""
    minus = GAME.parse_action({"thrust": [-5e-324, -0.0]})
    lift = GAME.parse_action({"thrust": [-5e-324, 1e6]})
    start = GAME.prepare(0, {**QUIET, "balls": [{"x": 0.3, "y": 0.3, "vx": -0.0}, {"x": 0.7, "y": 0.7}]})
    for action in (minus, lift):
        after = GAME.step(start, [action, None])
        assert b"\x00\x00\x00\x00\x00\x00\x00\x80" not in GAME.fingerprint(after)

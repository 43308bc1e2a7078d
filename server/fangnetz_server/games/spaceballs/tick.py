"""Runs a tick: the stages of `stages.py` step by step, or all its steps at once where nothing can happen."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from fangnetz_server.games.spaceballs.contact import touch, touches_any
from fangnetz_server.games.spaceballs.motion import begin_tick, fly
from fangnetz_server.games.spaceballs.ruleset import DT
from fangnetz_server.games.spaceballs.stages import CLEARING, SPACEBALLS
from fangnetz_server.games.spaceballs.state import (
    BALL_RADIUS,
    MINE_RADIUS,
    STATION_RADIUS,
    Ball,
    State,
    Thrust,
)

__all__ = ["run_tick"]

MARGIN: Final = 1e-6
"""Added to all reaches, so that no rounding makes a contact look out of reach."""


def run_tick(state: State, actions: Sequence[Thrust | None]) -> State:
    """Return the state after the next tick: `steps_per_tick` steps under one action a ball (B2.4)."""
    ruleset = state.arena.ruleset
    until = min(state.step + ruleset.steps_per_tick, state.arena.steps)
    state = begin_tick(state, actions)
    if _is_calm(state, until):
        return fly(state, until - state.step)
    while state.reason is None and state.step < until:
        for stage in SPACEBALLS:
            state = stage(state)
    return state


def _is_calm(state: State, until: int) -> bool:
    """Tell whether no contact and no clock can interrupt the motion up to that step.

    Most ticks are calm; what holds for the whole tick need not be looked at in each step.
    """
    arena = state.arena
    if until >= arena.steps or (not state.stations.items and _clearing_between(state, until)):
        return False
    steps = until - state.step
    red, blue = state.balls
    red_reach, blue_reach = _reach(red, steps), _reach(blue, steps)
    if _something_near(state, red, red_reach) or _something_near(state, blue, blue_reach):
        return False
    return red.fuel == blue.fuel or not touch(red, blue, 2 * BALL_RADIUS + red_reach + blue_reach)


def _clearing_between(state: State, until: int) -> bool:
    start = 0 if state.arena.ruleset.mine_clock == "grid" else state.last_station
    return (until - start) // CLEARING != (state.step - start) // CLEARING


def _reach(ball: Ball, steps: int) -> float:
    """Return a way that the ball cannot exceed in so many steps."""
    speed = sqrt(ball.vx * ball.vx + ball.vy * ball.vy)
    gain = sqrt(ball.ax * ball.ax + ball.ay * ball.ay) * DT
    return (speed * steps + gain * steps * (steps + 1) / 2) * DT + MARGIN


def _something_near(state: State, ball: Ball, reach: float) -> bool:
    x, y = ball.x, ball.y
    margin = BALL_RADIUS + reach
    if not (margin < x < 1 - margin and margin < y < 1 - margin):
        return True
    return touches_any(ball, state.mines.items, MINE_RADIUS + margin) or touches_any(
        ball, state.stations.items, STATION_RADIUS + margin
    )

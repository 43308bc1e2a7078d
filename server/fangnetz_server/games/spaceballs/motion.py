"""How the balls move (B2): inertia under one acceleration a tick."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from fangnetz_server.games.spaceballs.ruleset import DT
from fangnetz_server.games.spaceballs.state import Ball, State, Thrust

__all__ = ["begin_tick", "fly"]

COASTING: Final = 1e-9
"""Up to this length a thrust is none (B2.2)."""


def begin_tick(state: State, actions: Sequence[Thrust | None]) -> State:
    """Return the state at the beginning of the next tick, its accelerations set and no event yet (B2.4)."""
    size = state.arena.ruleset.thrust
    red, blue = state.balls
    return State(
        state.arena,
        state.tick + 1,
        state.step,
        (_accelerated(red, actions[0], size), _accelerated(blue, actions[1], size)),
        state.stations,
        state.mines,
        state.last_station,
    )


def _accelerated(ball: Ball, thrust: Thrust | None, size: float) -> Ball:
    ax = ay = 0.0
    if thrust is not None and (length := sqrt(thrust.x * thrust.x + thrust.y * thrust.y)) > COASTING:
        # Adding 0.0 turns -0.0 into 0.0: equal states have equal bits.
        ax, ay = thrust.x / length * size + 0.0, thrust.y / length * size + 0.0
    return Ball(ball.x, ball.y, ball.vx, ball.vy, ax, ay, ball.fuel)


def fly(state: State, steps: int) -> State:
    """Return the state so many steps later, if nothing but motion happens in them (B2.3)."""
    red, blue = state.balls
    return State(
        state.arena,
        state.tick,
        state.step + steps,
        (_moved(red, steps), _moved(blue, steps)),
        state.stations,
        state.mines,
        state.last_station,
        events=state.events,
    )


def _moved(ball: Ball, steps: int) -> Ball:
    x, y, vx, vy = ball.x, ball.y, ball.vx, ball.vy
    # B2.3: v += a*dt, then p += v*dt with the new v; step by step, because a sum of products
    # rounds otherwise (B3.2).
    gain_x, gain_y = ball.ax * DT, ball.ay * DT
    for _ in range(steps):
        vx += gain_x
        vy += gain_y
        x += vx * DT
        y += vy * DT
    return Ball(x, y, vx, vy, ball.ax, ball.ay, ball.fuel)

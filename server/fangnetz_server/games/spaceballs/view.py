"""What bots and spectators see of a match; nothing is hidden in this game (B6.1).

The models in `fangnetz_protocol.spaceballs` describe these objects; they are built as plain
dictionaries, because three of them go out every tick.
"""

from typing import assert_never

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.spaceballs.ruleset import DT, STEPS_PER_SECOND
from fangnetz_server.games.spaceballs.state import (
    BALL_RADIUS,
    MINE_RADIUS,
    SEATS,
    STATION_RADIUS,
    Ball,
    Caught,
    Crashed,
    Event,
    MineRemoved,
    Refuelled,
    State,
    Timeout,
)

__all__ = ["briefing", "frame", "observe"]


def briefing(state: State) -> JsonObject:
    """Return the field at the start and all sizes (B1.1)."""
    arena = state.arena
    return {
        "stations": arena.stations.shown,
        "mines": arena.mines.shown,
        "ball_radius": BALL_RADIUS,
        "station_radius": STATION_RADIUS,
        "mine_radius": MINE_RADIUS,
        "steps": arena.steps,
        "steps_per_tick": arena.ruleset.steps_per_tick,
        "dt": DT,
        "thrust": arena.ruleset.thrust,
    }


def observe(state: State, seat: SeatId) -> JsonObject:
    """Return everything, with the own ball apart (B6.1)."""
    return {
        "step": state.step,
        "time": state.step / STEPS_PER_SECOND,
        "me": _ball(state.balls[seat]),
        "opponent": _ball(state.balls[1 - seat]),
        "stations": state.stations.shown,
        "mines": state.mines.shown,
        "events": [_event(event) for event in state.events],
    }


def frame(state: State) -> JsonObject:
    """Return everything, as spectators get it (P3.3)."""
    return {
        "step": state.step,
        "time": state.step / STEPS_PER_SECOND,
        "balls": [{"seat": seat, **_ball(state.balls[seat]), "points": state.points[seat]} for seat in SEATS],
        "stations": state.stations.shown,
        "mines": state.mines.shown,
        "defender": state.defender,
        "events": [_event(event) for event in state.events],
    }


def _ball(ball: Ball) -> JsonObject:
    return {
        "x": ball.x,
        "y": ball.y,
        "vx": ball.vx,
        "vy": ball.vy,
        "ax": ball.ax,
        "ay": ball.ay,
        "fuel": ball.fuel,
    }


def _event(event: Event) -> JsonObject:
    match event:
        case Refuelled(seat, station):
            return {"kind": "refuelled", "seat": seat, "station": station}
        case MineRemoved(mine):
            return {"kind": "mine_removed", "mine": mine}
        case Crashed(seat, into):
            return {"kind": "crashed", "seat": seat, "into": into}
        case Caught(seat, by):
            return {"kind": "caught", "seat": seat, "by": by}
        case Timeout():
            return {"kind": "timeout"}
        case _:
            assert_never(event)

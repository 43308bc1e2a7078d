"""What happens in a step: named stages over frozen states, in the order of B4."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from fangnetz_protocol.words import SeatId, SpaceballsReason
from fangnetz_server.games.spaceballs.contact import distance2, touch, touches_any
from fangnetz_server.games.spaceballs.motion import fly
from fangnetz_server.games.spaceballs.state import (
    BALL_RADIUS,
    MINE_RADIUS,
    SEATS,
    STATION_RADIUS,
    Ball,
    Caught,
    Crashed,
    MineRemoved,
    Place,
    Refuelled,
    State,
    Timeout,
)

__all__ = [
    "CLEARING",
    "SPACEBALLS",
    "catch",
    "clear_on_grid",
    "clear_since_last_station",
    "crash",
    "move",
    "refuel",
    "time_out",
]

CLEARING: Final = 300
"""Steps between two mines that vanish: three seconds (B4.6)."""


def clear_on_grid(state: State) -> State:
    """Mine clock "grid": a mine vanishes at the start of every 300th step (B7)."""
    if state.arena.ruleset.mine_clock != "grid" or state.stations.items or (state.step + 1) % CLEARING:
        return state
    return _clear_mine(state)


def move(state: State) -> State:
    """Motion of both balls (B4.1)."""
    return fly(state, 1)


def refuel(state: State) -> State:
    """Each ball takes the stations that it touches; one touched by both counts for both (B4.2)."""
    reach = STATION_RADIUS + BALL_RADIUS
    red, blue = state.balls
    if not (touches_any(red, state.stations.items, reach) or touches_any(blue, state.stations.items, reach)):
        return state
    taken = [
        (seat, place)
        for place in state.stations.items
        for seat in SEATS
        if touch(state.balls[seat], place, reach)
    ]
    stations = state.stations.without({place for _, place in taken})
    red, blue = (
        state.balls[seat]._replace(fuel=state.balls[seat].fuel + sum(taker == seat for taker, _ in taken))
        for seat in SEATS
    )
    return replace(
        state,
        balls=(red, blue),
        stations=stations,
        last_station=state.last_station if stations.items else state.step,
        events=state.events + tuple(Refuelled(seat, place.id) for seat, place in taken),
    )


def crash(state: State) -> State:
    """A ball that touches a mine or a wall has crashed; the other one gets the point (B4.3)."""
    crashes = [
        Crashed(seat, into)
        for seat in SEATS
        if (into := _hit(state.balls[seat], state.mines.items)) is not None
    ]
    if not crashes:
        return state
    events = state.events + tuple(crashes)
    if len(crashes) == 2:
        return replace(state, reason=SpaceballsReason.DOUBLE_CRASH, events=events)
    [crashed] = crashes
    wall = crashed.into == "wall"
    reason = SpaceballsReason.CRASH_WALL if wall else SpaceballsReason.CRASH_MINE
    return replace(state, reason=reason, points=_point_for(SeatId(1 - crashed.seat)), events=events)


def _hit(ball: Ball, mines: Iterable[Place]) -> str | None:
    # B4.3: who touches a wall and a mine has one crash, into the wall.
    r = BALL_RADIUS
    if ball.x - r <= 0 or ball.x + r >= 1 or ball.y - r <= 0 or ball.y + r >= 1:
        return "wall"
    return "mine" if touches_any(ball, mines, MINE_RADIUS + r) else None


def catch(state: State) -> State:
    """The ball that has refuelled more often gets the other one by touching it (B4.4)."""
    if state.reason is not None and state.arena.ruleset.crash_and_catch == "crash":
        return state
    defender = state.defender
    if defender is None or not touch(*state.balls, 2 * BALL_RADIUS):
        return state
    catcher = SeatId(1 - defender)
    point = _point_for(catcher)
    # B7: with crash_and_catch "both" the defender may have a point already, by a crash of the catcher.
    points = (max(state.points[0], point[0]), max(state.points[1], point[1]))
    caught = Caught(defender, catcher)
    return replace(state, reason=SpaceballsReason.CATCH, points=points, events=(*state.events, caught))


def clear_since_last_station(state: State) -> State:
    """A mine vanishes at the end of every 300th step after the last station (B4.6)."""
    since = state.step - state.last_station
    if (
        state.reason is not None
        or state.arena.ruleset.mine_clock != "since_last_station"
        or state.stations.items
        or since == 0
        or since % CLEARING
    ):
        return state
    return _clear_mine(state)


def _clear_mine(state: State) -> State:
    if not state.mines.items:
        return state
    mine = state.mines.items[-1] if state.arena.ruleset.mine_choice == "last" else _nearest_mine(state)
    return replace(state, mines=state.mines.without({mine}), events=(*state.events, MineRemoved(mine.id)))


def _nearest_mine(state: State) -> Place:
    # B4.6: nearest to the defender; nobody defends with equal counts, then nearest to either ball.
    balls = state.balls if state.defender is None else (state.balls[state.defender],)
    return min(state.mines.items, key=lambda mine: (min(distance2(ball, mine) for ball in balls), mine.id))


def time_out(state: State) -> State:
    """After the last step without a point the match is a draw (B4.5)."""
    if state.reason is not None or state.step < state.arena.steps:
        return state
    return replace(state, reason=SpaceballsReason.TIMEOUT, events=(*state.events, Timeout()))


SPACEBALLS: Final = (clear_on_grid, move, refuel, crash, catch, clear_since_last_station, time_out)
"""The stages of a step. B4.5 comes last: it speaks of the time after the last step, B4.6 of its end."""


def _point_for(seat: SeatId) -> tuple[float, float]:
    return (1.0, 0.0) if seat == 0 else (0.0, 1.0)

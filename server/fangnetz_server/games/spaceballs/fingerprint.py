"""The exact encoding of a state that replays are compared by."""

from struct import Struct
from typing import Final

from fangnetz_protocol.words import SpaceballsReason
from fangnetz_server.games.spaceballs.ruleset import Ruleset
from fangnetz_server.games.spaceballs.state import Arena, Ball, Places, State

__all__ = ["build_arena", "fingerprint"]

_NUMBERS: Final = Struct("<3IB2d2I")
_BALL: Final = Struct("<6dI")
_PLACE: Final = Struct("<2d")
_REASONS: Final = {None: 0} | {reason: number for number, reason in enumerate(SpaceballsReason, start=1)}


def build_arena(ruleset: Ruleset, stations: Places, mines: Places) -> Arena:
    """Return the static part of a match with its encoding."""
    points = b"".join(_PLACE.pack(place.x, place.y) for place in stations.items + mines.items)
    code = b"%s%d/%d/%s" % (ruleset.model_dump_json().encode(), len(stations.items), len(mines.items), points)
    return Arena(ruleset, stations, mines, ruleset.steps, code)


def fingerprint(state: State) -> bytes:
    """Return an exact encoding of the state: floats bit by bit (B3.2), no digits lost."""
    stations, mines = state.stations.items, state.mines.items
    numbers = _NUMBERS.pack(
        state.tick,
        state.step,
        state.last_station,
        _REASONS[state.reason],
        *state.points,
        len(stations),
        len(mines),
    )
    # The ids tell which places are left; where these lie is in the arena's code.
    left = bytes([place.id for place in stations] + [place.id for place in mines])
    events = repr(state.events).encode() if state.events else b""
    red, blue = state.balls
    return b"".join((state.arena.code, numbers, _ball(red), _ball(blue), left, events))


def _ball(ball: Ball) -> bytes:
    return _BALL.pack(ball.x, ball.y, ball.vx, ball.vy, ball.ax, ball.ay, ball.fuel)

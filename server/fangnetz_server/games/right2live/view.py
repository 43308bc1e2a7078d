"""What each role gets to see: the only place where a state of the rules becomes a message (R8).

All of it is plain data for the codec; the models of `fangnetz_protocol.right2live` describe it.
"""

from fractions import Fraction
from typing import Final

from fangnetz_protocol.words import SeatId, Team
from fangnetz_server.games.contract import JsonObject
from fangnetz_server.games.right2live.points import forced_round
from fangnetz_server.games.right2live.sight import sight
from fangnetz_server.games.right2live.state import BLUE, Blocked, Caught, Event, Player, Poisoned, State

__all__ = ["briefing", "frame", "next_forced", "observe", "rounded"]

_TEAM: Final = {team: str(team) for team in Team}


def briefing(state: State, seat: SeatId | None) -> JsonObject:
    """Return the static part: the map, and for spectators (`seat` None) the poison (R8.1, R8.4)."""
    if seat is None:
        return {"map": state.arena.rows(), "toxicity": state.arena.layer()}
    return {"map": state.arena.rows()}


def observe(state: State, seat: SeatId) -> JsonObject:
    """Return what the bot on this seat knows (R8.1)."""
    me = state.players[seat]
    x, y = state.arena.xy(me.field)
    return {
        "me": {
            "x": x,
            "y": y,
            "view": str(me.view),
            "team": _TEAM[me.team],
            "life": me.life / 100,
            "points": rounded(me.points),
            "standing": me.standing,
            "toxicity": state.arena.toxicity[me.field] / 100,
        },
        "players": _known(state, seat),
        "teams": [_TEAM[player.team] for player in state.players],
        "lives": [player.life / 100 for player in state.players],
        "last_change": state.last_change,
        "next_forced": next_forced(state),
        "events": [
            _event(event) for event in state.events if not isinstance(event, Blocked) or event.seat == seat
        ],
    }


def frame(state: State) -> JsonObject:
    """Return the whole state for spectators (R8.4, protocol P3.3)."""
    blue = state.count(BLUE)
    return {
        "players": [_whole(state, seat, player) for seat, player in enumerate(state.players)],
        "blue": blue,
        "red": state.seat_count - blue,
        "last_change": state.last_change,
        "next_forced": next_forced(state),
        "events": [_event(event) for event in state.events],
    }


def next_forced(state: State) -> int | None:
    """Return the round of the next forced change if nobody changes before; None: there is none (R5.4)."""
    if state.count(BLUE) < 2:
        return None
    return max(forced_round(state.last_change), state.tick + 1)


def rounded(points: Fraction) -> float:
    """Return points as they go over the wire (R6.4)."""
    return round(points.numerator / points.denominator, 6)


def _known(state: State, seat: SeatId) -> list[JsonObject]:
    """Return the others whose position this seat knows: team mates, and opponents he sees (R8.1, R8.2)."""
    players = state.players
    me = players[seat]
    arena = state.arena
    stride = arena.stride
    table = sight(stride, state.ruleset.fov_degrees)
    my_y, my_x = divmod(me.field, stride)
    # R8.3: walls and all other players block; the own fields of the two never do.
    solid = arena.walls | sum(1 << player.field for player in players if player is not me)
    known = []
    for other, player in enumerate(players):
        y, x = divmod(player.field, stride)
        if player.team is me.team:
            seen = other != seat
        else:
            seen = table.sees(me.view, me.field, x - my_x, y - my_y, solid ^ 1 << player.field)
        if seen:
            known.append(
                {"seat": other, "x": x - 1, "y": y - 1, "view": str(player.view), "team": _TEAM[player.team]}
            )
    return known


def _whole(state: State, seat: int, player: Player) -> JsonObject:
    x, y = state.arena.xy(player.field)
    return {
        "seat": seat,
        "x": x,
        "y": y,
        "view": str(player.view),
        "team": _TEAM[player.team],
        "life": player.life / 100,
        "points": rounded(player.points),
        "standing": player.standing,
    }


def _event(event: Event) -> JsonObject:
    if isinstance(event, Caught):
        return {"kind": "caught", "seat": event.seat, "by": list(event.by)}
    if isinstance(event, Blocked):
        return {"kind": "blocked", "seat": event.seat}
    return {"kind": "poisoned" if isinstance(event, Poisoned) else "forced", "seat": event.seat}

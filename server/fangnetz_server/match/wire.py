"""Builds a match's messages as bytes, each once an audience (decision 5).

They are dictionaries on purpose, not the models of the protocol: building and checking a model
costs more than a tick of the rules, and a test holds the real traffic against the models instead.
"""

from collections.abc import Sequence
from typing import Any

from fangnetz_protocol.codec import encode_dict
from fangnetz_protocol.words import MatchId, Pace, SeatId, Tick
from fangnetz_server.games.contract import GameState, JsonObject
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Seat
from fangnetz_server.match.settings import MatchSettings

__all__ = ["frame", "match_end", "match_start", "observation", "seat_frame"]


def match_start(
    match: MatchId,
    game: AnyGame,
    state: GameState,
    seats: Sequence[Seat],
    settings: MatchSettings,
    deadline_ms: int,
    seat: SeatId | None,
) -> bytes:
    """Return `match_start` for a seat, or for spectators (None). The seed is never in it."""
    own: dict[str, Any] = {} if seat is None else {"seat": seat}
    return encode_dict(
        {
            "type": "match_start",
            "match": match,
            "game": game.info.id,
            "rules_version": game.info.rules_version,
            "ruleset": game.ruleset(state),
            **own,
            "seats": [{"seat": place.number, "name": place.entrant.name} for place in seats],
            "pace": settings.pace,
            "tick_ms": settings.tick_ms,
            "deadline_ms": deadline_ms,
            "bank_ms": settings.bank_ms if settings.pace is Pace.LOCKSTEP else 0,
            "action_delay": settings.action_delay,
            "ticks": game.last_tick(state),
            "setup": game.briefing(state, seat),
        }
    )


def observation(
    match: MatchId,
    tick: int,
    deadline_ms: int,
    bank_ms: int,
    place: Seat,
    part: JsonObject,
    missed: Sequence[Tick],
) -> bytes:
    """Return the `observation` for a seat; `part` is what the game lets it see."""
    last = place.last_action
    message = {
        "type": "observation",
        "match": match,
        "tick": tick,
        "deadline_ms": deadline_ms,
        "bank_ms": bank_ms,
        "last_action": last.to_wire() if last else None,
        **part,
    }
    if missed:
        message["missed"] = missed
    return encode_dict(message)


def frame(match: MatchId, game: AnyGame, state: GameState, seats: Sequence[Seat]) -> bytes:
    """Return the `frame` of a state for spectators (P3.3)."""
    part = game.frame(state)
    roster = [
        {**entry, "connected": place.connected, "latency_ms": _latency_ms(place)}
        for entry, place in zip(part[game.info.roster], seats, strict=True)
    ]
    return encode_dict(
        {"type": "frame", "match": match, "tick": state.tick, **part, game.info.roster: roster}
    )


def _latency_ms(place: Seat) -> float | None:
    """Return the latency of the seat's last answer, short enough for a frame of twenty."""
    last = place.last_action
    return None if last is None or last.latency_ms is None else round(last.latency_ms, 1)


def seat_frame(match: MatchId, game: AnyGame, state: GameState, seat: SeatId) -> bytes:
    """Return a `frame` that holds what the bot on a seat sees (P3.6)."""
    return encode_dict({"type": "frame", "match": match, "tick": state.tick, **game.observe(state, seat)})


def match_end(result: MatchResult, replay: str | None) -> bytes:
    """Return `match_end`; `replay` is the path of the stored replay on this server."""
    return encode_dict(
        {
            "type": "match_end",
            "match": result.match,
            "reason": result.reason,
            "places": result.places,
            "points": result.points,
            "ticks": result.ticks,
            "replay": replay,
        }
    )

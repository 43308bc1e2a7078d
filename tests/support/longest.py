"""The longest match that can be: nobody is ever caught, and the last BLUE walks on the mildest poison."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from fangnetz_protocol.words import BotId, MatchId, SeatId
from fangnetz_server.games.right2live import GAME
from fangnetz_server.match import wire
from fangnetz_server.match.recorder import MatchHeader, Recorder
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Entrant, Presence, Seat
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.store import opened_store
from support.stored import NOON, STATS, start_of

__all__ = ["LONGEST", "ROUNDS", "store_longest"]

LONGEST: Final = MatchId("longest")
ROUNDS: Final = 10_000
"""R4.1 and R7.2: 100.00 life, of which every round takes at least 0.01."""
_SEATS: Final = 20
_WIDTH, _HEIGHT = 70, 30


async def store_longest(folder: Path) -> None:
    """Put the match, with 20 players on 70x30 fields, into the store of a folder."""
    setup = _rooms()
    settings = MatchSettings.defaults(GAME.info)
    state = GAME.prepare(1, setup)
    entrants = tuple(Entrant(BotId(f"bot-{seat}"), f"Bot {seat}") for seat in range(_SEATS))
    recorder = Recorder(MatchHeader(LONGEST, GAME, 1, entrants, settings), state)
    while (outcome := GAME.outcome(state)) is None:
        # To and fro between the two fields of a room, so that the poison never counts double (R4.1).
        actions = [GAME.parse_action({"move": "WEST" if state.tick % 2 else "EAST"})] * _SEATS
        state = GAME.step(state, actions)
        recorder.tick(state, actions, [None] * _SEATS, None)
    digest = recorder.finish(outcome.reason, outcome, [Presence.PLAYED] * _SEATS)
    start = start_of(
        LONGEST,
        game="right2live",
        seed=1,
        setup=setup,
        settings=settings.model_dump(mode="json"),
        entrants=entrants,
    )
    result = MatchResult(
        match=LONGEST,
        game="right2live",
        rules_version=1,
        seed=1,
        reason=outcome.reason,
        detail=None,
        ticks=state.tick,
        seats=tuple(
            SeatResult(
                seat, **asdict(entrant), points=points, place=place, presence=Presence.PLAYED, stats=STATS
            )
            for seat, (entrant, points, place) in enumerate(
                zip(entrants, outcome.points, outcome.places, strict=True)
            )
        ),
        digest=digest,
    )
    seats = [Seat(SeatId(number), entrant, 0) for number, entrant in enumerate(entrants)]
    picture = (
        wire.match_start(LONGEST, GAME, GAME.prepare(1, setup), seats, settings, 1000, None),
        wire.frame(LONGEST, GAME, state, seats),
        wire.match_end(result, None),
    )
    async with opened_store(folder) as store:
        await store.matches.finish(start, result, replay=recorder.data, picture=picture, ended_at=NOON)


def _rooms() -> dict[str, Any]:
    """Return a setup with a room of two fields for every seat."""
    rows = [["#"] * _WIDTH for _ in range(_HEIGHT)]
    places = [(1 + 6 * (seat % 10), 1 + 4 * (seat // 10)) for seat in range(_SEATS)]
    for x, y in places:
        rows[y][x] = rows[y][x + 1] = "."
    seats = [{"x": x, "y": y} for x, y in places]
    return {"map": ["".join(row) for row in rows], "seats": seats}

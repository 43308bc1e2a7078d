"""The store: what a result costs besides the disk, and how fast a full store opens and answers."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bench.report import Verdict, note
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Entrant, Presence, SeatStats
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.values import Entry, MatchStart, PairingRef
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = ["store"]

MATCHES: Final = 10_000
BOTS: Final = 200
_A_ROUND: Final = 100
_TRIES: Final = 7
_MEMORY: Final = Path("/dev/shm")
"""Where a write costs no disk, so that what is left is ours."""
_STATS: Final = SeatStats(90, 4, 3, 2, 1, 0, 1.25, 17.5)
_PICTURE: Final = (b'{"type":"match_start"}' * 40, b'{"type":"frame"}' * 60, b'{"type":"match_end"}')
_REPLAY: Final = bytes(range(256)) * 40


def store() -> Iterable[Verdict]:
    """Results, start-up and answers of a store of 10,000 matches and 200 bots (SQLite)."""
    place = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        cpu_ms = asyncio.run(_fill(Path(folder)))
        yield Verdict("a result with its start, in memory", cpu_ms, "<=", 5, "ms CPU")
        opened, answers = asyncio.run(_ask(Path(folder)))
        yield Verdict("start-up with the table of 10,000 matches", opened, "<=", 2, "s")
        for what, took in answers.items():
            yield Verdict(what, took * 1000, "<=", 50, "ms CPU")
    with tempfile.TemporaryDirectory() as folder:
        note(f"a result on the disk here: {asyncio.run(_on_disk(Path(folder))):.1f} ms from call to return")


async def _fill(folder: Path) -> float:
    """Play a tournament into the store and return the CPU milliseconds a match."""
    drawn = [_drawn(number) for number in range(MATCHES)]
    async with opened_store(folder) as filled:
        await _make_cup(filled, drawn)
        start = time.process_time()
        for number, pairing in enumerate(drawn):
            await _play(filled, f"m{number:05}", pairing)
        return (time.process_time() - start) / MATCHES * 1000


async def _ask(folder: Path) -> tuple[float, dict[str, float]]:
    """Return the seconds of start-up, and the CPU seconds of each answer, the best of some."""
    start = time.perf_counter()
    async with opened_store(folder) as filled:
        await filled.tournaments.history("cup")
        opened = time.perf_counter() - start
        answers = {
            "the table's facts after a change": await _after_change_s(filled),
            "the table's facts": await _best_s(lambda: filled.tournaments.history("cup")),
            "the newest 100 results": await _best_s(lambda: filled.matches.page()),
            "the results of a bot": await _best_s(lambda: filled.matches.page(bot="bot7")),
            "the results of a tournament": await _best_s(lambda: filled.matches.page(tournament="cup")),
            "the last 100 of a game": await _best_s(
                lambda: filled.matches.page(game="spaceballs", offset=MATCHES - 100)
            ),
            "faults and latencies of all bots": await _best_s(lambda: filled.facts.totals()),
        }
    return opened, answers


async def _after_change_s(filled: Store) -> float:
    best = float("inf")
    for number in range(MATCHES, MATCHES + _TRIES):
        await filled.tournaments.add_pairings("cup", [_drawn(number)])
        start = time.process_time()
        await filled.tournaments.history("cup")
        best = min(best, time.process_time() - start)
    return best


async def _on_disk(folder: Path) -> float:
    """Return the milliseconds of a result where the disk has to confirm it."""
    matches = 200
    async with opened_store(folder) as filled:
        drawn = [_drawn(number) for number in range(matches)]
        await _make_cup(filled, drawn)
        start = time.perf_counter()
        for number, pairing in enumerate(drawn):
            await _play(filled, f"m{number:05}", pairing)
        return (time.perf_counter() - start) / matches * 1000


async def _best_s(ask: Callable[[], Awaitable[object]]) -> float:
    best = float("inf")
    for _ in range(_TRIES):
        start = time.process_time()
        await ask()
        best = min(best, time.process_time() - start)
    return best


def _drawn(number: int) -> Pairing:
    one, other = number % BOTS, (number + 1 + number // BOTS) % BOTS
    seats = BotKey(f"Team {one}"), BotKey(f"Team {other}")
    return Pairing("main", number // _A_ROUND + 1, number % _A_ROUND + 1, 1, seats, number)


async def _make_cup(filled: Store, drawn: list[Pairing]) -> None:
    bots = [Entry(BotKey(f"Team {number}"), BotId(f"bot{number}"), number + 1) for number in range(BOTS)]
    await filled.tournaments.create("cup", "The Cup", {}, bots)
    await filled.tournaments.add_pairings("cup", drawn)


async def _play(filled: Store, match: str, pairing: Pairing) -> None:
    entrants = tuple(Entrant(BotId(key.replace("Team ", "bot")), key) for key in pairing.seats)
    ref = PairingRef("cup", pairing.id)
    start = MatchStart(
        MatchId(match), "spaceballs", 1, pairing.seed, {}, {}, entrants, datetime.now(UTC), ref
    )
    seats = tuple(
        SeatResult(seat, entrant.bot, entrant.name, 1.0 - seat, seat + 1, Presence.PLAYED, _STATS)
        for seat, entrant in enumerate(entrants)
    )
    result = MatchResult(start.match, start.game, 1, start.seed, "catch", None, 300, seats, "ab" * 16)
    await filled.matches.begin(start)
    await filled.matches.finish(start, result, replay=_REPLAY, picture=_PICTURE)

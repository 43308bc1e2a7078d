"""Matches of instant bots through the scheduler, against a bare loop; and with one slow bot among them.

The bare loop makes the same matches with the same seeds, round by round, and does nothing else.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from statistics import median
from typing import Any, Final

from bench.arena import arena, entrants, patient, peers, run
from bench.report import Verdict, note
from fangnetz_protocol.words import BotId
from fangnetz_server.games.registry import load_games
from fangnetz_server.host.host import Host
from fangnetz_server.scheduling.commands import Commands
from fangnetz_server.scheduling.files import read_plan
from fangnetz_server.scheduling.scheduler import RUNNING, Scheduler
from fangnetz_server.store.values import Entry
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["scheduling"]

TURNS: Final = 5
BOTS: Final = ("ann", "bob", "cid", "dan")
LEGS: Final = 1
SHARE: Final = 0.90
CROWD: Final = 19
LONG: Final = 20
"""Legs, so that it does not come to its end."""
WINDOW_S: Final = 3.0
SLOW_MS: Final = 190
DEADLINE_MS: Final = 200
_LOOK_S: Final = 0.02
_WHO: Final = "bench"


def scheduling() -> Iterable[Verdict]:
    """Match rate through the scheduler as a share of a bare loop's, and with a slow bot among the others."""
    scheduled, bare = run(_overhead())
    note(f"scheduler  {1 / median(scheduled):6.2f} matches/s")
    note(f"bare loop  {1 / median(bare):6.2f} matches/s")
    yield Verdict("match rate as a share of the bare loop's", min(bare) / min(scheduled), ">=", SHARE)
    alone, disturbed = run(_crowd())
    note(f"19 bots                 {alone:6.1f} matches/s")
    note(f"the same with a slow one {disturbed:5.1f} matches/s among them")
    yield Verdict("the others' match rate with a slow bot", disturbed / alone, ">=", SHARE)


# --- overhead ---------------------------------------------------------------------------------


async def _overhead() -> tuple[list[float], list[float]]:
    """Return seconds a match, one figure a turn, through the scheduler and in the bare loop."""
    scheduled: list[float] = []
    bare: list[float] = []
    async with (
        arena(matchmaking=False) as (host, port),
        peers("instant", f"ws://127.0.0.1:{port}/play", *BOTS) as bots,
    ):
        await bots.said()
        scheduler = Scheduler(host, capacity=2)
        async with scheduler.open(f"ws://127.0.0.1:{port}"):
            for turn in range(TURNS):
                plan = _file(BOTS, turn, LEGS, {})
                pairings = next_pairings(read_plan(plan, load_games()).spec, History())
                with _timed(bare, len(pairings)):
                    await _bare_loop(host, pairings)
                with _timed(scheduled, len(pairings)):
                    await _start(scheduler, plan, f"t{turn}")
                    await _over(scheduler, f"t{turn}")
    return scheduled, bare


async def _over(scheduler: Scheduler, tournament: str) -> None:
    """Wait for the end, without looking so often that this would be measured too."""
    while scheduler.run(tournament) is not None:  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_S)


@contextmanager
def _timed(figures: list[float], matches: int) -> Iterator[None]:
    start = time.perf_counter()
    yield
    figures.append((time.perf_counter() - start) / matches)


async def _bare_loop(host: Host, pairings: Sequence[Pairing]) -> None:
    """Play the matches of a round and game at the same time, one such batch after the other."""
    ordered = sorted(pairings, key=lambda pairing: pairing.order)
    for _, batch in groupby(ordered, key=lambda pairing: (pairing.round, pairing.game)):
        tables = [
            host.create_match(
                "spaceballs", entrants(*pairing.seats), seed=pairing.seed, settings=patient("spaceballs")
            )
            for pairing in batch
        ]
        await asyncio.gather(*(host.wait_result(table.match.id) for table in tables))


# --- one slow bot -----------------------------------------------------------------------------


async def _crowd() -> tuple[float, float]:
    """Return the instant bots' matches per second without and with a slow one, the best of some turns."""
    names = [f"b{number:02}" for number in range(CROWD)]
    alone: list[float] = []
    disturbed: list[float] = []
    async with arena(matchmaking=False) as (host, port):
        url = f"ws://127.0.0.1:{port}/play"
        async with peers("instant", url, *names) as bots, peers("slow", url, SLOW_MS, "slow") as last:
            await asyncio.gather(bots.said(), last.said())
            scheduler = Scheduler(host)
            async with scheduler.open(f"ws://127.0.0.1:{port}"):
                for tournament, taking_part in (("alone", names), ("crowd", [*names, "slow"])):
                    await _start(scheduler, _file(taking_part, 0, LONG, {"duration": 3.0}), tournament)
                    await _rest(scheduler, tournament)
                for _ in range(TURNS):
                    alone.append(await _rate(host, scheduler, "alone"))
                    disturbed.append(await _rate(host, scheduler, "crowd"))
    return max(alone), max(disturbed)


async def _rate(host: Host, scheduler: Scheduler, tournament: str) -> float:
    """Let a tournament go on for a while and return the matches per second among the instant bots."""
    commands = Commands(scheduler)
    await commands.resume(tournament, _WHO)
    before = await _among(host)
    begin = time.perf_counter()
    await asyncio.sleep(WINDOW_S)
    rate = (await _among(host) - before) / (time.perf_counter() - begin)
    await _rest(scheduler, tournament)
    return rate


async def _rest(scheduler: Scheduler, tournament: str) -> None:
    """Pause a tournament and end its matches."""
    await Commands(scheduler).pause(tournament, _WHO)
    run = scheduler.run(tournament)
    assert run is not None, "it is paused, not over"
    while run.running:
        for table in list(scheduler.host.tables.values()):
            table.match.abort("the turn is over")
        await asyncio.sleep(_LOOK_S)


async def _among(host: Host) -> int:
    """Return the number of results without the slow bot."""
    total = (await host.store.matches.page(limit=1)).total
    return total - (await host.store.matches.page(bot="slow", limit=1)).total


# --- tournaments ------------------------------------------------------------------------------


def _file(names: Sequence[str], seed: int, legs: int, ruleset: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"Bench {seed}",
        "game": "spaceballs",
        "seed": seed,
        "format": {"kind": "round_robin", "legs": legs},
        "settings": {"deadline_ms": DEADLINE_MS if ruleset else 60_000, "ready_ms": 60_000},
        "ruleset": ruleset,
        "entries": [{"bot": name} for name in names],
    }


async def _start(scheduler: Scheduler, file: dict[str, Any], tournament: str) -> None:
    """Begin a tournament of bots that came in under names of their own choice."""
    plan = read_plan(file, load_games())
    bots = [Entry(BotKey(key), BotId(key), rank) for rank, key in enumerate(plan.spec.bots(), start=1)]
    made = await scheduler.store.tournaments.create(
        tournament, plan.spec.name, plan.to_json(), bots, state=RUNNING
    )
    await scheduler.adopt(made)

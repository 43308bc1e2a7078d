"""Twenty running matches while 200 connections only misbehave, and an idle server with 200 bots."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median, quantiles
from typing import Final, NamedTuple

import psutil

from bench.arena import arena, entrants, patient, peers, run, until
from bench.report import Verdict, counts, note
from bench.watching import TickWatch
from fangnetz_protocol.words import Pace
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.host.host import Host

__all__ = ["attack"]

MATCHES: Final = 20
ATTACKERS: Final = 200
TICKS: Final = 160
"""Ticks of a match, of 50 ms each: eight seconds."""
TURNS: Final = 3
"""With and without, by turns."""
IDLE_BOTS: Final = 200
IDLE_S: Final = 5.0
RATIO: Final = 2.0
LATE_MS: Final = 15.0
QUIET_MS: Final = 2.5
"""The lateness that a machine gives anyway; the ratio of two figures below it says nothing."""
BUFFERS_MB: Final = Limits().buffer_bytes / 1e6
ROOM_MB: Final = 50.0
IDLE_CPU: Final = 1.0
NAMES: Final = tuple(f"bot-{number}" for number in range(2 * MATCHES))


class Turn(NamedTuple):
    """All matches, played once."""

    late_ms: float
    """The 99th percentile of the ticks' lateness."""
    growth_mb: float
    """By how much the memory of the server's process was larger at most."""
    lost: int
    """Bots of the matches that lost their connection, or ticks that no answer was read for."""


def attack() -> Iterable[Verdict]:
    """Tick lateness, memory and bystanders under 200 connections that only misbehave; the cost of idling."""
    calm, attacked, refused, evicted = run(_measure())
    for name, turns in (("without", calm), ("with", attacked)):
        figures = ", ".join(f"{turn.late_ms:.2f}" for turn in turns)
        note(f"p99 of the lateness {name:7} the attack: {figures} ms")
    note(f"refused {refused}")
    note(f"evicted {evicted}")
    # Other processes only ever add lateness, so the best turns are nearest to the server's own.
    late, quiet = min(turn.late_ms for turn in attacked), min(turn.late_ms for turn in calm)
    yield Verdict("lateness (p99) under attack, over that without", late / max(quiet, QUIET_MS), "<=", RATIO)
    yield Verdict("lateness (p99) under attack", late, "<=", LATE_MS, "ms")
    growth = max(turn.growth_mb for turn in attacked)
    yield Verdict("memory that the attack costs", growth, "<=", BUFFERS_MB + ROOM_MB, "MB")
    yield Verdict("bystanders that were dropped", sum(turn.lost for turn in attacked), "<=", 0)
    yield Verdict(f"CPU of a server with {IDLE_BOTS} idle bots", run(_idle()), "<=", IDLE_CPU, "%")


async def _measure() -> tuple[list[Turn], list[Turn], str, str]:
    ticks = TickWatch()
    calm, attacked = [], []
    async with (
        arena(matchmaking=False, metrics=ticks) as (host, port),
        peers("instant", f"ws://127.0.0.1:{port}/play", *NAMES) as bots,
    ):
        await bots.said()
        await _turn(host, ticks, None)  # The first matches warm up.
        for _ in range(TURNS):
            calm.append(await _turn(host, ticks, None))
            attacked.append(await _turn(host, ticks, port))
        return calm, attacked, counts(host.metrics.refusals), counts(host.metrics.evictions)


async def _turn(host: Host, ticks: TickWatch, port: int | None) -> Turn:
    """Play all matches; with a port, under attack."""
    settings = patient("spaceballs", pace=Pace.REALTIME, tick_ms=50)
    setup = {"ruleset": {"duration": TICKS / 20}}
    tables = [
        host.create_match("spaceballs", entrants(*NAMES[at : at + 2]), setup=setup, settings=settings)
        for at in range(0, len(NAMES), 2)
    ]
    sessions = {link.entrant.bot: link.socket for link in host.gateway.links if link.entrant.bot in NAMES}
    gc.collect()
    before = psutil.Process().memory_info().rss
    async with AsyncExitStack() as stack:
        if port is not None:
            attackers = await stack.enter_async_context(peers("attack", port, tables[0].match.id, ATTACKERS))
            await attackers.said()
        peak = await stack.enter_async_context(_peak_memory())
        ticks.clear()
        await asyncio.gather(*(host.wait_result(table.match.id) for table in tables))
    await until(lambda: len(host.gateway.sockets) == len(NAMES))
    still = {link.entrant.bot: link.socket for link in host.gateway.links if link.entrant.bot in NAMES}
    lost = sum(still.get(bot) is not socket for bot, socket in sessions.items())
    return Turn(quantiles(ticks.late_ms, n=100)[98], (peak[0] - before) / 1e6, lost)


@asynccontextmanager
async def _peak_memory() -> AsyncIterator[list[int]]:
    """Watch the memory of this process; the list holds the most that was seen."""
    process, peak = psutil.Process(), [0]

    async def look() -> None:
        while True:
            peak[0] = max(peak[0], process.memory_info().rss)
            await asyncio.sleep(0.25)

    looking = asyncio.create_task(look())
    try:
        yield peak
    finally:
        looking.cancel()


async def _idle() -> float:
    """Return the CPU time, in percent of one processor, that a server with idle bots takes."""
    names = [f"idle-{number}" for number in range(IDLE_BOTS)]
    async with (
        arena(matchmaking=False) as (_, port),
        peers("instant", f"ws://127.0.0.1:{port}/play", *names) as bots,
    ):
        await bots.said()
        figures = []
        for _ in range(3):
            start, wall = time.process_time(), time.monotonic()
            await asyncio.sleep(IDLE_S)
            figures.append(100 * (time.process_time() - start) / (time.monotonic() - wall))
        note(f"idle: {', '.join(f'{figure:.2f}' for figure in figures)} % of a processor")
        return median(figures)

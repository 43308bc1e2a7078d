"""A spectator who never reads, and what the running match notices of him."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from statistics import fmean, quantiles
from typing import Final, NamedTuple

import psutil

from bench.arena import arena, entrants, patient, peers, run
from bench.peers import watch
from bench.report import Verdict, note
from bench.watching import TickWatch
from fangnetz_protocol.words import Pace
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.host import Host

__all__ = ["muted"]

TICK_MS: Final = 5
TICKS: Final = 100
TURNS: Final = 24
LATER_MS: Final = 1.0
MEGABYTES: Final = 2.0
FILLING: Final = b'{"type":"frame","match":"m","tick":0,"padding":"' + b"x" * 60_000 + b'"}'
"""Frames that fill the buffers of the kernel and of the server before the measurement begins."""
FILLINGS: Final = 400


class Turn(NamedTuple):
    """One match."""

    late_ms: float
    """The 99th percentile of its ticks' lateness."""
    growth: int
    """Bytes by which the memory of the process grew."""


def muted() -> Iterable[Verdict]:
    """Tick lateness and memory of a realtime match with and without a spectator who does not read."""
    alone, watched = run(_measure())
    note(f"p99 of the lateness alone    {_calm(alone):.2f} ms")
    note(f"p99 of the lateness watched  {_calm(watched):.2f} ms")
    yield Verdict("lateness (p99) that he adds", _calm(watched) - _calm(alone), "<=", LATER_MS, "ms")
    growth = max(turn.growth for turn in watched) / 1e6
    yield Verdict("memory that he costs", growth, "<=", MEGABYTES, "MB")


def _calm(turns: list[Turn]) -> float:
    """Return the lateness of the best third of the turns; other processes only ever add to it."""
    return fmean(sorted(turn.late_ms for turn in turns)[: len(turns) // 3])


async def _measure() -> tuple[list[Turn], list[Turn]]:
    ticks = TickWatch()
    alone, watched = [], []
    async with (
        arena(matchmaking=False, metrics=ticks) as (host, port),
        peers("instant", f"ws://127.0.0.1:{port}/play", "ann", "bob") as bots,
    ):
        await bots.said()
        await _turn(host, ticks, None)  # The first match warms up.
        for _ in range(TURNS):
            alone.append(await _turn(host, ticks, None))
            watched.append(await _turn(host, ticks, port))
    return alone, watched


async def _turn(host: Host, ticks: TickWatch, port: int | None) -> Turn:
    """Play a match; with a port, a muted spectator watches it."""
    process = psutil.Process()
    settings = patient("spaceballs", pace=Pace.REALTIME, tick_ms=TICK_MS)
    setup = {"ruleset": {"duration": TICKS / 20}}
    table = host.create_match("spaceballs", entrants("ann", "bob"), setup=setup, seed=1, settings=settings)
    before = process.memory_info().rss
    async with _muted_spectator(host, table, port):
        ticks.clear()
        await host.wait_result(table.match.id)
        growth = process.memory_info().rss - before
    return Turn(quantiles(ticks.late_ms, n=100)[98], growth)


@asynccontextmanager
async def _muted_spectator(host: Host, table: Table, port: int | None) -> AsyncIterator[None]:
    if port is None:
        yield
        return
    client = await asyncio.to_thread(watch, port, table.match.id, receive_buffer=4096)
    try:
        for _ in range(FILLINGS):
            table.to_spectators(FILLING, final=False)
            await asyncio.sleep(0)
        fullest = max(socket.unsent_bytes for socket in host.gateway.sockets)
        assert fullest > host.limits.spectator_buffer_bytes, "his buffer is not full"
        yield
    finally:
        client.close()

"""Two thousand short matches in one server process: what is left of them."""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

import psutil

from bench.arena import arena, peers, run, until
from bench.report import Verdict, note
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.host.host import Host

__all__ = ["soak"]

MATCHES: Final = 2_000
WARM: Final = 200
"""Matches after which all caches are filled and everything has been imported."""
STEP: Final = 200
PAIRS: Final = 4
"""Matches at the same time."""
SETUP: Final = {"ruleset": {"duration": 0.25}}
FLAT_MB: Final = 3.0
"""Memory that may still come: the lobby and the API remember 1,800 more results, about a kilobyte each."""


class Sample(NamedTuple):
    """What the process holds while no bot is connected."""

    matches: int
    tasks: int
    handles: int
    objects: int
    megabytes: float


def soak() -> Iterable[Verdict]:
    """Tasks, sockets, file handles and memory over 2,000 short matches in one process."""
    samples = run(_measure())
    for sample in samples:
        note(
            f"after {sample.matches:5,} matches: {sample.tasks} tasks, {sample.handles} handles, "
            f"{sample.objects:7,} objects, {sample.megabytes:6.1f} MB"
        )
    warm, last = samples[0], samples[-1]
    yield Verdict("growth of tasks", last.tasks - warm.tasks, "<=", 0)
    yield Verdict("growth of sockets and file handles", last.handles - warm.handles, "<=", 0)
    yield Verdict("growth of memory", last.megabytes - warm.megabytes, "<=", FLAT_MB, "MB")


async def _measure() -> list[Sample]:
    samples = []
    limits = Limits(resume_s=0.2, connections_per_second=10_000)
    async with arena(setups=lambda info, seats: SETUP, limits=limits) as (host, port):
        url = f"ws://127.0.0.1:{port}/play"
        for done in range(STEP, MATCHES + 1, STEP):
            async with peers("matches", url, STEP, PAIRS) as bots:
                while await bots.said():
                    pass
            await _settle(host)
            played = (await host.store.matches.page(limit=1)).total
            assert played == done, f"{played} of {done} matches were played"
            samples.append(_sample(done))
    return samples


async def _settle(host: Host) -> None:
    """Wait until the last bot is forgotten."""
    await until(lambda: not host.tables and not list(host.gateway.links) and not host.gateway.sockets)


def _sample(matches: int) -> Sample:
    gc.collect()
    _give_back()
    process = psutil.Process()
    return Sample(
        matches=matches,
        tasks=len(asyncio.all_tasks()),
        handles=process.num_fds(),
        objects=len(gc.get_objects()),
        megabytes=process.memory_info().rss / 1e6,
    )


def _give_back() -> None:
    """Let the C library return what is free, where it can; else its caches look like a leak."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)

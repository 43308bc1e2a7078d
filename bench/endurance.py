"""Ten minutes with 100 bots and 300 spectators while something goes wrong all the time."""

import asyncio
import gc
import logging
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, MutableMapping
from random import Random
from statistics import quantiles
from typing import Any, Final, NoReturn

import psutil
import structlog

from bench.arena import arena, patient, peers, until
from bench.report import Verdict, counts, note
from bench.watching import TickWatch
from fangnetz_protocol.words import Pace
from fangnetz_server.cli.console import run_async
from fangnetz_server.games.contract import GameInfo
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.host.host import Host

__all__ = ["endurance"]

SECONDS: Final = float(os.environ.get("FANGNETZ_ENDURANCE_S", "600"))
BOTS: Final = 100
SPECTATORS: Final = 300
WARM_S: Final = SECONDS / 4
"""After that all bots have played, and what is kept in memory has its usual size."""
GROWTH_MB: Final = 30.0
LIMITS: Final = Limits(
    connections_per_address=1_000, connections_per_second=10_000, resume_s=5.0, messages_per_second=200
)


def endurance() -> Iterable[Verdict]:
    """100 bots, 300 spectators, faults all the time: what is lost, what is left (10 minutes)."""
    log = _LogCount()
    structlog.configure(
        processors=[structlog.processors.add_log_level, log],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    found = run_async(_measure(log))
    for name, figure in found.items():
        note(f"{name:28} {figure}")
    yield Verdict("matches that ended", found["matches stored"], ">=", found["matches made"])
    yield Verdict("matches that failed by our fault", found["infra errors"], "<=", 0)
    yield Verdict("errors in the log", found["errors logged"], "<=", 0)
    yield Verdict("tasks, sockets and sessions left over", found["left over"], "<=", 0)
    yield Verdict("growth of memory", found["growth (MB)"], "<=", GROWTH_MB, "MB")


def _setup(info: GameInfo, seats: int) -> Mapping[str, Any]:
    return {"ruleset": {"duration": 10}}


class _LogCount:
    """Takes the place of the log's output and counts its lines."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.endings: Counter[str] = Counter()
        self.errors = 0
        self.blocked_ms: list[int] = []

    def __call__(self, logger: object, method: str, line: MutableMapping[str, Any]) -> NoReturn:
        self.events[line["event"]] += 1
        self.errors += line["level"] in ("error", "critical")
        if line["event"] == "match_over":
            self.endings[str(line["reason"])] += 1
        if line["event"] == "event_loop_blocked":
            self.blocked_ms.append(line["milliseconds"])
        raise structlog.DropEvent


async def _measure(log: _LogCount) -> dict[str, Any]:
    ticks, chance = TickWatch(), Random("endurance")
    settings = {"spaceballs": patient("spaceballs", pace=Pace.REALTIME, tick_ms=50, ready_ms=5_000)}
    options: dict[str, Any] = {"setups": _setup, "settings": settings, "metrics": ticks, "limits": LIMITS}
    async with arena(**options) as (host, port):
        tasks = len(asyncio.all_tasks())
        async with peers("endure", port, BOTS, SPECTATORS) as others:
            await others.said()
            await _disturb(host, chance, WARM_S)
            warm = _memory()
            ticks.clear()
            await _disturb(host, chance, SECONDS - WARM_S)
            grown = _memory() - warm
            lateness = quantiles(ticks.late_ms, n=1000)
            played = len(ticks.late_ms)
        for table in host.tables.values():
            table.match.resume()
        await until(lambda: not host.tables and not list(host.gateway.links) and not host.gateway.sockets)
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        stored = await host.store.matches.page(limit=1)
        late = ", ".join(f"{lateness[at]:.2f}" for at in (499, 989, 998))
        return {
            "matches made": log.events["match_created"],
            "matches stored": stored.total,
            "endings": dict(log.endings),
            "connections of bots": log.events["bot_connected"],
            "ticks": f"{played:,}",
            "lateness p50, p99, p99.9": f"{late} ms",
            "event loop blocked": f"{log.blocked_ms} ms",
            "closed by the server": counts(ticks.evictions),
            "infra errors": log.endings["infra_error"],
            "errors logged": log.errors,
            "left over": len(asyncio.all_tasks()) - tasks + len(host.gateway.sockets),
            "growth (MB)": round(grown, 1),
        }


async def _disturb(host: Host, chance: Random, seconds: float) -> None:
    """Hold matches, let them go, abort some, and now and then keep the processor from everybody."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(0.5)
        tables = list(host.tables.values())
        if not tables:
            continue
        table = chance.choice(tables)
        if not table.match.pause() and chance.random() < 0.9:
            table.match.resume()
        if chance.random() < 0.02:
            table.match.abort("endurance")
        if chance.random() < 0.02:
            time.sleep(0.3)  # noqa: ASYNC251  # That is the disturbance.
        for other in tables:
            if other.match.is_paused and chance.random() < 0.2:
                other.match.resume()


def _memory() -> float:
    gc.collect()
    return psutil.Process().memory_info().rss / 1e6

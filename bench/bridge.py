"""A bot behind the bridge against the same bot with the SDK, in turns on one server.

Latencies are those of the server, from sending an observation to having its action, as bots are told.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from statistics import median
from typing import Final

from bench.arena import arena, entrants, patient, peers, run, until
from bench.coast import LINES
from bench.report import Verdict, note
from fangnetz_protocol.words import BotId
from fangnetz_server.host.host import Host

__all__ = ["bridge"]

TURNS: Final = 10
SHORT: Final = {"ruleset": {"duration": 10.0}}
OVERHEAD_MS: Final = 0.5


def bridge() -> Iterable[Verdict]:
    """Latency that the bridge adds to an action, over that of the same bot with the SDK."""
    plain, bridged = run(_measure())
    note(f"SDK     {min(plain):6.3f} ms an action in the best turn ({median(plain):.3f} in the middle one)")
    note(f"bridge  {min(bridged):6.3f} ms an action ({median(bridged):.3f})")
    added = min(bridged) - min(plain)  # Other processes only ever add latency.
    yield Verdict("median latency that the bridge adds", added, "<=", OVERHEAD_MS, "ms")


async def _measure() -> tuple[list[float], list[float]]:
    """Return the median latency of each match in ms: of the bot with the SDK, and behind the bridge."""
    plain, bridged = [], []
    program = (sys.executable, "-I", "-S", "-c", LINES)
    async with arena(matchmaking=False) as (host, port):
        server = f"ws://127.0.0.1:{port}"
        async with (
            peers("instant", f"{server}/play", "rival") as rival,
            _bot(server, "plain", "run", "bench.coast:Coast"),
            _bot(server, "bridged", "bridge", "--", *program),
        ):
            await rival.said()
            await until(lambda: all(_is_there(host, name) for name in ("plain", "bridged")))
            for _ in range(TURNS):
                plain.append(await _latency_ms(host, "plain"))
                bridged.append(await _latency_ms(host, "bridged"))
    return plain, bridged


@asynccontextmanager
async def _bot(server: str, name: str, kind: str, *what: str) -> AsyncIterator[None]:
    """Run `fangnetz-bot` as a process, as a competitor does; it ends with the context."""
    options = ("--server", server, "--name", name, "--log-level", "error")
    before, after = (what, ()) if kind == "run" else ((), what)
    with tempfile.TemporaryDirectory(prefix="fangnetz-bench-") as folder:
        log = ("--log", f"{folder}/log") if kind == "bridge" else ()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fangnetz", kind, *before, *options, *log, *after)
        )
        try:
            yield
        finally:
            process.terminate()
            await process.wait()


def _is_there(host: Host, name: str) -> bool:
    return any(link.entrant.bot == BotId(name) and link.is_connected for link in host.gateway.links)


async def _latency_ms(host: Host, name: str) -> float:
    """Play a whole match against the rival and return the median latency of a bot."""
    settings = patient("spaceballs")
    table = host.create_match("spaceballs", entrants(name, "rival"), setup=SHORT, seed=1, settings=settings)
    result = await host.wait_result(table.match.id)
    latency_ms = result.seats[0].stats.latency_median_ms
    assert latency_ms is not None, result
    return latency_ms

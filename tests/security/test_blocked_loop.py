"""Three seconds of CPU in one place: nobody is dropped, nobody is charged, and the log says how long."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import pytest
import uvloop
from prometheus_client.samples import Sample
from structlog.testing import capture_logs

from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.result import MatchResult
from support.clients import BotClient
from support.live_server import LiveServer, eventually, live_server

BLOCKED_S: Final = 3.0
TICKS: Final = 20
LOOPS: Final = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def block() -> None:
    """Keep the event loop from everything else, as a loop without end in somebody's code would."""
    end = time.monotonic() + BLOCKED_S
    while time.monotonic() < end:
        pass


async def answer_all(bot: BotClient, block_at: int | None) -> None:
    """Answer every observation; block the loop after one of them has been answered."""
    await bot.ready()
    while (message := await bot.receive())["type"] != "match_end":
        if message["type"] == "observation":
            await bot.act(message, {"thrust": [0, 0]})
            if message["tick"] == block_at:
                asyncio.get_running_loop().call_soon(block)


async def play(server: LiveServer, **settings: Any) -> MatchResult:
    setup = {"ruleset": {"duration": TICKS / 20}}
    match = server.create("spaceballs", "ann", "bob", setup=setup, **settings).match.id
    over = asyncio.create_task(server.host.wait_result(match))
    ann, bob = await server.bot("ann"), await server.bot("bob")
    spectator = await server.spectator(match)
    idle, lobby = await server.bot("cid"), await server.lobby()
    await asyncio.gather(answer_all(ann, block_at=10), answer_all(bob, None))
    shown = [message["tick"] for message in await spectator.drain() if message["type"] == "frame"]
    assert shown[-TICKS:] == list(range(shown[-1] - TICKS + 1, shown[-1] + 1))
    for client in (idle, lobby):
        await client.send_raw("still there?")
        assert (await client.next("error"))["code"] in ("not_json", "forbidden")
    return await over


@pytest.mark.parametrize(
    ("loop", "settings"),
    [
        ("asyncio", {"pace": "lockstep", "deadline_ms": 500, "bank_ms": 0}),
        ("uvloop", {"pace": "lockstep", "deadline_ms": 500, "bank_ms": 0}),
        ("uvloop", {"pace": "realtime", "tick_ms": 250}),
        ("asyncio", {"pace": "realtime", "tick_ms": 250, "action_delay": 2}),
    ],
    ids=str,
)
def test_nobody_is_dropped_or_charged(tmp_path: Path, loop: str, settings: dict[str, Any]) -> None:
    async def main() -> None:
        limits = Limits(ping_s=2.0, hello_s=2.0)
        async with live_server(tmp_path, limits=limits) as server:
            with capture_logs() as logs:
                result = await play(server, **settings)
            assert (result.reason, result.ticks) == ("timeout", TICKS)
            asked = TICKS - settings.get("action_delay", 0)
            for seat in result.seats:
                assert seat.stats.applied == asked, seat.stats
            evicted = {sample.labels["reason"] for sample in evictions(server) if sample.value}
            assert evicted <= {"normal"}, "only the spectator was sent home, at the end"
            # On a busy machine there may be shorter stalls besides.
            stalls = [line["milliseconds"] for line in logs if line["event"] == "event_loop_blocked"]
            assert max(stalls) == pytest.approx(1000 * BLOCKED_S, rel=0.2)

    run(LOOPS[loop], main())


def test_no_time_of_the_bank_is_charged(tmp_path: Path) -> None:
    async def main() -> None:
        async with live_server(tmp_path) as server:
            setup = {"ruleset": {"duration": TICKS / 20}}
            table = server.create("spaceballs", "ann", "bob", setup=setup, deadline_ms=1000, bank_ms=500)
            ann, bob = await server.bot("ann"), await server.bot("bob")
            for bot in (ann, bob):
                await bot.ready()
            for bot in (ann, bob):
                observation = await bot.next("observation", tick=0)
            asyncio.get_running_loop().call_soon(block)
            for bot in (ann, bob):
                await bot.act(observation, {"thrust": [0, 0]})
            assert (await ann.next("observation", tick=1))["bank_ms"] == 500
            assert [seat.stats().applied for seat in table.match.seats] == [1, 1]
            await eventually(lambda: all(seat.connected for seat in table.match.seats), "both are there")

    run(asyncio.new_event_loop, main())


def evictions(server: LiveServer) -> list[Sample]:
    """Return the counts of closed connections by reason."""
    return [sample for family in server.host.metrics.evictions.collect() for sample in family.samples]


def run(factory: Callable[[], asyncio.AbstractEventLoop], main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)

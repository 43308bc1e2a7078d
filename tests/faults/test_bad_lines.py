"""Bots of the SDK behind a line that delays, loses and breaks off: they keep their seats (P2.4)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from fangnetz import SpaceballsBot, Thrust, play
from fangnetz.backoff import Backoff
from fangnetz.problems import Refused
from fangnetz_protocol import spaceballs
from fangnetz_server.gateway.limits import Limits
from support.bad_line import BadLine, Fault, bad_line
from support.clients import coast
from support.live_server import LiveServer, eventually, live_server

TICKS: Final = 80
SETUP: Final = {"ruleset": {"duration": TICKS / 20}}
IMPATIENT: Final = Backoff(first_s=0.02, longest_s=0.2, give_up_s=60.0)
LIMITS: Final = Limits(ping_s=0.4, close_s=0.2)


class Witness(SpaceballsBot):
    """Coasts, and writes down the ticks that it sees and those that it missed."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.absent: list[int] = []

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        self.seen.append(self.tick)
        return Thrust(thrust=(0.0, 0.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.absent.extend(ticks)


@pytest.mark.parametrize(
    ("settings", "faults"),
    [
        ({"pace": "realtime", "tick_ms": 50}, ("cut",)),
        ({"pace": "realtime", "tick_ms": 50}, ("hole",)),
        ({"pace": "realtime", "tick_ms": 50}, ("half",)),
        ({"pace": "lockstep", "deadline_ms": 200, "bank_ms": 600_000}, ("cut", "hole", "half")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value["pace"],
)
async def test_whatever_the_line_does_the_match_is_played(
    tmp_path: Path, settings: dict[str, Any], faults: tuple[Fault, ...]
) -> None:
    line = BadLine(None, Random("bad line"), delay_s=0.01, faults=faults, pieces=50)
    with capture_logs() as logs:
        async with live_server(tmp_path, limits=LIMITS) as server, bad_line(line):
            line.target = server.port
            table = server.create("spaceballs", "ann", "bob", setup=SETUP, **settings)
            over = asyncio.create_task(server.host.wait_result(table.match.id))
            ann = Witness()
            playing = asyncio.create_task(play(ann, line.url, name="ann", matches=1, backoff=IMPATIENT))
            spectator = await server.spectator(table.match.id)
            watching = asyncio.create_task(spectator.drain())
            end = await (await server.bot("bob")).play(coast)
            (result,) = await playing
            shown = [frame for frame in await watching if frame["type"] == "frame"]
            stats = (await over).seats[0].stats

    assert (result.reason, result.ticks, result.points) == ("timeout", TICKS, tuple(end["points"]))
    assert len(line.suffered) >= 2
    told = sorted({*ann.seen, *ann.absent})
    assert told == list(range(len(told))), "each tick was seen or told as missed"
    assert len(ann.seen) == len(set(ann.seen)), "a tick that comes again is not decided again"
    assert stats.applied + stats.late + stats.missing == TICKS
    assert stats.applied >= TICKS / 10
    was_there = {frame["balls"][0]["connected"] for frame in shown if frame["tick"] > 0}
    if settings["pace"] == "lockstep":
        assert (stats.applied, ann.absent) == (TICKS, []), "the bank outlasts the faults"
    else:
        assert was_there == {True, False}
    assert all(frame["balls"][1]["connected"] for frame in shown if frame["tick"] > 0)
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []


async def test_slow_lines_alone_lose_nothing(tmp_path: Path) -> None:
    """An answer takes longer than a tick; `action_delay` makes up for it (P2.2)."""
    line = BadLine(None, Random(1), delay_s=0.15)
    settings = {"pace": "realtime", "tick_ms": 100, "action_delay": 8}
    async with live_server(tmp_path, limits=LIMITS) as server, bad_line(line):
        line.target = server.port
        table = server.create("spaceballs", "ann", "bob", setup={"ruleset": {"duration": 1.5}}, **settings)
        over = asyncio.create_task(server.host.wait_result(table.match.id))
        await asyncio.gather(*(play(Witness(), line.url, name=name, matches=1) for name in ("ann", "bob")))
        for seat in (await over).seats:
            assert (seat.stats.late, seat.stats.missing) == (0, 0)
            assert seat.stats.latency_median_ms is not None
            assert seat.stats.latency_median_ms > 100
    assert line.suffered == []


async def enrol(server: LiveServer) -> str:
    """Register the bot Ann and return its token."""
    return (await server.host.store.bots.add("Ann"))[1]


@pytest.mark.parametrize("is_known", [True, False], ids=["registered", "disabled meanwhile"])
async def test_a_restarted_server_has_its_bots_back_unless_their_token_is_void(
    tmp_path: Path, is_known: bool
) -> None:
    line = BadLine(None, Random(1))
    async with bad_line(line):
        async with live_server(tmp_path, is_open=False, matchmaking=True, limits=LIMITS) as before:
            token = await enrol(before)
            line.target = before.port
            playing = asyncio.create_task(
                play(Witness, line.url, token, name="Ann", matches=1, backoff=IMPATIENT)
            )
            await eventually(lambda: before.host.bots_connected() == 1, "Ann is there")
            line.target = None
        async with live_server(tmp_path, is_open=False, matchmaking=True, limits=LIMITS) as after:
            _, bobs_token = await after.host.store.bots.add("Bob")
            if not is_known:
                (ann,) = (bot for bot in await after.host.store.bots.all() if bot.name == "Ann")
                await after.host.store.bots.disable(ann.id)
            line.target = after.port
            if is_known:
                opponent = await after.raw_bot()
                await opponent.hello(token=bobs_token, games=["spaceballs"])
                await opponent.play(coast)
                (result,) = await playing
                assert result.reason == "timeout"
            else:
                with pytest.raises(Refused, match="bad_token"):
                    await playing


async def test_who_comes_back_too_often_waits_and_comes_in(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=2, connections_per_second=2)
    async with live_server(tmp_path, limits=limits) as server:
        playing = asyncio.create_task(play(Witness(), server.ws, name="ann", matches=1, backoff=IMPATIENT))
        await eventually(lambda: server.host.bots_connected() == 1, "it is there")
        refused = server.host.metrics.refusals.labels("connections_per_second")._value
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.close()
        await eventually(lambda: refused.get() > 10, "the address is known as a nuisance")
        (link,) = server.host.gateway.links
        assert link.socket is not None
        link.socket.transport.abort()
        await eventually(lambda: not link.is_connected, "it is gone")
        await eventually(lambda: link.is_connected, "it is back")
        assert len(list(server.host.gateway.links)) == 1
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

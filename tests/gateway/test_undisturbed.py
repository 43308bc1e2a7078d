"""Hostile and broken bots disturb no other match (architecture decision 7, P2.3)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

import psutil
from websockets.exceptions import ConnectionClosed

from fangnetz_protocol.words import MatchId
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.result import MatchResult
from support.clients import BotClient, coast
from support.live_server import LiveServer, eventually, live_server

TICK_MS: Final = 50
TICKS: Final = 60
LONG = {"ruleset": {"duration": 60.0}}

KILLED = """
import json, sys
from websockets.sync.client import connect
with connect(sys.argv[1], subprotocols=["fangnetz.v1"], proxy=None) as socket:
    socket.send(json.dumps({"type": "hello", "protocol": "1.0", "name": "victim"}))
    for message in map(json.loads, socket):
        if message["type"] == "match_start":
            socket.send(json.dumps({"type": "ready", "match": message["match"]}))
        if message["type"] == "observation":
            print("playing", flush=True)
"""


async def opponent_of(server: LiveServer, name: str) -> tuple[BotClient, BotClient]:
    """Let a bot called `name` and a good one begin a long match; return both."""
    server.create("spaceballs", name, f"{name}-opponent", setup=LONG, pace="realtime", tick_ms=20)
    bad, good = await server.bot(name), await server.bot(f"{name}-opponent")
    await bad.ready()
    await good.ready()
    await bad.next("observation")
    return bad, good


async def floods_with_answers(server: LiveServer) -> None:
    bad, _ = await opponent_of(server, "flooder")
    observation = bad.received("observation")[0]
    with suppress(ConnectionClosed):
        for _ in range(3_000):
            await bad.act(observation, {"thrust": [1, 0]})
    await bad.drain()


async def floods_with_nonsense(server: LiveServer) -> None:
    bad, _ = await opponent_of(server, "babbler")
    with suppress(ConnectionClosed):
        for _ in range(3_000):
            await bad.send_raw('{"type": "nonsense"' + "," * 1_000)
    await bad.drain()


async def sends_huge_texts(server: LiveServer) -> None:
    for number in range(10):
        bot = await server.bot(f"huge-{number}")
        with suppress(ConnectionClosed):
            await bot.send_raw("x" * 1_000_000)
        await bot.drain()


async def says_nothing(server: LiveServer) -> None:
    bad, good = await opponent_of(server, "silent")
    for _ in range(50):
        observation = await good.next("observation")
        await good.act(observation, coast(observation))
    assert bad.socket.close_code is None


async def comes_and_goes(server: LiveServer) -> None:
    bad, _ = await opponent_of(server, "flaky")
    for _ in range(30):
        bad.cut()
        await bad.drain()
        bad = await server.raw_bot()
        await bad.send({"type": "hello", "protocol": "1.0", "name": "flaky"})
        with suppress(ConnectionClosed):
            await bad.next("observation")


async def breaks_off_inside_a_frame(server: LiveServer) -> None:
    for number in range(10):
        bot = await server.bot(f"torn-{number}")
        bot.socket.transport.write(b"\x81\xfe\x10\x00half a fr")
        bot.cut()


async def is_killed(server: LiveServer) -> None:
    table = server.create("spaceballs", "victim", "victim-opponent", setup=LONG, pace="realtime", tick_ms=20)
    await server.bot("victim-opponent")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, f"{server.ws}/play", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    opponent = next(iter(link for link in server.host.gateway.links if "opponent" in link.entrant.name))
    assert opponent.is_connected
    await process.stdout.readline()
    process.kill()
    await process.wait()
    await eventually(lambda: not table.match.seats[0].connected, "the killed bot is missed")

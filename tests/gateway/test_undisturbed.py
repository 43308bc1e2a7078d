"""Hostile and broken bots disturb no other match, and leave nothing behind (decision 7, P2.3)."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from fangnetz_server.gateway.limits import Limits
from support.clients import BotClient, coast
from support.live_server import LiveServer, eventually, live_server

TICK_MS: Final = 100
TICKS: Final = 12
FAST_TICKS: Final = 200
MESSAGES: Final = 600

KILLED: Final = """
import json, sys
from websockets.sync.client import connect
with connect(sys.argv[1], subprotocols=["fangnetz.v1"], proxy=None) as socket:
    socket.send(json.dumps({"type": "hello", "protocol": "1.0", "name": "bad"}))
    for message in map(json.loads, socket):
        if message["type"] == "match_start":
            socket.send(json.dumps({"type": "ready", "match": message["match"]}))
        if message["type"] == "observation":
            print("playing", flush=True)
"""


def lasting(ticks: int) -> dict[str, object]:
    """Return a setup for a match of so many ticks of 0.05 s."""
    return {"ruleset": {"duration": ticks / 20}}


# --- what the bad bot does --------------------------------------------------------------------


async def begin(server: LiveServer) -> tuple[BotClient, BotClient]:
    """Let the bad bot and an opponent begin a long match; return both."""
    server.create("spaceballs", "bad", "opponent", setup=lasting(1_200), pace="realtime", tick_ms=20)
    bad, opponent = await server.bot("bad"), await server.bot("opponent")
    await bad.ready()
    await opponent.ready()
    await bad.next("observation")
    return bad, opponent


async def flood(bot: BotClient, message: str) -> None:
    """Send a message very often, whatever the server thinks of it."""
    with suppress(ConnectionClosed):
        for _ in range(MESSAGES):
            await bot.send_raw(message)
            await asyncio.sleep(0)  # The others of this process are to have their turn.
    await bot.drain()


async def floods_with_answers(server: LiveServer) -> None:
    bad, _ = await begin(server)
    match = bad.received("observation")[0]["match"]
    await flood(bad, f'{{"type": "action", "match": "{match}", "tick": 0, "thrust": [1, 0]}}')


async def floods_with_nonsense(server: LiveServer) -> None:
    bad, _ = await begin(server)
    await flood(bad, '{"type": "nonsense"' + "," * 1_000)


async def floods_before_hello(server: LiveServer) -> None:
    await flood(await server.raw_bot(), '{"type": "ready", "match": "m"}')


async def floods_as_a_spectator(server: LiveServer) -> None:
    bad = BotClient((await server.lobby()).socket)
    await flood(bad, '{"type": "ready", "match": "m"}')


async def sends_huge_texts(server: LiveServer) -> None:
    for _ in range(10):
        bad = await server.bot("bad")
        with suppress(ConnectionClosed):
            await bad.send_raw("x" * 1_000_000)
        await bad.drain()


async def says_nothing(server: LiveServer) -> None:
    bad, opponent = await begin(server)
    for _ in range(30):
        observation = await opponent.next("observation")
        await opponent.act(observation, coast(observation))
    assert bad.socket.close_code is None


async def does_not_read(server: LiveServer) -> None:
    bad, opponent = await begin(server)
    bad.socket.transport.pause_reading()
    for _ in range(30):
        await opponent.next("observation")
    bad.cut()


async def comes_and_goes(server: LiveServer) -> None:
    bad, _ = await begin(server)
    for _ in range(20):
        bad.cut()
        await bad.drain()
        bad = await server.raw_bot()
        await bad.send({"type": "hello", "protocol": "1.0", "name": "bad"})
        with suppress(ConnectionClosed):
            await bad.next("observation")


async def breaks_off_inside_a_frame(server: LiveServer) -> None:
    for _ in range(10):
        bad = await server.bot(None)
        bad.socket.transport.write(b"\x81\xfe\x10\x00half a fr")
        bad.cut()


async def breaks_off_inside_the_upgrade(server: LiveServer) -> None:
    for text in (b"GET /play HTTP/1.1\r\nUpgrade: webs", b"GET /play HTTP/1.1\r\n\r\n", b"\x16\x03\x01 TLS?"):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(text)
        writer.write_eof()
        await reader.read()
        writer.close()
        await writer.wait_closed()


async def is_killed(server: LiveServer) -> None:
    table = server.create("spaceballs", "bad", "opponent", setup=lasting(1_200), pace="realtime", tick_ms=20)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, f"{server.ws}/play", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        opponent = await server.bot("opponent")
        await opponent.ready()
        assert await process.stdout.readline() == b"playing\n"
    finally:
        process.kill()
        await process.communicate()
    await eventually(lambda: not table.match.seats[0].connected, "the killed bot is missed")


# --- what the others notice -------------------------------------------------------------------


async def play_fast(server: LiveServer) -> None:
    """Play a match in lockstep, in which every action has to count."""
    result = await server.play("spaceballs", "ann", "bob", setup=lasting(FAST_TICKS), deadline_ms=60_000)
    assert (result.reason, result.ticks) == ("timeout", FAST_TICKS)
    assert [seat.stats.applied for seat in result.seats] == [FAST_TICKS, FAST_TICKS]


async def play_steadily(server: LiveServer) -> None:
    """Play a match in realtime, whose ticks have to keep their pace."""
    times: list[float] = []

    def note_time(observation: object) -> dict[str, list[int]]:
        times.append(asyncio.get_running_loop().time())
        return {"thrust": [0, 0]}

    steady = server.create("spaceballs", "cid", "dan", setup=lasting(TICKS), pace="realtime", tick_ms=TICK_MS)
    cid, dan = await server.bot("cid"), await server.bot("dan")
    ends = await asyncio.gather(cid.play(note_time), dan.play(coast))
    assert [(end["match"], end["reason"], end["ticks"]) for end in ends] == [
        (steady.match.id, "timeout", TICKS)
    ] * 2
    assert median(later - earlier for earlier, later in pairwise(times)) < 1.5 * TICK_MS / 1_000


@asynccontextmanager
async def no_leaks(server: LiveServer) -> AsyncIterator[None]:
    """Check that no task, socket or file handle is left when all clients are gone."""
    process = psutil.Process()

    def handles() -> int:
        """Count all but the files of the database, which its pool opens when it needs them."""
        return process.num_fds() - len(process.open_files())

    tasks, before = len(asyncio.all_tasks()), handles()
    yield
    for table in list(server.host.tables.values()):
        table.match.abort("seen enough")
    await server.hang_up()
    await server.gone()
    gc.collect()
    await eventually(lambda: len(asyncio.all_tasks()) == tasks, "the end of all tasks")
    await eventually(lambda: handles() <= before, "the end of all sockets")


@pytest.mark.parametrize(
    "misbehave",
    [
        floods_with_answers,
        floods_with_nonsense,
        floods_before_hello,
        floods_as_a_spectator,
        sends_huge_texts,
        says_nothing,
        does_not_read,
        comes_and_goes,
        breaks_off_inside_a_frame,
        breaks_off_inside_the_upgrade,
        is_killed,
    ],
)
async def test_others_play_on(tmp_path: Path, misbehave: Callable[[LiveServer], Awaitable[None]]) -> None:
    async with live_server(tmp_path, limits=Limits(resume_s=0.05, close_s=0.5)) as server, no_leaks(server):
        await asyncio.gather(play_fast(server), play_steadily(server), misbehave(server))

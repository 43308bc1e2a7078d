"""A spectator who does not read costs nobody anything (P3.5, decision 5)."""

import asyncio
import socket
from pathlib import Path
from typing import Final

import orjson

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.table import Table
from support.clients import Client, coast
from support.live_server import LiveServer, eventually, live_server

FRAME_BYTES: Final = 20_000
FRAMES: Final = 1_500
"""30 MB in all: far more than kernel and server together may hold for one who does not read."""
KERNEL_BYTES: Final = 12_000_000
"""The most that the kernel's buffers of both ends hold, with room to spare."""


def picture(number: int) -> bytes:
    """Return a frame that is large enough to fill buffers."""
    frame = {"type": "frame", "match": "m", "tick": number, "padding": "x" * FRAME_BYTES}
    return orjson.dumps(frame)


async def muted_spectator(server: LiveServer, table: Table) -> Client:
    """Watch a match and stop reading after the first frame."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", server.port))
    spectator = await server.spectator(table.match.id, sock=raw)
    await spectator.next("frame")
    spectator.socket.transport.pause_reading()
    return spectator


async def show(table: Table, others: list[Client], numbers: range) -> None:
    """Publish frames as fast as the others read them."""
    for number in numbers:
        table.to_spectators(picture(number), final=False)
        for other in others:
            assert (await other.receive())["tick"] == number
            other.log.clear()


async def test_a_muted_spectator_skips_frames_and_the_others_get_all(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server:
        table = server.create("spaceballs", "ann", "bob", ready_ms=600_000)
        muted = await muted_spectator(server, table)
        others = [await server.spectator(table.match.id) for _ in range(2)]
        for other in others:
            await other.next("frame")

        await show(table, others, range(FRAMES))

        muted.socket.transport.resume_reading()
        caught_up = 0
        while caught_up < FRAMES:  # He is shown the newest frames again as soon as he reads.
            table.to_spectators(picture(FRAMES + caught_up), final=False)
            caught_up = (await muted.receive())["tick"]
        ticks = [frame["tick"] for frame in muted.received("frame")[1:]]
        assert ticks == sorted(ticks)
        assert sum(tick < FRAMES for tick in ticks) * FRAME_BYTES < KERNEL_BYTES
        bots = [await server.bot(name) for name in ("ann", "bob")]
        await asyncio.gather(*(bot.play(coast) for bot in bots))
        assert (await muted.drain())[-1]["type"] == "match_end"


async def test_one_who_never_reads_again_is_sent_away(tmp_path: Path) -> None:
    limits = Limits(spectator_patience_s=0.05, close_s=60)
    async with live_server(tmp_path, limits=limits) as server:
        table = server.create("spaceballs", "ann", "bob", ready_ms=600_000)
        muted = await muted_spectator(server, table)
        other = await server.spectator(table.match.id)
        await other.next("frame")
        await show(table, [other], range(FRAMES))
        loop = asyncio.get_running_loop()
        patience_ends = loop.time() + 2 * limits.spectator_patience_s
        number = FRAMES
        while loop.time() < patience_ends:
            await show(table, [other], range(number, number := number + 1))
        muted.socket.transport.resume_reading()

        assert await muted.closed() == CloseCode.TOO_SLOW
        await eventually(lambda: table.spectator_count == 1, "only the other one is left")
        await show(table, [other], range(3))


async def test_one_who_does_not_even_take_the_goodbye_is_cut_off(tmp_path: Path) -> None:
    limits = Limits(spectator_patience_s=0.05, close_s=0.05)
    async with live_server(tmp_path, limits=limits) as server:
        table = server.create("spaceballs", "ann", "bob", ready_ms=600_000)
        muted = await muted_spectator(server, table)

        def show_and_look() -> bool:
            table.to_spectators(picture(0), final=False)
            return table.spectator_count == 0

        await eventually(show_and_look, "the muted spectator is gone")
        await eventually(lambda: not server.host.gateway.handler_tasks, "his connection is gone")
        muted.cut()

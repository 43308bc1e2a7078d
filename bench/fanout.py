"""One frame to 400 spectators, against writing finished bytes to the same transports."""

import asyncio
import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Final

from bench.arena import arena, entrants, patient, peers, run, until
from bench.report import Verdict, note
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket, frame_text

__all__ = ["fanout"]

SPECTATORS: Final = 400
FRAME_BYTES: Final = 1_000
FRAMES: Final = 20
"""Frames of a turn, with a pause after each in which it is delivered."""
PAUSE_S: Final = 0.008
TURNS: Final = 15
RATIO: Final = 1.3


def fanout() -> Iterable[Verdict]:
    """CPU time of a delivered frame at 400 spectators, over that of the bare writes."""
    published, written = run(_measure())
    note(f"published  {median(published) * 1e6:6.2f} us of CPU a frame and spectator")
    note(f"written    {median(written) * 1e6:6.2f} us")
    yield Verdict("CPU over that of bare writes", median(published) / median(written), "<=", RATIO)


async def _measure() -> tuple[list[float], list[float]]:
    """Return the CPU seconds of a delivered frame, one figure a turn, published and written."""
    limits = Limits(connections_per_address=2 * SPECTATORS)
    frame = b'{"type":"frame","match":"m","tick":1,"padding":"'.ljust(FRAME_BYTES - 2, b"x") + b'"}'
    framed = frame_text(frame)
    async with arena(matchmaking=False, limits=limits) as (host, port):
        table = host.create_match("spaceballs", entrants("ann", "bob"), settings=patient("spaceballs"))
        async with peers("drain", port, table.match.id, SPECTATORS) as spectators:
            await spectators.said()
            await until(lambda: table.spectator_count == SPECTATORS)
            sockets = list(host.gateway.sockets)
            transports = [socket.transport for socket in sockets]

            def publish() -> None:
                table.to_spectators(frame, final=False)

            def write() -> None:
                for transport in transports:
                    transport.write(framed)

            published, written = [], []
            for _ in range(TURNS):
                published.append(await _turn(publish, sockets))
                written.append(await _turn(write, sockets))
    return published, written


async def _turn(send: Callable[[], None], sockets: list[Socket]) -> float:
    """Send some frames to all; return the CPU seconds of one delivered frame."""
    start = time.process_time()
    for _ in range(FRAMES):
        send()
        await asyncio.sleep(PAUSE_S)
    spent = time.process_time() - start
    await until(lambda: not any(socket.unsent_bytes for socket in sockets))
    return spent / FRAMES / len(sockets)

"""Clients that only misbehave, in a process of their own: `python -m bench.peers attack PORT MATCH COUNT`.

They come from an address of their own (127.0.0.66), so that what is limited by address hits nobody else.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle
from typing import Final

from bench.wire import handshake_text, masked_text

__all__ = ["ADDRESS", "attack"]

ADDRESS: Final = "127.0.0.66"
_HELLO: Final = b'{"type":"hello","protocol":"1.0"}'
_NONSENSE: Final = masked_text(b'{"type":"nonsense",') * 500
_PINGS: Final = b"\x89\x80\0\0\0\0" * 2_000
_HUGE: Final = masked_text(b"x" * 300_000)
_CAUGHT: Final = (OSError, EOFError, TimeoutError)
_PAUSE_S: Final = 0.05
"""Before a new try; without it two processors would do nothing but accept and refuse."""

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Misdeed = Callable[[int, str], Awaitable[None]]


async def attack(port: str, match: str, count: str) -> None:
    """Misbehave on so many connections, over and over again, until the process is ended."""
    kinds = cycle(
        (nonsense, answers, pings, mute_socket, mute_tcp, slow_reader, reconnects, huge_texts, requests)
    )
    misdeeds = [next(kinds) for _ in range(int(count))]
    print("ready", flush=True)
    await asyncio.gather(*(_again_and_again(misdeed, int(port), match) for misdeed in misdeeds))


async def _again_and_again(misdeed: Misdeed, port: int, match: str) -> None:
    while True:
        with suppress(*_CAUGHT):
            await misdeed(port, match)
        await asyncio.sleep(_PAUSE_S)


async def _open(port: int, path: str | None, *, receive_buffer: int | None = None) -> Line:
    """Open a TCP connection, and with a path a WebSocket."""
    client = socket.socket()
    if receive_buffer is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.setblocking(False)
    client.bind((ADDRESS, 0))
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=client, limit=4096)
    if path is not None:
        writer.write(handshake_text(path))
        await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _flood(line: Line, data: bytes, times: int) -> None:
    """Send and read what comes, until the server has enough of it."""
    reader, writer = line
    reading = asyncio.create_task(_read_all(reader))
    try:
        for _ in range(times):
            writer.write(data)
            await writer.drain()
        await reading
    finally:
        reading.cancel()
        writer.transport.abort()


async def _read_all(reader: asyncio.StreamReader) -> None:
    while await reader.read(65_536):
        pass


async def nonsense(port: int, match: str) -> None:
    """A bot that sends texts which are no messages."""
    line = await _open(port, "/play")
    line[1].write(masked_text(_HELLO))
    await _flood(line, _NONSENSE, 1_000)


async def answers(port: int, match: str) -> None:
    """A bot that answers a match in which it does not sit."""
    line = await _open(port, "/play")
    line[1].write(masked_text(_HELLO))
    answer = f'{{"type":"action","match":"{match}","tick":0,"thrust":[0,0]}}'.encode()
    await _flood(line, masked_text(answer) * 300, 1_000)


async def pings(port: int, match: str) -> None:
    """A spectator that sends nothing but pings."""
    await _flood(await _open(port, "/watch"), _PINGS, 1_000)


async def mute_socket(port: int, match: str) -> None:
    """A bot that never says hello."""
    await _flood(await _open(port, "/play"), b"", 0)


async def mute_tcp(port: int, match: str) -> None:
    """A connection without a request."""
    await _flood(await _open(port, None), b"", 0)


async def slow_reader(port: int, match: str) -> None:
    """A spectator that does not read."""
    _, writer = await _open(port, f"/watch/{match}", receive_buffer=4096)
    try:
        await asyncio.sleep(60)
    finally:
        writer.transport.abort()


async def reconnects(port: int, match: str) -> None:
    """A bot that comes and goes without a goodbye."""
    for _ in range(20):
        reader, writer = await _open(port, "/play")
        writer.write(masked_text(_HELLO))
        await reader.read(100)
        writer.transport.abort()


async def huge_texts(port: int, match: str) -> None:
    """A bot whose messages are larger than anything that is read."""
    line = await _open(port, "/play")
    line[1].write(masked_text(_HELLO))
    await _flood(line, _HUGE, 5)


async def requests(port: int, match: str) -> None:
    """Somebody who asks for the list of matches and never for anything else."""
    line = await _open(port, None)
    await _flood(line, b"GET /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20, 200)

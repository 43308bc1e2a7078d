"""The other ends, in a process of their own: `python -m bench.peers KIND ARGUMENTS`.

instant URL NAME ...        bots that answer every observation at once, until the server hangs up
slow URL MS NAME            a bot that takes so long for every answer
matches URL COUNT PAIRS     bots that come in pairs, play one match and go, COUNT matches in all
drain PORT MATCH COUNT      spectators that read and forget everything
attack PORT MATCH COUNT     clients that only misbehave (`attackers.py`)
endure PORT BOTS SPECTATORS clients with all the faults of real ones (`hardships.py`)
"""

import asyncio
import selectors
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import orjson
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bench.attackers import attack
from bench.hardships import endure
from bench.wire import handshake_text

__all__ = ["watch"]

_READ: Final = 1 << 20


def say(word: object) -> None:
    """Tell the benchmark how far we are."""
    print(word, flush=True)


# --- bots -------------------------------------------------------------------------------------


async def open_bot(url: str, name: str) -> ClientConnection:
    bot = await connect(
        url, subprotocols=[Subprotocol("fangnetz.v1")], compression=None, proxy=None, ping_interval=None
    )
    await bot.send(
        orjson.dumps({"type": "hello", "protocol": "1.0", "name": name, "games": ["spaceballs"]}), text=True
    )
    return bot


async def play(bot: ClientConnection, *, once: bool) -> None:
    """Answer every observation at once; `once`: until the first match is over."""
    async for data in bot:
        message = orjson.loads(data)
        kind = message["type"]
        if kind == "observation":
            answer = {"type": "action", "match": message["match"], "tick": message["tick"], "thrust": [0, 0]}
            await bot.send(orjson.dumps(answer), text=True)
        elif kind == "match_start":
            await bot.send(orjson.dumps({"type": "ready", "match": message["match"]}), text=True)
        elif kind == "match_end" and once:
            return


async def instant(url: str, *names: str) -> None:
    bots = [await open_bot(url, name) for name in names]
    say("ready")
    await asyncio.gather(*(play(bot, once=False) for bot in bots), return_exceptions=True)


async def slow(url: str, milliseconds: str, name: str) -> None:
    bot = await open_bot(url, name)
    say("ready")
    async for data in bot:
        message = orjson.loads(data)
        if message["type"] == "observation":
            await asyncio.sleep(int(milliseconds) / 1000)
            answer = {"type": "action", "match": message["match"], "tick": message["tick"], "thrust": [0, 0]}
            await bot.send(orjson.dumps(answer), text=True)
        elif message["type"] == "match_start":
            await bot.send(orjson.dumps({"type": "ready", "match": message["match"]}), text=True)


async def matches(url: str, count: str, pairs: str) -> None:
    left = iter(range(int(count)))

    async def one_pair() -> None:
        for number in left:
            bots = [await open_bot(url, f"{side}-{number}") for side in "ab"]
            await asyncio.gather(*(play(bot, once=True) for bot in bots))
            await asyncio.gather(*(bot.close() for bot in bots))
            say(number)

    await asyncio.gather(*(one_pair() for _ in range(int(pairs))))


# --- spectators -------------------------------------------------------------------------------


def watch(port: int, match: str, *, receive_buffer: int | None = None) -> socket.socket:
    """Open a spectator's connection by hand, as cheap as can be."""
    client = socket.socket()
    if receive_buffer is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.connect(("127.0.0.1", port))
    client.sendall(handshake_text(f"/watch/{match}"))
    answer = client.recv(12)
    assert answer == b"HTTP/1.1 101", answer
    return client


def drain(port: str, match: str, count: str) -> None:
    selector = selectors.DefaultSelector()
    for _ in range(int(count)):
        selector.register(watch(int(port), match), selectors.EVENT_READ)
    say("ready")
    while selector.get_map():
        for key, _ in selector.select():
            assert isinstance(key.fileobj, socket.socket)
            if not key.fileobj.recv(_READ):
                selector.unregister(key.fileobj)


def main(kind: str, *arguments: str) -> None:
    """Be one kind of peer."""
    if kind == "drain":
        drain(*arguments)
        return
    waiting: dict[str, Callable[..., Any]] = {
        "instant": instant,
        "slow": slow,
        "matches": matches,
        "attack": attack,
        "endure": endure,
    }
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, suppress(ConnectionClosed):
        runner.run(waiting[kind](*arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])

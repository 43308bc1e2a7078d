"""Bots and spectators with all the faults of real ones: `python -m bench.peers endure PORT BOTS SPECTATORS`.

Each bot plays one match after the other and now and then loses its line, comes back, says nonsense,
stays silent or is killed. Spectators come and go, and some of them read slowly.
"""

import asyncio
from contextlib import suppress
from random import Random
from typing import Any, Final

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

__all__ = ["endure"]

_CAUGHT: Final = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError)
_LOST: Final = 0.002
"""Chance that a line is cut at an observation."""
_SILENT: Final = 0.02
_BABBLE: Final = 0.005
_KILLED: Final = 0.2
"""Chance that a bot whose line is cut forgets its secret, too."""
_SLOW: Final = 0.1
"""Share of spectators who hardly read."""


async def endure(port: str, bots: str, spectators: str) -> None:
    """Play and watch until the process is ended."""
    lives = [_live(f"ws://127.0.0.1:{port}", number) for number in range(int(bots))]
    visits = [_visit(f"ws://127.0.0.1:{port}", number) for number in range(int(spectators))]
    print("ready", flush=True)
    await asyncio.gather(*lives, *visits)


async def _live(url: str, number: int) -> None:
    """Be a bot over all its connections."""
    chance = Random(f"bot/{number}")
    secret: str | None = None
    while True:
        hello: dict[str, Any] = {"type": "hello", "protocol": "1.0", "games": ["spaceballs"]}
        hello |= {"name": f"bot-{number}"} if secret is None else {"resume": secret}
        with suppress(*_CAUGHT):
            async with _open(f"{url}/play") as bot:
                await bot.send(orjson.dumps(hello), text=True)
                welcome = orjson.loads(await bot.recv())
                secret = welcome.get("resume")
                await _play(bot, chance)
        if chance.random() < _KILLED:
            secret = None
        await asyncio.sleep(chance.expovariate(2))


async def _play(bot: ClientConnection, chance: Random) -> None:
    """Answer what comes, until the line is cut, by us or by the server."""
    async for data in bot:
        message = orjson.loads(data)
        if message["type"] == "match_start":
            await bot.send(orjson.dumps({"type": "ready", "match": message["match"]}), text=True)
        if message["type"] == "observation":
            if chance.random() < _LOST:
                bot.transport.abort()
                return
            if chance.random() < _BABBLE:
                await bot.send(chance.choice(("{", "null", '{"type":"watch"}', '{"type":"hello"}')))
            if chance.random() >= _SILENT:
                thrust = [chance.uniform(-1, 1), chance.uniform(-1, 1)]
                answer = {"type": "action", "match": message["match"], "tick": message["tick"]}
                await bot.send(orjson.dumps({**answer, "thrust": thrust}), text=True)


async def _visit(url: str, number: int) -> None:
    """Look for a match in the lobby, watch it for a while, and look for another."""
    chance = Random(f"spectator/{number}")
    while True:
        with suppress(*_CAUGHT):
            match = await _find_match(url, chance)
            async with asyncio.timeout(chance.uniform(1, 30)), _open(f"{url}/watch/{match}") as spectator:
                async for _ in spectator:
                    if chance.random() < _SLOW / 10:
                        await asyncio.sleep(chance.uniform(0, 5))
        await asyncio.sleep(chance.expovariate(1))


async def _find_match(url: str, chance: Random) -> str:
    async with _open(f"{url}/watch") as lobby:
        entries = orjson.loads(await lobby.recv())["matches"]
    live = [entry["match"] for entry in entries if entry["phase"] != "over"]
    return chance.choice(live) if live else "none"


def _open(url: str) -> connect:
    return connect(
        url, subprotocols=[Subprotocol("fangnetz.v1")], compression=None, proxy=None, ping_interval=None
    )

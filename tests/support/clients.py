"""Raw WebSocket clients for tests: they say what a test tells them to, right or wrong, and keep a log."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from fangnetz_protocol.version import PROTOCOL_VERSION, SUBPROTOCOL

__all__ = ["PATIENCE_S", "BotClient", "Client", "Policy", "coast", "open_socket", "stand", "stroll"]

JsonObject = dict[str, Any]
Policy = Callable[[JsonObject], JsonObject]
"""Gives the game part of an action for an observation."""

PATIENCE_S: Final = 20.0
"""Time after which a test gives up; it only ever passes in a failing one."""
_CIRCLE: Final = ("EAST", "SOUTH_EAST", "SOUTH", "WEST", "NORTH_WEST", "NORTH")


def coast(observation: JsonObject) -> JsonObject:
    """Spaceballs: no thrust; the ball stays where it starts."""
    return {"thrust": [0, 0]}


def stand(observation: JsonObject) -> JsonObject:
    """Right2Live: stand still."""
    return {"move": "NONE"}


def stroll(observation: JsonObject) -> JsonObject:
    """Right2Live: walk in a circle, as far as the walls allow, and look ahead."""
    direction = _CIRCLE[observation["tick"] % len(_CIRCLE)]
    return {"move": direction, "view": direction}


@asynccontextmanager
async def open_socket(url: str, **options: Any) -> AsyncIterator[ClientConnection]:
    """Open a connection without pings, compression or limits; it is gone when the context is left."""
    options = {"subprotocols": [Subprotocol(SUBPROTOCOL)], "ping_interval": None, **options}
    socket = await connect(
        url, compression=None, max_size=None, max_queue=None, proxy=None, close_timeout=1, **options
    )
    try:
        yield socket
    finally:
        await socket.close()


class Client:
    """One connection. `log` holds every message in either direction: "out" is what the client said."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.log: list[tuple[Literal["in", "out"], JsonObject]] = []

    async def send(self, message: JsonObject) -> None:
        self.log.append(("out", message))
        await self.send_raw(json.dumps(message))

    async def send_raw(self, data: str | bytes) -> None:
        """Send any text or bytes; they are not logged, because they may be no message."""
        await self.socket.send(data)

    async def receive(self) -> JsonObject:
        """Return the next message.

        Raises:
            TimeoutError: none came.
            ConnectionClosed: none will come.
        """
        async with asyncio.timeout(PATIENCE_S):
            message: JsonObject = json.loads(await self.socket.recv())
        self.log.append(("in", message))
        return message

    async def next(self, type_: str, **fields: Any) -> JsonObject:
        """Return the next message of a type with these fields; what comes before it is passed over."""
        while True:
            message = await self.receive()
            if message["type"] == type_ and all(message.get(key) == value for key, value in fields.items()):
                return message

    async def drain(self) -> list[JsonObject]:
        """Return all messages until the connection ends."""
        messages = []
        try:
            while True:
                messages.append(await self.receive())
        except ConnectionClosed:
            return messages

    async def closed(self) -> int:
        """Wait until the server closes the connection, and return the code of its close frame."""
        await self.drain()
        assert self.socket.close_code is not None
        return self.socket.close_code

    def cut(self) -> None:
        """Break the connection without a goodbye, as a killed process or a dead line does."""
        self.socket.transport.abort()

    def received(self, type_: str) -> list[JsonObject]:
        """Return the messages of a type that came so far."""
        return [message for way, message in self.log if way == "in" and message["type"] == type_]


class BotClient(Client):
    """A bot that says hello, gets ready and plays, one step at a time."""

    async def hello(self, name: str | None = None, **more: Any) -> JsonObject:
        """Say hello and return the `welcome`."""
        named = {} if name is None else {"name": name}
        await self.send({"type": "hello", "protocol": PROTOCOL_VERSION, **named, **more})
        return await self.next("welcome")

    async def ready(self) -> JsonObject:
        """Wait for a match, say ready and return the `match_start`."""
        start = await self.next("match_start")
        await self.send({"type": "ready", "match": start["match"]})
        return start

    async def act(self, observation: JsonObject, part: JsonObject) -> None:
        """Answer an observation."""
        match, tick = observation["match"], observation["tick"]
        await self.send({"type": "action", "match": match, "tick": tick, **part})

    async def play(self, policy: Policy) -> JsonObject:
        """Get ready, answer every observation and return the `match_end`."""
        await self.ready()
        return await self.play_on(policy)

    async def play_on(self, policy: Policy) -> JsonObject:
        """Answer every observation of a match that has begun, and return the `match_end`."""
        while (message := await self.receive())["type"] != "match_end":
            if message["type"] == "observation":
                await self.act(message, policy(message))
        return message

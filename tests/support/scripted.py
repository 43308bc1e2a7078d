"""A server that plays a script: for tests of clients over real sockets, without the real server."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from fangnetz_protocol.version import SUBPROTOCOL

__all__ = ["Peer", "Script", "ScriptedServer", "observation", "start"]

JsonObject = dict[str, Any]

SPACEBALLS_SETUP: JsonObject = {
    "stations": [{"id": 0, "x": 0.5, "y": 0.5}],
    "mines": [],
    "ball_radius": 0.01,
    "station_radius": 0.01,
    "mine_radius": 0.05,
    "steps": 6000,
    "steps_per_tick": 5,
    "dt": 0.01,
    "thrust": 0.1,
}
_BALL: JsonObject = {"x": 0.1, "y": 0.2, "vx": 0.0, "vy": 0.0, "ax": 0.0, "ay": 0.0, "fuel": 0}


def start(match: str = "m-1", **changes: Any) -> JsonObject:
    """Return a `match_start` of Spaceballs."""
    return {
        "type": "match_start",
        "match": match,
        "game": "spaceballs",
        "rules_version": 1,
        "ruleset": {},
        "seat": 0,
        "seats": [{"seat": 0, "name": "a"}, {"seat": 1, "name": "b"}],
        "pace": "lockstep",
        "tick_ms": 50,
        "deadline_ms": 250,
        "bank_ms": 5000,
        "action_delay": 0,
        "ticks": 1200,
        "setup": SPACEBALLS_SETUP,
        **changes,
    }


def observation(tick: int, match: str = "m-1", **changes: Any) -> JsonObject:
    """Return an `observation` of Spaceballs."""
    return {
        "type": "observation",
        "match": match,
        "tick": tick,
        "deadline_ms": 250,
        "bank_ms": 5000,
        "last_action": {"tick": tick - 1, "status": "applied", "latency_ms": 0.5} if tick else None,
        "step": 5 * tick,
        "time": 0.05 * tick,
        "me": _BALL,
        "opponent": _BALL,
        "stations": [{"id": 0, "x": 0.5, "y": 0.5}],
        "mines": [],
        "events": [],
        **changes,
    }


class Peer:
    """One connection of a client, from the script's side."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def send(self, *messages: JsonObject) -> None:
        for message in messages:
            await self.socket.send(json.dumps(message))

    async def receive(self) -> JsonObject:
        async with asyncio.timeout(5):
            message: JsonObject = json.loads(await self.socket.recv())
        return message

    async def welcome(self, *, resumed: bool = False) -> JsonObject:
        """Take the hello, answer with a welcome, and return the hello."""
        hello = await self.receive()
        assert hello["type"] == "hello", hello
        await self.send(
            {
                "type": "welcome",
                "protocol": "1.0",
                "server": "test",
                "session": "s-1",
                "resume": "secret-1",
                "bot": {"id": "b-1", "name": hello.get("name", "?")},
                "limits": {"message_bytes": 32768, "messages_per_second": 200, "strikes": 20},
                "games": [{"id": "spaceballs", "rules_version": 1}],
                "features": {},
                "resumed": resumed,
            }
        )
        return hello

    async def start(self, match: str = "m-1", **changes: Any) -> None:
        """Start a match of Spaceballs and take the `ready`."""
        await self.send(start(match, **changes))
        assert await self.receive() == {"type": "ready", "match": match}

    async def ask(self, tick: int, match: str = "m-1", **changes: Any) -> JsonObject:
        """Send an observation and return the answer."""
        await self.send(observation(tick, match, **changes))
        return await self.receive()

    async def end(self, match: str = "m-1", **changes: Any) -> None:
        """End a match."""
        await self.send(
            {
                "type": "match_end",
                "match": match,
                "reason": "catch",
                "places": [1, 2],
                "points": [1.0, 0.0],
                "ticks": 7,
                "replay": None,
                **changes,
            }
        )

    async def until_closed(self) -> int:
        """Wait for the client to close; return the close code."""
        async with asyncio.timeout(5):
            await self.socket.wait_closed()
        return self.socket.close_code or 0


Script = Callable[[Peer], Awaitable[None]]


class ScriptedServer:
    """Listens on 127.0.0.1; each connection plays the next script and is closed after it.

    What a script raises is raised again when the server is left.
    """

    def __init__(self, *scripts: Script, subprotocol: str | None = SUBPROTOCOL, **options: Any) -> None:
        self._scripts = list(scripts)
        self._subprotocols = [Subprotocol(subprotocol)] if subprotocol else None
        self._options = options
        self._errors: list[Exception] = []
        self._server: Server | None = None
        self.played = 0

    @property
    def url(self) -> str:
        assert self._server is not None
        host, port = next(iter(self._server.sockets)).getsockname()[:2]
        return f"ws://{host}:{port}"

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._play, "127.0.0.1", 0, subprotocols=self._subprotocols, **self._options
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        if self._errors:
            raise self._errors[0]

    async def _play(self, socket: ServerConnection) -> None:
        script = self._scripts[self.played]
        self.played += 1
        try:
            await script(Peer(socket))
        except Exception as error:
            self._errors.append(error)

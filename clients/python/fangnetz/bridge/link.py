"""One connection of a bridge: messages of the server to the seats, answers of the programs back."""

import asyncio
from typing import Final, assert_never

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fangnetz.bridge.bridge import Bridge
from fangnetz.wire import Wire
from fangnetz_protocol.messages import (
    BotMessage,
    Error,
    MatchEnd,
    MatchStart,
    Notice,
    Observation,
    ServerMessage,
    Welcome,
)

__all__ = ["BridgeLink"]


class BridgeLink(Wire):
    """Carries the messages of one connection between the server and the bridge.

    Args:
        connection: an open connection to `/play`.
        bridge: the matches; it outlives the connection.
    """

    def __init__(self, connection: ClientConnection, bridge: Bridge) -> None:
        super().__init__(connection)
        self._bridge = bridge
        self._outbox: Final[asyncio.Queue[BotMessage]] = asyncio.Queue()

    async def serve(self) -> None:
        receiving = asyncio.create_task(self._receive_all())
        others = [asyncio.create_task(task) for task in (self._send_all(), self._bridge.over.wait())]
        self._bridge.connected(self._outbox.put_nowait)
        try:
            await asyncio.wait((receiving, others[1]), return_when=asyncio.FIRST_COMPLETED)
            if receiving.done():
                receiving.result()
        finally:
            self._bridge.disconnected()
            for task in (receiving, *others):
                task.cancel()
            await asyncio.gather(receiving, *others, return_exceptions=True)

    async def _receive_all(self) -> None:
        while True:
            self._handle(await self._receive())

    def _handle(self, message: ServerMessage | None) -> None:
        match message:
            case Observation():
                self._bridge.observe(message)
            case MatchStart():
                self._bridge.start(message)
            case MatchEnd():
                self._bridge.end(message)
            case Error():
                self._bridge.tell(message)
            case Notice():
                self._tell_notice(message)
                self._bridge.tell(message)
            case Welcome() | None:
                pass  # The session lets a welcome pass only in the greeting.
            case _:
                assert_never(message)

    async def _send_all(self) -> None:
        """Send what the programs answer, one after the other."""
        try:
            while True:
                await self._send(await self._outbox.get())
        except ConnectionClosed:
            pass  # The reader notices it, too.

"""A line between a client and the gateway's code without any network, for tests on a virtual loop."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import orjson
from websockets.exceptions import ConnectionClosedError
from websockets.protocol import State

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.socket import Socket

__all__ = ["Line"]

_HEADER_BYTES = {126: 4, 127: 10}


class Line:
    """The server's end is what the gateway uses of a `Socket`; the client's end is `say`, `cut`, `inbox`."""

    def __init__(self) -> None:
        self.inbox: list[dict[str, Any]] = []
        """What the client has not looked at yet."""
        self.closed_with: CloseCode | None = None
        self.close_code: int | None = None
        self.dropped_by: CloseCode | None = None
        self.unsent_bytes = 0
        self.protocol = SimpleNamespace(state=State.OPEN, close_rcvd=None)
        self.transport = self
        self._said: asyncio.Queue[str | bytes | None] = asyncio.Queue()

    # --- the client's end -------------------------------------------------------------------------

    def say(self, message: dict[str, Any] | str) -> None:
        """Send a message, or any text."""
        self.say_raw(message if isinstance(message, str) else orjson.dumps(message).decode())

    def say_raw(self, frame: str | bytes) -> None:
        """Send a frame: text, or bytes as a binary one."""
        self._said.put_nowait(frame)

    def cut(self, *, goodbye: bool = False) -> None:
        """End the line, with or without a close frame."""
        if goodbye:
            self.protocol.close_rcvd = object()
        self._end()

    @property
    def is_open(self) -> bool:
        return self.protocol.state is State.OPEN

    # --- the server's end -------------------------------------------------------------------------

    def as_socket(self) -> Socket:
        return cast(Socket, self)

    async def recv(self) -> str | bytes:
        data = await self._said.get()
        if data is None:
            self._said.put_nowait(None)
            raise ConnectionClosedError(None, None)
        return data

    def push(self, text: bytes) -> None:
        if self.is_open:
            self.inbox.append(orjson.loads(text))

    def push_framed(self, frame: bytes) -> None:
        self.push(frame[_HEADER_BYTES.get(frame[1], 2) :])

    write = push_framed

    def get_write_buffer_size(self) -> int:
        return self.unsent_bytes

    def drop(self, code: CloseCode, reason: str = "") -> None:
        if self.is_open:
            self.closed_with = self.dropped_by = code
            self._end()

    def _end(self) -> None:
        self.protocol.state = State.CLOSED
        self._said.put_nowait(None)

"""One WebSocket on the port that uvicorn serves (decision 4).

uvicorn reads the HTTP request, sees the upgrade and hands the transport over to the class named
by its `ws` option. This one is a plain `websockets` connection, at its full speed, with two ways
of sending that never wait.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.bucket import TokenBucket
from fangnetz_server.gateway.intake import BITE, Intake, Turns
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.clock import MonotonicClock

__all__ = ["SUBPROTOCOL", "Socket", "SocketServer", "frame_text"]

SUBPROTOCOL: Final = Subprotocol("fangnetz.v1")
"""The WebSocket subprotocol of P1.2."""
_CONTROLS: Final = frozenset({Opcode.PING, Opcode.PONG})
_UNREAD_MESSAGES: Final = 64
"""Messages read ahead of the handler before the transport stops reading."""


class SocketServer(Protocol):
    """What a `ServerConnection` wants of its server."""

    handler_tasks: set[asyncio.Task[None]]
    turns: Turns

    def handler(self, socket: "Socket") -> Awaitable[None]: ...

    def is_serving(self) -> bool: ...


def frame_text(text: bytes) -> bytes:
    """Return a whole unmasked text frame; the same bytes serve any number of sockets."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


class Socket(ServerConnection):
    """A connection as uvicorn makes it.

    Args:
        server: gets the connection through `handler`.
        limits: sizes and times.
        config, server_state, app_state: what uvicorn passes; only its set of connections is used,
            so that uvicorn's shutdown waits for this one too.
    """

    def __init__(
        self, server: SocketServer, limits: Limits, *, config: Any, server_state: Any, app_state: Any
    ) -> None:
        protocol = ServerProtocol(subprotocols=[SUBPROTOCOL], max_size=limits.frame_bytes)
        super().__init__(
            protocol,
            server,  # type: ignore[arg-type]  # The documented part of `Server` is all it uses.
            ping_interval=limits.ping_s,
            ping_timeout=limits.ping_s,
            close_timeout=limits.close_s,
            max_queue=_UNREAD_MESSAGES,
        )
        self._turns = server.turns
        self._uvicorn_connections: set[Any] = server_state.connections
        self._last_resort: asyncio.TimerHandle | None = None
        self.dropped_by: CloseCode | None = None
        """Why the server closed the connection; None if it did not."""
        self._controls = TokenBucket(limits.pings_per_second, MonotonicClock())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._uvicorn_connections.add(self)
        super().connection_made(transport)
        # A bot's answers must not wait their turn; a flood has to.
        self._intake = Intake(self._turns, self.transport, self._work_off, at_once=BITE)
        self.recv_messages.pause = self._intake.pause_reading
        self.recv_messages.resume = self._intake.resume_reading

    def data_received(self, data: bytes) -> None:
        self._intake.take(data)

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.opcode in _CONTROLS and self._controls.take():
            self.drop(CloseCode.POLICY)
        super().process_event(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._uvicorn_connections.discard(self)
        if self._last_resort is not None:
            self._last_resort.cancel()
        self._intake.close()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Say goodbye; uvicorn calls it for every connection when it stops."""
        self.drop(CloseCode.RESTART)

    @property
    def is_open(self) -> bool:
        """Tell whether messages can still be sent."""
        return self.protocol.state is State.OPEN

    @property
    def unsent_bytes(self) -> int:
        """Bytes that the peer has not taken from us yet, without the kernel's buffers."""
        return self.transport.get_write_buffer_size()

    def push(self, text: bytes) -> None:
        """Send a text message without waiting; nothing happens on a connection that is closing."""
        self.push_framed(frame_text(text))

    def push_framed(self, frame: bytes) -> None:
        """Send what `frame_text` made. Never used together with compression, which frames per socket."""
        if self.protocol.state is State.OPEN:
            self.transport.write(frame)

    def drop(self, code: CloseCode, reason: str = "") -> None:
        """Start the closing handshake without waiting for the peer; a peer that is gone is cut off."""
        if self.protocol.state is State.OPEN:
            self.dropped_by = code
            self.protocol.send_close(code, reason or code.sentence)
            self.send_data()
            self._intake.forget()
            self._arm_last_resort()

    async def finish(self) -> None:
        """Close the connection and wait for its end.

        What the peer still says is read and thrown away: behind a flood that nobody reads its
        close frame would never be seen.
        """
        self.drop(CloseCode.NORMAL)
        self._arm_last_resort()
        with suppress(ConnectionClosed):
            while True:
                await self.recv()

    def cut(self, code: CloseCode) -> None:
        """End the connection at once and free its buffer; the peer does not read anyway."""
        self.dropped_by = code
        self.transport.abort()

    def end(self) -> None:
        """Make sure that nothing of the connection is left."""
        if self.protocol.state is not State.CLOSED:
            self._cut_off()

    def _work_off(self, data: bytes) -> None:
        super().data_received(data)
        if self.protocol.state is State.CLOSING:
            self._intake.forget()

    def _arm_last_resort(self) -> None:
        if self._last_resort is None and self.protocol.state is not State.CLOSED:
            self._last_resort = self.loop.call_later(self.close_timeout or 0, self._cut_off)

    def _cut_off(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


SocketFactory = Callable[..., Socket]

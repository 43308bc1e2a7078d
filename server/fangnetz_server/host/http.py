"""uvicorn's HTTP connection with limits: on time, on bytes, on requests of one address.

uvicorn itself waits for ever for the rest of a request, and for a peer to take its answer; and it reads
any number of requests ahead.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sized
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from fangnetz_server.gateway.doorman import TrustedProxies, neighbourhood
from fangnetz_server.gateway.intake import Intake, Turns
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.host.crowd import Crowd

__all__ = ["HttpConnection", "http_connection"]

_HEAD_BYTES: Final = 64 * 1024
"""Bytes of a request's head; browsers send some 1,000."""
_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class _Flow(FlowControl):
    """Reads no more requests while some wait their turn."""

    def __init__(self, intake: Intake, waiting: Sized) -> None:
        super().__init__(intake)  # type: ignore[arg-type]  # Pausing and resuming is all that it does.
        self._waiting = waiting

    def resume_reading(self) -> None:
        if not self._waiting:
            super().resume_reading()


class HttpConnection(HttpToolsProtocol):
    """A connection until it is closed or becomes a WebSocket."""

    limits: ClassVar[Limits]
    proxies: ClassVar[TrustedProxies]
    crowd: ClassVar[Crowd]
    turns: ClassVar[Turns]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._intake = Intake(self.turns, transport, self._work_off, at_once=0)
        self.flow = _Flow(self._intake, self.pipeline)
        self._answering: RequestResponseCycle | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._held: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._peer = self.client[0] if self.client else "unknown"
        self._address = neighbourhood(self._peer)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        self._intake.take(data)

    def on_headers_complete(self) -> None:
        self._in_time()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self._held = None
        wait_ms = 0 if self._is_proxy() else self.crowd.wait_ms(self._address)
        if wait_ms and not self.transport.is_closing():
            self.flow.pause_reading()
            self._held = self.loop.call_later(wait_ms / 1000, self.on_response_complete)
            return
        follows = bool(self.pipeline)
        super().on_response_complete()
        if not follows and not self.transport.is_closing():
            self._await_head()

    def pause_writing(self) -> None:
        # The peer does not take its answer: it gets the time that a spectator gets.
        self._stalled = self.loop.call_later(self.limits.spectator_patience_s, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._count_out()
        if self._answering is not None:  # uvicorn tells only the newest of several requests.
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._count_out()
        super().handle_websocket_upgrade()
        # As uvicorn does at the end of all others: parser and protocol keep each other for the collector.
        self.parser = None  # type: ignore[assignment]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        async def answer(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
            async def send_if_open(message: Any) -> None:
                # Between the break of a line and the word of it uvloop raises at each attempt to write.
                cycle.disconnected = cycle.disconnected or self.transport.is_closing()
                await send(message)

            await app(scope, receive, send_if_open)

        self._answering = cycle
        super()._start_asgi_task(cycle, answer)

    def _work_off(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._deadline is not None:
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self._turn_away(_TOO_LONG)
                return
        super().data_received(data)

    def _await_head(self) -> None:
        self._in_time()
        self._head_bytes = 0
        self._deadline = self.loop.call_later(self.limits.handshake_s, self.transport.abort)

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_proxy(self) -> bool:
        return self.proxies.trusts(self._peer)

    def _turn_away(self, answer: bytes) -> None:
        self._in_time()
        self.transport.write(answer)
        self.transport.close()

    def _count_out(self) -> None:
        self._in_time()
        self._intake.close()
        for timer in (self._stalled, self._held):
            if timer is not None:
                timer.cancel()
        self.crowd.leave(self._address)


def http_connection(
    limits: Limits, proxies: TrustedProxies, crowd: Crowd, turns: Turns
) -> type[HttpConnection]:
    """Return the class of connections that may stay.

    Args:
        limits: of the server.
        proxies: they may ask as often as they like; what is behind them is counted elsewhere.
        crowd: counts them; each has entered it.
        turns: of all connections of the server.
    """
    fields: dict[str, Any] = {"limits": limits, "proxies": proxies, "crowd": crowd, "turns": turns}
    return type("HttpConnection", (HttpConnection,), fields)

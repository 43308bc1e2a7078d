"""uvicorn's HTTP connection with limits: on time, on bytes, and on connections of one address.

uvicorn itself waits for ever for the rest of a request, and for a peer to take its answer.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fangnetz_server.gateway.doorman import TrustedProxies
from fangnetz_server.gateway.limits import Limits

__all__ = ["HttpConnection", "http_connection"]

_HEAD_BYTES: Final = 64 * 1024
"""Bytes of a request's head; browsers send some 1,000."""
_READ_BYTES: Final = 256 * 1024
"""What the event loop reads at a time."""
_TOO_MANY: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)
_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class HttpConnection(HttpToolsProtocol):
    """A connection until it is closed or becomes a WebSocket."""

    limits: ClassVar[Limits]
    proxies: ClassVar[TrustedProxies]
    refused: ClassVar[Callable[[str], None]]
    """Called with the name of the limit that a connection would have broken."""
    open: ClassVar[Counter[str]]
    """Connections that are no WebSockets, by address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._address = self.client[0] if self.client else "unknown"
        self.open[self._address] += 1
        self._await_head()
        if self.open[self._address] > self.limits.connections_per_address and not self._is_proxy():
            type(self).refused("connections_per_address")
            self._turn_away(_TOO_MANY)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._deadline is not None:
            self._head_bytes += len(data)
            # What came with the end of the head, at most this much at a time, may be a body.
            if self._head_bytes > _HEAD_BYTES + _READ_BYTES:
                self._turn_away(_TOO_LONG)
                return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._in_time()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
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
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._count_out()
        super().handle_websocket_upgrade()

    def _await_head(self) -> None:
        self._in_time()
        self._head_bytes = 0
        self._deadline = self.loop.call_later(self.limits.handshake_s, self.transport.abort)

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_proxy(self) -> bool:
        return self.proxies.trusts(self._address)

    def _turn_away(self, answer: bytes) -> None:
        self._in_time()
        self.transport.write(answer)
        self.transport.close()

    def _count_out(self) -> None:
        self._in_time()
        if self._stalled is not None:
            self._stalled.cancel()
        self.open[self._address] -= 1
        if not self.open[self._address]:
            del self.open[self._address]


def http_connection(
    limits: Limits, proxies: TrustedProxies, refused: Callable[[str], None]
) -> type[HttpConnection]:
    """Return the class for uvicorn's option `http`.

    Args:
        limits: of the server.
        proxies: they may have as many connections as they like; what is behind them is counted elsewhere.
        refused: called with the name of the limit that a connection would have broken.
    """
    fields: dict[str, Any] = {
        "limits": limits,
        "proxies": proxies,
        "refused": staticmethod(refused),
        "open": Counter[str](),
    }
    return type("HttpConnection", (HttpConnection,), fields)

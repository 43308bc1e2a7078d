"""uvicorn's HTTP connection with a time for the first request: a peer that stays mute must go."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["HttpConnection", "http_connection"]


class HttpConnection(HttpToolsProtocol):
    """Closes itself unless a whole request head arrives in time."""

    request_s: ClassVar[float]
    """Seconds from the connection to the end of the first request's head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = self.loop.call_later(self.request_s, transport.abort)

    def on_headers_complete(self) -> None:
        self._in_time()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._in_time()
        super().handle_websocket_upgrade()

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def http_connection(request_s: float) -> type[HttpConnection]:
    """Return the class for uvicorn's option `http`."""
    fields: dict[str, Any] = {"request_s": request_s}
    return type("HttpConnection", (HttpConnection,), fields)

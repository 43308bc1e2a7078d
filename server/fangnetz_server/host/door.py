"""Where connections come in: HTTP for those that may stay, a late refusal for those that come too often."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from fangnetz_server.gateway.doorman import TrustedProxies, neighbourhood
from fangnetz_server.gateway.intake import Turns
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.host.crowd import Crowd
from fangnetz_server.host.http import http_connection

__all__ = ["Door"]

_HOLD_S: Final = 1.0
"""Before a refusal is told: a bot that connects again and again, as fast as it can, does it once a second."""
_HEAD_BYTES: Final = 8 * 1024
"""What is taken of a request that is refused; more is a flood."""
_TOO_MANY: Final = (
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10\r\nConnection: close\r\n"
    "Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}"
)


class Door:
    """What uvicorn's option `http` takes: makes a protocol for each connection.

    A storm of connections comes in the same turn of the event loop, so a refusal has to cost little.

    Args:
        limits: of the server.
        proxies: they may have as many connections as they like; what is behind them is counted elsewhere.
        refused: called with the name of the limit that a connection would have broken.
        turns: of all connections of the server.
    """

    def __init__(
        self, limits: Limits, proxies: TrustedProxies, refused: Callable[[str], None], turns: Turns
    ) -> None:
        self.crowd = Crowd(limits)
        self.proxies = proxies
        self.refused = refused
        self.held: set[_Arrival] = set()
        self._http = http_connection(limits, proxies, self.crowd, turns)

    def __call__(self, **options: Any) -> asyncio.Protocol:
        """Return the protocol of a new connection; the options are uvicorn's."""
        return _Arrival(self, lambda: self._http(**options))

    def close(self) -> None:
        """Cut off those who wait for their refusal."""
        for arrival in list(self.held):
            arrival.cut_off()


class _Arrival(asyncio.Protocol):
    """A connection of which nobody knows yet whether it may stay; then, one that may not."""

    def __init__(self, door: Door, make_http: Callable[[], asyncio.Protocol]) -> None:
        self._door = door
        self._make_http = make_http
        self._timer: asyncio.TimerHandle | None = None
        self._taken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        # A socket of the file system has no address.
        host = str(peer[0]) if isinstance(peer, tuple) else "unknown"
        self._address = neighbourhood(host)
        limit = self._door.crowd.enter(self._address)
        if limit is None or self._door.proxies.trusts(host):
            http = self._make_http()
            transport.set_protocol(http)
            http.connection_made(transport)
            return
        self._transport = transport
        self._door.refused(limit)
        self._door.held.add(self)
        # Only so many are kept waiting.
        delay_s = _HOLD_S if limit == "connections_per_second" else 0.0
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._refuse, limit)

    def data_received(self, data: bytes) -> None:
        # Nobody reads a refusal if the line breaks because of what was sent and not taken.
        self._taken += len(data)
        if self._taken > _HEAD_BYTES:
            self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._door.held.discard(self)
        self._door.crowd.leave(self._address)

    def cut_off(self) -> None:
        self._transport.abort()

    def _refuse(self, limit: str) -> None:
        text = f"too many connections from your address ({limit}); try again later\n"
        self._transport.write(_TOO_MANY.format(length=len(text), text=text).encode())
        self._transport.close()

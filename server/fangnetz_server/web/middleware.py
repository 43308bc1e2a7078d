"""What every HTTP request goes through: a proxy's prefix, limits, headers that protect browsers."""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fangnetz_server.gateway.bucket import Shares
from fangnetz_server.gateway.doorman import neighbourhood
from fangnetz_server.gateway.intake import Turns
from fangnetz_server.web.auth import token_of

__all__ = ["BodyLimit", "PrefixMiddleware", "SecurityHeaders", "Turnstile"]

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors {ancestors}"
)
"""No inline script or style, and no request to any other host."""
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_PATIENCE_S: Final = 30
"""Time that a request waits for its turn."""
_FILES: Final = ("/static/", "/swagger/")
_UNCOUNTED: Final = ("/healthz", "/readyz", "/metrics", "/history")


class PrefixMiddleware:
    """Serves the app under a path prefix, whether the proxy in front keeps the prefix or strips it.

    Args:
        app: what it wraps.
        prefix: such as /fangnetz; empty for none.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._prefix and scope["type"] == "http":
            path: str = scope["path"]
            inside = path == self._prefix or path.startswith(f"{self._prefix}/")
            full = path if inside else self._prefix + path
            scope = {**scope, "root_path": self._prefix, "path": full, "raw_path": full.encode()}
        await self._app(scope, receive, send)


class Turnstile:
    """Lets some requests at a time be worked on; the others wait, and matches have the processor in between.

    Whoever watches over the server does not wait. Nor does a stretch of a match, which a thread plays again
    for as long as it takes, and which has a bound of its own: it would hold up the pages of all others.

    An address for which the server has worked much has to wait longer; not so the host. Files of the page
    do not count: a whole class may open it at once, and `Limits.requests_per_second` bounds them.

    Args:
        app: what it wraps.
        turns: of the server; in each turn of the event loop one request begins at most.
        shares: of the work for each address.
        is_host: tells whether a token is the host's.
        at_once: requests that are worked on until their answer begins.
    """

    def __init__(
        self,
        app: ASGIApp,
        turns: Turns,
        *,
        shares: Shares,
        is_host: Callable[[str | None], bool],
        at_once: int = 4,
    ) -> None:
        self._app = app
        self._turns = turns
        self._shares = shares
        self._is_host = is_host
        self._places = asyncio.Semaphore(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].endswith(_UNCOUNTED):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        address = neighbourhood(request.client.host if request.client else "unknown")
        counts = not (_is_file(scope) or self._is_host(token_of(request)))
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self._enter(address if counts else None)
        except TimeoutError:
            text = f"requests from {address} have kept the server busy (requests_work); ask less often"
            await _answer(send, 429, text, retry_s=_PATIENCE_S)
            return
        inside, begun = True, self._shares.begin()

        def leave() -> None:
            nonlocal inside
            if inside:
                inside = False
                self._places.release()
                if counts:
                    self._shares.end(address, begun)

        async def send_and_leave(message: Message) -> None:
            leave()
            await send(message)

        try:
            await self._app(scope, receive, send_and_leave)
        finally:
            leave()

    async def _enter(self, address: str | None) -> None:
        """Take a place as soon as there is one, and none while an address has to wait."""
        while True:
            await self._places.acquire()
            try:
                await self._turns.turn()
                wait_s = 0.0 if address is None else self._shares.wait_s(address)
                if not wait_s:
                    return
            except asyncio.CancelledError:
                self._places.release()
                raise
            self._places.release()
            await asyncio.sleep(wait_s)


def _is_file(scope: Scope) -> bool:
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return path.startswith(_FILES)


class BodyLimit:
    """Reads a request's body before anybody else does: up to a size, and for some time only.

    Args:
        app: what it wraps.
        most_bytes: a longer body is answered with 413.
        patience_s: a body that takes longer is answered with 408.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int, patience_s: float) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._patience_s):
                body = await self._read(receive)
        except TimeoutError:
            await _answer(send, 408, "the body of the request did not come in time")
            return
        except ClientDisconnect:
            return
        if body is None:
            await _answer(send, 413, f"the body of a request has {self._most_bytes} bytes at most")
            return
        whole: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def receive_whole() -> Message:
            nonlocal whole
            if whole is None:
                return await receive()
            message, whole = whole, None
            return message

        await self._app(scope, receive_whole, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body; None if it is too long."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._most_bytes:
                return None
            if not message.get("more_body", False):
                return bytes(body)


async def _answer(send: Send, status: int, text: str, *, retry_s: int | None = None) -> None:
    """Answer and close: the rest of the request is not read."""
    body = json.dumps({"detail": text}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if retry_s is not None:
        headers.append((b"retry-after", str(retry_s).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class SecurityHeaders:
    """Adds a strict content policy and its companions to every answer.

    Only the page in its embedded form (`?embed`) may stand in a frame of another site.
    """

    def __init__(self, app: ASGIApp, *, tls: bool) -> None:
        self._app = app
        self._tls = tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        embedded = any(part.partition(b"=")[0] == b"embed" for part in scope["query_string"].split(b"&"))

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers(embedded):
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_protected)

    def _headers(self, embedded: bool) -> Iterable[tuple[str, str]]:
        yield "Content-Security-Policy", _POLICY.format(ancestors="*" if embedded else "'self'")
        yield from _HEADERS.items()
        if self._tls:
            yield "Strict-Transport-Security", "max-age=31536000"

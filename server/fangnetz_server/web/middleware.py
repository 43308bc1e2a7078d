"""What every HTTP answer goes through: the prefix of a proxy and the headers that protect browsers."""

from collections.abc import Iterable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["PrefixMiddleware", "SecurityHeaders"]

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

"""Routes the upgraded connections: who asks for what, and what does not exist."""

import asyncio
import functools
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from fangnetz_protocol.words import MatchId
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.desk import Desk
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import LinkBook
from fangnetz_server.gateway.play import BotConnection
from fangnetz_server.gateway.socket import Socket, SocketFactory
from fangnetz_server.gateway.watch import watch_lobby, watch_match
from fangnetz_server.match.clock import Clock

__all__ = ["Gateway"]

_log = structlog.get_logger(__name__)
_BEARER: Final = "bearer "


class Gateway:
    """Owns all sockets of the server.

    Args:
        desk: the host.
        limits, clock: of the whole server.
    """

    def __init__(self, desk: Desk, limits: Limits, clock: Clock) -> None:
        self.links = LinkBook(limits)
        self.lobby = Audience(limits, clock)
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self._desk = desk
        self._limits = limits
        self._serving = True

    def socket_factory(self) -> SocketFactory:
        """Return what uvicorn's option `ws` takes."""
        return functools.partial(Socket, self, self._limits)

    def is_serving(self) -> bool:
        return self._serving

    def close(self) -> None:
        """Take no more connections; those that are open stay."""
        self._serving = False

    async def handler(self, socket: Socket) -> None:
        """Serve one connection from its upgrade to its end; nothing that happens to it leaves here."""
        try:
            async with asyncio.timeout(self._limits.handshake_s):
                await socket.handshake(self._check_request, server_header=None)
            if socket.is_open:
                socket.start_keepalive()
                await self._route(socket)
                await socket.close()
        except TimeoutError:
            _log.info("handshake_timeout")
        except Exception as error:
            _log.error("connection_failed", exc_info=error)
        finally:
            socket.end()
            task = asyncio.current_task()
            assert task is not None, "a coroutine of a task"
            self.handler_tasks.discard(task)

    def _check_request(self, connection: ServerConnection, request: Request) -> Response | None:
        path = _path(request)
        if path in ("/play", "/watch") or path.startswith("/watch/"):
            return None
        return connection.respond(
            HTTPStatus.NOT_FOUND, "No WebSocket here: bots connect to /play, spectators to /watch.\n"
        )

    async def _route(self, socket: Socket) -> None:
        assert socket.request is not None, "the handshake is over"
        path = _path(socket.request)
        if path == "/play":
            token = _bearer(socket.request)
            await BotConnection(socket, token, self.links, self._desk, self._limits).run()
        elif path == "/watch":
            await watch_lobby(socket, self.lobby, self._desk, self._limits)
        else:
            match = MatchId(path.removeprefix("/watch/"))
            await watch_match(socket, match, self._desk, self._limits)


def _path(request: Request) -> str:
    return unquote(urlsplit(request.path).path)


def _bearer(request: Request) -> str | None:
    """Return the token of an `Authorization: Bearer` header (P1.6)."""
    given: Any = request.headers.get("Authorization", "")
    return given[len(_BEARER) :].strip() or None if given[: len(_BEARER)].lower() == _BEARER else None

"""Lets WebSockets in or refuses them at the upgrade, and gives each to what serves it."""

import asyncio
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.bucket import Shares
from fangnetz_server.gateway.desk import Desk
from fangnetz_server.gateway.doorman import (
    Doorman,
    Refusal,
    TrustedProxies,
    arrivals,
    is_own_origin,
    neighbourhood,
)
from fangnetz_server.gateway.intake import Turns
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import LinkBook
from fangnetz_server.gateway.play import BotConnection
from fangnetz_server.gateway.routes import Route, bearer_token, header, read_route
from fangnetz_server.gateway.socket import Socket, SocketFactory
from fangnetz_server.gateway.watch import watch_lobby, watch_match
from fangnetz_server.match.clock import Clock
from fangnetz_server.metrics import Metrics

__all__ = ["DIRECT", "Entrance", "Gateway"]

_AT_FIRST: Final = 8
"""Seconds' worth of work on requests that may come at once: a class opens the page."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Entrance:
    """How the outside reaches the server.

    Args:
        prefix: path under which a proxy serves it.
        origins: web pages besides the server's own that may open WebSockets.
        proxies: addresses or networks whose X-Forwarded-For is believed.
    """

    prefix: str = ""
    origins: Sequence[str] = ()
    proxies: Sequence[str] = ()


DIRECT: Final = Entrance()
"""Nothing in between."""


@dataclass(slots=True)
class _Visit:
    """One connection's way in: what it wants, and where it is counted."""

    address: str = ""
    route: Route | None = None
    token: str | None = None
    is_proxied: bool = False
    is_inside: bool = False
    is_waiting: bool = False
    """A bot that has not said a good hello yet."""


class Gateway:
    """Owns all sockets of the server.

    Args:
        desk: the host.
        limits, clock, metrics: of the whole server.
        entrance: how the outside reaches it.
    """

    def __init__(
        self, desk: Desk, limits: Limits, clock: Clock, metrics: Metrics, entrance: Entrance = DIRECT
    ) -> None:
        self.links = LinkBook(limits, clock)
        self.lobby = Audience(limits, clock)
        self.doorman = Doorman(limits)
        self.turns = Turns()
        """Of all connections that read."""
        self.shares = Shares(limits.requests_work, clock, burst_s=_AT_FIRST * limits.requests_work)
        """Of each address in the work on HTTP requests."""
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self.sockets: set[Socket] = set()
        """All that were upgraded and have not ended."""
        self._desk = desk
        self._limits = limits
        self._clock = clock
        self._metrics = metrics
        self.entrance = entrance
        self._proxies = TrustedProxies(entrance.proxies)
        self._arrivals = arrivals(limits, clock)
        """Of clients behind proxies; those of all others are counted before they say what they want."""
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
        visit = _Visit()
        try:
            async with asyncio.timeout(self._limits.handshake_s):
                await socket.handshake(functools.partial(self._check, visit), server_header=None)
            if socket.is_open:
                await self._serve(socket, visit)
        except TimeoutError:
            _log.info("handshake_timeout", address=visit.address)
        except ConnectionClosed:
            _log.info("handshake_broken", address=visit.address)
        except Exception as error:
            _log.error("connection_failed", address=visit.address, exc_info=error)
        finally:
            socket.end()
            self._count_out(socket, visit)
            task = asyncio.current_task()
            assert task is not None, "a coroutine of a task"
            self.handler_tasks.discard(task)

    # --- the way in ---------------------------------------------------------------------------

    def _check(self, visit: _Visit, connection: ServerConnection, request: Request) -> Response | None:
        """Decide on an upgrade: None lets it in, a response refuses it."""
        peer = str((connection.remote_address or ("unknown",))[0])
        visit.address = self._proxies.client(peer, header(request, "X-Forwarded-For"))
        visit.is_proxied = self._proxies.trusts(peer)
        route = read_route(request, self.entrance.prefix)
        if isinstance(route, str):
            return _respond(connection, Refusal(HTTPStatus.NOT_FOUND, f"{route}\n", "path"))
        visit.route, visit.token = route, bearer_token(request)
        refusal = self._refuse(visit, route, request)
        if refusal is not None:
            self._metrics.count_refusal(refusal.limit)
            _log.info("connection_refused", address=visit.address, limit=refusal.limit)
            return _respond(connection, refusal)
        visit.is_inside, visit.is_waiting = True, not route.is_spectator
        self.doorman.enter(visit.address, spectator=route.is_spectator)
        return None

    def _refuse(self, visit: _Visit, route: Route, request: Request) -> Refusal | None:
        origin = header(request, "Origin")
        if origin and not is_own_origin(origin, header(request, "Host"), self.entrance.origins):
            text = f"the page {origin[:100]!r} may not connect here; the host can add it to access.origins\n"
            return Refusal(HTTPStatus.FORBIDDEN, text, "origin")
        if not self._serving:
            text = "the server shuts down; try again later\n"
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, text, "shutdown", retry_s=30)
        if visit.is_proxied and (wait_ms := self._arrivals.take(neighbourhood(visit.address))):
            text = f"{visit.address} connects too often; try again later\n"
            return Refusal(
                HTTPStatus.TOO_MANY_REQUESTS, text, "connections_per_second", retry_s=-(-wait_ms // 1000)
            )
        watched = None if route.match is None else self._desk.table(route.match, visit.token)
        of_match = watched.spectator_count if watched is not None else 0
        full = self.doorman.refuse(visit.address, spectator=route.is_spectator, of_match=of_match)
        return full or self._desk.refuse_visit(route, visit.token)

    # --- inside -------------------------------------------------------------------------------

    async def _serve(self, socket: Socket, visit: _Visit) -> None:
        assert visit.route is not None, "the upgrade was checked"
        self.sockets.add(socket)
        role = "spectator" if visit.route.is_spectator else "bot"
        with self._metrics.connections.labels(role).track_inprogress():
            socket.start_keepalive()
            await self._route(socket, visit, visit.route)
            await socket.finish()
        if socket.dropped_by is not None:
            self._metrics.evictions.labels(socket.dropped_by.name.lower()).inc()

    async def _route(self, socket: Socket, visit: _Visit, route: Route) -> None:
        if route.kind == "play":
            connection = BotConnection(
                socket,
                visit.token,
                address=visit.address,
                links=self.links,
                desk=self._desk,
                limits=self._limits,
                clock=self._clock,
                metrics=self._metrics,
                greeted=functools.partial(self._greeted, visit),
            )
            await connection.run()
        elif route.match is None:
            await watch_lobby(socket, self.lobby, self._desk, self._limits)
        else:
            await watch_match(socket, route.match, route.view, visit.token, self._desk, self._limits)

    def _count_out(self, socket: Socket, visit: _Visit) -> None:
        self.sockets.discard(socket)
        if visit.is_inside and visit.route is not None:
            self.doorman.leave(visit.address, spectator=visit.route.is_spectator)
            self._greeted(visit)

    def _greeted(self, visit: _Visit) -> None:
        """A bot has said a good hello, or ended before it did."""
        if visit.is_waiting:
            visit.is_waiting = False
            self.doorman.greeted()


def _respond(connection: ServerConnection, refusal: Refusal) -> Response:
    response = connection.respond(refusal.status, refusal.text)
    if refusal.retry_s is not None:
        response.headers["Retry-After"] = str(refusal.retry_s)
    if refusal.status is HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response

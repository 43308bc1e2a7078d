"""Runs a host on a port: uvicorn with the gateway's sockets, started and stopped as one."""

import asyncio
import errno
import gc
import os
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from fangnetz_server.gateway.doorman import TrustedProxies
from fangnetz_server.host.door import Door
from fangnetz_server.host.host import Host

__all__ = ["DEFAULT_PORT", "ServerError", "Tls", "open_port", "serve", "settle_memory"]

DEFAULT_PORT: Final = 7474
_BACKLOG: Final = 1024
_GOODBYE_S: Final = 3
_RECEIVE_BYTES: Final = 32 * 1024
"""Room in the kernel for what a peer sends and nobody has read yet. What fits is read at once, of all
connections that have something, before the next tick; a bot's message has 100 bytes."""
_COLLECT_AFTER: Final = (2_000, 10, 5)
"""New objects before a collection, young ones before a middle one, middle ones before a full one. Ended
matches and lines that were cut wait for a full one, some ten kilobytes each."""


class ServerError(Exception):
    """The server cannot start; the text names the address or file and says why."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificate chain and private key, PEM files."""

    certificate: Path
    key: Path

    def check(self) -> None:
        """Try the files before anything starts.

        Raises:
            ServerError: one cannot be read, or they do not belong together.
        """
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise ServerError(f"TLS with {self.certificate} and {self.key}: {error}") from error


def settle_memory() -> None:
    """Keep the garbage collector from what stays as long as the server. Call it once all of that is there.

    A full collection walks over everything, modules and the web API included: 0.1 s in which no match
    goes on, and a flood of requests brings one about every other second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def open_port(address: str, port: int) -> socket.socket:
    """Return a listening socket.

    Args:
        address: of the interface, such as 127.0.0.1.
        port: 0 takes a free one.

    Raises:
        ServerError: the address is taken, unknown or not allowed.
    """
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((address, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        hint = "; choose another with --port" if error.errno == errno.EADDRINUSE else ""
        # The text of `create_server` repeats the address; an unknown one has no number of the system's.
        known = error.errno is not None and error.errno in errno.errorcode
        why = os.strerror(error.errno or 0) if known else error.strerror
        raise ServerError(f"cannot listen on {address}:{port}: {why}{hint}") from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BYTES)  # Its connections inherit it.
    return listener


@asynccontextmanager
async def serve(
    host: Host,
    app: ASGIApp,
    listener: socket.socket,
    *,
    tls: Tls | None = None,
    inner: socket.socket | None = None,
) -> AsyncIterator[None]:
    """Serve a host while the context is open; leaving it ends its matches and connections.

    Args:
        host: its gateway takes the WebSockets, and says whose X-Forwarded headers are believed.
        app: takes everything else.
        listener: from `open_port`.
        tls: speak https and wss.
        inner: a listener on loopback for the server's own bots, always without TLS: the certificate is for
            a name in the DNS, and they cannot ask for that.
    """
    proxies = host.gateway.entrance.proxies
    door = Door(host.limits, TrustedProxies(proxies), host.metrics.count_refusal, host.gateway.turns)
    config = uvicorn.Config(
        app,
        ws=host.gateway.socket_factory(),  # type: ignore[arg-type]  # Anything that makes a protocol will do.
        http=door,  # type: ignore[arg-type]
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ssl_certfile=tls.certificate if tls else None,
        ssl_keyfile=tls.key if tls else None,
        timeout_graceful_shutdown=_GOODBYE_S,
    )
    server = _Server(config, inner)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="uvicorn")
    await host.start()
    try:
        yield
    finally:
        await host.close("the server shuts down")
        door.close()
        server.should_exit = True
        await task


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: the command decides what Ctrl-C ends."""

    def __init__(self, config: uvicorn.Config, inner: socket.socket | None) -> None:
        super().__init__(config)
        self._inner = inner

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._inner is not None:
            loop = asyncio.get_running_loop()
            self.servers.append(await loop.create_server(self._protocol, sock=self._inner))

    def _protocol(self) -> asyncio.Protocol:
        make: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = make(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

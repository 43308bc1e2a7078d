"""Programs that connect by TCP, because they cannot use standard input: the same lines over a socket."""

import asyncio
import logging
from typing import Final

from fangnetz.bridge.lines import LineReader
from fangnetz.bridge.partner import End, Listener, Partner
from fangnetz.problems import WrongUse
from fangnetz_protocol.words import Tick

__all__ = ["Door", "tcp_address"]

log: Final = logging.getLogger("fangnetz")


class _Guest(asyncio.Protocol):
    """One connection of a program."""

    def __init__(self, door: "Door") -> None:
        self.listener: Listener | None = None
        self.name = "program"
        self.is_alive = True
        self.question: Tick | None = None
        self.has_played = False
        self._door = door
        self._reader = LineReader()
        self._waiting = False
        self._transport: asyncio.Transport

    @property
    def can_read(self) -> bool:
        return not self._waiting

    def send(self, line: bytes) -> None:
        if self.is_alive and not self._transport.is_closing():
            self._transport.write(line + b"\n")

    def close(self) -> None:
        """Hang up, when everything is written."""
        self.listener = None
        self._transport.close()

    # --- of asyncio -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        host, port = transport.get_extra_info("peername")[:2]
        self.name = f"program at {host}:{port}"
        self._door.arrived(self)

    def data_received(self, data: bytes) -> None:
        self._hear(self._reader.feed(data))

    def pause_writing(self) -> None:
        self._waiting = True

    def resume_writing(self) -> None:
        self._waiting = False

    def connection_lost(self, error: Exception | None) -> None:
        self._hear(self._reader.finish())
        self.is_alive = False
        self._door.departed(self)
        if self.listener is not None:
            self.listener.ended(End("has closed its connection"))

    # --- inside ---------------------------------------------------------------------------------

    def _hear(self, lines: list[tuple[int, bytes]]) -> None:
        for number, line in lines:
            if self.listener is not None:
                self.listener.line(number, line)


class Door:
    """Listens for programs; each connection plays one match at a time.

    Args:
        host, port: where to listen; port 0 takes any free one.
    """

    renews: Final = True

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._guests: set[_Guest] = set()
        self._free: asyncio.Queue[_Guest] = asyncio.Queue()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Begin to listen.

        Raises:
            WrongUse: nobody can listen there.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: _Guest(self), self._host, self._port)
        except OSError as error:
            raise WrongUse(f"cannot listen at {self._host}:{self._port}: {error.strerror or error}") from None
        host, port = self._server.sockets[0].getsockname()[:2]
        log.info("waiting for programs at %s:%d", host, port)

    def arrived(self, guest: _Guest) -> None:
        """A program has connected."""
        log.info("%s has connected", guest.name)
        self._guests.add(guest)
        self._free.put_nowait(guest)

    def departed(self, guest: _Guest) -> None:
        """A program has hung up."""
        log.info("%s has hung up", guest.name)
        self._guests.discard(guest)

    async def take(self) -> Partner:
        while True:
            guest = await self._free.get()
            if guest.is_alive:
                return guest

    def give_back(self, partner: Partner) -> None:
        assert isinstance(partner, _Guest), "only programs that came through this door come back"
        if partner.is_alive:
            self._free.put_nowait(partner)

    def retire(self) -> None:
        """Nothing is to be done: nobody is started here."""

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for guest in list(self._guests):
            guest.close()


def tcp_address(text: str) -> tuple[str, int]:
    """Return host and port of an address such as 127.0.0.1:4711.

    Raises:
        WrongUse: it is none.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise WrongUse(f"--tcp {text}: has to be HOST:PORT, as in 127.0.0.1:4711")
    return host.strip("[]"), int(port)

"""One TCP connection of a client."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from fangnetz.contest2010.commands import CommandTooLong
from fangnetz.contest2010.conversation import Conversation

__all__ = ["Client", "ClientGone"]

log: Final = logging.getLogger("fangnetz")
_CHUNK: Final = 65_536
_FAULTS: Final = 20
"""Commands without effect in one connection, of which each is logged, before it is closed."""
_BYE_S: Final = 2.0
"""Time for the last commands to leave; nobody waits for a client that does not read."""


class ClientGone(Exception):
    """The client's connection has ended."""


class Client:
    """Carries the commands of one client.

    Args:
        reader, writer: its connection.
        name: how the log calls it.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str) -> None:
        self.name: Final = name
        self.conversation: Final = Conversation()
        self.is_gone = False
        self._reader = reader
        self._writer = writer
        self._heard = asyncio.Event()
        self._faults = 0

    async def listen(self) -> None:
        """Take what the client says until its connection ends, or has to end."""
        try:
            while self._faults <= _FAULTS and (data := await self._reader.read(_CHUNK)):
                for complaint in self.conversation.receive(data):
                    self._complain(complaint)
                self._heard.set()
        except CommandTooLong as fault:
            log.warning("%s is hung up on: %s", self.name, fault)
        except OSError as error:
            log.info("%s: %s", self.name, error.strerror or error)
        if self._faults > _FAULTS:
            log.warning("%s is hung up on: too many commands without effect", self.name)
        self.is_gone = True
        self._heard.set()

    async def wait(self, condition: Callable[[Conversation], bool]) -> None:
        """Wait until the client has said something.

        Raises:
            ClientGone: it never will.
        """
        while not condition(self.conversation):
            if self.is_gone:
                raise ClientGone
            self._heard.clear()
            await self._heard.wait()

    async def say(self, commands: str) -> None:
        """Send commands; waits for a client that reads slowly.

        Raises:
            ClientGone: nobody is there.
        """
        if self.is_gone or self._writer.is_closing():
            raise ClientGone
        try:
            self._writer.write(commands.encode("ascii"))
            await self._writer.drain()
        except OSError:
            raise ClientGone from None

    async def close(self, *last: str) -> None:
        """Send the last commands and close the connection."""
        try:
            async with asyncio.timeout(_BYE_S):
                for commands in last:
                    await self.say(commands)
                self._writer.close()
                await self._writer.wait_closed()
        except (ClientGone, OSError, TimeoutError):
            self._writer.transport.abort()

    def _complain(self, complaint: str) -> None:
        self._faults += 1
        log.warning("%s: %s", self.name, complaint)

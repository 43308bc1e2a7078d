"""One connection to `/play`: the greeting, messages in and out, and what the server says beside the play."""

import logging
from typing import Final

from websockets.asyncio.client import ClientConnection

from fangnetz.problems import Refused
from fangnetz_protocol.codes import ErrorCode
from fangnetz_protocol.errors import PeerError
from fangnetz_protocol.messages import BotMessage, Error, Hello, Notice, ServerMessage, Welcome
from fangnetz_protocol.session import Role, Session

__all__ = ["Wire"]

log: Final = logging.getLogger("fangnetz")

_PASSING: Final = frozenset({ErrorCode.SERVER_FULL, ErrorCode.UNKNOWN_RESUME, ErrorCode.INTERNAL})
"""Refusals after which another attempt can do better."""


class Wire:
    """What is the same for all who play over a connection; a subclass says what to do with the messages.

    Args:
        connection: an open connection to `/play`.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._session = Session(Role.BOT)
        self._told: set[str] = set()

    async def greet(self, hello: Hello) -> Welcome:
        """Say hello and return the welcome.

        Raises:
            Refused: the server answered with an error.
            ConnectionClosed: it closed the connection.
        """
        await self._send(hello)
        while True:
            message = await self._receive()
            if isinstance(message, Welcome):
                return message
            if isinstance(message, Error):
                raise Refused(message.message, message.code, may_pass=message.code in _PASSING)
            if isinstance(message, Notice):
                self._tell_notice(message)

    async def serve(self) -> None:
        """Carry messages after the welcome, until enough matches are finished.

        Raises:
            ConnectionClosed: the connection ended before.
        """
        raise NotImplementedError

    # --- frames ---------------------------------------------------------------------------------

    async def _send(self, message: BotMessage) -> None:
        await self._connection.send(self._session.send(message), text=True)

    async def _receive(self) -> ServerMessage | None:
        """Return the next message; None for one that this client does not know."""
        return self._read(await self._connection.recv())

    def _read(self, data: str | bytes) -> ServerMessage | None:
        """Return the message in a frame; None for one that this client does not know."""
        try:
            return self._session.receive(data)
        except PeerError as error:  # A newer server may say more than this client knows (P1.4).
            if self._is_news(f"ignored {error.code}"):
                log.warning("a message of the server was ignored: %s (this kind is logged once)", error)
            return None

    # --- the log --------------------------------------------------------------------------------

    def _tell_error(self, error: Error) -> None:
        """Log an error of the server once a code, not once a tick."""
        if self._is_news(error.code):
            log.warning("error %s: %s (this code is logged once)", error.code, error.message)

    def _tell_notice(self, notice: Notice) -> None:
        log.info("notice %s: %s", notice.code, notice.message)

    def _is_news(self, kind: str) -> bool:
        """Tell whether something is told for the first time over this connection."""
        if kind in self._told:
            return False
        self._told.add(kind)
        return True

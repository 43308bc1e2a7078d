"""The session of one connection, without a socket: frames in, messages out.

One machine serves both ends of both kinds of connection; the role is a parameter, so server and
clients cannot drift apart. What may be said when stands in one table, `TRANSITIONS`.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeVar, overload

from fangnetz_protocol import codec
from fangnetz_protocol.errors import SendNotAllowed, SessionClosed, UnexpectedMessage
from fangnetz_protocol.messages import BotMessage, Message, ServerMessage, SpectatorMessage

__all__ = ["TRANSITIONS", "Role", "Session", "SessionState"]


class Role(StrEnum):
    """One end of a connection."""

    BOT = "bot"
    """A bot on `/play`."""
    SERVER_FOR_BOT = "server-for-bot"
    """The server's end of `/play`."""
    SPECTATOR = "spectator"
    """A spectator on `/watch` or `/watch/{match}`."""
    SERVER_FOR_SPECTATOR = "server-for-spectator"
    """The server's end of `/watch` and `/watch/{match}`."""


class SessionState(StrEnum):
    """How far a connection is."""

    OPENING = "opening"
    """The bot has to say hello."""
    GREETING = "greeting"
    """The server has the hello and has to welcome the bot or to refuse it."""
    OPEN = "open"
    """Everything else may flow; a spectator's session begins here."""
    CLOSED = "closed"


_WHILE_OPEN: Final = (
    *("ready", "action", "leave"),  # from a bot
    *("match_start", "observation", "match_end", "error", "notice"),  # to a bot
    *("matches", "tournaments", "frame"),  # to a spectator
)

TRANSITIONS: Final[Mapping[SessionState, Mapping[str, SessionState]]] = MappingProxyType(
    {
        SessionState.OPENING: {
            "hello": SessionState.GREETING,
            "error": SessionState.OPENING,
            "notice": SessionState.OPENING,
        },
        SessionState.GREETING: {
            "welcome": SessionState.OPEN,
            "error": SessionState.OPENING,  # Refused; the bot may try another hello.
            "notice": SessionState.GREETING,
        },
        SessionState.OPEN: {type_: SessionState.OPEN for type_ in _WHILE_OPEN},
        SessionState.CLOSED: {},
    }
)
"""In which state which message may be sent, by whichever side its direction allows, and where it leads."""

_PEER: Final[Mapping[Role, codec.Decoder[Any]]] = MappingProxyType(
    {
        Role.BOT: codec.TO_BOT,
        Role.SERVER_FOR_BOT: codec.FROM_BOT,
        Role.SPECTATOR: codec.TO_SPECTATOR,
        Role.SERVER_FOR_SPECTATOR: codec.FROM_SPECTATOR,
    }
)
_OWN: Final[Mapping[Role, codec.Decoder[Any]]] = MappingProxyType(
    {
        Role.BOT: codec.FROM_BOT,
        Role.SERVER_FOR_BOT: codec.TO_BOT,
        Role.SPECTATOR: codec.FROM_SPECTATOR,
        Role.SERVER_FOR_SPECTATOR: codec.TO_SPECTATOR,
    }
)
_START: Final = MappingProxyType(
    {
        Role.BOT: SessionState.OPENING,
        Role.SERVER_FOR_BOT: SessionState.OPENING,
        Role.SPECTATOR: SessionState.OPEN,
        Role.SERVER_FOR_SPECTATOR: SessionState.OPEN,
    }
)
_MAX_BYTES: Final = MappingProxyType(
    {
        Role.BOT: codec.MAX_BYTES_FROM_SERVER,
        Role.SERVER_FOR_BOT: codec.MAX_BYTES_FROM_BOT,
        Role.SPECTATOR: codec.MAX_BYTES_FROM_SERVER,
        Role.SERVER_FOR_SPECTATOR: codec.MAX_BYTES_FROM_BOT,
    }
)

In = TypeVar("In")
Out = TypeVar("Out", bound=Message)


class Session(Generic[In, Out]):
    """One end of one connection.

    `In` are the messages of the peer, `Out` the own ones; both follow from the role.

    Args:
        role: which end this is.
        max_bytes: the largest message that is taken from the peer, in bytes of UTF-8.
    """

    __slots__ = ("_allowed", "_decode", "_max_bytes", "_own_types", "_peer_types", "role", "state")

    @overload
    def __init__(
        self: "Session[BotMessage, ServerMessage]",
        role: Literal[Role.SERVER_FOR_BOT],
        max_bytes: int | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: "Session[ServerMessage, BotMessage]", role: Literal[Role.BOT], max_bytes: int | None = None
    ) -> None: ...
    @overload
    def __init__(
        self: "Session[SpectatorMessage, Any]", role: Literal[Role.SPECTATOR], max_bytes: int | None = None
    ) -> None: ...
    @overload
    def __init__(
        self: "Session[Any, SpectatorMessage]",
        role: Literal[Role.SERVER_FOR_SPECTATOR],
        max_bytes: int | None = None,
    ) -> None: ...
    def __init__(self, role: Role, max_bytes: int | None = None) -> None:
        self.role: Final = role
        self._decode: Callable[[str | bytes, int], Any] = _PEER[role].decode
        self._peer_types: Final = _PEER[role].types
        self._own_types: Final = frozenset(_OWN[role].types)
        self._max_bytes: Final = _MAX_BYTES[role] if max_bytes is None else max_bytes
        self.state = _START[role]
        self._allowed = TRANSITIONS[self.state]

    def receive(self, data: str | bytes) -> In:
        """Return the message in one frame of the peer: str for a text frame, bytes for a binary one.

        Raises:
            PeerError: it cannot be read, is not the peer's to send, or does not belong here;
                the session stays as it was.
            SessionClosed: `close` was called.
        """
        message: Any = self._decode(data, self._max_bytes)
        state = self._allowed.get(message.type)
        if state is None:
            raise self._out_of_place(message.type)
        if state is not self.state:
            self._enter(state)
        return message  # type: ignore[no-any-return]

    def send(self, message: Out) -> bytes:
        """Return the own message as the bytes of a text frame.

        Raises:
            SendNotAllowed: it is not ours to send, or not now.
            NotEncodable: an open part holds something that JSON has no word for.
            SessionClosed: `close` was called.
        """
        state = self._allowed.get(message.type)
        if state is None or message.type not in self._own_types:
            raise self._misuse(message.type)
        data = codec.encode(message)
        if state is not self.state:
            self._enter(state)
        return data

    def close(self) -> None:
        """End the session; nothing may be sent or received after it."""
        self._enter(SessionState.CLOSED)
        self._decode = _refuse

    def _enter(self, state: SessionState) -> None:
        self.state = state
        self._allowed = TRANSITIONS[state]

    def _out_of_place(self, type_: str) -> UnexpectedMessage:
        return UnexpectedMessage(type_, (name for name in self._peer_types if name in self._allowed))

    def _misuse(self, type_: str) -> SendNotAllowed | SessionClosed:
        if self.state is SessionState.CLOSED:
            return SessionClosed()
        return SendNotAllowed(type_, self.role, self.state)


def _refuse(data: str | bytes, max_bytes: int) -> Any:
    raise SessionClosed

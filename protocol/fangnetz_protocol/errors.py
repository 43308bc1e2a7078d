"""The two families of errors: what a peer did wrong, and what our own code did wrong.

A `PeerError` carries a wire code on its class and its facts as fields; the receiver answers it
with `as_message()` and goes on. A `CoreMisuse` is a mistake of the program that uses this
package: it is logged and never sent.
"""

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from fangnetz_protocol.codes import ErrorCode
from fangnetz_protocol.messages import Error, Ref
from fangnetz_protocol.version import PROTOCOL_VERSION

__all__ = [
    "BadMessage",
    "BadName",
    "BadToken",
    "BinaryFrame",
    "CoreMisuse",
    "Duplicate",
    "Forbidden",
    "Internal",
    "InvalidAction",
    "Late",
    "MatchOver",
    "NameTaken",
    "NotEncodable",
    "NotJson",
    "NotReady",
    "NotSeated",
    "PeerError",
    "RateLimited",
    "SendNotAllowed",
    "ServerFull",
    "SessionClosed",
    "TooLarge",
    "UnexpectedMessage",
    "UnknownMatch",
    "UnknownResume",
    "UnknownType",
    "UnsupportedProtocol",
    "WrongTick",
    "shown",
]

_TEXT: Final = 2000
_FACT: Final = 64
"""Longest text and fact that an `error` holds (see `Error` and `Ref`)."""
_SHOWN: Final = 60
"""Characters of a peer's value in a text: enough to find it, too little to flood a log."""


def shown(value: object) -> str:
    """Return a value of the peer for an error text: in ASCII, cut to a readable length."""
    if isinstance(value, str):
        return ascii(value if len(value) <= _SHOWN else value[:_SHOWN] + "...")
    text = json.dumps(value, default=repr)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


class PeerError(Exception):
    """The peer did something wrong; the connection stays usable (P1.8).

    Args:
        text: what was wrong, where, and what would be right.
        match, tick, field: what it is about, for `error.ref`.
    """

    code: ClassVar[ErrorCode]

    def __init__(
        self, text: str, *, match: str | None = None, tick: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(text)
        self.text = text
        self.match = match
        self.tick = tick
        self.field = field

    def as_message(self) -> Error:
        """Return the `error` message that answers the fault; what is too long is cut."""
        facts: dict[str, Any] = {"match": self.match, "tick": self.tick, "field": self.field}
        known = {name: _cut(fact) for name, fact in facts.items() if fact not in (None, "")}
        return Error(code=self.code, message=self.text[:_TEXT], ref=Ref(**known) if known else None)


def _cut(fact: str | int) -> str | int:
    """Return a fact as `ref` takes it: a path of a URL or of a plug-in may be anything."""
    return fact if isinstance(fact, int) else fact.encode("utf-8", "replace").decode()[:_FACT]


# --- what cannot be read ----------------------------------------------------------------------


class NotJson(PeerError):
    """The text is no JSON; `position` counts characters from 0."""

    code = ErrorCode.NOT_JSON

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(f"no JSON at character {position}: {problem}")
        self.problem = problem
        self.position = position


class BadMessage(PeerError):
    """A field of the message called `type_` is wrong; the empty field is the whole message."""

    code = ErrorCode.BAD_MESSAGE

    def __init__(self, problem: str, type_: str | None = None, field: str | None = None) -> None:
        where = f"{type_}.{field}" if type_ and field else type_ or field or "message"
        super().__init__(f"{where}: {problem}", field=field)
        self.problem = problem
        self.type = type_


class UnknownType(PeerError):
    """No message has this `type`."""

    code = ErrorCode.UNKNOWN_TYPE

    def __init__(self, given: object, known: Iterable[str]) -> None:
        self.given = given
        self.known = tuple(known)
        super().__init__(
            f"type {shown(given)} is unknown; known here: {', '.join(self.known) or 'none'}", field="type"
        )


class TooLarge(PeerError):
    """The message has more bytes than the limit."""

    code = ErrorCode.TOO_LARGE

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"the message has {size} bytes; at most {limit} are taken")
        self.size = size
        self.limit = limit


class BinaryFrame(PeerError):
    """The message came as bytes."""

    code = ErrorCode.BINARY_FRAME

    def __init__(self, size: int) -> None:
        super().__init__(f"a binary frame of {size} bytes; send all messages as text frames")
        self.size = size


# --- what does not belong here ----------------------------------------------------------------


class UnexpectedMessage(PeerError):
    """The message is known, but not now."""

    code = ErrorCode.UNEXPECTED_MESSAGE

    def __init__(self, given: str, expected: Iterable[str]) -> None:
        self.given = given
        self.expected = tuple(expected)
        super().__init__(f"{given} is not expected now; expected: {', '.join(self.expected) or 'nothing'}")


class Forbidden(PeerError):
    """This role may not do that (P1.7)."""

    code = ErrorCode.FORBIDDEN

    def __init__(self, what: str, role: str) -> None:
        super().__init__(f"{what} is not for the role {role}")
        self.what = what
        self.role = role


class UnsupportedProtocol(PeerError):
    """The bot speaks another version of the messages (P1.5)."""

    code = ErrorCode.UNSUPPORTED_PROTOCOL

    def __init__(self, given: str, spoken: str = PROTOCOL_VERSION) -> None:
        super().__init__(f"protocol {shown(given)} is not spoken here, but {spoken}", field="protocol")
        self.given = given
        self.spoken = spoken


class UnknownMatch(PeerError):
    """There is no such match."""

    code = ErrorCode.UNKNOWN_MATCH

    def __init__(self, match: str) -> None:
        super().__init__(f"there is no match {shown(match)}", match=match)


class NotSeated(PeerError):
    """The bot has no seat in this match."""

    code = ErrorCode.NOT_SEATED

    def __init__(self, match: str) -> None:
        super().__init__(f"this bot has no seat in match {shown(match)}", match=match)


class MatchOver(PeerError):
    """The match has ended."""

    code = ErrorCode.MATCH_OVER

    def __init__(self, match: str) -> None:
        super().__init__(f"match {shown(match)} is over", match=match)


class NotReady(PeerError):
    """The match has not started."""

    code = ErrorCode.NOT_READY

    def __init__(self, match: str) -> None:
        super().__init__(f"match {shown(match)} has not started; wait for the first observation", match=match)


# --- actions ----------------------------------------------------------------------------------


class WrongTick(PeerError):
    """The action names a tick that was not shown yet; `newest` is the newest one that was."""

    code = ErrorCode.WRONG_TICK

    def __init__(self, match: str, tick: int, newest: int) -> None:
        super().__init__(
            f"tick {tick} was not shown yet; the newest observation is of tick {newest}",
            match=match,
            tick=tick,
            field="tick",
        )
        self.newest = newest


class Late(PeerError):
    """The action came after its deadline."""

    code = ErrorCode.LATE

    def __init__(self, match: str, tick: int) -> None:
        super().__init__(
            f"the action for tick {tick} came too late and does not count", match=match, tick=tick
        )


class Duplicate(PeerError):
    """The tick has an action already."""

    code = ErrorCode.DUPLICATE

    def __init__(self, match: str, tick: int) -> None:
        super().__init__(f"tick {tick} has an action already; the first one counts", match=match, tick=tick)


class InvalidAction(PeerError):
    """The game cannot read the action."""

    code = ErrorCode.INVALID_ACTION

    def __init__(self, match: str, tick: int, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}", match=match, tick=tick, field=field)
        self.problem = problem


# --- who may come in --------------------------------------------------------------------------


class BadToken(PeerError):
    """The token is missing or unknown. The token itself is never repeated."""

    code = ErrorCode.BAD_TOKEN

    def __init__(self) -> None:
        super().__init__("the token is missing or not known to this server")


class BadName(PeerError):
    """The name is not allowed."""

    code = ErrorCode.BAD_NAME

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"name {shown(name)}: {problem}", field="name")
        self.name = name
        self.problem = problem


class NameTaken(PeerError):
    """Another bot has this name."""

    code = ErrorCode.NAME_TAKEN

    def __init__(self, name: str) -> None:
        super().__init__(f"name {shown(name)} is taken by another bot; choose another one", field="name")
        self.name = name


class UnknownResume(PeerError):
    """There is no session under this secret. The secret itself is never repeated."""

    code = ErrorCode.UNKNOWN_RESUME

    def __init__(self) -> None:
        super().__init__("there is no session to resume; say hello without resume", field="resume")


class ServerFull(PeerError):
    """The server takes no more of them."""

    code = ErrorCode.SERVER_FULL

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"the server takes at most {limit} {what}; try again later")
        self.what = what
        self.limit = limit


class RateLimited(PeerError):
    """Too many messages a second; `retry_after_ms` says when the next one may come."""

    code = ErrorCode.RATE_LIMITED

    def __init__(self, limit: int, retry_after_ms: int) -> None:
        super().__init__(
            f"more than {limit} messages a second; the message was dropped, wait {retry_after_ms} ms"
        )
        self.limit = limit
        self.retry_after_ms = retry_after_ms

    def as_message(self) -> Error:
        return super().as_message().model_copy(update={"retry_after_ms": self.retry_after_ms})


class Internal(PeerError):
    """Our fault, told to the peer without details."""

    code = ErrorCode.INTERNAL

    def __init__(self, match: str | None = None) -> None:
        super().__init__("the server made a mistake; it is not the bot's fault", match=match)


# --- our own mistakes -------------------------------------------------------------------------


class CoreMisuse(Exception):
    """The program uses this package wrongly; never sent to a peer."""


class SendNotAllowed(CoreMisuse):
    """The role may not send this message in this state."""

    def __init__(self, type_: str, role: str, state: str) -> None:
        super().__init__(f"{role} may not send {type_} while the session is {state}")
        self.type = type_
        self.role = role
        self.state = state


class SessionClosed(CoreMisuse):
    """The session was used after its end."""

    def __init__(self) -> None:
        super().__init__("the session is closed; make a new one for a new connection")


class NotEncodable(CoreMisuse):
    """What should be sent cannot be written as JSON."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"cannot be written as JSON: {problem}")
        self.problem = problem

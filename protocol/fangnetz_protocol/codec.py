"""Texts to messages and back: orjson reads and writes, the models check.

Only finite numbers pass (P1.4): orjson refuses NaN, Infinity and 1e400 as no JSON. The decoder
of a direction knows its message types by name, so an error names the field of that one message.
"""

from typing import Any, Final, Generic, TypeVar

import orjson
from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError

from fangnetz_protocol import messages as m
from fangnetz_protocol.errors import (
    BadMessage,
    BinaryFrame,
    Forbidden,
    NotEncodable,
    NotJson,
    TooLarge,
    UnknownType,
    shown,
)
from fangnetz_protocol.model import Model

__all__ = [
    "FROM_BOT",
    "FROM_SPECTATOR",
    "MAX_BYTES_FROM_BOT",
    "MAX_BYTES_FROM_SERVER",
    "TO_BOT",
    "TO_SPECTATOR",
    "Decoder",
    "encode",
    "encode_dict",
    "parse",
]

MAX_BYTES_FROM_BOT: Final = 32 * 1024
"""An action has some 100 bytes and a hello at most 3,000; the rest is room for plug-in games."""
MAX_BYTES_FROM_SERVER: Final = 8 * 1024 * 1024
"""A full lobby of 10,000 matches has about 4 MB; an observation at most some 10 kB."""
_UTF8_WIDEST: Final = 4
_SECRET: Final = frozenset({"token", "resume"})
"""Fields whose content never stands in an error text (P1.6)."""
_WANTED: Final = {
    "int_type": "has to be a whole number",
    "float_type": "has to be a number",
    "string_type": "has to be a text",
    "bool_type": "has to be true or false",
    "tuple_type": "has to be a list",
    "dict_type": "has to be an object",
    "model_type": "has to be an object",
}
"""What a field has to be, by pydantic's type of error, in the words of JSON."""

M = TypeVar("M", bound=Model)


class Decoder(Generic[M]):
    """Reads the messages of one direction.

    Args:
        sender: role of the peer, for the texts of errors.
        types: the models that it may send; each has a literal `type`.
    """

    def __init__(self, sender: str, *types: type[M]) -> None:
        self.sender = sender
        self._models = {str(model.model_fields["type"].default): model for model in types}
        self._validate = {
            name: model.__pydantic_validator__.validate_python for name, model in self._models.items()
        }

    @property
    def models(self) -> tuple[type[M], ...]:
        """The models of this direction."""
        return tuple(self._models.values())

    @property
    def types(self) -> tuple[str, ...]:
        """The `type` of every message of this direction."""
        return tuple(self._models)

    def decode(self, data: str | bytes, max_bytes: int) -> M:
        """Return the message in one frame.

        Args:
            data: a text frame as str; bytes stand for a binary frame.
            max_bytes: the most bytes of UTF-8 that are taken.

        Raises:
            PeerError: BinaryFrame, TooLarge, NotJson, BadMessage, UnknownType or Forbidden.
        """
        return self.read(parse(data, max_bytes))

    def read(self, raw: Any) -> M:
        """Return the message in a JSON value that was parsed already.

        Raises:
            PeerError: BadMessage, UnknownType or Forbidden.
        """
        try:
            message: M = self._validate[raw["type"]](raw)
        except ValidationError as error:
            raise _bad_field(raw["type"], error) from None
        except (KeyError, TypeError):
            raise self._misfit(raw) from None
        return message

    def _misfit(self, raw: Any) -> BadMessage | UnknownType | Forbidden:
        """Return what is wrong with a JSON value that is no message of this direction."""
        if not isinstance(raw, dict):
            return BadMessage(f"has to be a JSON object, not {_kind(raw)}")
        if "type" not in raw:
            return BadMessage("has to be there", field="type")
        given = raw["type"]
        if not isinstance(given, str):
            return BadMessage(f"has to be a text, not {_kind(given)}", field="type")
        if given in _ALL_TYPES:
            return Forbidden(given, self.sender)
        return UnknownType(given, self._models)


FROM_BOT: Final = Decoder[m.Hello | m.Ready | m.Action | m.Leave]("bot", m.Hello, m.Ready, m.Action, m.Leave)
"""Reads what bots send."""
TO_BOT: Final = Decoder[m.Welcome | m.MatchStart | m.Observation | m.MatchEnd | m.Error | m.Notice](
    "server", m.Welcome, m.MatchStart, m.Observation, m.MatchEnd, m.Error, m.Notice
)
"""Reads what the server sends to bots."""
TO_SPECTATOR: Final = Decoder[
    m.Matches | m.Tournaments | m.WatchStart | m.Frame | m.MatchEnd | m.Error | m.Notice
]("server", m.Matches, m.Tournaments, m.WatchStart, m.Frame, m.MatchEnd, m.Error, m.Notice)
"""Reads what the server sends to spectators."""
FROM_SPECTATOR: Final = Decoder[Model]("spectator")
"""Reads what spectators send: they may say nothing."""

_ALL_TYPES: Final = frozenset(FROM_BOT.types + TO_BOT.types + TO_SPECTATOR.types)


def parse(data: str | bytes, max_bytes: int) -> Any:
    """Return the JSON value in one frame.

    Args:
        data: a text frame as str; bytes stand for a binary frame.
        max_bytes: the most bytes of UTF-8 that are taken.

    Raises:
        PeerError: BinaryFrame, TooLarge or NotJson.
    """
    if not isinstance(data, str):
        raise BinaryFrame(len(data))
    if len(data) * _UTF8_WIDEST > max_bytes:
        _check_size(data, max_bytes)
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise NotJson(_problem(error), error.pos) from None


def encode(message: m.Message) -> bytes:
    """Return the message as JSON in UTF-8.

    Raises:
        NotEncodable: an open part holds something that JSON has no word for.
    """
    try:
        return message.__pydantic_serializer__.to_json(message)
    except PydanticSerializationError as error:
        raise NotEncodable(str(error)) from None


def encode_dict(message: dict[str, Any]) -> bytes:
    """Return a message that was built as a dictionary as JSON in UTF-8; nothing is checked.

    Raises:
        NotEncodable: it holds something that JSON has no word for.
    """
    try:
        return orjson.dumps(message)
    except TypeError as error:
        raise NotEncodable(str(error)) from None


def _check_size(text: str, max_bytes: int) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise TooLarge(size, max_bytes)


def _problem(error: orjson.JSONDecodeError) -> str:
    return error.msg.split(": line ")[0]


def _bad_field(type_: str, error: ValidationError) -> BadMessage:
    details = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in details["loc"])
    return BadMessage(_complaint(details), type_, field or None)


def _complaint(details: ErrorDetails) -> str:
    """Return what is wrong with a field: what it has to be, and what it is instead."""
    if details["type"] == "missing":
        return "has to be there"
    said = details["msg"].replace("Input should", "has to", 1).replace("should", "has to", 1)
    problem = _WANTED.get(details["type"], said)
    given = details["input"]
    if _SECRET.intersection(details["loc"]) or not isinstance(given, str | int | float | None):
        return problem
    return f"{problem}, not {shown(given)}"


def _kind(value: object) -> str:
    """Return what JSON calls the type of a value."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")

"""One line of a program to the message that it means, or to words that say what is wrong with it."""

from typing import Any, Final

from fangnetz.bridge.lines import MAX_LINE
from fangnetz_protocol.codec import Decoder, parse
from fangnetz_protocol.errors import NotJson, PeerError
from fangnetz_protocol.messages import Action, Leave, Ready
from fangnetz_protocol.words import MatchId

__all__ = ["BadLine", "read_answer", "shown"]

_DECODER: Final = Decoder[Action | Ready | Leave]("bot", Action, Ready, Leave)
_EXAMPLE: Final = '{"type": "action", "tick": 7, …}'
_SHOWN: Final = 120
"""Characters of a line that are repeated in a complaint."""


class BadLine(Exception):
    """A line that does not count.

    Args:
        kind: a short name; complaints of one kind are not repeated for ever.
        problem: what is wrong and what would be right.
    """

    def __init__(self, kind: str, problem: str) -> None:
        super().__init__(problem)
        self.kind = kind
        self.problem = problem


def read_answer(line: bytes, match: MatchId) -> Action | Ready | Leave:
    """Return the message in a line.

    `type` may be left out for an action, and `match` always: a program plays one match at a time.

    Args:
        line: without its end.
        match: the match that the program plays.

    Raises:
        BadLine: it is none that a program may write.
    """
    said = _object(line)
    try:
        return _DECODER.read({"type": "action", "match": match, **said})
    except PeerError as error:
        raise BadLine(f"message: {error.code}", f"is no answer: {error}") from None


def shown(line: bytes) -> str:
    """Return a line for a complaint: its beginning, without anything that upsets a terminal."""
    text = line[: 4 * _SHOWN].decode("utf-8", "replace")
    short = text if len(text) <= _SHOWN and len(line) <= 4 * _SHOWN else f"{text[:_SHOWN]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise BadLine("length", f"is longer than {MAX_LINE:,} bytes")
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadLine("utf-16", "is UTF-16; write UTF-8")
    try:
        said = parse(line.decode("utf-8"), MAX_LINE)
    except UnicodeDecodeError:
        raise BadLine("utf-8", "is no UTF-8; only JSON belongs on standard output") from None
    except NotJson as error:
        raise BadLine("json", f"is {error}; print messages for yourself to standard error") from None
    if not isinstance(said, dict):
        raise BadLine("object", f"is no JSON object; an answer is {_EXAMPLE}")
    return said

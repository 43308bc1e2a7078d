"""Frames that no decent client sends, from a seeded generator: good messages bent in every way, and noise."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

__all__ = ["strange_frames"]

_WORDS: Final = (
    *("hello", "ready", "action", "leave", "welcome", "match_start", "observation", "match_end", "frame"),
    *("error", "notice", "matches", "watch", "pause", "", "type", "null", "\u0000", "\ud83d\ude00", "\u202e"),
)
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 2**64, 10**40, 0.5, -0.0, 1e308, 1e-320),
    *("", "x", "x" * 300, "0", "1e400", "../../etc/passwd", "\u0000", "ä\u0301", "\u200b", "' OR 1=1 --"),
    *([], {}, [[]], [None] * 50, {"": {}}, {"type": "ready"}, [{"x": [0]}]),
)
_RAW: Final = (
    *("", " ", "null", "0", "[]", "{}", '""', "{", "}", "NaN", "Infinity", "-", "\ufeff{}", "\u0000"),
    *('{"type":}', '{"type":"ready"', '{"type":"ready","match":"m"}}', "[" * 5_000, '{"a":' * 5_000),
    *(
        '{"type":"action","type":"ready","match":"m"}',
        '{"type":"ready","match":"\\ud800"}',
        "1e400",
        "\\u0000",
    ),
)


def strange_frames(seed: object, match: str) -> Iterator[str | bytes]:
    """Yield frames without end, the same for the same seed.

    Args:
        seed: of the generator.
        match: id of a match that runs, for messages that are nearly right.
    """
    chance = Random(str(seed))
    while True:
        yield _frame(chance, match)


def _frame(chance: Random, match: str) -> str | bytes:
    kind = chance.random()
    if kind < 0.05:
        return chance.choice(_RAW)
    if kind < 0.10:
        return chance.randbytes(chance.randrange(200))
    text = json.dumps(_message(chance, match), ensure_ascii=chance.random() < 0.5)
    if kind < 0.35:
        text = _damaged(chance, text)
    return text.encode("utf-8", "replace") if kind > 0.97 else text


def _message(chance: Random, match: str) -> Any:
    message = chance.choice(_good_messages(match, chance.randrange(-1, 4)))
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        _bend(chance, message)
    return message if chance.random() < 0.98 else [message]


def _good_messages(match: str, tick: int) -> list[dict[str, Any]]:
    client = {"name": "fuzz", "version": "1", "language": "none"}
    return [
        {"type": "hello", "protocol": "1.0", "name": "fuzz", "client": client, "games": ["spaceballs"]},
        {"type": "hello", "protocol": "1.0", "token": "t", "resume": "r"},
        {"type": "ready", "match": match},
        {"type": "action", "match": match, "tick": tick, "thrust": [0.5, -1]},
        {"type": "action", "match": match, "tick": tick, "move": "EAST", "view": "WEST"},
        {"type": "leave", "match": "no-such-match"},
    ]


def _bend(chance: Random, message: dict[str, Any]) -> None:
    """Change one field: another value, another name, gone, or one more."""
    keys = list(message)
    key = chance.choice(keys) if keys else "type"
    match chance.randrange(6):
        case 0:
            message.pop(key, None)
        case 1:
            message[chance.choice(_WORDS)] = message.pop(key, None)
        case 2:
            message[chance.choice(_WORDS)] = chance.choice(_VALUES)
        case 3:
            message["type"] = chance.choice(_WORDS)
        case 4:
            message[key] = [message.get(key)] * chance.randrange(4)
        case _:
            message[key] = chance.choice(_VALUES)


def _damaged(chance: Random, text: str) -> str:
    """Cut something out, put something in, or turn a character into another."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[at + chance.randrange(1, 9) :]
        case 2:
            return text[:at] + chr(chance.randrange(1, 0xD800)) + text[at:]
        case _:
            return text[:at] + chance.choice('{}[]",:\\ \x00\x1f\x7f') + text[at + 1 :]

"""Small programs that play through the bridge, each with a weakness of its own."""

import sys
from typing import Any, Final

__all__ = ["EAGER", "answer", "program"]

JsonObject = dict[str, Any]

EAGER: Final = """
import json, os, sys, time

def say(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()

def act(message, end="\\n", **more):
    say(json.dumps({"type": "action", "match": message["match"], "tick": message["tick"],
                    "thrust": [0, 1], **more}) + end)

def note(*words):
    print(*words, file=sys.stderr, flush=True)

def messages():
    for line in sys.stdin:
        yield json.loads(line)

def observations():
    for message in messages():
        if message["type"] == "observation":
            yield message
"""
"""What most of them need; put before the code of a program."""


def program(code: str) -> list[str]:
    """Return the command line of a Python program with `EAGER` before its code."""
    return [sys.executable, "-I", "-S", "-c", EAGER + code]


def answer(tick: int, match: str = "m-1", **changes: Any) -> JsonObject:
    """Return the action that `act` of a program writes."""
    return {"type": "action", "match": match, "tick": tick, "thrust": [0, 1], **changes}

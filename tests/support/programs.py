"""Small programs that play through the bridge, each with a weakness of its own."""

import os
import shutil
import sys
from typing import Any, Final

import pytest

from fangnetz.confine.cage import why_no_sandbox

__all__ = ["EAGER", "answer", "program", "require_sandbox", "system_program"]

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


def system_program(code: str) -> list[str]:
    """Return the command line of a Python program that runs with the system's own Python.

    A sandbox shows the system's programs, but not the folder where another Python may be.
    """
    python = shutil.which("python3", path="/usr/bin:/bin")
    if python is None:
        _miss("the system has no python3: apt-get install python3")
    return [str(python), "-I", "-S", "-c", EAGER + code]


def require_sandbox() -> None:
    """Skip a test where the kernel allows no sandbox; that bubblewrap is not installed can be mended."""
    why_not = why_no_sandbox(2_000_000_000 if os.geteuid() == 0 else None)
    if "is not installed" in why_not:
        _miss(why_not)
    if why_not:
        pytest.skip(f"no sandbox, and rlimits alone hold here: {why_not}")


def _miss(what: str) -> None:
    if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)

"""Processes that the server starts and that must not outlive it."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from fangnetz_server.scheduling.leash import GRACE_S

__all__ = ["FIRST_PAUSE_S", "LONGEST_PAUSE_S", "end", "file_name", "last_words", "start_leashed"]

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
"""Pauses before a bot that ended is started again; they double, so that a broken one takes no time."""
_LEASH: Final = Path(__file__).with_name("leash.py")
_LAST_WORDS: Final = 2000
"""Bytes of a log that are searched for the last line."""


async def start_leashed(
    words: Sequence[str],
    *,
    output: int | IO[bytes],
    errors: IO[bytes],
    folder: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> asyncio.subprocess.Process:
    """Start a program on a leash: it ends with the server, even if that is killed.

    Args:
        words: its command line.
        output: takes its standard output; a pipe to read from, or a file.
        errors: takes its standard error.
        folder: where it runs; None: here.
        variables: what is to be in its environment beside the server's.
    """
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(_LEASH), *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=output,
        stderr=errors,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        start_new_session=True,
    )


async def end(process: asyncio.subprocess.Process) -> None:
    """Let go of the leash and wait; it ends the program in time."""
    if process.returncode is not None:
        return
    assert process.stdin is not None, "it was made with a pipe"
    process.stdin.close()
    try:
        async with asyncio.timeout(2 * GRACE_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def file_name(name: str) -> str:
    """Return a bot's name as that of a file."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name).lstrip(".") or "bot"


def last_words(log: Path) -> str:
    """Return the last line of a log, or why there is none."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - _LAST_WORDS))
            lines = stream.read().decode(errors="replace").strip().splitlines()
    except OSError as error:
        return str(error)
    return lines[-1] if lines else "it printed nothing"

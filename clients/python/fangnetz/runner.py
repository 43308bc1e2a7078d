"""Run a bot from a script or a command: blocking, with a log, ended by Ctrl-C."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from fangnetz.address import DEFAULT_SERVER
from fangnetz.client import play
from fangnetz.problems import Problem
from fangnetz.table import Playable
from fangnetz_protocol.messages import MatchEnd

__all__ = ["TOKEN_VARIABLE", "run", "run_until_stopped", "tokens_or_environment"]

TOKEN_VARIABLE: Final = "FANGNETZ_TOKEN"
"""Environment variable for the token: command lines can be read by everybody on the machine."""
_INTERRUPTED: Final = 130
_TERMINATED: Final = 143
"""Exit statuses after Ctrl-C and SIGTERM, as shells have them: 128 + number of the signal."""
T = TypeVar("T")


def run(
    bot: Playable,
    server: str = DEFAULT_SERVER,
    token: str | None = None,
    *,
    name: str | None = None,
    matches: int | None = None,
    log_level: int | str = logging.INFO,
) -> list[MatchEnd]:
    """Play matches on a server until they are finished, and return their results.

    This is `play` for scripts: it blocks, writes a log to standard error, and ends the program
    with one clear line and the exit status of the problem if it cannot play. Ctrl-C and
    SIGTERM end it with a closing handshake.

    Args:
        bot: a bot class, another function that makes a bot, or a bot.
        server: address of the server.
        token: the bot's credential; None: the environment variable FANGNETZ_TOKEN, if set.
        name: name to show; None: the bot's own.
        matches: end after that many finished matches; None: play on.
        log_level: level of the log; it is set up only if the program has set up none.
    """
    found = tokens_or_environment([token] if token else [])
    playing = play(bot, server, found[0] if found else None, name=name, matches=matches)
    return run_until_stopped(playing, log_level)


def tokens_or_environment(tokens: Sequence[str]) -> Sequence[str]:
    """Return the tokens that were given, or else that of the environment, if there is one."""
    return tokens or [token for token in (os.environ.get(TOKEN_VARIABLE),) if token]


def run_until_stopped(work: Coroutine[Any, Any, T], log_level: int | str) -> T:
    """Do the work of a command, with a log on standard error; a problem ends the program with its status."""
    logging.basicConfig(level=log_level, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("websockets").setLevel(logging.WARNING)
    try:
        return asyncio.run(_until_stopped(work))
    except Problem as problem:
        print(problem, file=sys.stderr)
        raise SystemExit(problem.exit_status) from None
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except asyncio.CancelledError:
        raise SystemExit(_TERMINATED) from None


async def _until_stopped(playing: Coroutine[Any, Any, T]) -> T:
    """Let SIGTERM end the bot as Ctrl-C does: with a closing handshake."""
    task = asyncio.current_task()
    assert task is not None  # A coroutine always runs in a task.
    with suppress(NotImplementedError, ValueError):  # Windows; a thread that is not the main one.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await playing

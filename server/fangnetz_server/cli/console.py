"""What the commands share with a terminal: logs, tables, the event loop."""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Literal, TypeVar

import structlog

from fangnetz_server.cli import TERMINATED, CommandError
from fangnetz_server.host.keys import KeysError
from fangnetz_server.host.server import ServerError
from fangnetz_server.store.errors import StoreError

__all__ = ["command_name", "run_async", "set_up_logs"]

T = TypeVar("T")


def command_name(name: str = "fangnetz") -> str:
    """Return how the user can call a command of ours: by its name, or by its path beside this one."""
    if shutil.which(name) is not None:
        return name
    beside = Path(sys.argv[0]).with_name(name)
    return os.path.relpath(beside) if beside.exists() else name


def set_up_logs(level: int, style: Literal["auto", "console", "json"] = "auto") -> None:
    """Write the log to standard error.

    Args:
        level: of the standard library's logging.
        style: for people, one JSON object a line, or `auto`: for people on a terminal, else JSON.
    """
    for_people = style == "console" or (style == "auto" and sys.stderr.isatty())
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if for_people else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(level, logging.WARNING))


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """Run the main coroutine of a command, on uvloop where there is one.

    Raises:
        CommandError: the server could not start, its data folder cannot be used, or SIGTERM came.
    """
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:  # Windows
        factory = asyncio.new_event_loop  # type: ignore[assignment]
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(_until_told(main))
    except (KeysError, ServerError, StoreError) as error:
        raise CommandError(str(error)) from error
    except asyncio.CancelledError:
        raise CommandError("terminated", TERMINATED) from None


async def _until_told(main: Coroutine[Any, Any, T]) -> T:
    """Let SIGTERM end a command as Ctrl-C does, so that nothing it has started outlives it."""
    task = asyncio.current_task()
    assert task is not None, "a coroutine of the runner"
    with contextlib.suppress(NotImplementedError):  # Windows
        # Only the first one cancels; a second must not cancel the tidying up.
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, lambda: task.cancelling() or task.cancel()
        )
    return await main

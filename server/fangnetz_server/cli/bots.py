"""Bots as processes of their own, started by a command of the host and gone when it ends."""

import asyncio
import contextlib
import importlib.util
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fangnetz_server.cli import CommandError

__all__ = ["BotProcess", "BotSpec", "bot_processes", "need_sdk", "unique_names"]

STRENGTHS: Final = ("random", "simple", "strong")
_GRACE_S: Final = 2.0
"""Time to end after SIGTERM before SIGKILL."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot to start.

    `target` is what `fangnetz-bot run` takes: GAME:STRENGTH, FILE.py[:CLASS] or MODULE:CLASS.
    """

    target: str
    name: str

    @classmethod
    def parse(cls, game: str, text: str) -> "BotSpec":
        """Read how a user names a bot; a strength alone means the reference bot of the game.

        Raises:
            CommandError: a file that does not exist.
        """
        if text in STRENGTHS:
            return cls(f"{game}:{text}", text)
        path, _, bot_class = text.partition(":")
        if path.endswith(".py"):
            if not Path(path).is_file():
                raise CommandError(f"bot {text!r}: there is no file {path}")
            return cls(text, bot_class or Path(path).stem)
        if not bot_class:
            known = ", ".join(STRENGTHS)
            raise CommandError(f"bot {text!r} is none of {known}, nor FILE.py[:CLASS], nor MODULE:CLASS")
        return cls(text, bot_class)


def need_sdk() -> None:
    """Make sure that the bots which come with Fangnetz, and others in Python, can run.

    Raises:
        CommandError: the Python SDK is not installed.
    """
    if importlib.util.find_spec("fangnetz") is None:
        raise CommandError("the bots need the Python SDK: pip install fangnetz")


def unique_names(names: Sequence[str]) -> list[str]:
    """Return the names with a number behind those that come again: strong, strong-2."""
    result: list[str] = []
    for name in names:
        count, unique = 1, name
        while unique in result:
            count += 1
            unique = f"{name}-{count}"
        result.append(unique)
    return result


@dataclass(slots=True)
class BotProcess:
    """A running bot and the file that takes what it prints."""

    spec: BotSpec
    process: asyncio.subprocess.Process
    log: Path

    @property
    def failed(self) -> bool:
        """Tell whether it ended by itself with an error."""
        return self.process.returncode not in (None, 0)

    def last_words(self) -> str:
        """Return the last line that it printed."""
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it printed nothing"


@asynccontextmanager
async def bot_processes(
    server: str, bots: Sequence[tuple[BotSpec, str | None]], logs: Path, *, matches: int | None
) -> AsyncIterator[list[BotProcess]]:
    """Start bots and see to it that they and all they started are gone afterwards.

    Args:
        server: the address they connect to.
        bots: each with its token, which goes through the environment so that nobody sees it in a
            list of processes; None: it comes in under its name.
        logs: folder for a log file each.
        matches: how many matches each plays; None: until it is stopped.

    Raises:
        CommandError: the Python SDK is not installed.
    """
    if bots:
        need_sdk()
    logs.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240  # once, before anything runs
    running: list[BotProcess] = []
    try:
        for spec, token in bots:
            running.append(await _start(server, spec, token, logs, matches))
        yield running
    finally:
        await asyncio.gather(*(_stop(bot.process) for bot in running))


async def _start(
    server: str, spec: BotSpec, token: str | None, logs: Path, matches: int | None
) -> BotProcess:
    command = [sys.executable, "-m", "fangnetz", "run", spec.target, "--server", server, "--name", spec.name]
    if matches is not None:
        command += ["--matches", str(matches)]
    environment = {**os.environ, **({"FANGNETZ_TOKEN": token} if token else {})}
    log = logs / f"{spec.name}.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
        )
    return BotProcess(spec, process, log)


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End a bot and its whole process group."""
    _signal_group(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(_GRACE_S):
            await process.wait()
    except TimeoutError:
        _signal_group(process, signal.SIGKILL)
        await process.wait()
    _signal_group(process, signal.SIGKILL)  # What it started may have outlived it.


def _signal_group(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

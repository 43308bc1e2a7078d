"""Bots as processes of their own, started by a command of the host and gone when it ends."""

import asyncio
import contextlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fangnetz_server.cli import CommandError

__all__ = ["BotProcess", "BotSpec", "bot_processes", "keep_logs", "need_sdk", "unique_names"]

STRENGTHS: Final = ("random", "simple", "strong")
_STDERR: Final = ".stderr.log"
"""Ends the name of the file that holds what a program writes to standard error."""
_GRACE_S: Final = 2.0
"""Time to end after SIGTERM before SIGKILL."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot to start.

    `target` is what `fangnetz-bot run` takes: GAME:STRENGTH, FILE.py[:CLASS] or MODULE:CLASS; for a
    program in any language it is the command line, and `command` holds its words.
    """

    target: str
    name: str
    command: tuple[str, ...] = ()
    seed: int | None = None
    """Of the bot's own chance, if it takes one."""

    @classmethod
    def parse(cls, game: str, text: str) -> "BotSpec":
        """Read how a user names a bot; a strength alone means the reference bot of the game.

        Raises:
            CommandError: a file that does not exist, or nothing that could be started.
        """
        if text in STRENGTHS:
            return cls(f"{game}:{text}", text)
        path, _, bot_class = text.partition(":")
        if path.endswith(".py") and not (_BLANK.search(path) and _words(text)):
            if not Path(path).is_file():
                raise CommandError(f"bot {text!r}: there is no file {path}")
            return cls(text, bot_class or Path(path).stem)
        if _MODULE.fullmatch(text):
            return cls(text, bot_class)
        if words := _words(text):
            return cls(text, _program_name(words), words)
        known = ", ".join(STRENGTHS)
        raise CommandError(
            f"bot {text!r} is none of {known}, nor FILE.py[:CLASS], nor MODULE:CLASS, "
            "nor a command line whose program is there"
        )

    def arguments(self, game: str, server: str, log: Path) -> list[str]:
        """Return the arguments of `fangnetz-bot` that connect it to a server.

        Args:
            game: what is played.
            server: its address.
            log: file for the log; what a program writes to standard error goes into one beside it.
        """
        common = ["--server", server, "--name", self.name]
        if self.command:
            own = ["--game", game, "--log", str(log.with_suffix(_STDERR))]
            return ["bridge", *common, *own, "--", *self.command]
        seed = [] if self.seed is None else ["--seed-if-taken", str(self.seed)]
        return ["run", self.target, *common, *seed]


_BLANK: Final = re.compile(r"\s")
_MODULE: Final = re.compile(r"\w+(\.\w+)*:\w+")


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a command line; none if there is no such program."""
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        return ()
    return words if words and shutil.which(words[0]) else ()


def _program_name(words: Sequence[str]) -> str:
    """Return a name for a program: that of its file, not of what runs it."""
    files = [word for word in words[1:] if Path(word).is_file()]
    return Path((files or words)[0]).stem[:32]


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


def keep_logs(bots: Sequence[BotProcess], replay: Path) -> None:
    """Copy the logs of bots that have ended to the replay of their match: MATCH.BOT.log."""
    match = replay.name.partition(".")[0]
    for bot in bots:
        for log in (bot.log, bot.log.with_suffix(_STDERR)):
            if log.is_file():
                shutil.copyfile(log, replay.with_name(f"{match}.{log.name}"))


@asynccontextmanager
async def bot_processes(
    server: str,
    bots: Sequence[tuple[BotSpec, str | None]],
    logs: Path,
    *,
    matches: int | None,
    game: str = "",
) -> AsyncIterator[list[BotProcess]]:
    """Start bots and see to it that they and all they started are gone afterwards.

    Args:
        server: the address they connect to.
        bots: each with its token, which goes through the environment so that nobody sees it in a
            list of processes; None: it comes in under its name.
        logs: folder for a log file each.
        matches: how many matches each plays; None: until it is stopped.
        game: what a program in any language plays.

    Raises:
        CommandError: the Python SDK is not installed.
    """
    if bots:
        need_sdk()
    logs.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240  # once, before anything runs
    running: list[BotProcess] = []
    try:
        for spec, token in bots:
            running.append(await _start(server, spec, token, logs, matches, game))
        yield running
        if matches is not None:  # They end by themselves, with a last line in the log.
            await asyncio.wait(
                [asyncio.ensure_future(bot.process.wait()) for bot in running], timeout=_GRACE_S
            )
    finally:
        await asyncio.gather(*(_stop(bot.process) for bot in running))


async def _start(
    server: str, spec: BotSpec, token: str | None, logs: Path, matches: int | None, game: str
) -> BotProcess:
    log = logs / f"{spec.name}.log"
    arguments = spec.arguments(game, server, log)
    if matches is not None:
        arguments[1:1] = ["--matches", str(matches)]
    command = [sys.executable, "-m", "fangnetz", *arguments]
    # What a bot prints shall stand in the log where it was printed.
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **({"FANGNETZ_TOKEN": token} if token else {})}
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

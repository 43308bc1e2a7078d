"""The bots that the host brings along: processes that are watched, started again, and ended."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from fangnetz_server.scheduling.files import OwnBot
from fangnetz_server.scheduling.leash import GRACE_S

__all__ = ["Crew", "Hand"]

_log = structlog.get_logger(__name__)
_LEASH: Final = Path(__file__).with_name("leash.py")
_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 30.0
"""Pauses before a bot that ended is started again; they double, so that a broken one takes no time."""
_LAST_WORDS: Final = 2000
"""Bytes of a log that are searched for the last line."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A bot to start, and its token."""

    bot: OwnBot
    token: str


class Crew:
    """The processes of one tournament.

    Args:
        server: the address they connect to.
        hands: who they are.
        logs: folder for a log file each.
    """

    def __init__(self, server: str, hands: Sequence[Hand], logs: Path) -> None:
        self._server = server
        self._hands = tuple(hands)
        self._logs = logs
        self._watchers: list[asyncio.Task[None]] = []
        self.troubles: dict[str, str] = {}
        """For each bot that has ended by itself: its last words."""

    def start(self) -> None:
        """Start all of them; doing it again changes nothing."""
        if not self._watchers:
            self._watchers = [asyncio.create_task(self._watch(hand)) for hand in self._hands]

    async def stop(self) -> None:
        """End all of them and everything that they started."""
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        self._watchers = []

    async def _watch(self, hand: Hand) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            log = self._logs / f"{_file_name(hand.bot.name)}.log"
            status = await self._run(hand, log)
            self.troubles[hand.bot.name] = f"has ended with status {status}: {_last_words(log)} (see {log})"
            _log.warning("own_bot_ended", bot=hand.bot.name, status=status, log=str(log))
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def _run(self, hand: Hand, log: Path) -> int:
        self._logs.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-S",
                str(_LEASH),
                *_words(hand.bot, self._server),
                stdin=asyncio.subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=hand.bot.folder,
                env={**os.environ, "FANGNETZ_TOKEN": hand.token, "FANGNETZ_SERVER": self._server},
                start_new_session=True,
            )
        try:
            return await process.wait()
        finally:
            await _end(process)


def _words(bot: OwnBot, server: str) -> list[str]:
    if bot.command:
        return [word.replace("{server}", server).replace("{name}", bot.name) for word in bot.command]
    assert bot.bot is not None, "a bot without a command names what to run"
    return [sys.executable, "-m", "fangnetz", "run", bot.bot, "--server", server, "--name", bot.name]


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let go of the leash and wait; it ends the bot in time."""
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


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name).lstrip(".") or "bot"


def _last_words(log: Path) -> str:
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - _LAST_WORDS))
            lines = stream.read().decode(errors="replace").strip().splitlines()
    except OSError as error:
        return str(error)
    return lines[-1] if lines else "it printed nothing"

"""The bots that the host brings along: processes that are watched, started again, and ended."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from fangnetz_server.scheduling.own_bots import OwnBot
from fangnetz_server.scheduling.process import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    end,
    file_name,
    last_words,
    start_leashed,
)
from fangnetz_server.scheduling.troupe import Troupe

__all__ = ["Crew", "Hand"]

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hand:
    """A bot to start, and its token."""

    bot: OwnBot
    token: str


class Crew:
    """The processes of one tournament, or of the house.

    Args:
        server: the address they connect to.
        hands: who they are.
        logs: folder for a log file each.
    """

    def __init__(self, server: str, hands: Sequence[Hand], logs: Path) -> None:
        self._server = server
        self._hands = tuple(hand for hand in hands if hand.bot.program is None)
        self._logs = logs
        self._troupe = Troupe(server, [(hand.bot, hand.token) for hand in hands if hand.bot.program], logs)
        self._watchers: list[asyncio.Task[None]] = []
        self._troubles: dict[str, str] = {}

    @property
    def troubles(self) -> dict[str, str]:
        """For each bot that has ended by itself, or has failed: its last words."""
        return self._troubles | self._troupe.troubles

    @property
    def confined(self) -> dict[str, str]:
        """For each confined bot: what is in force."""
        return self._troupe.confined

    def start(self) -> None:
        """Start all of them; doing it again changes nothing."""
        if not self._watchers:
            self._watchers = [asyncio.create_task(self._watch(hand)) for hand in self._hands]
            self._watchers.append(asyncio.create_task(self._troupe.run()))

    async def stop(self) -> None:
        """End all of them and everything that they started."""
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        self._watchers = []

    async def _watch(self, hand: Hand) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            log = self._logs / f"{file_name(hand.bot.name)}.log"
            status = await self._run(hand, log)
            words = last_words(log)
            self._troubles[hand.bot.name] = f"has ended with status {status}: {words} (see {log})"
            _log.warning(
                "own_bot_ended", bot=hand.bot.name, status=status, says=words, log=str(log), again_s=pause_s
            )
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _run(self, hand: Hand, log: Path) -> int:
        self._logs.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            process = await start_leashed(
                _words(hand.bot, self._server),
                output=output,
                errors=output,
                folder=hand.bot.folder,
                variables={"FANGNETZ_TOKEN": hand.token, "FANGNETZ_SERVER": self._server},
            )
        try:
            return await process.wait()
        finally:
            await end(process)


def _words(bot: OwnBot, server: str) -> list[str]:
    if bot.command:
        return [word.replace("{server}", server).replace("{name}", bot.name) for word in bot.command]
    assert bot.bot is not None, "a bot without a command names what to run"
    return [sys.executable, "-m", "fangnetz", "run", bot.bot, "--server", server, "--name", bot.name]

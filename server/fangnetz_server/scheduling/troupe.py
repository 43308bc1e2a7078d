"""The confined programs of a tournament: one process of the bridge holds them all, and tells of them."""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from fangnetz_server.scheduling.own_bots import OwnBot
from fangnetz_server.scheduling.process import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    end,
    last_words,
    start_leashed,
)

__all__ = ["Troupe"]

_log = structlog.get_logger(__name__)
_LINE: Final = 1 << 20
"""Bytes of a line that the process may write; a last word of a program is far shorter."""


class Troupe:
    """Programs that the server lets play, confined.

    Args:
        server: the address they connect to.
        bots: who they are, each with its token.
        logs: folder for their logs.
    """

    def __init__(self, server: str, bots: Sequence[tuple[OwnBot, str]], logs: Path) -> None:
        self._server = server
        self._bots = tuple(bots)
        self._logs = logs
        self.confined: dict[str, str] = {}
        """For each bot: what is in force."""
        self.troubles: dict[str, str] = {}
        """For each bot that has failed: how it did so last."""

    async def run(self) -> None:
        """Let them play until it is cancelled."""
        pause_s = FIRST_PAUSE_S
        while self._bots:
            log = self._logs / "troupe.log"
            status = await self._play(log)
            trouble = (
                f"the process of the bridge has ended with status {status}: {last_words(log)} (see {log})"
            )
            self.troubles |= {bot.name: trouble for bot, _ in self._bots}
            _log.error("troupe_ended", status=status, log=str(log))
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _play(self, log: Path) -> int:
        """Run the process to its end and return its status."""
        self._logs.mkdir(parents=True, exist_ok=True)
        words = (sys.executable, "-m", "fangnetz", "troupe", str(self._write_file()))
        with log.open("ab") as errors:
            process = await start_leashed(words, output=asyncio.subprocess.PIPE, errors=errors)
        try:
            assert process.stdout is not None, "it was made with a pipe"
            while line := await process.stdout.readline():
                self._hear(line)
            return await process.wait()
        finally:
            await end(process)

    def _write_file(self) -> Path:
        """Write who plays, with the tokens, where only this user can read it; the process takes it away."""
        file = self._logs / "troupe.json"
        file.unlink(missing_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as text:
            json.dump(
                {"server": self._server, "logs": str(self._logs.resolve()), "bots": self._lines()}, text
            )
        return file.resolve()

    def _lines(self) -> list[dict[str, object]]:
        return [
            {
                "name": bot.name,
                "token": token,
                "program": bot.program,
                "folder": bot.folder,
                "limits": bot.limits.model_dump(),
                "read": bot.read,
                "sandbox": bot.sandbox,
            }
            for bot, token in self._bots
        ]

    def _hear(self, line: bytes) -> None:
        said = json.loads(line)
        bot = said["bot"]
        if "confined" in said:
            if self.confined.get(bot) != said["confined"]:
                _log.info("own_bot_confined", bot=bot, how=said["confined"])
            self.confined[bot] = said["confined"]
        else:
            self.troubles[bot] = said["trouble"]
            _log.warning("own_bot_failed", bot=bot, why=said["trouble"])

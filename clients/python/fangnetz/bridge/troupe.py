"""Many programs of a host behind one bridge each, all in one process: to start Python once is enough.

The file that says who plays is JSON and holds their tokens; it is read once and taken away:

    {"server": "ws://…", "logs": FOLDER, "bots": [
        {"name": …, "token": …, "program": [WORD, …], "folder": …, "limits": {"memory_mb": 256},
         "read": [PATH, …], "sandbox": "auto"}]}

On standard output it tells a host's program what it wants to know, one JSON object a line:
`{"bot": NAME, "confined": TEXT}` and `{"bot": NAME, "trouble": TEXT}`.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

from fangnetz.bridge.run import BridgeOptions, bridge, file_name
from fangnetz.confine.cage import Sandbox
from fangnetz.confine.limits import read_limits
from fangnetz.confine.watch import Watch
from fangnetz.problems import Problem, WrongUse

__all__ = ["read_troupe", "run_troupe"]

log: Final = logging.getLogger("fangnetz")
_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 30.0
"""Pauses before a bridge that ended is built again; they double, so that a broken bot takes no time."""
_LOG_BYTES: Final = 1_000_000
_playing: ContextVar[str] = ContextVar("playing")
"""The name of the bot whose work is done at the moment."""


class _News:
    """Tells the host about one bot."""

    def __init__(self, bot: str) -> None:
        self._bot = bot

    def confined(self, how: str) -> None:
        self._tell("confined", how)

    def failed(self, why: str) -> None:
        self._tell("trouble", why)

    def _tell(self, kind: str, text: str) -> None:
        print(json.dumps({"bot": self._bot, kind: text}), flush=True)


class _LogOfEach(logging.Handler):
    """Writes what is logged in the course of one bot's work into its own file."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._files: dict[str, logging.Handler] = {}

    def emit(self, record: logging.LogRecord) -> None:
        bot = _playing.get("troupe")
        if bot not in self._files:
            path = self._folder / f"{file_name(bot)}.log"
            self._files[bot] = RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8")
            self._files[bot].setFormatter(self.formatter)
        self._files[bot].emit(record)


def read_troupe(file: Path) -> list[BridgeOptions]:
    """Return who plays, and take the file away.

    Raises:
        WrongUse: it cannot be read, or is not as it should be.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
        logs = Path(data["logs"])
        return [_options(bot, data["server"], logs) for bot in data["bots"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WrongUse(f"{file}: {type(error).__name__}: {error}") from error


async def run_troupe(bots: list[BridgeOptions]) -> None:
    """Let all of them play until it is cancelled."""
    handler = _LogOfEach(bots[0].log.parent if bots and bots[0].log else Path())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.propagate = False
    watch = Watch()
    async with asyncio.TaskGroup() as tasks:
        for options in bots:
            tasks.create_task(_play(options, watch))


async def _play(options: BridgeOptions, watch: Watch) -> None:
    """Let one program play, again and again, whatever becomes of it."""
    assert options.name is not None, "a bot of a troupe has a name"
    _playing.set(options.name)
    news, pause_s = _News(options.name), _FIRST_PAUSE_S
    while True:
        try:
            await bridge(options, watch=watch, news=news)
        except Problem as problem:
            log.error("%s", problem)
            news.failed(str(problem))
        except Exception as error:  # Ours; the others play on.
            log.exception("the bridge has failed")
            news.failed(f"the bridge has failed: {error!r}")
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def _options(bot: Mapping[str, Any], server: str, logs: Path) -> BridgeOptions:
    return BridgeOptions(
        command=tuple(bot["program"]),
        server=server,
        token=bot["token"],
        name=bot["name"],
        log=logs / f"{file_name(bot['name'])}.stderr.log",
        limits=read_limits(f"{name}={value}" for name, value in bot.get("limits", {}).items()),
        folder=Path(bot["folder"]),
        readable=tuple(map(Path, bot.get("read", ()))),
        sandbox=Sandbox(bot.get("sandbox", Sandbox.AUTO)),
    )

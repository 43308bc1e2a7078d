"""The server as it is served, in this process, and peers in a process of their own."""

import asyncio
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from fangnetz_protocol.words import BotId
from fangnetz_server.cli.console import run_async, set_up_logs
from fangnetz_server.games.registry import load_games
from fangnetz_server.host.admission import Admission
from fangnetz_server.host.host import Host
from fangnetz_server.host.server import open_port, serve, settle_memory
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.store.store import opened_store
from fangnetz_server.web.app import make_app

__all__ = ["PEER_PATIENCE_S", "Peers", "arena", "entrants", "patient", "peers", "run", "until"]

T = TypeVar("T")
_PAUSE_S: Final = 0.002

PEER_PATIENCE_S: Final = 120.0
"""Time for the other process to say something; it only passes if a benchmark is broken."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a benchmark on the server's event loop, with the server's logs off."""
    set_up_logs(logging.ERROR)
    return run_async(main)


def entrants(*names: str) -> list[Entrant]:
    """Return who sits on each seat; on an open server a bot's name is its id."""
    return [Entrant(BotId(name), name) for name in names]


def patient(game: str, **given: object) -> MatchSettings:
    """Return settings of a game whose bots may take an hour to come and a minute to answer."""
    given = {"ready_ms": 3_600_000, "deadline_ms": 60_000, **given}
    return MatchSettings.defaults(load_games()[game].info, **given)


async def until(condition: Callable[[], bool]) -> None:
    """Let the event loop run until a condition holds.

    Raises:
        TimeoutError: it does not come true.
    """
    async with asyncio.timeout(PEER_PATIENCE_S):
        await asyncio.sleep(_PAUSE_S)
        while not condition():  # noqa: ASYNC110  # There is no event for it.
            await asyncio.sleep(_PAUSE_S)


@asynccontextmanager
async def arena(**options: Any) -> AsyncIterator[tuple[Host, int]]:
    """Serve a host on a free port of 127.0.0.1; the options are those of `Host`."""
    with tempfile.TemporaryDirectory(prefix="fangnetz-bench-") as folder:
        async with opened_store(Path(folder)) as store:
            host = Host(load_games(), store, Admission(store, is_open=True), **options)
            listener = open_port("127.0.0.1", 0)
            async with serve(host, make_app(host), listener):
                settle_memory()
                yield host, listener.getsockname()[1]


class Peers:
    """A process with clients; it says how far it is in lines on its standard output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def said(self) -> str:
        """Return its next line; empty once it has ended."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PEER_PATIENCE_S):
            return (await self._process.stdout.readline()).decode().strip()


@asynccontextmanager
async def peers(kind: str, *arguments: object) -> AsyncIterator[Peers]:
    """Run `python -m bench.peers KIND ARGUMENTS`; the process ends with the context at the latest."""
    command = (sys.executable, "-m", "bench.peers", kind, *map(str, arguments))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        yield Peers(process)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()

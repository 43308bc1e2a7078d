"""Bots that the server starts: they play, are started again when they end, and outlive nobody."""

import sys
from pathlib import Path

import psutil
import pytest

from fangnetz_server.store.errors import TournamentConflict
from support.live_server import eventually
from support.tournament_server import WHO, league, tournament_server

FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""
PLAYER = """
import os
from fangnetz import SpaceballsBot, Thrust, run

class Coast(SpaceballsBot):
    def decide(self, observation):
        return Thrust(thrust=(0.0, 0.0))
"""


async def test_own_and_remote_bots_play_together(tmp_path: Path) -> None:
    others = _children()  # Of other tests, such as a browser.
    (tmp_path / "coast.py").write_text(PLAYER)
    data = league("ann", options={"legs": 2})
    data["bots"] = [
        {"name": "Own", "bot": "coast.py:Coast", "folder": str(tmp_path)},
        {
            "name": "Other",
            "command": [sys.executable, "-m", "fangnetz", "run", "spaceballs:random", "--server", "{server}"],
        },
    ]
    async with tournament_server(tmp_path / "data") as server:
        await server.enter("ann")
        await server.start(data)
        await eventually(lambda: len(_children()) >= len(others) + 2, "the processes")
        family = [child for child in _children() if child not in others]
        await server.finished()
        assert await server.reasons() == ["timeout"] * 6
        await eventually(lambda: not any(map(_is_alive, family)), "the end of the processes")
    assert sorted(log.name for log in (tmp_path / "data" / "logs" / "cup").iterdir()) == [
        "Other.log",
        "Own.log",
    ]


async def test_what_a_bot_has_started_ends_with_the_server(tmp_path: Path) -> None:
    data = league("ann")
    data["bots"] = [{"name": "Own", "command": [sys.executable, "-c", FAMILY]}]
    log = tmp_path / "logs" / "cup" / "Own.log"
    async with tournament_server(tmp_path) as server:
        await server.start(data)
        await eventually(lambda: log.exists() and log.read_text().endswith("\n"), "the grandchild")
        grandchild = psutil.Process(int(log.read_text()))
    await eventually(lambda: not _is_alive(grandchild), "the end of the grandchild")


async def test_a_bot_that_ends_is_a_problem_that_the_host_sees(tmp_path: Path) -> None:
    data = league("ann")
    data["bots"] = [{"name": "Own", "command": [sys.executable, "-c", "raise SystemExit('no map found')"]}]
    async with tournament_server(tmp_path) as server:
        await server.start(data)
        problems: list[str] = []

        async def look() -> None:
            known = await server.host.store.tournaments.get("cup")
            problems[:] = (await server.scheduler.progress(known)).problems

        log = tmp_path / "logs" / "cup" / "Own.log"
        await eventually(lambda: log.exists() and b"no map" in log.read_bytes(), "its last words")
        crew = server.scheduler._crews["cup"]
        await eventually(lambda: bool(crew.troubles), "the report")
        await look()
        assert problems == [f"Own: has ended with status 1: no map found (see {log})"]


async def test_two_tournaments_cannot_start_the_same_bot_at_the_same_time(tmp_path: Path) -> None:
    own = {"name": "Own", "command": [sys.executable, "-c", "import time; time.sleep(600)"]}
    async with tournament_server(tmp_path) as server:
        await server.start(league("ann", name="One") | {"bots": [own]}, "one")
        await server.make(league("ann", name="Two") | {"bots": [own]}, "two")
        with pytest.raises(
            TournamentConflict, match=r"'one' is not over and has started Own as well; .* 'two'"
        ):
            await server.commands.start("two", WHO)
        assert await server.state("two") == "created"
        await server.commands.pause("one", WHO)
        await server.commands.delete("one", WHO, and_results=True)
        await server.commands.start("two", WHO)
        assert await server.state("two") == "running"


def _children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

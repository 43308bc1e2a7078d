"""kill -9 at any instant: the tournament goes on, and ends as if nothing had happened."""

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pytest

from fangnetz_server.store import opened_store
from support.tournament_process import check_sums

KILLS: Final = int(os.environ.get("FANGNETZ_KILLS", "20"))
_TESTS: Final = Path(__file__).parents[1]
_PATIENCE_S: Final = 120.0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How the tournaments end if nobody is killed."""
    outcome = _run(tmp_path_factory.mktemp("undisturbed"), None)
    assert outcome is not None, "it came to its end"
    return outcome


async def test_killed_again_and_again_it_ends_like_an_undisturbed_one(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    instants = random.Random(2010)
    kills, tournaments = 0, 0
    while kills < KILLS:  # They are over after some kills; then new ones begin.
        tournaments += 1
        folder = tmp_path / str(tournaments)
        outcome, more = _run_and_kill(folder, instants, KILLS - kills)
        kills += more
        assert outcome == undisturbed
        async with opened_store(folder) as store:
            await check_sums(store, outcome)


def _run_and_kill(folder: Path, instants: random.Random, most: int) -> tuple[dict[str, Any], int]:
    """Play until the end with at most so many kills; return the outcome and how many there were."""
    kills = 0
    while kills < most:
        from_start = instants.random() < 0.2
        outcome = _run(folder, instants.uniform(0.0, 2.0 if from_start else 0.25), from_start=from_start)
        if outcome is not None:
            return outcome, kills
        kills += 1
    outcome = _run(folder, None)
    assert outcome is not None, "it came to its end"
    return outcome, kills


def _run(folder: Path, kill_after_s: float | None, *, from_start: bool = False) -> dict[str, Any] | None:
    """Run the server, kill it some time after it plays, and return the outcome if it came to its end.

    Args:
        folder: with its data.
        kill_after_s: when to kill it; None: not at all.
        from_start: count the time from the start of the process, not from when all bots are there.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "support.tournament_process", str(folder)],
        cwd=_TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watchdog = threading.Timer(_PATIENCE_S, process.kill)
    watchdog.start()
    timer = threading.Timer(kill_after_s or 0, process.kill)
    if from_start:
        timer.start()
    outcome, is_over = None, False
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line == b"ready\n" and kill_after_s is not None and not from_start:
                timer.start()
            elif line.startswith(b"{"):
                try:
                    outcome = json.loads(line)
                except ValueError:
                    break  # Killed while it wrote.
            is_over |= line == b"finished\n"
    finally:
        watchdog.cancel()
        timer.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
    return outcome if is_over else None

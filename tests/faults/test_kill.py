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
from support.tournament_process import files

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
    kills = 0
    outcome = None
    while kills < KILLS and outcome is None:
        from_start = instants.random() < 0.2
        outcome = _run(tmp_path, instants.uniform(0.0, 2.0 if from_start else 0.25), from_start=from_start)
        kills += outcome is None
    while outcome is None:
        outcome = _run(tmp_path, None)
    assert kills > 0, "somebody was killed"
    assert outcome == undisturbed
    await _check_sums(tmp_path, outcome)


async def _check_sums(folder: Path, outcome: dict[str, Any]) -> None:
    """No match is lost and none is counted twice: exports = store, sums of outcomes = matches."""
    async with opened_store(folder) as store:
        assert not await store.matches.unfinished()
        for name in files():
            records = await store.tournaments.pairings(name)
            deciding = [record.decided_by for record in records if not record.pairing.is_bye]
            assert None not in deciding
            assert len(set(deciding)) == len(deciding) == len(outcome[name]["matches"])
            finished = await store.matches.page(tournament=name, limit=1000)
            counted = {record.match for record in finished.records if record.places}
            assert counted == set(deciding)
            for match in counted:
                assert await store.matches.replay(match)


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

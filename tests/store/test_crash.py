"""A server that is killed at any instant has stored every result that it has told of, and no half one."""

import os
import random
import select
import subprocess
import sys
from pathlib import Path
from typing import Final

from fangnetz_protocol.words import MatchId
from fangnetz_server.store import Store, opened_store
from support.stored import PICTURE, replay_of, result_of, start_of

KILLS: Final = int(os.environ.get("FANGNETZ_KILLS", "10"))
_FIRST_S: Final = 60
_TESTS: Final = Path(__file__).parents[1]


async def test_kill_at_any_instant(tmp_path: Path, database: str | None) -> None:
    instants = random.Random(1)
    told: set[int] = set()
    for _ in range(KILLS):
        told |= _write_and_kill(tmp_path, database, len(told), instants.uniform(0, 0.05))
        async with opened_store(tmp_path, database=database) as store:
            await _check(store, told)
        assert not list((tmp_path / "replays").rglob("*.part"))
    assert len(told) >= KILLS


def _write_and_kill(folder: Path, database: str | None, first: int, instant: float) -> set[int]:
    """Let a process write, kill it some time after its first result, and return what it told of."""
    command = [sys.executable, "-m", "support.store_writer", str(folder), str(first)]
    command += [] if database is None else [database]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=_TESTS)
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _FIRST_S)
    assert ready, "the process stores nothing"
    select.select([], [], [], instant)
    process.kill()
    written = process.stdout.read()
    process.stdout.close()
    process.wait()
    return {int(line) for line in written.split(b"\n")[:-1]}


async def _check(store: Store, told: set[int]) -> None:
    """See that the store holds what was told, whole; then finish what was interrupted and tell of it too."""
    stored = await store.matches.finished_ids()
    untold = {int(match[1:]) for match in stored} - told
    assert {_match(number) for number in told} <= stored
    assert len(untold) <= 1, "only the last result can be stored and not be told of"
    unfinished = [int(start.match[1:]) for start in await store.matches.unfinished()]
    assert len(unfinished) + len(untold) <= 1
    for number in {*told, *untold, *unfinished}:
        start = start_of(_match(number), seed=number)
        replay = replay_of(start.match) * (number % 40)
        record = await store.matches.finish(start, result_of(start), replay=replay, picture=PICTURE)
        assert record.result == result_of(start)
        assert await store.matches.replay(start.match) == replay
        assert await store.matches.picture(start.match) == list(PICTURE)
    told.update(untold, unfinished)
    assert (await store.matches.page(limit=1)).total == len(told)


def _match(number: int) -> MatchId:
    return MatchId(f"m{number:05}")

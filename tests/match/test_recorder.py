"""The recorder: the same match is the same bytes, in any process and at any time."""

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from support import tiny_game
from support.arena import Arena
from support.golden import SCRIPTED
from support.replays import lines_of, record

TESTS = Path(__file__).parents[1]
ALL_DIGESTS = """
import hashlib
from support.golden import SCRIPTED

for name, scripted in sorted(SCRIPTED.items()):
    arena = scripted.play()
    print(name, hashlib.sha256(arena.recorder.data).hexdigest(), arena.result.digest)
"""
MEMORY = """
import pathlib, resource, sys
from support.replays import GAMES
from fangnetz_server.match.replay import Replay, ReplayError

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = peak()
try:
    Replay(pathlib.Path(sys.argv[1]).read_bytes(), GAMES).verify()
except ReplayError as error:
    print(peak() / before, error)
"""


def run_fresh(code: str, *arguments: str, hash_seed: str = "0") -> str:
    """Run code in a process of its own and return what it prints."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


@cache
def digests_here() -> str:
    lines = []
    for name, scripted in sorted(SCRIPTED.items()):
        arena = scripted.play()
        lines.append(f"{name} {hashlib.sha256(arena.recorder.data).hexdigest()} {arena.result.digest}\n")
    return "".join(lines)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_the_same_match_is_the_same_bytes_in_any_process(hash_seed: str) -> None:
    assert run_fresh(ALL_DIGESTS, hash_seed=hash_seed) == digests_here()


def test_the_time_of_day_is_not_in_a_replay() -> None:
    first, second = Arena(), Arena()
    second.clock.now += 123_456_789_000
    assert record(first, lambda *_: {"step": 1}) == record(second, lambda *_: {"step": 1})


def test_neither_are_the_latencies() -> None:
    slow = Arena().start()
    while slow.match.due_ns is not None:
        slow.wait(13)
        for seat in (0, 1):
            slow.try_act(seat, slow.match.tick, {"step": 0})
    assert slow.recorder.data == record(Arena(), lambda *_: {"step": 0})


def test_another_seed_is_another_replay() -> None:
    assert record(Arena(seed=1), lambda *_: None) != record(Arena(seed=2), lambda *_: None)


def test_a_replay_is_small() -> None:
    arena = SCRIPTED["spaceballs"].play()
    data = arena.recorder.data
    assert len(data) < len(b"".join(lines_of(data))) / 3
    assert len(data) / arena.result.ticks < 100


def test_the_file_is_whole_only_after_the_end() -> None:
    arena = Arena(tiny_game.GAME).start()
    arena.act(0)
    arena.act(1)
    assert len(arena.recorder.data) < 1000
    arena.match.abort("enough")
    assert len(lines_of(arena.recorder.data)) == 3


def test_a_bomb_of_one_gigabyte_takes_no_memory(tmp_path: Path) -> None:
    import zstandard

    bomb = tmp_path / "bomb.zst"
    compressor = zstandard.ZstdCompressor(level=1).compressobj()
    header = lines_of(record(Arena(), lambda *_: None))[0]
    with bomb.open("wb") as file:
        file.write(compressor.compress(header))
        for _ in range(128):
            file.write(compressor.compress(b" " * (8 << 20)))
        file.write(compressor.flush())
    growth, _, error = run_fresh(MEMORY, str(bomb)).partition(" ")
    assert error == "file: a line is longer than a replay can have\n"
    assert float(growth) < 1.5, "what it holds would be more than ten times what the process has"

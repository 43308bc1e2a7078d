"""`fangnetz simulate`: a frame a tick as JSON lines, from a file or standard input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.command import fangnetz

SCENARIO: dict[str, Any] = {
    "game": "spaceballs",
    "seed": 7,
    "stations": [],
    "mines": [],
    "actions": [{"tick": "*", "seat": 0, "thrust": [0, 1]}],
    "ticks": 4,
}


def lines(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(SCENARIO))
    return file


def test_a_file_gives_a_frame_a_tick_and_a_last_line(scenario: Path) -> None:
    done = fangnetz("simulate", scenario.name, cwd=scenario.parent)
    assert (done.returncode, done.stderr) == (0, b"")
    found = lines(done.stdout)
    assert [line["type"] for line in found] == ["frame"] * 5 + ["stopped"]
    assert [line.get("tick") for line in found[:-1]] == [0, 1, 2, 3, 4]
    heights = [line["balls"][0]["y"] for line in found[:-1]]
    assert heights == sorted(heights)
    assert heights[4] > heights[0]


def test_a_match_that_ends_has_an_end(tmp_path: Path) -> None:
    done = fangnetz(
        "simulate", "-", cwd=tmp_path, stdin=json.dumps({**SCENARIO, "ticks": 2000, "seed": 1}).encode()
    )
    last = lines(done.stdout)[-1]
    assert (last["type"], last["reason"], last["points"]) == ("match_end", "crash_wall", [0.0, 1.0])


def test_standard_input_gives_the_same_as_a_file(scenario: Path) -> None:
    by_file = fangnetz("simulate", scenario.name, cwd=scenario.parent)
    by_input = fangnetz("simulate", "-", cwd=scenario.parent, stdin=scenario.read_bytes())
    assert by_input.stdout == by_file.stdout
    assert by_input.returncode == 0


def test_the_same_in_every_process(scenario: Path) -> None:
    outputs = {
        fangnetz("simulate", scenario.name, cwd=scenario.parent, hash_seed=seed).stdout for seed in "012"
    }
    assert len(outputs) == 1


def test_a_wrong_place_in_a_file_is_named(tmp_path: Path) -> None:
    wrong = {**SCENARIO, "actions": [{"tick": 1, "seat": 5, "thrust": [0, 1]}]}
    done = fangnetz("simulate", "-", cwd=tmp_path, stdin=json.dumps(wrong).encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        b"fangnetz: standard input: actions.0.seat: should be below 2, the number of seats, not 5\n"
    )


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    """As in `fangnetz simulate FILE | head -1`, with far more output than a pipe holds."""
    long = {"game": "right2live", "seed": 1, "ticks": 5000}
    process = subprocess.Popen(
        [sys.executable, "-m", "fangnetz_server", "simulate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(json.dumps(long).encode())
    process.stdin.close()
    assert json.loads(process.stdout.readline())["tick"] == 0
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [("--version",), ("map", "list"), ("map", "show", "pocket"), ("config", "show")],
    ids=" ".join,
)
def test_no_command_complains_that_nobody_reads(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "fangnetz_server", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=tmp_path)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode in (0, 1), "1 is what tables of rich end with"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(scenario: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "fangnetz_server", "simulate", str(scenario)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"fangnetz: output: No space left on device\n")

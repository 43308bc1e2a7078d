"""`fangnetz replay`: verify, show and info of the golden replays, and of tampered ones."""

import json
import shutil
from pathlib import Path

import pytest

from support.command import fangnetz
from support.golden import SCRIPTED
from support.replays import GAMES, lines_of, pack

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The golden replays of the present rules versions, in a folder of the test."""
    names = [
        f"{name}-rules-{scripted.game.info.rules_version}.ndjson.zst" for name, scripted in SCRIPTED.items()
    ]
    for name in names:
        shutil.copy(GOLDEN / name, tmp_path / name)
    return names


def test_verify_accepts_honest_replays_and_says_how_they_ended(tmp_path: Path, files: list[str]) -> None:
    done = fangnetz("replay", "verify", *files, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode().splitlines()
    assert len(said) == len(files)
    for line, name in zip(said, files, strict=True):
        assert line.startswith(f"{name}: verified, ")
    assert any("of spaceballs, Bot 0 - Bot 1, 0 : 1 (catch)" in line for line in said)


def test_verify_stops_at_the_first_tampered_file(tmp_path: Path, files: list[str]) -> None:
    lines = lines_of((tmp_path / files[2]).read_bytes())
    lines[17] = lines[17].replace(b"0", b"1", 1)
    (tmp_path / "tampered.zst").write_bytes(pack(lines))
    done = fangnetz("replay", "verify", files[0], "tampered.zst", files[1], cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.count(b"\n") == 1
    assert done.stderr.startswith(b"fangnetz: tampered.zst: tick 17: ")
    assert done.stderr.count(b"\n") == 1


def test_show_prints_what_spectators_saw(tmp_path: Path, files: list[str]) -> None:
    done = fangnetz("replay", "show", files[0], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    frames = [json.loads(line) for line in done.stdout.splitlines()]
    assert [frame["type"] for frame in frames] == ["frame"] * (len(frames) - 1) + ["match_end"]
    assert [frame["tick"] for frame in frames[:-1]] == list(range(len(frames) - 1))
    assert len(frames[0]["players"]) == 4
    assert frames[-1]["reason"] == "no_blue_left"


def test_show_prints_the_ticks_before_a_tampered_one(tmp_path: Path, files: list[str]) -> None:
    lines = lines_of((tmp_path / files[0]).read_bytes())
    lines[9] = lines[9].replace(b"tick", b"tock", 1)
    (tmp_path / "tampered.zst").write_bytes(pack(lines))
    done = fangnetz("replay", "show", "tampered.zst", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.count(b"\n") == 9
    assert done.stderr.startswith(b"fangnetz: tampered.zst: tick 9: not a tick or footer line")


def test_info_tells_who_played_what(tmp_path: Path, files: list[str]) -> None:
    done = fangnetz("replay", "info", files[1], cwd=tmp_path)
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "match m-arena" in text
    assert "right2live (rules version 1)" in text
    assert "seed 12" in text
    assert "realtime" in text
    assert all(f"Bot {seat}" in text for seat in range(5))


def test_another_rules_version_is_named(tmp_path: Path, files: list[str]) -> None:
    lines = lines_of((tmp_path / files[0]).read_bytes())
    lines[0] = lines[0].replace(b'"rules_version":1', b'"rules_version":9')
    (tmp_path / "newer.zst").write_bytes(pack(lines))
    done = fangnetz("replay", "info", "newer.zst", cwd=tmp_path)
    assert done.returncode == 1
    assert b"header: played under rules version 9 of right2live; this program has version 1" in done.stderr


def test_a_replay_of_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    from support.arena import Arena
    from support.replays import record

    (tmp_path / "ring.zst").write_bytes(record(Arena(), lambda *_: None))
    done = fangnetz("replay", "verify", "ring.zst", cwd=tmp_path)
    known = ", ".join(name for name in GAMES if name != "ring_tag")
    text = f"fangnetz: ring.zst: header: the game 'ring_tag' is not installed here (known: {known})\n"
    assert (done.returncode, done.stderr.decode()) == (1, text)

"""Ctrl-C and SIGTERM: a command ends cleanly, and nothing that it has started outlives it."""

import json
import signal
from pathlib import Path

import pytest

from fangnetz_server.match.replay import Replay
from support.command import fangnetz, running, said, write_bots
from support.replays import GAMES

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
WORD = {signal.SIGINT: b"interrupted", signal.SIGTERM: b"terminated"}


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    write_bots(tmp_path)


def replays(folder: Path) -> list[Path]:
    return sorted((folder / "replays").rglob("*.ndjson.zst"))


@BOTH
def test_a_server_ends_with_status_0(tmp_path: Path, number: signal.Signals) -> None:
    with running("serve", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        command.read_until(b"results")
        done = command.signal(number)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@BOTH
def test_a_server_takes_its_house_bots_with_it(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "quick.toml").write_text("[server]\nshutdown_s = 0.1\n")
    options = ("--config", "quick.toml", "--bot", "thinker.py", "--bot", "thinker.py", "--data", "data")
    with running("serve", *options, "--port", 0, cwd=tmp_path) as command:
        command.meet_family(2)
        logs = [tmp_path / "data" / "logs" / f"{name}.log" for name in ("thinker", "thinker-2")]
        command.wait_for(lambda: all(log.exists() and b"begins" in log.read_bytes() for log in logs))
        done = command.signal(number)
        assert command.survivors() == []
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    (replay,) = replays(tmp_path / "data")
    assert Replay(replay.read_bytes(), GAMES).verify()["reason"] == "aborted"


@BOTH
def test_a_match_takes_its_bots_with_it(tmp_path: Path, number: signal.Signals) -> None:
    arguments = ("play", "spaceballs", "thinker.py", "thinker.py", "--port", 0, "--data", "data")
    with running(*arguments, cwd=tmp_path) as command:
        command.read_until(b"Watch ")
        command.meet_family(2)
        log = tmp_path / "data" / "logs" / "thinker.log"
        command.wait_for(lambda: b"begins" in log.read_bytes())
        done = command.signal(number)
        assert command.survivors() == []
    assert (done.returncode, said(done)) == (STATUS[number], b"fangnetz: " + WORD[number] + b"\n")
    (replay,) = replays(tmp_path / "data")
    assert Replay(replay.read_bytes(), GAMES).verify()["reason"] == "aborted"


@BOTH
def test_waiting_for_guests_can_be_ended(tmp_path: Path, number: signal.Signals) -> None:
    arguments = ("play", "spaceballs", "coast.py", "--open", 1, "--port", 0, "--data", "data")
    with running(*arguments, cwd=tmp_path) as command:
        command.read_until(b"Waiting for 1 more")
        done = command.signal(number)
    assert (done.returncode, said(done)) == (STATUS[number], b"fangnetz: " + WORD[number] + b"\n")


@BOTH
def test_the_demo_takes_its_bots_with_it(tmp_path: Path, number: signal.Signals) -> None:
    with running("demo", "--data", "data", cwd=tmp_path) as command:
        command.read_until(b"Watch")
        command.meet_family(7)
        done = command.signal(number)
        assert command.survivors() == []
    assert (done.returncode, said(done)) == (STATUS[number], b"fangnetz: " + WORD[number] + b"\n")


def test_one_folder_serves_one_server_at_a_time(tmp_path: Path) -> None:
    with running("serve", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        command.read_until(b"results")
        done = fangnetz("serve", "--port", 0, "--data", "data", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(b"fangnetz: ")
        assert done.stderr.count(b"\n") == 1
        command.signal(signal.SIGTERM)
    with running("serve", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        command.read_until(b"results")
        command.signal(signal.SIGTERM)


def test_the_log_of_a_server_is_json_where_nobody_reads_it(tmp_path: Path) -> None:
    with running("serve", "--bot", "coast.py", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        log = tmp_path / "data" / "logs" / "coast.log"
        command.wait_for(lambda: log.exists() and b"welcome" in log.read_bytes())
        done = command.signal(signal.SIGTERM)
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert {"bot_connected", "bot_disconnected"} <= {event["event"] for event in events}

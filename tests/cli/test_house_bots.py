"""`fangnetz serve --bot`: the bots of the house are kept running, and the log says what happens to them."""

import json
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.certificates import write_certificate
from support.command import Command, running, write_bots


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    write_bots(tmp_path)


def next_line(command: Command, event: str) -> dict[str, Any]:
    """Read the log up to a line with this event."""
    assert command.process.stderr is not None
    for text in command.process.stderr:
        line: dict[str, Any] = json.loads(text)
        if line["event"] == event:
            return line
    raise AssertionError(f"no {event} in the log")


def test_a_broken_bot_is_told_of_and_tried_again(tmp_path: Path) -> None:
    with running("serve", "--bot", "broken.py", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        for again_s in (1, 2):
            line = next_line(command, "own_bot_ended")
            assert (line["level"], line["bot"], line["again_s"]) == ("warning", "broken", again_s)
            assert "this bot is broken" in line["says"]
            assert Path(line["log"]) == Path("data/logs/broken.log")
        assert command.signal(signal.SIGTERM).returncode == 0


def test_a_bot_that_dies_comes_back(tmp_path: Path) -> None:
    with running("serve", "--bot", "coast.py", "--port", 0, "--data", "data", cwd=tmp_path) as command:
        session = next_line(command, "bot_connected")["session"]
        (bot,) = (process for process in family(command) if "run" in process.cmdline())
        bot.kill()
        assert next_line(command, "own_bot_ended")["status"] == 128 + signal.SIGKILL
        # Its token proves who it is, so it has its session and its seats again.
        assert next_line(command, "bot_connected")["session"] == session
        assert command.signal(signal.SIGTERM).returncode == 0


def family(command: Command) -> list[psutil.Process]:
    """Return the bots themselves, without the processes that hold them on a leash."""
    children = psutil.Process(command.process.pid).children(recursive=True)
    return [child for child in children if not child.children()]


def test_they_play_on_a_server_with_a_certificate_for_its_public_name(tmp_path: Path) -> None:
    write_certificate(tmp_path, "DNS:arena.example.org")
    settings = '[server]\ncertificate = "cert.pem"\nkey = "key.pem"\nshutdown_s = 0.1\n'
    (tmp_path / "tls.toml").write_text(settings)
    options = ("--config", "tls.toml", "--bot", "coast.py", "--bot", "thinker.py", "--data", "data")
    with running("serve", *options, "--port", 0, cwd=tmp_path) as command:
        assert sorted(next_line(command, "match_created")["seats"]) == ["coast", "thinker"]
        assert command.signal(signal.SIGTERM).returncode == 0

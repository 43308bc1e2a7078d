"""Runs the command `fangnetz` in a process of its own and looks at what it leaves behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil

__all__ = ["BOTS", "Command", "Done", "fangnetz", "running", "said", "write_bots"]

Done = subprocess.CompletedProcess[bytes]

_PATIENCE_S: Final = 60.0
"""Far more than anything here takes on a slow machine; it only ends a test that hangs."""

BOTS: Final = {
    "coast.py": """
from fangnetz import SpaceballsBot, Thrust

class Coast(SpaceballsBot):
    def decide(self, observation):
        return Thrust(thrust=(0.0, 0.0))
""",
    "stand.py": """
from fangnetz import Move, Right2LiveBot

class Stand(Right2LiveBot):
    def decide(self, observation):
        return Move()
""",
    "thinker.py": """
import threading
from fangnetz import SpaceballsBot, Thrust

class Thinker(SpaceballsBot):
    def decide(self, observation):
        threading.Event().wait(0.05)
        return Thrust(thrust=(0.0, 0.0))
""",
    "broken.py": "raise RuntimeError('this bot is broken')\n",
}
"""Bots of one's own, by file name."""


def write_bots(folder: Path) -> None:
    """Write the files of the bots into a folder."""
    for name, text in BOTS.items():
        (folder / name).write_text(text)


def fangnetz(*arguments: object, cwd: Path, stdin: bytes = b"", hash_seed: str = "0") -> Done:
    """Run a command to its end."""
    environment = {**os.environ, "COLUMNS": "200", "PYTHONHASHSEED": hash_seed}
    environment.pop("FANGNETZ_TOKEN", None)
    return subprocess.run(
        _command(arguments),
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=_PATIENCE_S * 2,
        env=environment,
    )


def said(done: Done) -> bytes:
    """Return what a command itself wrote to standard error, without the log of a busy machine."""
    return b"".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith(b"{"))


class Command:
    """A command that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]", cwd: Path) -> None:
        self.process = process
        self._cwd = cwd
        self.family: list[psutil.Process] = []

    def read_until(self, text: bytes) -> bytes:
        """Read its output up to and with a line that holds the text."""
        assert self.process.stdout is not None
        lines = b""
        for line in self.process.stdout:
            lines += line
            if text in line:
                return lines
        raise AssertionError(f"{text!r} is not in {lines!r}; {self.errors()!r}")

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait for something that the command tells nobody."""
        end = time.monotonic() + _PATIENCE_S
        while not condition():
            assert time.monotonic() < end, "in vain"
            assert self.process.poll() is None, self.errors()
            time.sleep(0.01)

    def meet_family(self, size: int) -> None:
        """Wait until it has started so many processes, and remember them."""
        me = psutil.Process(self.process.pid)
        self.wait_for(lambda: len(me.children(recursive=True)) >= size)
        self.family = me.children(recursive=True)

    def start_bot(self, *arguments: object) -> "subprocess.Popen[bytes]":
        """Start `fangnetz-bot` beside it, as somebody else would."""
        bot = subprocess.Popen(
            [sys.executable, "-m", "fangnetz", *map(str, arguments)],
            cwd=self._cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.family.append(psutil.Process(bot.pid))
        return bot

    def signal(self, number: signal.Signals) -> Done:
        """Send a signal and wait for the end."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=_PATIENCE_S)
        return Done(self.process.args, self.process.returncode, output, errors)

    def survivors(self) -> list[psutil.Process]:
        """Return the processes of its family that still run."""
        return [process for process in self.family if process.is_running() and _is_alive(process)]

    def errors(self) -> bytes:
        """End it and return what it wrote to standard error."""
        self.process.kill()
        return self.process.communicate()[1]


@contextmanager
def running(*arguments: object, cwd: Path) -> Iterator[Command]:
    """Run a command in the background; at the end nothing of it is left, whatever the test found."""
    process = subprocess.Popen(
        _command(arguments),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "200"},
        preexec_fn=_listen_to_ctrl_c,
    )
    command = Command(process, cwd)
    try:
        yield command
    finally:
        process.kill()
        process.communicate()
        for member in command.survivors():
            member.kill()


def _listen_to_ctrl_c() -> None:
    """A shell starts what runs in the background with SIGINT ignored, and children inherit it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _command(arguments: Sequence[object]) -> list[str]:
    return [sys.executable, "-m", "fangnetz_server", *map(str, arguments)]

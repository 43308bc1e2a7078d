"""Help: at once, with an example, for every command."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from fangnetz_server import __version__
from fangnetz_server.cli.app import app
from support.command import fangnetz

QUICK_S = 0.5
"""Of computing time, which unlike the time on the wall does not depend on what else the machine does."""


def children_s() -> float:
    """Return the computing time of all child processes so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def commands() -> list[tuple[str, ...]]:
    """Return every command by its words."""
    found: list[tuple[str, ...]] = []
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        below = getattr(command, "commands", {})
        found += [(name, part) for part in below] or [(name,)]
    return found


def test_there_are_the_commands_of_the_docs() -> None:
    words = {" ".join(words) for words in commands()}
    assert words >= {"serve", "play", "demo", "simulate", "replay verify", "replay show", "replay info"}
    assert words >= {"map check", "map list", "map show"}


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_help_shows_quickly_and_has_an_example(tmp_path: Path, words: tuple[str, ...]) -> None:
    best = float("inf")
    for _ in range(3):
        before = children_s()
        done = fangnetz(*words, "--help", cwd=tmp_path)
        best = min(best, children_s() - before)
        if best < QUICK_S:
            break
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert text.startswith(f"Usage: fangnetz {' '.join(words)} ")
    assert f"Example: fangnetz {' '.join(words)}" in text
    assert best < QUICK_S


@pytest.mark.parametrize("words", [(), ("replay",), ("map",)], ids=" ".join)
def test_help_of_a_group_lists_its_commands(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = fangnetz(*words, "--help", cwd=tmp_path)
    assert done.returncode == 0
    for command in commands():
        if command[: len(words)] == words:
            assert f"\n  {command[len(words)]} ".encode() in done.stdout


def test_help_imports_neither_server_nor_rules(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['fangnetz', 'serve', '--help']\n"
        "from fangnetz_server.cli import main\n"
        "try: main()\n"
        "finally: print(sorted({'fastapi', 'uvicorn', 'websockets', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=tmp_path)
    assert done.stdout.endswith(b"\n[]\n")


def test_the_version(tmp_path: Path) -> None:
    done = fangnetz("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, f"fangnetz {__version__}\n")

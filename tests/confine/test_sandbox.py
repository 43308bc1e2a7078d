"""The words for bubblewrap, as anybody but root uses them: in a user namespace, without another user."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from fangnetz.confine.sandbox import sandbox_words
from support.programs import require_sandbox

SOMEBODY: Final = 1_999_999_999
"""A user id that nobody has."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that belongs to the user who plays."""
    with tempfile.TemporaryDirectory(prefix="fangnetz-test-") as place:
        if os.geteuid() == 0:
            os.chown(place, SOMEBODY, SOMEBODY)
        yield Path(place)


def inside(home: Path, command: str, *, processes: int = 8) -> str:
    """Return what a shell in the sandbox prints; skip where users may have none."""
    require_sandbox()
    words = sandbox_words(folder=home, readable=(), scratch_mb=1, processes=processes, user=None)
    if os.geteuid() == 0:
        setpriv = (
            str(shutil.which("setpriv")),
            f"--reuid={SOMEBODY}",
            f"--regid={SOMEBODY}",
            "--clear-groups",
        )
        words = [*setpriv, *words]
    if subprocess.run([*words, "true"], capture_output=True, timeout=60).returncode != 0:
        pytest.skip("users have no namespaces here: sysctl kernel.unprivileged_userns_clone")
    done = subprocess.run([*words, "sh", "-c", command], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def test_the_own_folder_is_there_to_read_alone(home: Path) -> None:
    (home / "mine.txt").write_text("mine\n", encoding="utf-8")
    assert inside(home, "cat mine.txt") == "mine\n"
    assert "Read-only file system" in inside(home, "touch new.txt")
    assert "Read-only file system" in inside(home, "touch /new.txt")
    assert "Read-only file system" in inside(home, "touch /etc/new.txt")
    assert "Read-only file system" in inside(home, "touch /dev/new.txt")
    assert "Read-only file system" in inside(home, "touch /dev/shm/new.txt")


def test_the_scratch_folder_is_small(home: Path) -> None:
    assert "No space left on device" in inside(home, "head -c 2000000 /dev/zero > /tmp/zero")
    assert inside(home, "head -c 500000 /dev/zero > /tmp/zero && wc -c < /tmp/zero") == "500000\n"


def test_the_network_is_out_of_reach(home: Path) -> None:
    assert inside(home, "cat /proc/net/route | wc -l") == "1\n"
    assert inside(home, "grep -c : /proc/net/dev") == "1\n"  # The loopback of its own, which is down.


def test_processes_are_counted_from_none(home: Path) -> None:
    """However many the user has outside."""
    assert inside(home, "sh -c 'exit 7'; echo $?") == "7\n"
    assert "Cannot fork" in inside(home, "for n in 1 2 3 4 5 6 7 8 9 10; do sleep 9 & done")


def test_no_rights_are_left(home: Path) -> None:
    assert inside(home, "grep -c 'Cap[PE].*:.0000000000000000' /proc/self/status") == "2\n"

"""A PostgreSQL server for the time of the tests, with nothing in it and nothing left of it.

`python tests/support/postgres.py COMMAND ...` runs a command that finds the server's URL in
FANGNETZ_TEST_POSTGRES.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["INSTALL", "URL_VARIABLE", "PostgresMissing", "postgres_server"]

URL_VARIABLE: Final = "FANGNETZ_TEST_POSTGRES"
INSTALL: Final = "apt-get install postgresql"
_DEBIAN: Final = Path("/usr/lib/postgresql")
_START_S: Final = 60
# A crash of the machine would cost these data, and nobody would miss them.
_SETTINGS: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=")
_PR_SET_PDEATHSIG: Final = 1


class PostgresMissing(Exception):
    """PostgreSQL is not installed; the text says how to."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server on a socket in a folder of its own and give its URL; it ends with the context.

    Raises:
        PostgresMissing: there is none on this machine.
    """
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="fnz-pg-"))
    user = _user()
    if user is not None:
        shutil.chown(folder, user)
    data = folder / "data"
    try:
        _run(
            user, binaries / "initdb", "-D", data, "-U", "fangnetz", "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        with (folder / "log").open("wb") as log:
            options = [part for setting in _SETTINGS for part in ("-c", setting)]
            server = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-k", folder, *options],
                stdout=log,
                stderr=log,
                cwd=folder,
                user=user,
                preexec_fn=_end_with_parent,
            )
        try:
            _wait_ready(server, binaries, folder)
            yield f"postgresql://fangnetz@/postgres?host={folder}"
        finally:
            server.send_signal(signal.SIGINT)  # "Fast": without waiting for those who are connected.
            server.wait(_START_S)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path:
    folders = [path.parent for path in _DEBIAN.glob("*/bin/initdb")]
    if folders:
        return max(folders, key=lambda folder: int(folder.parent.name))
    found = shutil.which("initdb")
    if found is None:
        raise PostgresMissing(f"PostgreSQL is not installed ({INSTALL}), and {URL_VARIABLE} names no server")
    return Path(found).resolve().parent


def _user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _run(user: str | None, *command: str | Path) -> None:
    done = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}{done.stderr}"


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


def _wait_ready(server: "subprocess.Popen[bytes]", binaries: Path, folder: Path) -> None:
    deadline = time.monotonic() + _START_S
    ready = [str(binaries / "pg_isready"), "-q", "-h", str(folder), "-d", "postgres"]
    while subprocess.run(ready, check=False).returncode != 0:
        said = (folder / "log").read_text(errors="replace")
        assert server.poll() is None, f"the server has ended:\n{said}"
        assert time.monotonic() < deadline, f"the server does not get ready:\n{said}"
        time.sleep(0.05)


def _main() -> int:
    with postgres_server() as url:
        return subprocess.run(sys.argv[1:], env={**os.environ, URL_VARIABLE: url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(_main())

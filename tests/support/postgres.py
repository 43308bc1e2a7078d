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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil
import pytest

__all__ = ["URL_VARIABLE", "PostgresMissing", "PostgresServer", "postgres_or_skip", "postgres_server"]

URL_VARIABLE: Final = "FANGNETZ_TEST_POSTGRES"
_INSTALL: Final = "apt-get install postgresql"
_DEBIAN: Final = Path("/usr/lib/postgresql")
_START_S: Final = 60
# A crash of the machine would cost these data, and nobody would miss them. A crash of the server costs
# nothing: the store insists on commits that are written before they are told of.
_SETTINGS: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=")
_PR_SET_PDEATHSIG: Final = 1


class PostgresMissing(Exception):
    """PostgreSQL is not installed; the text says how to."""


class PostgresServer:
    """A database server in a folder of its own, without any address but a socket in it."""

    def __init__(self, folder: Path) -> None:
        self.url = f"postgresql://fangnetz@/postgres?host={folder}"
        self._folder = folder
        self._binaries = _binaries()
        self._user = _user()
        self._server: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Make the files of the database."""
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        options = ("-U", "fangnetz", "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(self._user, self._binaries / "initdb", "-D", self._folder / "data", *options)

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [part for setting in _SETTINGS for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [self._binaries / "postgres", "-D", self._folder / "data", "-k", self._folder, *options],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                user=self._user,
                preexec_fn=_end_with_parent,
            )
        _wait_ready(self._server, self._binaries, self._folder)

    def stop(self) -> None:
        """End it without waiting for those who are connected."""
        if self._server is not None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(_START_S)

    def kill(self) -> None:
        """kill -9 it in the middle of whatever it does, with all its processes."""
        assert self._server is not None, "it was started"
        family = psutil.Process(self._server.pid).children(recursive=True)
        self._server.kill()
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._server.wait(_START_S)
        while any(map(_is_alive, family)):  # They hold the memory that the next one would find in use.
            time.sleep(0.005)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server that ends with the context.

    Raises:
        PostgresMissing: there is none on this machine.
    """
    folder = Path(tempfile.mkdtemp(prefix="fnz-pg-"))
    try:
        server = PostgresServer(folder)
        server.prepare()
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_or_skip() -> Iterator[PostgresServer]:
    """Start a server; without PostgreSQL skip the test, or fail where nothing may be skipped."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except PostgresMissing as error:
            if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield server


def _binaries() -> Path:
    folders = [path.parent for path in _DEBIAN.glob("*/bin/initdb")]
    if folders:
        return max(folders, key=lambda folder: int(folder.parent.name))
    found = shutil.which("initdb")
    if found is None:
        raise PostgresMissing(f"PostgreSQL is not installed ({_INSTALL}), and {URL_VARIABLE} names no server")
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


def _is_alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


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
    with postgres_server() as server:
        environment = {**os.environ, URL_VARIABLE: server.url}
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(_main())

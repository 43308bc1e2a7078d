"""What this machine can hold a program with is found out, and said."""

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from fangnetz.confine.cage import Cage, Sandbox, make_cage, user_of, why_no_sandbox
from fangnetz.confine.limits import Limits
from fangnetz.problems import WrongUse
from support.programs import require_sandbox

HELD = (
    "1000 ms of CPU time an answer, 120 s a match, 512 MB of memory, 64 processes, 64 open files, "
    "64 MB of scratch"
)


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine on which nothing is installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    why_no_sandbox.cache_clear()
    yield
    why_no_sandbox.cache_clear()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    return tmp_path


def test_a_sandbox_is_used_where_there_is_one(home: Path) -> None:
    require_sandbox()
    cage = make_cage("ann", ["sh"], home, Limits())
    assert cage.is_sandbox
    told = f"confined by bubblewrap and rlimits: {HELD}, no network, nothing else to read or to write"
    assert cage.describe() == told
    assert cage.make_scratch() is None
    assert cage.keeper_words()[0] == "-"  # Who the program is is changed inside.


@pytest.mark.usefixtures("bare_machine")
def test_without_bubblewrap_rlimits_hold_alone_and_that_is_said(home: Path) -> None:
    cage = make_cage("ann", ["sh"], home, Limits())
    assert not cage.is_sandbox
    other = "another user" if os.geteuid() == 0 else "the same user"
    assert cage.describe() == (
        f"confined by rlimits alone: {HELD}; NOT in force: network, files (as {other}); "
        "bwrap is not installed (apt-get install bubblewrap)"
    )


@pytest.mark.usefixtures("bare_machine")
def test_a_sandbox_that_is_demanded_and_not_there(home: Path) -> None:
    with pytest.raises(WrongUse, match="a sandbox is demanded, but bwrap is not installed"):
        make_cage("ann", ["sh"], home, Limits(), sandbox=Sandbox.BWRAP)


def test_a_program_outside_is_told_before_it_cannot_be_started(home: Path) -> None:
    require_sandbox()
    folder = home / "bot"
    folder.mkdir(mode=0o755)
    program = home / "elsewhere" / "program"
    program.parent.mkdir(mode=0o755)
    program.touch(mode=0o755)
    with pytest.raises(WrongUse, match="elsewhere/program cannot be seen from inside the sandbox; add"):
        make_cage("ann", [str(program)], folder, Limits())
    assert make_cage("ann", [str(program)], folder, Limits(), readable=[program.parent]).is_sandbox
    with pytest.raises(WrongUse, match="there is no such file or folder"):
        make_cage("ann", [str(program)], folder, Limits(), readable=[home / "nowhere"])


def test_a_program_of_the_folder_itself(home: Path) -> None:
    require_sandbox()
    (home / "program").touch(mode=0o755)
    assert make_cage("ann", ["./program"], home, Limits()).is_sandbox


def test_a_folder_that_is_not_there(home: Path) -> None:
    with pytest.raises(WrongUse, match="there is no folder "):
        make_cage("ann", ["sh"], home / "nowhere", Limits())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root lets programs run as somebody else")
def test_a_folder_that_the_other_user_could_not_enter(home: Path) -> None:
    home.chmod(0o700)
    with pytest.raises(WrongUse, match=r"another user, who cannot read .*: chmod -R o\+rX"):
        make_cage("ann", ["sh"], home, Limits())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root lets programs run as somebody else")
def test_two_bots_are_two_users() -> None:
    assert user_of("ann") != user_of("bob")
    assert user_of("ann") == user_of("ann")


def test_the_kernels_limits(home: Path) -> None:
    limits = Limits(cpu_match_s=60, memory_mb=100, processes=8, files=16, scratch_mb=5)
    cage = make_cage("ann", ["sh"], home, limits, sandbox=Sandbox.RLIMITS)
    user, pairs = cage.keeper_words()
    assert user == (str(user_of("ann")) if os.geteuid() == 0 else "-")
    held = {int(number): int(limit) for number, limit in (pair.split("=") for pair in pairs.split(","))}
    assert held[resource.RLIMIT_CPU] == 60
    assert held[resource.RLIMIT_DATA] == 700_000_000
    assert held[resource.RLIMIT_FSIZE] == 5_000_000
    assert held[resource.RLIMIT_NOFILE] == 16
    assert held[resource.RLIMIT_CORE] == 0
    assert held[resource.RLIMIT_NPROC] >= 8


def test_signals_of_the_kernel_name_the_limit() -> None:
    cage = Cage(Limits(cpu_match_s=60, scratch_mb=5), Path("/"), None, (), "")
    assert cage.limit_of_signal(signal.SIGXCPU) == "has used more than 60 s of CPU time (cpu_match_s)"
    assert cage.limit_of_signal(signal.SIGXFSZ) == "has written more than 5 MB to a file (scratch_mb)"
    assert cage.limit_of_signal(signal.SIGSEGV) is None

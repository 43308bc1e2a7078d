"""What this machine can hold a program with: decided once, said in words, used for each start."""

import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from fangnetz.confine.limits import Limits
from fangnetz.confine.sandbox import SCRATCH, sandbox_words, visible_roots
from fangnetz.problems import WrongUse

__all__ = ["Cage", "Sandbox", "make_cage", "user_of", "why_no_sandbox"]

_MB: Final = 1_000_000
_RESERVE_MB: Final = 500
"""Java and Node reserve far more than they use. The watch looks at what is used; the kernel's limit,
which counts what is reserved, stands well behind, for those who are faster than the watch."""
_FIRST_USER: Final = 2_000_000_000
_USERS: Final = 100_000_000
"""User ids that no system gives to anybody; each bot gets one of them if the host is root."""
_INSTALL: Final = "apt-get install bubblewrap"
_KEPT: Final = ("LANG", "LC_", "JAVA_HOME")
_TOOLS: Final = ("bwrap", "setpriv", "prlimit")
_OPEN: Final = 0o005
_TRY_S: Final = 20.0


class Sandbox(StrEnum):
    """What confines a program beside the kernel's limits for each process."""

    AUTO = "auto"
    """bubblewrap, where it works."""
    BWRAP = "bwrap"
    """bubblewrap, or nothing is started."""
    RLIMITS = "rlimits"
    """Nothing else."""


@dataclass(frozen=True, slots=True)
class Cage:
    """How programs are started and held. Make it with `make_cage`."""

    limits: Limits
    folder: Path
    user: int | None
    """The user id that the program gets, if the host is root."""
    prefix: tuple[str, ...]
    """The words before those of the program; empty without a sandbox."""
    why_not: str
    """Why there is no sandbox; empty if there is one."""

    @property
    def is_sandbox(self) -> bool:
        """Whether network and disk are out of reach."""
        return bool(self.prefix)

    def keeper_words(self) -> tuple[str, str]:
        """Return user and kernel's limits as `bridge/keeper.py` takes them."""
        import resource  # Not on Windows, where programs connect by TCP and nothing is confined.

        limits = self.limits
        held = {
            resource.RLIMIT_CPU: limits.cpu_match_s,
            resource.RLIMIT_DATA: (2 * limits.memory_mb + _RESERVE_MB) * _MB,
            resource.RLIMIT_FSIZE: limits.scratch_mb * _MB,
            resource.RLIMIT_NOFILE: limits.files,
            resource.RLIMIT_CORE: 0,
        }
        if not self.is_sandbox:  # In a sandbox they are counted inside.
            others = 0 if self.user else _own_threads()
            held[resource.RLIMIT_NPROC] = limits.processes + others
        changes_user = self.user is not None and not self.is_sandbox
        pairs = ",".join(f"{number}={limit}" for number, limit in held.items())
        return str(self.user) if changes_user else "-", pairs

    def environment(self, scratch: Path | None) -> dict[str, str]:
        """Return the variables that the program gets: none of the host's but those of its language and path.

        Args:
            scratch: its scratch folder; None: that of the sandbox.
        """
        kept = {key: value for key, value in os.environ.items() if key == "PATH" or key.startswith(_KEPT)}
        place = SCRATCH if scratch is None else str(scratch)
        return {**kept, "HOME": place, "TMPDIR": place}

    def limit_of_signal(self, number: int) -> str | None:
        """Return which limit the kernel tells with a signal, as a clause; None: it tells of none."""
        if number == signal.SIGXCPU:
            return f"has used more than {self.limits.cpu_match_s} s of CPU time (cpu_match_s)"
        if number == signal.SIGXFSZ:
            return f"has written more than {self.limits.scratch_mb} MB to a file (scratch_mb)"
        return None

    def make_scratch(self) -> Path | None:
        """Make a scratch folder for one run; None: the sandbox has one inside."""
        if self.is_sandbox:
            return None
        folder = Path(tempfile.mkdtemp(prefix="fangnetz-scratch-"))
        if self.user is not None:
            os.chown(folder, self.user, self.user)
        return folder

    def describe(self) -> str:
        """Return what is in force, and what is not, in words."""
        limits = self.limits
        held = (
            f"{limits.cpu_tick_ms} ms of CPU time an answer, {limits.cpu_match_s} s a match, "
            f"{limits.memory_mb} MB of memory, {limits.processes} processes, {limits.files} open files, "
            f"{limits.scratch_mb} MB of scratch"
        )
        if self.is_sandbox:
            return f"confined by bubblewrap and rlimits: {held}, no network, nothing else to read or to write"
        other = "as another user" if self.user else "as the same user"
        return f"confined by rlimits alone: {held}; NOT in force: network, files ({other}); {self.why_not}"


def make_cage(
    name: str,
    words: Sequence[str],
    folder: Path,
    limits: Limits,
    *,
    readable: Sequence[Path] = (),
    sandbox: Sandbox = Sandbox.AUTO,
) -> Cage:
    """Find out what this machine can hold a program with.

    Args:
        name: of the bot; if the host is root, its user id follows from it.
        words: the program's command line.
        folder: its own folder.
        limits: what it may take.
        readable: what else it may read.
        sandbox: what to use.

    Raises:
        WrongUse: a sandbox is demanded and none can be had, or the program would not see itself in it.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise WrongUse(f"there is no folder {folder}")
    user = user_of(name)
    if user is not None:
        _check_open(folder)
    for path in readable:
        if not path.exists():
            raise WrongUse(f"--read {path}: there is no such file or folder")
    visible = [path.resolve() for path in readable]
    why_not = "" if sandbox is not Sandbox.RLIMITS else "a sandbox was not asked for"
    why_not = why_not or why_no_sandbox(user)
    if why_not and sandbox is Sandbox.BWRAP:
        raise WrongUse(f"a sandbox is demanded, but {why_not}")
    if why_not:
        return Cage(limits, folder, user, (), why_not)
    _check_visible(words[0], folder, visible)
    prefix = sandbox_words(
        folder=folder,
        readable=visible,
        scratch_mb=limits.scratch_mb,
        processes=limits.processes,
        user=user,
    )
    return Cage(limits, folder, user, tuple(prefix), "")


@functools.cache
def why_no_sandbox(user: int | None) -> str:
    """Return why bubblewrap does not work here, once tried; empty if it does.

    Args:
        user: the user id that programs get, if the host is root.
    """
    if sys.platform != "linux":
        return "bubblewrap is for Linux alone"
    for tool in _TOOLS:
        if shutil.which(tool) is None:
            return f"{tool} is not installed ({_INSTALL})"
    trial = sandbox_words(folder=Path("/usr"), readable=(), scratch_mb=1, processes=8, user=user)
    done = subprocess.run([*trial, "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_TRY_S)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"bubblewrap does not work here: {lines[-1] if lines else f'status {done.returncode}'}"


def user_of(name: str) -> int | None:
    """Return the user id that the program of a bot gets; None: the host's own, who is not root."""
    return _FIRST_USER + zlib.crc32(name.encode()) % _USERS if os.geteuid() == 0 else None


def _check_visible(word: str, folder: Path, readable: Sequence[Path]) -> None:
    """See that a program can be found from inside the sandbox."""
    places = [folder] if os.sep in word else map(Path, os.environ.get("PATH", os.defpath).split(os.pathsep))
    found = [(place / word).resolve() for place in places if shutil.which(place / word) is not None]
    roots = visible_roots(folder, readable)
    if not any(program.is_relative_to(root) for program in found for root in roots):
        where = found[0] if found else folder / word
        raise WrongUse(f"{where} cannot be seen from inside the sandbox; add its folder with --read")


def _check_open(folder: Path) -> None:
    """See that somebody else than root can be at home in the folder."""
    if folder.stat().st_mode & _OPEN != _OPEN:
        raise WrongUse(f"root lets the program run as another user, who cannot read {folder}: chmod -R o+rX")


def _own_threads() -> int:
    """Return how many processes and threads this user has: the kernel counts them with the program's."""
    mine, total = os.getuid(), 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                if os.stat(f"/proc/{name}").st_uid == mine:
                    total += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                continue
    return total

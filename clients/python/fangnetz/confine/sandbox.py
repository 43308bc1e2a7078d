"""How bubblewrap is told to confine a program: no network, and of the disk only what is named. Pure.

The words follow bwrap(1). Everything is read-only but a scratch folder, /tmp, of limited size, that
lives in memory and is gone with the program.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

__all__ = ["SCRATCH", "SYSTEM", "sandbox_words", "visible_roots"]

SCRATCH: Final = "/tmp"
SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Programs and libraries of the machine."""
_SETTINGS: Final = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime")
"""What programs need below /etc; there is much else that is nobody's business."""
_SETTINGS_OF: Final = ("java-", "mono", "octave")
"""Beginnings of further names there, of languages that keep their settings so."""
_UNSHARED: Final = ("ipc", "pid", "net", "uts", "cgroup-try")
_CAPABILITIES: Final = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
"""What root needs to become somebody else, and gives up with it."""


def sandbox_words(
    *, folder: Path, readable: Sequence[Path], scratch_mb: int, processes: int, user: int | None
) -> list[str]:
    """Return the words that stand before those of the program.

    Args:
        folder: the program's own folder, read-only; it starts in it.
        readable: what else it may read.
        scratch_mb: size of the scratch folder in millions of bytes.
        processes: processes and threads at the same time.
        user: the user id to become, if bwrap is run by root; None: run by somebody else, who needs
            a user namespace of his own and stays who he is.
    """
    words = ["bwrap", "--die-with-parent", "--new-session"]
    words += [f"--unshare-{what}" for what in _UNSHARED]
    words += ["--unshare-user"] if user is None else _privileges()
    words += _system()
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(scratch_mb * 1_000_000), "--tmpfs", SCRATCH]
    for path in (*readable, folder):
        words += [*_way_to(path), "--ro-bind", str(path), str(path)]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(folder), "--"]
    if user is not None:
        words += [*("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")]
        words += ["--bounding-set=-all", "--inh-caps=-all"]
    # Counted in the new namespace or for the new user, where nobody else's matter; one is bwrap's.
    return [*words, "prlimit", f"--nproc={processes + 1}"]


def visible_roots(folder: Path, readable: Sequence[Path]) -> list[Path]:
    """Return the folders that a program in the sandbox can read from."""
    return [folder, *readable, *map(Path, SYSTEM)]


def _privileges() -> list[str]:
    return ["--cap-drop", "ALL", *(word for name in _CAPABILITIES for word in ("--cap-add", name))]


def _way_to(path: Path) -> list[str]:
    """Return the words that make the folders above a path; left to itself, bwrap locks them."""
    above = [parent for parent in reversed(path.parents) if not _is_there(parent)]
    return [word for parent in above for word in ("--perms", "0755", "--dir", str(parent))]


def _is_there(path: Path) -> bool:
    return str(path) in ("/", SCRATCH) or any(path.is_relative_to(root) for root in SYSTEM)


def _system() -> list[str]:
    words = ["--perms", "0755", "--dir", "/etc"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    for name in (*_SETTINGS, *(name for name in _listed("/etc") if name.startswith(_SETTINGS_OF))):
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return words


def _listed(folder: str) -> list[str]:
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

"""A disk that gets full soon: a small file system in memory, or where that is not allowed, small files."""

import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["SmallDisk", "small_disk"]

_BYTES: Final = 4_000_000


class SmallDisk:
    """A folder for about four megabytes; `make_room` ends the shortage."""

    def __init__(self, folder: Path, make_room: Callable[[], None]) -> None:
        self.folder = folder
        self.make_room = make_room


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Put a small disk into an empty folder."""
    size = f"size={_BYTES}"
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False
    )
    if mount.returncode == 0:
        try:
            yield SmallDisk(folder, lambda: _remount(folder))
        finally:
            subprocess.run(["umount", folder], check=True)
        return
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A file cannot grow beyond this. Python ignores the signal, so the write fails as on a full disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, (_BYTES // 2, before[1]))
    try:
        yield SmallDisk(folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _remount(folder: Path) -> None:
    subprocess.run(["mount", "-o", f"remount,size={100 * _BYTES}", folder], check=True)

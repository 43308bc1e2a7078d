"""A data folder has one server at a time.

The operating system holds the lock, on an open file, so it ends with the process however that ends.
The file's text says who has it; it is for people and decides nothing.
"""

import os
import socket
import sys
from pathlib import Path
from typing import Final

from fangnetz_server.store.errors import StoreLocked, StoreNotWritable

__all__ = ["FolderLock"]

_NAME: Final = "fangnetz.lock"

if sys.platform == "win32":
    import msvcrt

    _FAR: Final = 1 << 30
    """A locked byte cannot be read, so it lies far behind the text."""

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Holds a data folder from its making until `release`.

    Raises:
        StoreLocked: another process holds it.
        StoreNotWritable: there is no such folder, or it may not be written to.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / _NAME
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as error:
            raise StoreNotWritable(
                str(folder), f"cannot be written to ({error.strerror or error})"
            ) from error
        try:
            _take(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            raise StoreLocked(str(folder), _holder(path)) from error
        os.truncate(self._descriptor, 0)
        os.write(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())

    def release(self) -> None:
        """Let the next one in. The file stays: to remove it could take it away from under another process."""
        os.close(self._descriptor)


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or "another process"
    except OSError:
        return "another process"

"""The file that takes what a program writes to standard error: the newest of it, never more."""

from pathlib import Path
from typing import BinaryIO, Final

__all__ = ["CAP", "ProgramLog"]

CAP: Final = 2_000_000
"""Bytes on the disk that a log takes at most, its older half included."""


class ProgramLog:
    """A log file; when half of the cap is full it becomes `NAME.old` and a new one is begun.

    Args:
        path: where it is; an older one is overwritten.
        cap: the most bytes that both halves take together.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path, cap: int = CAP) -> None:
        self.path: Final = path
        self._older = path.with_name(f"{path.name}.old")
        self._half = cap // 2
        self._size = 0
        self._file = self._open()
        self._older.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Add to the log; of more than fits into a half only the end is kept."""
        data = data[-self._half :]
        if self._size + len(data) > self._half:
            self._turn()
        try:
            self._file.write(data)
        except OSError:
            return  # A full disk is no reason to lose the match.
        self._size += len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _turn(self) -> None:
        self._file.close()
        self.path.replace(self._older)
        self._file = self._open()
        self._size = 0

    def _open(self) -> BinaryIO:
        return self.path.open("wb", buffering=0)

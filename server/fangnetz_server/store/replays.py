"""Replay files: under its own name a replay is always whole, whatever the machine did meanwhile.

A file is written in `incoming`, brought to the disk, and only then moved to its place, a folder
named by the first characters of the match: tens of thousands of files in one folder are slow to list.
"""

import os
import re
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Final

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.errors import ReplayDamaged, ReplayMissing, StoreUnavailable

__all__ = ["ReplayFiles"]

_SUFFIX: Final = ".ndjson.zst"
_INCOMING: Final = "incoming"
_PARTIAL: Final = ".part"
_SHARD: Final = 2
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{2,64}")


class ReplayFiles:
    """The replays below a folder. All of it waits for the disk, so call it in a thread.

    Args:
        folder: is made if it does not exist; what a crash left unfinished in it is removed.

    Raises:
        OSError: it cannot be made or written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._incoming = folder / _INCOMING
        self._incoming.mkdir(parents=True, exist_ok=True)
        _sync_folder(folder)
        _sync_folder(folder.parent)
        for leftover in self._incoming.glob(f"*{_PARTIAL}"):
            leftover.unlink()

    def path(self, match: MatchId) -> Path:
        """Return where the replay of a match lies or will lie.

        Raises:
            ValueError: the id could not be a file's name.
        """
        if not _FILE_NAME.fullmatch(match):
            raise ValueError(f"match {match!r}: an id has 2 to 64 of the characters a-z, A-Z, 0-9, _ and -")
        return self.folder / match[:_SHARD] / f"{match}{_SUFFIX}"

    def write(self, match: MatchId, data: bytes) -> str:
        """Bring a replay to the disk and return its SHA-256; writing it again is harmless.

        Raises:
            StoreUnavailable: it is not on the disk; trying again later is harmless.
        """
        path = self.path(match)
        partial = self._incoming / f"{match}.{secrets.token_hex(4)}{_PARTIAL}"
        try:
            _write_through(partial, data)
            _make_folder(path.parent)
            partial.replace(path)
            _sync_folder(path.parent)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise StoreUnavailable(str(path), f"cannot be written ({error.strerror or error})") from error
        return sha256(data).hexdigest()

    def read(self, match: MatchId, digest: str) -> bytes:
        """Return a replay after comparing it with its SHA-256.

        Raises:
            ReplayMissing, ReplayDamaged: it is not what was written.
            StoreUnavailable: the disk does not give it.
        """
        path = self.path(match)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise ReplayMissing(str(path), f"is not there; match {match} was stored with it") from None
        except OSError as error:
            raise StoreUnavailable(str(path), f"cannot be read ({error.strerror or error})") from error
        found = sha256(data).hexdigest()
        if found != digest:
            raise ReplayDamaged(
                str(path),
                f"is not what was stored: {len(data)} bytes with SHA-256 {found[:16]}... "
                f"instead of {digest[:16]}...",
            )
        return data

    def remove(self, match: MatchId) -> None:
        """Delete the replay of a match, if there is one.

        Raises:
            StoreUnavailable: the disk does not let it.
        """
        path = self.path(match)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreUnavailable(str(path), f"cannot be removed ({error.strerror or error})") from error


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # Elsewhere a folder cannot be opened; there the move is durable itself.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

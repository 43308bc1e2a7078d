"""Finished matches on disk: a replay and a last picture each, and one line each in `results.ndjson`.

A match is archived once all three are on the disk; only then is its result announced (decision 3).
Writing waits for the disk and runs in a thread, so no tick ever does.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from fangnetz_protocol.words import MatchId
from fangnetz_server.match.result import MatchResult

__all__ = ["Archive", "ArchiveError", "MatchRecord"]

_RESULTS: Final = "results.ndjson"
_REPLAYS: Final = "replays"
_SUFFIX: Final = ".ndjson.zst"
_LAST: Final = ".last.ndjson"
_FIELDS: Final = ("game", "reason", "ticks", "seats")
"""What every result has, besides the match and its time."""


class ArchiveError(Exception):
    """The data folder cannot be used; the text names it and says why."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match as plain values, as the API shows it.

    The result is kept as JSON, because a server remembers thousands of them and as dictionaries
    they take four times the memory.
    """

    match: MatchId
    ended_at: str
    """Wall-clock time in UTC, for people; nothing depends on it."""
    game: str
    packed: bytes
    """The result as a JSON object."""

    @property
    def result(self) -> dict[str, Any]:
        fields: dict[str, Any] = orjson.loads(self.packed)
        return fields

    def to_json(self) -> dict[str, Any]:
        return {"ended_at": self.ended_at, **self.result}


class Archive:
    """The data folder of a host.

    Args:
        folder: is made if it does not exist.

    Raises:
        ArchiveError: the folder cannot be written to, or its results cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._results = folder / _RESULTS
        try:
            (folder / _REPLAYS).mkdir(parents=True, exist_ok=True)
            self._results.touch()
            self._repair()
        except OSError as error:
            raise ArchiveError(f"data folder {folder}: {error.strerror or error}") from error

    def replay_path(self, match: MatchId) -> Path:
        """Return where the replay of a match lies or will lie."""
        return self.folder / _REPLAYS / f"{match}{_SUFFIX}"

    def last_messages(self, match: MatchId) -> list[bytes]:
        """Return what a spectator of a finished match gets: its start, its last frame and its end (P3.2).

        Raises:
            OSError: the match is not in the archive.
        """
        return self._last_path(match).read_bytes().splitlines()

    def store(self, result: MatchResult, replay: bytes, last: Sequence[bytes], ended_at: str) -> MatchRecord:
        """Write a match to the disk and wait until it is there.

        Args:
            result: the fact.
            replay: the replay file.
            last: what `last_messages` will return.
            ended_at: wall-clock time in UTC.

        Raises:
            OSError: it is not on the disk; storing it again later is harmless.
        """
        record = _record({"ended_at": ended_at, **result.to_json()})
        _write_durably(self.replay_path(result.match), replay)
        _write_durably(self._last_path(result.match), b"\n".join(last) + b"\n")
        _append_durably(self._results, orjson.dumps(record.to_json()) + b"\n")
        return record

    def records(self) -> Iterator[MatchRecord]:
        """Yield the stored matches, oldest first.

        Raises:
            ArchiveError: a line is no result.
        """
        with self._results.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    yield _record(orjson.loads(line))
                except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                    raise ArchiveError(
                        f"{self._results} line {number}: no result of a match ({error})"
                    ) from error

    def _last_path(self, match: MatchId) -> Path:
        return self.folder / _REPLAYS / f"{match}{_LAST}"

    def _repair(self) -> None:
        """Cut off a last line that a crash left unfinished; its match was never announced."""
        with self._results.open("rb+") as file:
            data = file.read()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                file.truncate(whole)


def _write_durably(path: Path, data: bytes) -> None:
    """Write a file under another name first, so that under its own it is always whole."""
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    _sync_folder(path.parent)


def _append_durably(path: Path, line: bytes) -> None:
    """Add a line; one that does not fit on the disk leaves nothing behind that would spoil the next."""
    with path.open("ab", buffering=0) as file:  # A buffer would be written once more on closing.
        end = file.tell()
        try:
            while line:
                line = line[file.write(line) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(end)
            raise


def _record(fields: dict[str, Any]) -> MatchRecord:
    """Read a line of the results; raises KeyError or TypeError if it is none."""
    for name in _FIELDS:
        fields[name]
    ended_at = fields.pop("ended_at")
    # A copy, because orjson gives out its whole buffer, ten times as large as what stands in it.
    packed = bytes(memoryview(orjson.dumps(fields)))
    return MatchRecord(MatchId(fields["match"]), ended_at, sys.intern(fields["game"]), packed)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # Elsewhere a folder cannot be opened; there the rename is durable itself.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Replay files on the disk."""

from hashlib import sha256
from pathlib import Path

import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.errors import ReplayDamaged, ReplayMissing, StoreUnavailable
from fangnetz_server.store.replays import ReplayFiles

MATCH = MatchId("ab12cd")


def test_a_replay_comes_back(tmp_path: Path) -> None:
    files = ReplayFiles(tmp_path / "replays")
    digest = files.write(MATCH, b"data")
    assert digest == sha256(b"data").hexdigest()
    assert files.read(MATCH, digest) == b"data"
    assert files.path(MATCH) == tmp_path / "replays" / "ab" / "ab12cd.ndjson.zst"
    assert files.write(MATCH, b"data") == digest


def test_what_a_crash_left_unfinished_is_removed(tmp_path: Path) -> None:
    files = ReplayFiles(tmp_path)
    digest = files.write(MATCH, b"data")
    (tmp_path / "incoming" / "ffff.0123.part").write_bytes(b"half")
    files = ReplayFiles(tmp_path)
    assert files.read(MATCH, digest) == b"data"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["ab12cd.ndjson.zst"]


def test_a_missing_and_a_damaged_replay(tmp_path: Path) -> None:
    files = ReplayFiles(tmp_path)
    with pytest.raises(ReplayMissing, match="ab12cd"):
        files.read(MATCH, "00" * 32)
    digest = files.write(MATCH, b"data")
    files.path(MATCH).write_bytes(b"dat")
    with pytest.raises(ReplayDamaged, match="3 bytes"):
        files.read(MATCH, digest)


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    files = ReplayFiles(tmp_path)
    (tmp_path / "ab").write_text("a file where the folder should be")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        files.write(MATCH, b"data")
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        files.read(MATCH, "00" * 32)
    assert list((tmp_path / "incoming").iterdir()) == []


def test_removing(tmp_path: Path) -> None:
    files = ReplayFiles(tmp_path)
    digest = files.write(MATCH, b"data")
    files.remove(MATCH)
    files.remove(MATCH)
    with pytest.raises(ReplayMissing):
        files.read(MATCH, digest)

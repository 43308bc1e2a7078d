"""The archive: what is stored is there, whole, and what a crash left behind does no harm."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.host.archive import Archive, ArchiveError
from fangnetz_server.match.replay import Replay
from fangnetz_server.match.result import MatchResult
from support.arena import Arena
from support.replays import GAMES, record

AT = "2026-11-30T20:00:00+00:00"
LAST = (b'{"type":"match_start"}', b'{"type":"frame"}', b'{"type":"match_end"}')


def played() -> tuple[MatchResult, bytes]:
    arena = Arena()
    replay = record(arena, lambda *_: {"step": 0})
    return arena.result, replay


def store(archive: Archive) -> MatchResult:
    result, replay = played()
    archive.store(result, replay, LAST, AT)
    return result


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let the system refuse to make any file larger, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# --- storing --------------------------------------------------------------------------------------


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "new" / "folder")
    result = store(archive)
    (found,) = archive.records()
    assert (found.match, found.game, found.ended_at) == (result.match, "ring_tag", AT)
    assert found.to_json() == orjson.loads(orjson.dumps({"ended_at": AT, **result.to_json()}))
    assert archive.last_messages(result.match) == list(LAST)
    assert Replay(archive.replay_path(result.match).read_bytes(), GAMES).verify()["ticks"] == 30


def test_another_start_of_the_server_finds_the_same(tmp_path: Path) -> None:
    store(Archive(tmp_path))
    assert [found.to_json() for found in Archive(tmp_path).records()] == [
        found.to_json() for found in Archive(tmp_path).records()
    ]
    assert len(list(Archive(tmp_path).records())) == 1


def test_the_same_result_twice_is_harmless(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    store(archive)
    store(archive)
    assert {found.match for found in archive.records()} == {"m-arena"}
    assert len(list((tmp_path / "replays").iterdir())) == 2


def test_the_order_on_the_disk_is_the_order_of_storing(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    result, replay = played()
    for number in range(5):
        archive.store(replace_id(result, f"m-{number}"), replay, LAST, AT)
    assert [found.match for found in archive.records()] == [f"m-{number}" for number in range(5)]


def replace_id(result: MatchResult, match: str) -> MatchResult:
    return replace(result, match=MatchId(match))


def test_nothing_is_left_beside_the_files(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    store(archive)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"results.ndjson", "replays/m-arena.ndjson.zst", "replays/m-arena.last.ndjson"}


def test_an_unknown_match_has_no_messages(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nobody"):
        Archive(tmp_path).last_messages(MatchId("nobody"))


# --- crashes and full disks -----------------------------------------------------------------------


def test_a_file_that_a_crash_left_half_written_is_ignored_and_replaced(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    left_over = tmp_path / "replays" / "m-arena.ndjson.zst.part"
    left_over.write_bytes(b"half a repl")
    assert list(Archive(tmp_path).records()) == []
    result = store(archive)
    assert not left_over.exists()
    assert Replay(archive.replay_path(result.match).read_bytes(), GAMES).verify()


@pytest.mark.parametrize("cut", [1, 2, 50, 400])
def test_a_last_line_that_a_crash_cut_is_taken_back(tmp_path: Path, cut: int) -> None:
    archive = Archive(tmp_path)
    store(archive)
    results = tmp_path / "results.ndjson"
    whole = results.read_bytes()
    results.write_bytes(whole + whole[:-cut])
    assert len(list(Archive(tmp_path).records())) == 1
    assert results.read_bytes() == whole


def test_only_a_cut_line_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "results.ndjson").write_bytes(b'{"match":"m-1","ended')
    assert list(Archive(tmp_path).records()) == []
    store(Archive(tmp_path))
    assert len(list(Archive(tmp_path).records())) == 1


def test_a_full_disk_leaves_no_half_line_that_spoils_the_next(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    for _ in range(8):
        store(archive)
    results = tmp_path / "results.ndjson"
    before = results.read_bytes()
    result, replay = played()
    assert len(replay) < len(before), "so that the replay fits and the line does not"
    with files_of_at_most(len(before) + 40), pytest.raises(OSError, match="too large"):
        archive.store(result, replay, LAST, AT)
    assert results.read_bytes() == before
    archive.store(result, replay, LAST, AT)
    assert len(list(archive.records())) == 9


def test_a_replay_that_does_not_fit_is_not_announced(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    result, replay = played()
    with files_of_at_most(100), pytest.raises(OSError, match="too large"):
        archive.store(result, replay, LAST, AT)
    assert not archive.replay_path(result.match).exists()
    assert list(archive.records()) == []


# --- folders and files that are none --------------------------------------------------------------


def file_in_place_of_folder(folder: Path) -> None:
    folder.write_text("I am a file")


def file_in_place_of_replays(folder: Path) -> None:
    folder.mkdir()
    (folder / "replays").write_text("I am a file")


def folder_in_place_of_results(folder: Path) -> None:
    (folder / "results.ndjson").mkdir(parents=True)


def file_above_the_folder(folder: Path) -> None:
    folder.parent.rmdir()
    folder.parent.write_text("I am a file")


@pytest.mark.parametrize(
    "spoil",
    [file_in_place_of_folder, file_in_place_of_replays, folder_in_place_of_results, file_above_the_folder],
)
def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    folder = tmp_path / "above" / "data"
    folder.parent.mkdir()
    spoil(folder)
    with pytest.raises(ArchiveError) as caught:
        Archive(folder)
    assert str(caught.value).startswith(f"data folder {folder}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[]",
        b"7",
        b"null",
        b"{}",
        b"",
        b"\xff\xfe",
        b'{"match":"m-9"}',
        b'{"match":"m-9","ended_at":"now"}',
        b'{"match":"m-9","ended_at":"now","game":"chess","reason":"mate","ticks":9}',
    ],
)
def test_a_foreign_line_is_named_with_its_number(tmp_path: Path, line: bytes) -> None:
    archive = Archive(tmp_path)
    store(archive)
    results = tmp_path / "results.ndjson"
    results.write_bytes(results.read_bytes() + line + b"\n")
    store(archive)
    with pytest.raises(ArchiveError, match=r"results\.ndjson line 2: no result of a match") as caught:
        list(archive.records())
    assert "\n" not in str(caught.value)


def test_all_values_of_a_record_are_plain(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    result, replay = played()
    stored: Any = archive.store(result, replay, LAST, AT).to_json()
    (found,) = archive.records()
    assert orjson.dumps(found.to_json()) == orjson.dumps(stored)

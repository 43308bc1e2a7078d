"""The ratings over all matches of a game: the same however often they were computed on the way."""

from pathlib import Path

import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.scheduling.rating_book import RatingBook
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.values import Correction
from support.stored import NOON, replay_of, result_of, start_of

GAME = "spaceballs"
BOTS = ("ada", "bert", "cleo")


async def play(store: Store, count: int) -> None:
    """Store some more results of changing pairs."""
    first = (await store.matches.page()).total
    for number in range(first, first + count):
        start = start_of(f"m{number}", BOTS[number % 3], BOTS[(number + 1) % 3])
        await store.matches.finish(start, result_of(start), replay=replay_of(start.match))


async def test_they_go_on_where_an_earlier_server_has_left_them(tmp_path: Path) -> None:
    async with opened_store(tmp_path / "one") as store:
        await play(store, 9)
        await RatingBook(store).ratings(GAME)
        await play(store, 4)
        parts = await RatingBook(store).ratings(GAME)
        history = await store.ratings.history(GAME)
    async with opened_store(tmp_path / "other") as store:
        await play(store, 13)
        assert await RatingBook(store).ratings(GAME) == parts
        assert await store.ratings.history(GAME) == history
    assert len(history) == 2 * 13
    assert sum(line.matches for line in parts) == 2 * 13
    assert [line.rating for line in parts] == [line.history[-1] for line in parts]


async def test_a_correction_counts_as_if_it_had_been_the_result(tmp_path: Path) -> None:
    swapped = Correction(MatchId("m3"), (0.0, 1.0), (2, 1), "the wrong map", "eve", NOON)
    async with opened_store(tmp_path / "one") as store:
        await play(store, 7)
        book = RatingBook(store)
        before = await book.ratings(GAME)
        async with book.changing():
            await store.matches.correct(swapped)
        after = await book.ratings(GAME)
        assert after != before
        assert await RatingBook(store).ratings(GAME) == after
    async with opened_store(tmp_path / "other") as store:
        await play(store, 7)
        await store.matches.correct(swapped)
        assert await RatingBook(store).ratings(GAME) == after


async def test_without_room_for_the_history_they_are_computed_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise StoreUnavailable("the disk", "is full")

    async with opened_store(tmp_path) as store:
        await play(store, 3)
        book = RatingBook(store)
        with monkeypatch.context() as patch:
            patch.setattr(store.ratings, "save", full)
            first = await book.ratings(GAME)
            assert await book.ratings(GAME) == first
        await play(store, 2)
        found = await book.ratings(GAME)
        assert sum(line.matches for line in found) == 2 * 5
        assert await RatingBook(store).ratings(GAME) == found
        assert len(await store.ratings.history(GAME)) == 2 * 5, "no holes"

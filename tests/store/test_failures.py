"""A store whose disk or database fails in the middle: nothing half done, and then it goes on."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import StoreUnavailable
from support.small_disk import small_disk
from support.stored import PICTURE, replay_of, result_of, start_of


async def test_a_disk_too_full_for_a_replay(tmp_path: Path) -> None:
    await _fill_up(tmp_path, replay_bytes=300_000, picture_bytes=10)


async def test_a_disk_too_full_for_the_database(tmp_path: Path) -> None:
    await _fill_up(tmp_path, replay_bytes=10, picture_bytes=300_000)


async def _fill_up(tmp_path: Path, replay_bytes: int, picture_bytes: int) -> None:
    with small_disk(tmp_path) as disk:
        stored: list[dict[str, Any]] = []
        async with opened_store(disk.folder) as store:
            match, full = await _until_full(store, stored, replay_bytes, picture_bytes)
            assert full.place.startswith(str(disk.folder))
            await _check(store, stored)
        async with opened_store(disk.folder) as store:
            await _check(store, stored)
            with pytest.raises(StoreUnavailable):
                await store.matches.finish(**match)
            disk.make_room()
            await store.matches.finish(**match)
            await _check(store, [*stored, match])


async def _until_full(
    store: Store, stored: list[dict[str, Any]], replay_bytes: int, picture_bytes: int
) -> tuple[dict[str, Any], StoreUnavailable]:
    """Store match after match, and return the first that does not get through and why."""
    for number in range(100):
        match = _noisy(number, replay_bytes, picture_bytes)
        try:
            await store.matches.finish(**match)
        except StoreUnavailable as error:
            return match, error
        stored.append(match)
    pytest.fail("the disk does not get full")


def _noisy(number: int, replay_bytes: int, picture_bytes: int) -> dict[str, Any]:
    """Return what `finish` takes, with a replay and a picture that no compression makes smaller."""
    noise = random.Random(number)
    start = start_of(f"m{number}")
    picture = (noise.randbytes(picture_bytes).replace(b"\n", b""),)
    return {
        "start": start,
        "result": result_of(start),
        "replay": noise.randbytes(replay_bytes),
        "picture": picture,
    }


async def _check(store: Store, stored: list[dict[str, Any]]) -> None:
    assert await store.matches.finished_ids() == {match["start"].match for match in stored}
    for match in stored:
        found = match["start"].match
        assert await store.matches.replay(found) == match["replay"]
        assert await store.matches.picture(found) == list(match["picture"])


async def test_a_database_that_ends_the_connections(tmp_path: Path, schema: str, postgres: str) -> None:
    async with opened_store(tmp_path, database=schema) as store:
        for number in range(3):
            await _end_connections(postgres, schema)
            start = start_of(f"m{number}")
            await store.matches.finish(start, result_of(start), replay=replay_of(start.match))
        await _end_connections(postgres, schema)
        assert (await store.matches.page()).total == 3
        await store.bots.add("Ada")
        with pytest.raises(StoreUnavailable, match="in use by"):
            await _second_server(tmp_path, schema)


async def _second_server(tmp_path: Path, schema: str) -> None:
    async with opened_store(tmp_path / "other", database=schema, busy_timeout_s=0.05):
        pass


async def test_a_connection_that_ends_in_the_middle_of_a_result(
    tmp_path: Path, schema: str, postgres: str
) -> None:
    starts = [start_of(f"m{number}") for number in range(40)]
    async with opened_store(tmp_path, database=schema) as store:
        ending = asyncio.create_task(_keep_ending_connections(postgres, schema))
        for start in starts:
            await _finish_in_the_end(store, start)
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        assert await store.matches.finished_ids() == {start.match for start in starts}
        for start in starts:
            found = await store.matches.get(start.match)
            assert found.record is not None
            assert found.record.result == result_of(start)
            assert await store.matches.picture(start.match) == list(PICTURE)


async def _finish_in_the_end(store: Store, start: Any) -> None:
    for _ in range(100):
        try:
            await store.matches.finish(
                start, result_of(start), replay=replay_of(start.match), picture=PICTURE
            )
        except StoreUnavailable:
            continue
        return
    pytest.fail("the store does not come back")


async def _keep_ending_connections(url: str, schema: str) -> None:
    while True:
        await _end_connections(url, schema)


async def _end_connections(url: str, schema: str) -> None:
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(url)
    try:
        await connection.execute(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE application_name = $1",
            schema.rpartition("=")[2],
        )
    finally:
        await connection.close()

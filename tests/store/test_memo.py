"""What is remembered of the database, and for how long."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, func, select

from fangnetz_server.store import Store
from fangnetz_server.store.errors import StoreUnavailable
from fangnetz_server.store.memo import Memo
from fangnetz_server.store.tables import bots


class Reading:
    """Counts the bots, and how often it did."""

    def __init__(self, store: Store) -> None:
        self.memo: Memo[int] = Memo(store.bots._database)
        self.times = 0

    async def __call__(self, key: str = "bots") -> int:
        return await self.memo.read(key, self._work)

    def _work(self, tx: Connection) -> int:
        self.times += 1
        return tx.execute(select(func.count()).select_from(bots)).scalar_one()


async def test_what_was_read_is_read_again_only_after_a_write(store: Store) -> None:
    reading = Reading(store)
    assert [await reading(), await reading(), reading.times] == [0, 0, 1]
    await store.bots.add("ada")
    assert [await reading(), await reading(), reading.times] == [1, 1, 2]


async def test_many_that_ask_at_once_read_once(store: Store) -> None:
    reading = Reading(store)
    impatient = asyncio.create_task(reading())
    others = [asyncio.create_task(reading()) for _ in range(9)]
    await asyncio.sleep(0)
    impatient.cancel()
    assert await asyncio.gather(*others) == [0] * 9
    assert impatient.cancelled()
    assert reading.times == 1


async def test_what_is_read_while_something_is_written_is_not_kept(store: Store) -> None:
    reading = Reading(store)
    for number in range(20):
        writing = asyncio.create_task(store.bots.add(f"bot {number}"))
        await asyncio.sleep(0)
        await reading()
        await writing
        assert await reading() == number + 1


async def test_a_failure_is_not_remembered(store: Store) -> None:
    memo: Memo[int] = Memo(store.bots._database)

    def fail(tx: Connection) -> int:
        raise StoreUnavailable("here", "is away")

    work: Callable[[Connection], int]
    for work in (fail, fail):
        with pytest.raises(StoreUnavailable, match="is away"):
            await memo.read("key", work)
    assert await memo.read("key", lambda tx: 7) == 7


async def test_only_some_answers_are_kept(store: Store) -> None:
    reading = Reading(store)
    for number in range(33):
        await reading(f"key {number}")
    await reading("key 32")
    assert reading.times == 33
    await reading("key 0")
    assert reading.times == 34

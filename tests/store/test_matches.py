"""Matches and results through the public store."""

from fangnetz_server.store import Store
from support.stored import PICTURE, replay_of, result_of, start_of


async def test_a_stored_result_comes_back_exactly(store: Store) -> None:
    start = start_of("m1", seed=2**70)
    result = result_of(start)
    await store.matches.finish(start, result, replay=replay_of("m1"), picture=PICTURE)
    record = await store.matches.find(start.match)
    assert record is not None
    assert record.result == result
    assert (await store.matches.get(start.match)).start == start
    assert await store.matches.picture(start.match) == list(PICTURE)
    assert await store.matches.replay(start.match) == replay_of("m1")

"""Matches from their beginning to their result."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.match.seats import Presence
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import ReplayDamaged, ReplayMissing, ResultConflict, Unknown
from fangnetz_server.store.values import MatchRecord, MatchStart, MatchState
from support.stored import NOON, PICTURE, later, replay_of, result_of, start_of


async def finish(store: Store, start: MatchStart, **fields: Any) -> MatchRecord:
    """Store a result of a match; `fields` are those of the result."""
    result = result_of(start, **fields)
    replay = replay_of(start.match)
    return await store.matches.finish(start, result, replay=replay, picture=PICTURE, ended_at=NOON)


async def test_a_stored_result_comes_back_exactly(store: Store) -> None:
    start = start_of("m1", seed=-(2**70), setup={"map": ["..", "##"], "z": 1, "a": [0.1, None]})
    record = await finish(store, start, detail="why \x00 not", reason="timeout")
    assert record.result == result_of(start, detail="why \ufffd not", reason="timeout")
    assert record.ended_at == NOON
    assert await store.matches.find(start.match) == record
    stored = await store.matches.get(start.match)
    assert (stored.start, stored.state, stored.record) == (start, MatchState.OVER, record)
    assert list(stored.start.setup) == ["map", "z", "a"]
    assert await store.matches.picture(start.match) == list(PICTURE)
    assert await store.matches.replay(start.match) == replay_of("m1")


async def test_a_result_without_points_comes_back_exactly(store: Store) -> None:
    start = start_of("m1")
    result = result_of(start, [None, None], reason="infra_error", detail="the rules crashed")
    seats = tuple(replace(seat, presence=Presence.ABSENT) for seat in result.seats)
    record = await store.matches.finish(start, replace(result, seats=seats), replay=None)
    assert await store.matches.find(start.match) == record
    assert (record.points, record.places) == ((), ())
    with pytest.raises(ReplayMissing, match="never was played"):
        await store.matches.replay(start.match)
    with pytest.raises(Unknown, match="no picture of match 'm1'"):
        await store.matches.picture(start.match)


async def test_twenty_seats_in_order(store: Store) -> None:
    start = start_of("m1", *(f"bot{number:02}" for number in range(20)), game="right2live")
    record = await finish(store, start)
    assert await store.matches.find(start.match) == record
    assert record.places == tuple(range(1, 21))


async def test_a_match_that_began_is_unfinished_until_it_is_over(store: Store) -> None:
    one, two = start_of("m1"), start_of("m2", created_at=later(-1))
    for start in (one, two, one):
        await store.matches.begin(start)
    assert await store.matches.unfinished() == (two, one)
    assert (await store.matches.get(one.match)).state is MatchState.OPEN
    assert await store.matches.find(one.match) is None
    await finish(store, two)
    assert await store.matches.unfinished() == (one,)


async def test_unfinished_matches_outlive_the_server(tmp_path: Path, database: str | None) -> None:
    start = start_of("m1")
    async with opened_store(tmp_path, database=database) as store:
        await store.matches.begin(start)
    async with opened_store(tmp_path, database=database) as store:
        assert await store.matches.unfinished() == (start,)


async def test_the_same_result_again_is_harmless(store: Store) -> None:
    start = start_of("m1")
    first = await finish(store, start)
    again = await store.matches.finish(start, result_of(start), replay=b"another file", ended_at=later(9))
    assert again == first
    assert await store.matches.replay(start.match) == replay_of("m1")
    assert (await store.matches.page()).total == 1


DIFFERENCES: dict[str, dict[str, Any]] = {
    "reason": {"reason": "timeout"},
    "places": {"places": [2, 1]},
    "no places": {"places": [None, None]},
    "ticks": {"ticks": 101},
    "digest": {"digest": "cd" * 16},
    "detail": {"detail": "because"},
}


@pytest.mark.parametrize("fields", DIFFERENCES.values(), ids=DIFFERENCES)
async def test_a_different_result_is_refused(store: Store, fields: dict[str, Any]) -> None:
    start = start_of("m1")
    first = await finish(store, start)
    with pytest.raises(ResultConflict, match="match m1 has another result already"):
        await store.matches.finish(start, result_of(start, **fields), replay=b"another file")
    assert await store.matches.find(start.match) == first
    assert await store.matches.replay(start.match) == replay_of("m1")


OTHER_STARTS: dict[str, dict[str, Any]] = {
    "game": {"game": "right2live"},
    "rules": {"rules_version": 2},
    "seed": {"seed": 8},
    "setup": {"setup": {}},
    "entrants": {"entrants": start_of("m1", "bert", "ada").entrants},
}


@pytest.mark.parametrize("fields", OTHER_STARTS.values(), ids=OTHER_STARTS)
async def test_another_match_under_a_known_id_is_refused(store: Store, fields: dict[str, Any]) -> None:
    await store.matches.begin(start_of("m1"))
    other = start_of("m1", **fields)
    with pytest.raises(ResultConflict):
        await store.matches.begin(other)
    with pytest.raises(ResultConflict):
        await finish(store, other)
    assert await store.matches.unfinished() == (start_of("m1"),)


async def test_results_that_come_at_once_are_stored_once(store: Store) -> None:
    start = start_of("m1")
    results = [result_of(start, reason=reason) for reason in ("catch", "timeout") * 5]
    found = await asyncio.gather(
        *(store.matches.finish(start, result, replay=result.reason.encode()) for result in results),
        return_exceptions=True,
    )
    known = await store.matches.find(start.match)
    assert known is not None
    assert sum(result == known for result in found) == 5
    assert sum(isinstance(result, ResultConflict) for result in found) == 5
    assert await store.matches.replay(start.match) == known.result.reason.encode()
    assert (await store.matches.page()).total == 1


async def test_a_cancelled_caller_loses_nothing(store: Store) -> None:
    starts = [start_of(f"m{number}") for number in range(10)]
    tasks = [asyncio.create_task(finish(store, start)) for start in starts]
    for steps, task in enumerate(tasks):
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for start in starts:
        assert (await finish(store, start)).result == result_of(start)
    assert (await store.matches.page()).total == len(starts)


async def test_a_write_that_has_begun_is_finished_without_its_caller(store: Store) -> None:
    adding = asyncio.create_task(store.bots.add("Ada"))
    for _ in range(2):  # The first begins the call, the second the transaction.
        await asyncio.sleep(0)
    adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)
    await store.bots.add("Bert")
    assert [bot.name for bot in await store.bots.all()] == ["Ada", "Bert"]


@pytest.mark.parametrize("match", ["", "x", "../../etc", "a/b", "a" * 65, "ümlaut"])
async def test_an_id_that_could_not_be_a_file_is_refused(store: Store, match: str) -> None:
    with pytest.raises(ValueError, match="an id has 2 to 64"):
        await store.matches.begin(start_of(match))
    with pytest.raises(ValueError, match="an id has 2 to 64"):
        await finish(store, start_of(match))
    assert (await store.matches.page()).total == 0


async def test_matches_that_are_given_up_stay_without_a_result(store: Store) -> None:
    lost, over = start_of("m1"), start_of("m2")
    await store.matches.begin(lost)
    await finish(store, over)
    path = store.matches.replay_path(lost.match)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"written just before the crash")
    await store.matches.give_up([lost.match, over.match, MatchId("m3")])
    assert await store.matches.unfinished() == ()
    assert (await store.matches.get(lost.match)).state is MatchState.LOST
    assert (await store.matches.get(over.match)).state is MatchState.OVER
    assert not path.exists()
    with pytest.raises(ResultConflict, match="given up"):
        await finish(store, lost)


async def test_unknown_matches(store: Store) -> None:
    match = MatchId("m1")
    assert await store.matches.find(match) is None
    for call in (store.matches.get(match), store.matches.replay(match), store.matches.picture(match)):
        with pytest.raises(Unknown, match="'m1'"):
            await call


async def test_pages_are_newest_first_and_can_be_narrowed_down(store: Store) -> None:
    for number in range(6):
        bots = ("ada", "bert") if number % 2 else ("cleo", "ada")
        game = "spaceballs" if number < 4 else "right2live"
        await finish(store, start_of(f"m{number}", *bots, game=game, is_public=number != 1))
    matches = store.matches
    assert await _ids(matches.page(limit=2)) == (["m5", "m4"], 6)
    assert await _ids(matches.page(limit=2, offset=4)) == (["m1", "m0"], 6)
    assert await _ids(matches.page(game="spaceballs")) == (["m3", "m2", "m1", "m0"], 4)
    assert await _ids(matches.page(bot="bert", limit=2)) == (["m5", "m3"], 3)
    assert await _ids(matches.page(bot="bert", game="spaceballs", public_only=True)) == (["m3"], 1)
    assert await _ids(matches.page(bot="nobody")) == ([], 0)
    assert await _ids(matches.page(tournament="cup")) == ([], 0)
    assert await matches.finished_ids() == {f"m{number}" for number in range(6)}


async def _ids(page: Any) -> tuple[list[str], int]:
    found = await page
    return [record.match for record in found.records], found.total


async def test_a_record_as_json(store: Store) -> None:
    start = start_of("m1")
    record = await finish(store, start)
    assert record.to_json() == {"ended_at": "2026-05-01T12:00:00+00:00", **result_of(start).to_json()}


async def test_a_changed_replay_is_found(store: Store) -> None:
    start = start_of("m1")
    await finish(store, start)
    path = store.matches.replay_path(start.match)
    path.write_bytes(replay_of("m1")[:-1] + b"X")
    with pytest.raises(ReplayDamaged, match="is not what was stored") as damaged:
        await store.matches.replay(start.match)
    assert damaged.value.place == str(path)


async def test_a_missing_replay_is_found(store: Store) -> None:
    start = start_of("m1")
    await finish(store, start)
    store.matches.replay_path(start.match).unlink()
    with pytest.raises(ReplayMissing, match="m1"):
        await store.matches.replay(start.match)


async def test_setups_are_kept_once(tmp_path: Path) -> None:
    setup = {"map": ["." * 1000] * 30}
    async with opened_store(tmp_path) as store:
        for number in range(30):
            await finish(store, start_of(f"m{number}", setup=setup))
    assert (tmp_path / "fangnetz.sqlite3").stat().st_size < 15 * len(orjson.dumps(setup))

"""Results as ratings and the pages of bots read them."""

from fangnetz_server.store import Store
from support.stored import replay_of, result_of, start_of


async def test_facts_of_a_game_in_the_order_of_storing(store: Store) -> None:
    await _play(store, "m1", "ada", "bert")
    await _play(store, "m2", "ada", "bert", places=[None, None])
    await _play(store, "m3", "ada", "cleo", game="right2live")
    await _play(store, "m4", "cleo", "bert", places=[1, 1])
    facts = await store.facts.of_game("spaceballs")
    assert [(fact.match, fact.bots, fact.places) for fact in facts] == [
        ("m1", ("ada", "bert"), (1, 2)),
        ("m4", ("cleo", "bert"), (1, 1)),
    ]
    assert await store.facts.of_game("spaceballs", after=facts[0].number) == facts[1:]
    assert await store.facts.of_game("spaceballs", after=facts[1].number) == ()


async def test_totals_add_up_what_each_bot_did(store: Store) -> None:
    await _play(store, "m1", "ada", "bert")
    await _play(store, "m2", "bert", "cleo")
    await _play(store, "m3", "bert", "ada", game="right2live")
    totals = {row.bot: row for row in await store.facts.totals()}
    assert {bot: row.matches for bot, row in totals.items()} == {"ada": 2, "bert": 3, "cleo": 1}
    bert = next(row for row in totals.values() if row.bot == "bert")
    counts = (bert.applied, bert.blocked, bert.late, bert.missing, bert.invalid, bert.duplicate)
    assert counts == (270, 12, 9, 6, 3, 15)
    assert (bert.latency_median_ms, bert.latency_p99_ms) == (1.25, 17.0625)
    (only,) = await store.facts.totals(game="spaceballs", bot="bert")
    assert only.matches == 2
    assert await store.facts.totals(tournament="cup") == ()


async def _play(
    store: Store, match: str, *bots: str, places: list[int | None] | None = None, **fields: str
) -> None:
    start = start_of(match, *bots, **fields)
    await store.matches.finish(start, result_of(start, places), replay=replay_of(match))

"""The history of ratings."""

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store import Store
from fangnetz_server.store.values import Correction, StoredRating
from support.stored import NOON, attempt, entries, pairing, replay_of, result_of, start_of


def point(step: int, bot: str, mu: float) -> StoredRating:
    return StoredRating(step, BotId(bot), mu, 8.0 / step)


ONE = (point(1, "ada", 26.1), point(1, "bert", 23.9))
TWO = (point(2, "ada", 27.0), point(2, "cleo", 24.0))


async def test_a_history_comes_back(store: Store) -> None:
    await store.ratings.save("spaceballs", ONE)
    await store.ratings.save("spaceballs", TWO)
    await store.ratings.save("right2live", (point(5, "ada", 1.0),))
    assert await store.ratings.history("spaceballs") == ONE + TWO
    assert await store.ratings.history("spaceballs", bot=BotId("ada")) == (ONE[0], TWO[0])
    assert await store.ratings.latest("spaceballs") == (TWO[0], ONE[1], TWO[1])


async def test_a_history_is_written_anew_from_a_step_on(store: Store) -> None:
    await store.ratings.save("spaceballs", ONE + TWO)
    other = (point(2, "bert", 20.0),)
    for _ in range(2):
        await store.ratings.save("spaceballs", other)
        assert await store.ratings.history("spaceballs") == ONE + other
    await store.ratings.save("spaceballs", ())
    assert await store.ratings.history("spaceballs") == ONE + other


async def test_a_corrected_result_outdates_the_ratings_from_it_on(store: Store) -> None:
    await _three_rated_results(store)
    await store.matches.correct(Correction(MatchId("m2"), (0.0, 1.0), (2, 1), "why", "eve", NOON))
    assert [rating.step for rating in await store.ratings.history("spaceballs")] == [1]
    assert len(await store.ratings.history("right2live")) == 3, "of another game"


async def test_a_released_round_outdates_the_ratings_from_its_first_result_on(store: Store) -> None:
    await _three_rated_results(store)
    await store.tournaments.release("cup", 1, "eve")
    assert [rating.step for rating in await store.ratings.history("spaceballs")] == [1, 2]


async def test_a_deleted_tournament_outdates_the_ratings_from_its_first_result_on(store: Store) -> None:
    await _three_rated_results(store)
    await store.tournaments.delete("cup", and_results=True)
    assert [rating.step for rating in await store.ratings.history("spaceballs")] == [1, 2]


async def _three_rated_results(store: Store) -> None:
    """Store two friendly results and one of a tournament, and a rating of each."""
    drawn = pairing()
    await store.tournaments.create("cup", "The Cup", {}, entries("ada", "bert"))
    await store.tournaments.add_pairings("cup", [drawn])
    for match, ref in (("m1", None), ("m2", None), ("m3", attempt(drawn))):
        start = start_of(match, pairing=ref)
        record = await store.matches.finish(start, result_of(start), replay=replay_of(match))
        await store.ratings.save("spaceballs", [point(record.number, "ada", 26.0)])
        await store.ratings.save("right2live", [point(record.number, "ada", 26.0)])

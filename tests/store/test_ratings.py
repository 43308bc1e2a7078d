"""The history of ratings."""

from fangnetz_protocol.words import BotId
from fangnetz_server.store import Store
from fangnetz_server.store.values import StoredRating


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


async def test_a_pool_can_be_forgotten(store: Store) -> None:
    await store.ratings.save("spaceballs", ONE)
    await store.ratings.save("right2live", TWO)
    await store.ratings.clear("spaceballs")
    assert await store.ratings.history("spaceballs") == ()
    assert await store.ratings.latest("spaceballs") == ()
    assert await store.ratings.history("right2live") == TWO

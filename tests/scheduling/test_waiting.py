"""What waits is found by who is free, exactly as if it were gone through from the front."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.scheduling.waiting import Waiting
from fangnetz_server.tournament.values import BotKey, Pairing, PairingId

BOTS = tuple(map(BotKey, "abcde"))
some_bots = st.frozensets(st.sampled_from(BOTS))


def pairing(number: int, seats: Iterable[str]) -> Pairing:
    return Pairing("main", number // 3 + 1, number + 1, 1, tuple(map(BotKey, seats)), number)


@given(
    seats=st.lists(st.lists(st.sampled_from(BOTS), min_size=2, max_size=4, unique=True), max_size=12),
    gone=st.sets(st.integers(0, 11)),
    aside=st.sets(st.integers(0, 11)),
    free=some_bots,
    excused=some_bots,
)
def test_the_first_of_those_that_could_be_dealt_with(
    seats: list[list[str]],
    gone: set[int],
    aside: set[int],
    free: frozenset[BotKey],
    excused: frozenset[BotKey],
) -> None:
    drawn = [pairing(number, of) for number, of in enumerate(seats)]
    waiting = Waiting()
    waiting.add(reversed(drawn))
    for one in (one for number, one in enumerate(drawn) if number in gone):
        waiting.remove(one)
    left = [one for number, one in enumerate(drawn) if number not in gone]
    put_aside = {PairingId(one.id) for number, one in enumerate(drawn) if number in aside}
    suitable = [
        one
        for one in left
        if one.id not in put_aside and (free.issuperset(one.seats) or excused.intersection(one.seats))
    ]
    ready = waiting.ready(free, excused, put_aside)
    assert ready[:1] == suitable[:1]
    assert ready == [one for one in suitable if one in ready], "in playing order"
    assert {frozenset(one.seats) for one in ready} == {frozenset(one.seats) for one in suitable}
    assert len(waiting) == len(left) == len(list(waiting))
    assert {bot for bot in BOTS if waiting.wants(bot)} == {bot for one in left for bot in one.seats}

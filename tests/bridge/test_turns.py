"""Whose turn it is: a late line never becomes the next answer, and nobody is buried or forgotten."""

import pytest

from fangnetz.bridge.answers import BadLine
from fangnetz.bridge.turns import PATIENCE, Turns
from fangnetz_protocol.messages import Action, Observation
from fangnetz_protocol.words import MatchId, Tick

MATCH = MatchId("m-1")


def seen(tick: int, missed: tuple[int, ...] | None = None) -> Observation:
    return Observation(
        match=MATCH,
        tick=Tick(tick),
        deadline_ms=250,
        bank_ms=0,
        last_action=None,
        missed=None if missed is None else tuple(map(Tick, missed)),
    )


def act(tick: int) -> Action:
    return Action(match=MATCH, tick=Tick(tick))


def complaint(turns: Turns, tick: int) -> str:
    with pytest.raises(BadLine) as caught:
        turns.answer(act(tick))
    return caught.value.problem


def test_one_after_the_other() -> None:
    turns = Turns()
    for tick in range(3):
        assert turns.observe(seen(tick), can_read=True) == seen(tick)
        turns.answer(act(tick))
        assert turns.next() is None


def test_who_thinks_long_gets_the_newest_and_hears_what_he_missed() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    assert turns.observe(seen(1), can_read=True) is None
    assert turns.observe(seen(2), can_read=True) is None
    turns.answer(act(0))  # Late or not: the server knows.
    assert turns.next() == seen(2, missed=(1,))
    turns.answer(act(2))
    assert turns.observe(seen(3), can_read=True) == seen(3)


def test_what_the_server_says_was_missed_is_not_lost() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    turns.observe(seen(1), can_read=True)
    turns.observe(seen(9, missed=(5, 6, 7, 8)), can_read=True)
    turns.answer(act(0))
    assert turns.next() == seen(9, missed=(1, 5, 6, 7, 8))


def test_who_leaves_a_tick_out_goes_on_after_a_while() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    held = [turns.observe(seen(tick), can_read=True) for tick in range(1, PATIENCE + 1)]
    assert held == [None] * PATIENCE
    now = PATIENCE + 1
    assert turns.observe(seen(now), can_read=True) == seen(now, missed=tuple(range(1, now)))
    turns.answer(act(0))  # Now it comes after all, for the tick that it names.
    assert turns.next() is None
    turns.answer(act(now))


def test_who_does_not_read_is_sent_nothing_more() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    assert all(turns.observe(seen(tick), can_read=False) is None for tick in range(1, 100))
    assert turns.observe(seen(100), can_read=True) == seen(100, missed=tuple(range(1, 100)))


def test_the_same_tick_again_after_a_resume_gets_the_same_answer() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    turns.answer(act(0))
    assert turns.observe(seen(0), can_read=True) == act(0)


def test_the_same_tick_again_before_the_answer_is_not_shown_twice() -> None:
    turns = Turns()
    turns.observe(seen(0), can_read=True)
    assert turns.observe(seen(0), can_read=True) is None
    turns.answer(act(0))
    assert turns.next() is None
    assert turns.observe(seen(1), can_read=True) == seen(1)


@pytest.mark.parametrize(
    ("tick", "says"),
    [
        (2, "answers tick 2, which was not shown yet; the newest is 1"),
        (1, "answers tick 1 a second time; the first answer counts"),
        (0, "answers tick 0, which no longer waits; the newest is 1"),
    ],
)
def test_an_answer_that_nobody_waits_for(tick: int, says: str) -> None:
    turns = Turns()
    for number in (0, 1):
        turns.observe(seen(number), can_read=True)
        turns.answer(act(number))
    assert complaint(turns, tick) == says


def test_an_answer_before_any_observation() -> None:
    assert complaint(Turns(), 0) == "answers tick 0, which was not shown yet; none was shown yet"


def test_a_successor_gets_what_was_owed() -> None:
    turns = Turns()
    turns.observe(seen(4), can_read=True)
    assert turns.restart() == seen(4)
    turns.answer(act(4))


def test_a_successor_gets_the_newest() -> None:
    turns = Turns()
    turns.observe(seen(4), can_read=True)
    turns.observe(seen(5), can_read=True)
    assert turns.restart() == seen(5)
    assert complaint(turns, 4) == "answers tick 4, which no longer waits; the newest is 5"


def test_a_successor_has_nothing_to_do_if_all_is_answered() -> None:
    turns = Turns()
    turns.observe(seen(4), can_read=True)
    turns.answer(act(4))
    assert turns.restart() is None


def test_before_the_first_partner_the_newest_waits() -> None:
    turns = Turns()
    assert turns.observe(seen(0), can_read=False) is None
    assert turns.observe(seen(1), can_read=False) is None
    assert turns.restart() == seen(1, missed=(0,))

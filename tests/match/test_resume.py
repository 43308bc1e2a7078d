"""A bot that comes back (P2.4): what it is sent, and which ticks it is told to have missed."""

from typing import Any

import pytest

from fangnetz_protocol import errors
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from support.arena import Arena


def realtime(**settings: Any) -> Arena:
    return Arena(pace="realtime", tick_ms=100, **settings).start()


def back(arena: Arena, seat: int = 0) -> dict[str, Any]:
    """Connect a seat again and return its observation, the last of exactly two messages."""
    before = len(arena.heard(seat))
    arena.connect(seat)
    start, observation = arena.heard(seat)[before:]
    assert (start["type"], start["seat"], observation["type"]) == ("match_start", seat, "observation")
    return observation


@pytest.mark.parametrize("game", [RIGHT2LIVE, SPACEBALLS], ids=lambda game: game.info.id)
@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
def test_a_bot_that_comes_back_gets_the_start_and_the_whole_picture(game: Any, pace: str) -> None:
    arena = Arena(game, pace=pace).start()
    first_start = arena.heard(0, "match_start")[0]
    for _ in range(3):
        arena.wait(arena.due_ms - arena.ms)
    shown = arena.seen(0)
    arena.disconnect(0)
    again = back(arena)
    assert again == shown | {"missed": [0, 1, 2]}
    assert arena.heard(0, "match_start") == [first_start] * 2


def test_the_current_tick_may_be_answered_after_a_resume() -> None:
    arena = realtime()
    arena.disconnect(0)
    arena.wait(250)
    assert back(arena)["tick"] == 2
    arena.act(0, 2, step=1)
    arena.wait(50)
    assert arena.last_status(0) == (2, "applied")


def test_missed_is_left_out_where_nothing_was_missed() -> None:
    arena = realtime()
    arena.act(0)
    arena.disconnect(0)
    arena.wait(100)
    assert "missed" not in back(arena)
    assert "missed" not in arena.heard(1, "observation")[-1]


def test_missed_are_the_ticks_since_the_last_answered_one() -> None:
    arena = realtime()
    arena.wait(200)
    arena.act(0, 2)
    arena.wait(100)
    arena.disconnect(0)
    arena.wait(400)
    assert back(arena)["missed"] == [3, 4, 5, 6]


def test_missed_ends_before_the_tick_that_is_shown() -> None:
    arena = realtime()
    arena.disconnect(0)
    arena.wait(100)
    observation = back(arena)
    assert (observation["tick"], observation["missed"]) == (1, [0])


def test_a_tick_that_was_answered_ends_the_list_even_if_it_is_still_open() -> None:
    arena = realtime()
    arena.disconnect(0)
    arena.wait(300)
    assert back(arena)["missed"] == [0, 1, 2]
    arena.act(0, 3)
    assert "missed" not in back(arena), "the bot has answered the newest tick, so it knows where it is"


def test_with_a_delay_open_answers_count_as_answers() -> None:
    arena = realtime(action_delay=3)
    arena.wait(100)
    arena.act(0, 1)
    arena.disconnect(0)
    arena.wait(200)
    assert back(arena)["missed"] == [2]


@pytest.mark.parametrize("late_by", [100, 300])
def test_a_late_answer_is_an_answer(late_by: int) -> None:
    arena = realtime()
    arena.wait(200 + late_by)
    assert type(arena.fault(arena.act, 0, 1)) is errors.Late
    arena.disconnect(0)
    assert back(arena)["missed"] == list(range(2, 2 + late_by // 100))


def test_an_invalid_answer_is_an_answer() -> None:
    arena = realtime()
    arena.fault(arena.act, 0, step="?")
    arena.wait(100)
    assert "missed" not in back(arena)


def test_missed_counts_from_the_first_tick_of_the_match() -> None:
    seats = [{"x": 0, "y": 0}, {"x": 3, "y": 0}]
    setup = {"map": ["......"], "seats": seats, "tick": 5, "last_change": 5}
    arena = Arena(RIGHT2LIVE, setup=setup, pace="realtime").start()
    arena.disconnect(0)
    arena.wait(500)
    assert back(arena)["missed"] == [5, 6]


def test_a_takeover_of_an_open_connection_is_a_resume_too() -> None:
    arena = realtime()
    arena.wait(150)
    observation = back(arena)
    assert (observation["tick"], observation["missed"]) == (1, [0])
    arena.wait(50)
    assert arena.seen(0)["tick"] == 2, "it goes on"


def test_a_late_comer_gets_the_match_as_it_is() -> None:
    arena = Arena(seats=3, pace="realtime", tick_ms=100, ready_ms=1000)
    arena.connect(0, 1)
    arena.wait(1000)
    arena.ready(0, 1)
    arena.wait(1000 + 300)
    observation = back(arena, 2)
    assert (observation["tick"], observation["missed"]) == (3, [0, 1, 2])
    arena.act(2, 3)
    arena.wait(100)
    assert arena.last_status(2) == (3, "applied")
    assert arena.run_out().seats[2].presence == "played"


def test_a_resumed_observation_tells_the_time_that_is_left() -> None:
    arena = realtime(action_delay=2)
    arena.wait(130)
    arena.disconnect(0)
    assert back(arena)["deadline_ms"] == 270
    lock = Arena(deadline_ms=500, bank_ms=1000).start()
    lock.wait(200)
    assert (back(lock)["deadline_ms"], lock.seen(0)["bank_ms"]) == (300, 1000)
    lock.wait(700)
    assert (back(lock)["deadline_ms"], lock.seen(0)["bank_ms"]) == (0, 600), "the bank is being spent"


def test_a_bot_that_comes_back_before_the_first_tick_gets_the_start_again() -> None:
    arena = Arena()
    arena.connect(0, 1)
    arena.disconnect(0)
    arena.connect(0)
    assert [message["type"] for message in arena.heard(0)] == ["match_start", "match_start"]
    arena.ready(0, 1)
    assert arena.seen(0)["tick"] == 0


def test_nothing_is_sent_to_a_seat_without_a_connection() -> None:
    arena = realtime()
    arena.disconnect(0)
    heard = len(arena.heard(0))
    arena.wait(1000)
    assert len(arena.heard(0)) == heard
    assert len(arena.heard(1, "observation")) == 11


def test_spectators_see_who_is_connected() -> None:
    arena = realtime()
    arena.disconnect(0)
    arena.wait(100)
    frames = [message for message, _ in arena.outbox.frames]
    assert b'"connected":false' not in frames[0]
    assert frames[-1].count(b'"connected":false') == 1

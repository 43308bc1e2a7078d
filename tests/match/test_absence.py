"""Bots that are away or leave (P2.5): neutral by default, a forfeit where the host wants it."""

from typing import Any

import pytest

from fangnetz_protocol import errors
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.seats import Presence
from support import tiny_game
from support.arena import Arena

PACES = pytest.mark.parametrize("pace", ["lockstep", "realtime"])
GAMES = pytest.mark.parametrize(
    "game", [RIGHT2LIVE, SPACEBALLS, tiny_game.GAME], ids=lambda game: game.info.id
)


def arena_of(game: Any = tiny_game.GAME, seats: int = 2, **settings: Any) -> Arena:
    """A match in which a seat may be away for one second."""
    chosen = {"bank_ms": 1000, "tick_ms": 100, "deadline_ms": 100, **settings}
    return Arena(game, seats, **chosen).start()


def keep_answering(arena: Arena, ms: int, *seats: int) -> None:
    """Let time pass in which some seats answer at once, always neutrally."""
    for _ in range(ms // 10):
        for seat in seats:
            if arena.is_in(Phase.RUNNING) and arena.owes(seat):
                arena.act(seat, move="NONE", thrust=[0, 0], step=0)
        arena.wait(10)


# --- neutral --------------------------------------------------------------------------------------


@PACES
@GAMES
def test_an_away_seat_is_neutral_and_the_match_goes_on(game: Any, pace: str) -> None:
    arena = arena_of(game, pace=pace)
    arena.disconnect(0)
    keep_answering(arena, 3000, 1)
    assert arena.match.tick > 15
    arena.match.abort("seen enough")
    assert arena.lines()[5]["actions"][0] is None
    assert arena.lines()[5]["status"][0] == "missing"
    assert arena.result.seats[0].presence is Presence.PLAYED


@PACES
def test_by_default_nobody_forfeits(pace: str) -> None:
    arena = arena_of(pace=pace)
    arena.disconnect(0)
    assert arena.run_out().reason == "time_over"
    assert not any(place.forfeited for place in arena.match.seats)


# --- forfeit --------------------------------------------------------------------------------------


@PACES
@GAMES
def test_a_seat_that_stays_away_forfeits_a_duel(game: Any, pace: str) -> None:
    arena = arena_of(game, pace=pace, on_disconnect="forfeit")
    arena.disconnect(1)
    keep_answering(arena, 900, 0)
    assert arena.is_in(Phase.RUNNING), "its second is not over"
    keep_answering(arena, 400, 0)
    result = arena.result
    assert (result.reason, result.points[1], result.places) == ("forfeit", 0.0, [1, 2])
    assert result.points[0] >= result.points[1]
    assert [seat.presence for seat in result.seats] == [Presence.PLAYED, Presence.FORFEITED]
    assert arena.replay().verify()["presence"] == ["played", "forfeited"]


@PACES
def test_a_seat_that_comes_back_in_time_does_not_forfeit(pace: str) -> None:
    arena = arena_of(pace=pace, on_disconnect="forfeit")
    for _ in range(3):
        arena.disconnect(1)
        keep_answering(arena, 300, 0)
        arena.connect(1)
        keep_answering(arena, 30, 0, 1)
    assert arena.is_in(Phase.RUNNING)
    assert not arena.match.seats[1].forfeited


@PACES
def test_the_others_play_on_while_enough_are_left(pace: str) -> None:
    arena = arena_of(seats=3, pace=pace, on_disconnect="forfeit")
    arena.disconnect(2)
    keep_answering(arena, 1150, 0, 1)
    assert arena.match.seats[2].forfeited
    assert arena.is_in(Phase.RUNNING)
    arena.disconnect(1)
    keep_answering(arena, 1500, 0)
    assert arena.result.reason == "forfeit"
    assert [seat.presence for seat in arena.result.seats] == ["played", "forfeited", "forfeited"]
    assert arena.result.points == [1.0, 0.0, 0.0]
    arena.replay().verify()


@PACES
def test_both_away_is_a_forfeit_of_both(pace: str) -> None:
    arena = arena_of(pace=pace, on_disconnect="forfeit")
    arena.disconnect(0, 1)
    result = arena.run_out()
    assert (result.reason, result.points) == ("forfeit", [0.0, 0.0])
    arena.replay().verify()


def test_silence_is_no_absence() -> None:
    for pace in ("lockstep", "realtime"):
        arena = arena_of(pace=pace, on_disconnect="forfeit")
        assert arena.run_out().reason == "time_over", "a bot with a connection never forfeits by silence"


def test_a_seat_that_never_came_is_absent_and_forfeits_nothing() -> None:
    arena = Arena(seats=3, pace="realtime", bank_ms=100, ready_ms=1000, on_disconnect="forfeit")
    arena.connect(0, 1)
    arena.wait(1000)
    arena.ready(0, 1)
    result = arena.run_out()
    assert (result.reason, result.seats[2].presence) == ("time_over", Presence.ABSENT)


def test_a_seat_that_never_came_does_not_win_by_the_forfeit_of_the_others() -> None:
    arena = Arena(seats=3, pace="realtime", bank_ms=100, ready_ms=1000, on_disconnect="forfeit")
    arena.connect(0, 1)
    arena.wait(1000)
    arena.ready(0, 1)
    arena.wait(1000)
    arena.leave(1)
    result = arena.run_out()
    assert (result.reason, result.points) == ("forfeit", [1.0, 0.0, 0.0])
    assert [seat.presence for seat in result.seats] == ["played", "forfeited", "absent"]
    arena.replay().verify()


def test_a_bot_that_answers_counts_as_there_even_if_it_is_always_late() -> None:
    arena = Arena(seats=3, pace="realtime", tick_ms=100, ready_ms=1000)
    arena.connect(0, 1, 2)
    arena.ready(0, 1)
    arena.wait(1000 + 150)
    assert type(arena.fault(arena.act, 2, 0)) is errors.Late
    assert arena.run_out().seats[2].presence is Presence.PLAYED


# --- leave ----------------------------------------------------------------------------------------


@PACES
def test_a_seat_that_left_is_neutral_at_once(pace: str) -> None:
    arena = arena_of(pace=pace)
    arena.leave(1)
    before = arena.ms
    while arena.match.tick < 5:
        arena.act(0)
        arena.wait(100 if pace == "realtime" else 0)
    assert arena.ms - before == (500 if pace == "realtime" else 0), "nobody waits for it"
    assert arena.run_out().seats[1].presence is Presence.PLAYED


@PACES
def test_leaving_is_a_forfeit_where_the_host_wants_it(pace: str) -> None:
    arena = arena_of(pace=pace, on_disconnect="forfeit")
    arena.leave(1)
    arena.act(0)
    arena.wait(100)
    assert (arena.result.reason, arena.result.ticks) == ("forfeit", 1)
    assert arena.result.points == [1.0, 0.0]
    assert arena.result.seats[1].presence is Presence.FORFEITED
    arena.replay().verify()


def test_leaving_while_all_others_have_answered_ends_the_tick() -> None:
    arena = arena_of()
    arena.act(0)
    arena.leave(1)
    arena.wait(0)
    assert arena.match.tick == 1


@pytest.mark.parametrize("first", ["leave", "ready"])
def test_leaving_before_the_start_is_a_walkover_at_once(first: str) -> None:
    arena = Arena(ready_ms=1000)
    arena.connect(0, 1)
    if first == "leave":
        arena.leave(1)
        arena.ready(0)
    else:
        arena.ready(0)
        arena.leave(1)
    result = arena.result
    assert (result.reason, result.points) == ("walkover", [1.0, 0.0])
    assert result.seats[1].presence is Presence.ABSENT


def test_leaving_a_match_that_still_waits_is_a_walkover_too() -> None:
    arena = Arena(ready_ms=1000)
    arena.connect(1)
    arena.leave(1)
    arena.connect(0)
    arena.ready(0)
    assert arena.result.reason == "walkover"
    assert not arena.heard(1)
    assert arena.ms == 0


def test_a_seat_that_will_never_come_can_be_given_up() -> None:
    arena = Arena(ready_ms=1000)
    arena.connect(0)
    arena.leave(1)
    assert arena.is_in(Phase.READY)
    arena.ready(0)
    assert (arena.result.reason, arena.ms) == ("walkover", 0)


def test_who_was_ready_and_left_before_the_start_is_absent() -> None:
    arena = Arena(ready_ms=1000)
    arena.connect(0, 1)
    arena.ready(1)
    arena.leave(1)
    arena.ready(0)
    assert (arena.result.reason, arena.result.points) == ("walkover", [1.0, 0.0])
    assert arena.result.seats[1].presence is Presence.ABSENT
    arena.replay().verify()


def test_a_match_for_many_starts_at_once_when_the_others_have_left() -> None:
    arena = Arena(seats=3, ready_ms=1000)
    arena.connect(0, 1, 2)
    arena.ready(0, 1)
    assert arena.is_in(Phase.READY)
    arena.leave(2)
    assert arena.is_in(Phase.RUNNING)
    assert arena.run_out().seats[2].presence is Presence.ABSENT


def test_everybody_left_before_the_start() -> None:
    arena = Arena(ready_ms=1000)
    arena.connect(0, 1)
    arena.leave(0, 1)
    assert (arena.result.reason, arena.ms) == ("aborted", 0)
    waiting = Arena(ready_ms=1000)
    waiting.leave(0, 1)
    assert (waiting.result.reason, waiting.ms) == ("aborted", 0)


def test_an_action_after_the_last_tick_meets_the_end() -> None:
    arena = arena_of()
    arena.leave(0, 1)
    arena.wait(0)
    assert arena.result.reason == "time_over"
    assert type(arena.fault(arena.act, 0)) is errors.MatchOver

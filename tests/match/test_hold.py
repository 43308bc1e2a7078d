"""A match that the host holds, steps by hand, or gives another pace."""

from typing import Any

import pytest

from fangnetz_protocol.words import Pace
from fangnetz_server.match.phases import Phase
from support import tiny_game
from support.arena import Arena

PACES = pytest.mark.parametrize("pace", ["lockstep", "realtime"])


def arena_of(pace: str, **settings: Any) -> Arena:
    return Arena(pace=pace, tick_ms=100, deadline_ms=500, bank_ms=1000, **settings).start()


@PACES
def test_no_tick_comes_while_a_match_is_held(pace: str) -> None:
    arena = arena_of(pace)
    assert arena.match.pause()
    assert arena.match.is_paused
    assert arena.match.due_ns is None
    arena.wait(60_000)
    arena.match.wake()
    assert (arena.match.tick, arena.match.phase) == (0, Phase.RUNNING)


@PACES
def test_time_begins_anew_when_a_held_match_goes_on(pace: str) -> None:
    arena = arena_of(pace)
    arena.wait(60)
    arena.match.pause()
    arena.wait(7)
    assert arena.match.resume()
    assert not arena.match.is_paused
    assert arena.due_ms - arena.ms == (100 if pace == "realtime" else 1500)


@PACES
def test_answers_are_kept_while_a_match_is_held(pace: str) -> None:
    arena = arena_of(pace)
    arena.match.pause()
    arena.wait(5000)
    arena.act(0, step=1)
    arena.act(1, step=1)
    assert arena.match.tick == 0
    arena.match.resume()
    arena.wait(100)
    assert arena.seen(0)["places"] == [1, 5]
    assert arena.last_status(0) == (0, "applied")


def test_a_held_match_charges_no_bank() -> None:
    arena = arena_of("lockstep")
    arena.match.pause()
    arena.wait(60_000)
    arena.act(0)
    assert arena.match.step()
    assert [arena.seen(seat)["bank_ms"] for seat in (0, 1)] == [1000, 1000]
    assert arena.last_status(1) == (0, "missing")
    arena.match.resume()
    assert arena.due_ms - arena.ms == 1500


@PACES
def test_each_step_is_one_tick(pace: str) -> None:
    arena = arena_of(pace)
    arena.match.pause()
    for number in range(1, 6):
        assert arena.match.step()
        assert arena.match.tick == number
    assert [seen["tick"] for seen in arena.heard(0, "observation")] == [0, 1, 2, 3, 4, 5]


@PACES
def test_steps_by_hand_do_not_move_the_schedule(pace: str) -> None:
    arena = arena_of(pace)
    arena.match.pause()
    for _ in range(20):
        arena.match.step()
    arena.match.resume()
    assert arena.due_ms - arena.ms == (100 if pace == "realtime" else 1500)


@PACES
def test_a_match_can_end_by_a_step(pace: str) -> None:
    arena = arena_of(pace)
    arena.match.pause()
    while arena.match.step():
        pass
    assert arena.result.reason == "time_over"
    assert not arena.match.resume()
    assert arena.match.due_ns is None
    arena.replay().verify()


@PACES
def test_a_held_match_can_be_aborted_and_is_over_then(pace: str) -> None:
    arena = arena_of(pace)
    arena.match.pause()
    arena.match.abort("enough")
    assert not arena.match.resume()
    assert not arena.match.step()
    assert not arena.match.pause()
    assert (arena.match.due_ns, arena.result.reason) == (None, "aborted")


@PACES
def test_connections_may_come_and_go_while_a_match_is_held(pace: str) -> None:
    arena = arena_of(pace, on_disconnect="forfeit")
    arena.match.pause()
    arena.disconnect(1)
    arena.wait(60_000)
    assert arena.match.due_ns is None
    arena.connect(1)
    assert arena.seen(1)["tick"] == 0
    arena.match.resume()
    arena.act(0)
    arena.act(1)
    arena.wait(100)
    assert arena.is_in(Phase.RUNNING), "no time of the pause counts as absence"


def test_the_pause_is_no_absence_of_a_seat_that_is_still_away() -> None:
    arena = arena_of("realtime", on_disconnect="forfeit")
    arena.disconnect(1)
    arena.match.pause()
    arena.wait(60_000)
    arena.match.resume()
    arena.wait(900)
    assert arena.is_in(Phase.RUNNING)
    arena.wait(300)
    assert arena.result.reason == "forfeit"


def test_only_a_running_match_can_be_held() -> None:
    arena = Arena()
    assert not arena.match.pause()
    arena.connect(0, 1)
    assert not arena.match.pause()
    assert not arena.match.step()
    arena.ready(0, 1)
    assert arena.match.pause()
    assert not arena.match.pause(), "it is held already"


# --- another pace ---------------------------------------------------------------------------------


def settings_of(arena: Arena, **given: Any) -> Any:
    return type(arena.settings).defaults(tiny_game.GAME.info, **given)


def test_all_are_told_of_another_pace() -> None:
    arena = arena_of("lockstep")
    arena.wait(300)
    arena.match.change_pace(settings_of(arena, pace="realtime", tick_ms=40))
    start = arena.heard(1, "match_start")[-1]
    assert [start[key] for key in ("pace", "tick_ms", "deadline_ms", "bank_ms")] == ["realtime", 40, 40, 0]
    assert arena.due_ms - arena.ms == 40
    arena.wait(80)
    assert arena.match.tick == 2
    arena.match.change_pace(settings_of(arena, pace="lockstep", deadline_ms=700, bank_ms=10))
    assert arena.due_ms - arena.ms == 710
    assert arena.match.settings.pace is Pace.LOCKSTEP
    arena.run_out()
    arena.replay().verify()


def test_the_delay_of_actions_stays() -> None:
    arena = arena_of("realtime", action_delay=1)
    with pytest.raises(ValueError, match="action_delay cannot change"):
        arena.match.change_pace(settings_of(arena, pace="realtime"))
    assert arena.match.settings == arena.settings


def test_a_held_match_stays_held_under_another_pace() -> None:
    arena = arena_of("lockstep")
    arena.match.pause()
    arena.match.change_pace(settings_of(arena, pace="realtime", tick_ms=40))
    assert arena.match.due_ns is None
    arena.match.resume()
    assert arena.due_ms - arena.ms == 40


def test_the_pace_may_change_before_the_first_tick() -> None:
    arena = Arena()
    arena.match.change_pace(settings_of(arena, pace="realtime"))
    arena.connect(0, 1)
    arena.match.change_pace(settings_of(arena, pace="realtime", tick_ms=40))
    arena.ready(0, 1)
    assert arena.due_ms == 40
    assert [start["tick_ms"] for start in arena.heard(0, "match_start")] == [100, 40]


def test_nobody_waits_for_a_seat_that_left_under_another_pace_either() -> None:
    arena = arena_of("realtime")
    arena.leave(1)
    arena.match.change_pace(settings_of(arena, pace="lockstep"))
    arena.act(0)
    assert (arena.match.tick, arena.ms) == (1, 0)


def test_a_match_that_is_over_keeps_its_pace_to_itself() -> None:
    arena = arena_of("lockstep")
    arena.match.abort("enough")
    sent = len(arena.outbox.sent)
    arena.match.change_pace(settings_of(arena, pace="realtime"))
    assert (arena.match.due_ns, len(arena.outbox.sent)) == (None, sent)

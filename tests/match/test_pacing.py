"""When ticks come (P2.2): both paces on a clock that the test moves."""

from itertools import pairwise
from typing import Any

import pytest

from fangnetz_protocol import errors
from fangnetz_protocol.words import SeatId
from fangnetz_server.match.clock import MS
from fangnetz_server.match.pacing import JITTER_NS, Lockstep, Realtime, pacing_for
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.settings import MatchSettings
from support import tiny_game
from support.arena import Arena

LATE = errors.Late


def realtime(seats: int = 2, **settings: Any) -> Arena:
    return Arena(seats=seats, pace="realtime", tick_ms=100, **settings).start()


def lockstep(seats: int = 2, deadline_ms: int = 500, bank_ms: int = 1000) -> Arena:
    return Arena(seats=seats, deadline_ms=deadline_ms, bank_ms=bank_ms).start()


def tick_times(arena: Arena, stalls: list[float]) -> list[float]:
    """Return when each tick comes if the match is woken so many milliseconds late each time."""
    times = []
    for stall in stalls:
        arena.stall(arena.due_ms - arena.ms + stall)
        times.append(arena.ms)
    return times


def test_each_pace_has_its_pacing() -> None:
    info = tiny_game.GAME.info
    assert isinstance(pacing_for(MatchSettings.defaults(info, pace="lockstep")), Lockstep)
    assert isinstance(pacing_for(MatchSettings.defaults(info, pace="realtime")), Realtime)


# --- realtime -------------------------------------------------------------------------------------


def test_realtime_ticks_come_at_fixed_times_whatever_the_bots_do() -> None:
    arena = realtime()
    assert arena.due_ms == 100
    arena.act(0)
    arena.act(1)
    assert (arena.match.tick, arena.due_ms) == (0, 100), "two quick answers change nothing"
    arena.wait(99.999)
    assert arena.match.tick == 0
    arena.wait(0.001)
    assert (arena.match.tick, arena.due_ms) == (1, 200)
    arena.wait(1000)
    assert (arena.match.tick, arena.due_ms) == (11, 1200), "silence changes nothing either"


def test_small_delays_keep_the_schedule() -> None:
    assert tick_times(realtime(), [3, 0, 4.9, 5, 0]) == [103, 200, 304.9, 405, 500]


def test_a_long_stall_is_not_caught_up_by_shorter_ticks() -> None:
    times = tick_times(realtime(), [0, 40, 0, 250, 0, 0])
    assert times == [100, 240, 340, 690, 790, 890]


def test_a_delay_just_beyond_the_jitter_moves_the_schedule() -> None:
    arena = realtime()
    arena.clock.now += 100 * MS + JITTER_NS + 1
    arena.match.wake()
    assert arena.due_ms == pytest.approx(205.000001)


def test_no_tick_is_shorter_than_tick_ms_by_more_than_the_jitter() -> None:
    stalls = [(7 * number) % 31 / 3 for number in range(25)]
    times = [0, *tick_times(realtime(), stalls)]
    pauses = [later - sooner for sooner, later in pairwise(times)]
    assert min(pauses) >= 95
    assert max(stalls) > 5 > min(stalls), "both kinds were among them"


def test_a_realtime_answer_counts_until_the_tick_comes() -> None:
    arena = realtime()
    arena.wait(99.9)
    arena.act(0)
    arena.wait(0.1)
    assert arena.last_status(0) == (0, "applied")


def test_realtime_observations_tell_the_time_until_the_tick() -> None:
    arena = realtime()
    (start,) = arena.heard(0, "match_start")
    assert [start[key] for key in ("pace", "tick_ms", "deadline_ms", "bank_ms")] == ["realtime", 100, 100, 0]
    assert (arena.seen(0)["deadline_ms"], arena.seen(0)["bank_ms"]) == (100, 0)


# --- realtime with action_delay -------------------------------------------------------------------

DELAYS = pytest.mark.parametrize("delay", [0, 1, 2, 3])


@DELAYS
def test_an_action_for_tick_t_moves_the_state_in_step_t_plus_1_plus_d(delay: int) -> None:
    arena = realtime(action_delay=delay)
    arena.wait(200)
    arena.act(0, 2, step=1)
    arena.wait(600)
    fields = [seen["me"] for seen in arena.heard(0, "observation")]
    assert fields == [0] * (3 + delay) + [1] * (6 - delay)
    reports = {seen["tick"]: seen["last_action"] for seen in arena.heard(0, "observation")}
    assert reports[3 + delay] == {"tick": 2, "status": "applied", "latency_ms": 0.0}


@DELAYS
def test_an_action_has_d_ticks_more_time(delay: int) -> None:
    arena = realtime(action_delay=delay)
    (start,) = arena.heard(0, "match_start")
    assert (start["action_delay"], start["deadline_ms"]) == (delay, 100 * (1 + delay))
    assert arena.seen(0)["deadline_ms"] == 100 * (1 + delay)
    arena.wait(100 * (1 + delay) - 1)
    arena.act(0, 0)
    arena.wait(1)
    assert type(arena.fault(arena.act, 1, 0)) is LATE
    assert arena.last_status(0) == (0, "applied")
    assert arena.last_status(1) == (0, "missing")


@DELAYS
def test_the_first_d_ticks_are_neutral_and_nobody_is_asked_for_them(delay: int) -> None:
    arena = realtime(action_delay=delay)
    for number in range(3):
        arena.act(0, number, step=1)
        arena.wait(100)
    arena.wait(300)
    neutral = arena.heard(0, "observation")[: delay + 1]
    assert [seen["last_action"] for seen in neutral] == [None] * (delay + 1)
    assert arena.last_status(0) == (5 - delay, "applied" if delay == 3 else "missing")
    result = arena.run_out()
    lines = arena.lines()[1:-1]
    assert [line["status"] for line in lines[:delay]] == [[None, None]] * delay
    assert [line["actions"][0] for line in lines[: delay + 4]] == [None] * delay + [{"step": 1}] * 3 + [None]
    stats = result.seats[0].stats
    assert (stats.applied, stats.missing) == (3, 27 - delay)


def test_with_a_delay_ticks_may_be_answered_in_any_order() -> None:
    arena = realtime(action_delay=2)
    arena.wait(200)
    arena.act(0, 2, step=1)
    arena.act(0, 0, step=-1)
    arena.act(0, 1, step=1)
    assert type(arena.fault(arena.act, 0, 0)) is errors.Duplicate
    arena.wait(300)
    assert [seen["me"] for seen in arena.heard(0, "observation")] == [0, 0, 0, 7, 0, 1]


# --- lockstep -------------------------------------------------------------------------------------


def test_lockstep_goes_on_as_soon_as_all_have_answered() -> None:
    arena = lockstep()
    for number in range(5):
        arena.act(0)
        assert arena.match.tick == number
        arena.act(1)
        assert arena.match.tick == number + 1
    assert arena.ms == 0


def test_lockstep_waits_for_the_deadline_and_the_bank_at_the_latest() -> None:
    arena = lockstep()
    assert arena.due_ms == 1500
    arena.act(0)
    arena.wait(1499.9)
    assert arena.match.tick == 0
    arena.wait(0.1)
    assert arena.match.tick == 1
    assert arena.last_status(1) == (0, "missing")


def test_an_answer_before_the_deadline_costs_nothing() -> None:
    arena = lockstep()
    arena.wait(499)
    arena.act(0)
    arena.act(1)
    assert [arena.seen(seat)["bank_ms"] for seat in (0, 1)] == [1000, 1000]


def test_the_bank_is_spent_only_by_the_overrun() -> None:
    arena = lockstep()
    arena.act(1)
    arena.wait(800)
    arena.act(0)
    assert [arena.seen(seat)["bank_ms"] for seat in (0, 1)] == [700, 1000]
    assert arena.last_status(0) == (0, "applied")
    arena.act(1)
    assert arena.due_ms - arena.ms == 500 + 700
    arena.wait(1199.5)
    arena.act(0)
    assert arena.seen(0)["bank_ms"] == 0
    assert arena.match.tick == 2


def test_the_bank_is_gone_after_a_timeout() -> None:
    arena = lockstep()
    arena.act(1)
    arena.wait(1500)
    assert [arena.seen(seat)["bank_ms"] for seat in (0, 1)] == [0, 1000]
    arena.act(1)
    arena.wait(499.9)
    assert arena.match.tick == 1
    arena.wait(0.1)
    assert arena.match.tick == 2, "only the deadline is left"


def test_a_full_bank_of_one_gives_no_time_to_another() -> None:
    arena = lockstep()
    arena.act(1)
    arena.wait(1500)
    arena.wait(501)
    assert type(arena.fault(arena.act, 0)) is LATE, "seat 0 has no bank any more"
    assert arena.match.tick == 1, "seat 1 has"
    arena.act(1)
    assert arena.match.tick == 2
    assert arena.last_status(0) == (1, "late")
    assert arena.last_status(1) == (1, "applied")
    assert arena.seen(1)["bank_ms"] == 999


def test_nobody_is_waited_for_once_only_seats_without_time_are_missing() -> None:
    arena = lockstep()
    arena.act(1)
    arena.wait(1500)
    arena.act(1)
    assert arena.due_ms - arena.ms == 500, "the bank of a seat that has answered holds up nobody"
    arena = lockstep(seats=3)
    arena.act(1)
    arena.act(2)
    arena.wait(1500)
    arena.act(1)
    arena.wait(700)
    arena.act(2)
    assert arena.match.tick == 2, "seat 0 ran out of time before seat 2 answered"


def test_an_answer_at_the_very_end_of_its_time_is_late() -> None:
    arena = lockstep()
    arena.act(1)
    arena.wait(1500)
    arena.wait(500)
    assert type(arena.fault(arena.act, 0)) is LATE, "its deadline is over, and its bank is spent"


def test_without_a_bank_the_deadline_is_all() -> None:
    arena = lockstep(bank_ms=0)
    assert arena.due_ms == 500
    arena.wait(500)
    assert arena.match.tick == 1


STALLS_MS = (0, 700, 20, 450, 510, 90, 640, 0, 900, 0, 600, 30)
"""How long a bot on a bad line takes for its answers; the deadline is 500."""


@pytest.mark.parametrize(
    ("bank_ms", "missed"),
    [(0, [1, 4, 6, 8, 10]), (250, [6, 8, 10]), (400, [8, 10]), (800, [10]), (1000, [])],
)
def test_the_same_stalls_with_and_without_a_bank(bank_ms: int, missed: list[int]) -> None:
    """They overrun the deadline by 200, 10, 140, 400 and 100 ms: a bank saves answers until it is spent."""
    arena = lockstep(bank_ms=bank_ms)
    too_late = []
    for tick, stall_ms in enumerate(STALLS_MS):
        arena.act(1)
        arena.wait(stall_ms)
        if arena.match.tick > tick:
            too_late.append(tick)
        arena.try_act(0, tick, {"step": 0})
        assert arena.match.tick == tick + 1
    stats = arena.match.seats[0].stats()
    assert too_late == missed
    assert (stats.applied, stats.late) == (len(STALLS_MS) - len(missed), len(missed))
    assert arena.match.seats[1].stats().applied == len(STALLS_MS)


def test_an_answer_between_the_due_time_and_the_wake_is_late() -> None:
    arena = lockstep(bank_ms=0)
    arena.clock.now += 501 * MS
    assert type(arena.fault(arena.act, 0)) is LATE
    arena.match.wake()
    assert arena.match.tick == 1


def test_lockstep_observations_tell_deadline_and_bank() -> None:
    arena = lockstep()
    (start,) = arena.heard(0, "match_start")
    assert (start["pace"], start["deadline_ms"], start["bank_ms"]) == ("lockstep", 500, 1000)
    assert (arena.seen(0)["deadline_ms"], arena.seen(0)["bank_ms"]) == (500, 1000)


def test_time_for_the_rules_is_not_the_bots_time() -> None:
    arena = lockstep()
    arena.act(0)
    arena.act(1)
    assert arena.due_ms == arena.ms + 1500, "the deadline counts from the sending of the observation"


# --- time that the server lost --------------------------------------------------------------------


def lose(arena: Arena, ms: float) -> None:
    """The server does nothing for a time, and then knows it."""
    arena.clock.now += round(ms * MS)
    arena.match.forgive(round(ms * MS))


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
def test_nobody_pays_for_time_that_the_server_lost(pace: str) -> None:
    arena = Arena(pace=pace, tick_ms=100, deadline_ms=100, bank_ms=50).start()
    arena.wait(30)
    left = arena.due_ms - arena.ms
    lose(arena, 400)
    assert arena.due_ms - arena.ms == left
    arena.match.wake()
    arena.wait(10)
    arena.act(0)
    arena.act(1)
    arena.wait(arena.due_ms - arena.ms if pace == "realtime" else 0)
    assert arena.seen(0)["last_action"] == {"tick": 0, "status": "applied", "latency_ms": 40.0}
    assert arena.seen(0)["bank_ms"] == (50 if pace == "lockstep" else 0)


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
def test_what_was_sent_after_the_loss_is_not_forgiven_twice(pace: str) -> None:
    arena = Arena(pace=pace, tick_ms=100, deadline_ms=100, bank_ms=0).start()
    arena.stall(400)
    assert arena.match.tick == 1
    arena.match.forgive(300 * MS)
    assert arena.due_ms - arena.ms == 100
    arena.act(0)
    assert arena.outbox.latencies == [0.0]


def test_the_time_to_connect_and_to_get_ready_is_forgiven_too() -> None:
    arena = Arena(ready_ms=1000)
    lose(arena, 5000)
    assert arena.due_ms == 6000
    arena.wait(100)
    arena.connect(0, 1)
    lose(arena, 5000)
    assert arena.due_ms - arena.ms == 1000
    arena.match.forgive(5000 * MS)
    assert arena.due_ms - arena.ms == 1000, "never more than the whole time"


def test_lost_time_is_no_absence() -> None:
    arena = Arena(pace="realtime", tick_ms=100, bank_ms=1000, on_disconnect="forfeit").start()
    arena.disconnect(0)
    lose(arena, 5000)
    arena.wait(900)
    assert arena.is_in(Phase.RUNNING)
    arena.wait(300)
    assert arena.result.reason == "forfeit"


def test_a_held_match_loses_no_time() -> None:
    arena = realtime()
    arena.match.pause()
    lose(arena, 5000)
    assert arena.match.due_ns is None
    arena.match.abort("enough")
    lose(arena, 5000)
    assert arena.match.due_ns is None


# --- who is away ----------------------------------------------------------------------------------


def test_an_away_seat_is_waited_for_once_until_its_bank_is_spent() -> None:
    arena = lockstep()
    arena.disconnect(0)
    arena.act(1)
    arena.wait(1499.9)
    assert arena.match.tick == 0
    arena.wait(0.1)
    assert arena.match.tick == 1
    began = arena.ms
    for _ in range(10):
        arena.act(1)
    assert (arena.match.tick, arena.ms) == (11, began), "from then on it is neutral at once"
    assert arena.last_status(1) == (10, "applied")


def test_a_seat_that_comes_back_has_its_deadline_again_but_no_bank() -> None:
    arena = lockstep()
    arena.disconnect(0)
    arena.act(1)
    arena.wait(1500)
    arena.connect(0)
    arena.act(1)
    assert arena.match.tick == 1
    arena.wait(400)
    arena.act(0)
    assert arena.match.tick == 2
    assert (arena.last_status(0), arena.seen(0)["bank_ms"]) == ((1, "applied"), 0)


def test_a_seat_that_comes_back_in_time_loses_nothing_but_its_overrun() -> None:
    arena = lockstep()
    arena.act(1)
    arena.disconnect(0)
    arena.wait(700)
    arena.connect(0)
    arena.act(0)
    assert arena.seen(0)["bank_ms"] == 800
    assert arena.last_status(0) == (0, "applied")


def test_a_match_without_any_connection_runs_to_its_end() -> None:
    arena = lockstep()
    arena.disconnect(0, 1)
    arena.wait(1500)
    assert arena.result.reason == "time_over", "after their banks nobody is waited for"


def test_a_realtime_match_does_not_wait_for_anybody() -> None:
    arena = realtime()
    arena.disconnect(0, 1)
    arena.wait(1000)
    assert arena.match.tick == 10


@pytest.mark.parametrize("pace", ["lockstep", "realtime"])
def test_due_is_never_unknown_before_the_end(pace: str) -> None:
    arena = Arena(pace=pace)
    assert arena.match.due_ns is not None
    arena.start()
    while arena.match.tick < 29:
        assert arena.match.due_ns is not None
        arena.match.act(SeatId(0), arena.match.tick, {"step": 0})
        arena.wait(arena.due_ms - arena.ms)
    arena.run_out()
    assert arena.match.due_ns is None

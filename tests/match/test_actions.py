"""What becomes of an action (P2.1): each status, each fault."""

from typing import Any

import pytest

from fangnetz_protocol import errors
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.match.phases import Phase
from support.arena import Arena

PACES = pytest.mark.parametrize("pace", ["lockstep", "realtime"])


def right2live(**settings: Any) -> Arena:
    """A map of one row: seat 0 stands at its left end, seat 1 two fields to the right."""
    seats = [{"x": 0, "y": 0}, {"x": 2, "y": 0}]
    return Arena(RIGHT2LIVE, setup={"map": ["....#"], "seats": seats}, **settings)


def tick(arena: Arena) -> None:
    """Let the time of the open tick pass."""
    wait_for(arena, arena.match.tick + 1)


def wait_for(arena: Arena, number: int) -> None:
    """Let time pass until this tick is there; in lockstep it may be already."""
    while arena.match.tick < number and arena.match.due_ns is not None:
        arena.wait(arena.due_ms - arena.ms)


# --- applied --------------------------------------------------------------------------------------


@PACES
def test_an_action_in_time_is_applied_to_the_next_state(pace: str) -> None:
    arena = Arena(pace=pace).start()
    arena.act(0, step=1)
    arena.act(1, step=-1)
    wait_for(arena, 1)
    assert arena.seen(0)["places"] == [1, 3]
    assert [arena.last_status(seat) for seat in (0, 1)] == [(0, "applied"), (0, "applied")]


def test_the_first_observation_reports_no_action() -> None:
    arena = Arena().start()
    assert arena.seen(0)["last_action"] is None


def test_the_latency_counts_from_the_observation_to_the_answer() -> None:
    arena = Arena().start()
    arena.wait(12.5)
    arena.act(0)
    arena.wait(20)
    arena.act(1)
    assert arena.seen(0)["last_action"] == {"tick": 0, "status": "applied", "latency_ms": 12.5}
    assert arena.seen(1)["last_action"] == {"tick": 0, "status": "applied", "latency_ms": 32.5}


# --- missing --------------------------------------------------------------------------------------


@PACES
def test_no_answer_is_missing_and_neutral(pace: str) -> None:
    arena = Arena(pace=pace, bank_ms=0).start()
    arena.act(0, step=1)
    tick(arena)
    assert arena.seen(1)["places"] == [1, 4]
    assert arena.seen(1)["last_action"] == {"tick": 0, "status": "missing", "latency_ms": None}
    assert arena.last_status(0) == (0, "applied")


# --- late -----------------------------------------------------------------------------------------


@PACES
def test_an_answer_after_its_tick_is_late_and_never_applies_to_a_later_tick(pace: str) -> None:
    arena = Arena(pace=pace, bank_ms=0).start()
    tick(arena)
    fault = arena.fault(arena.act, 0, 0, step=1)
    assert type(fault) is errors.Late
    assert (fault.match, fault.tick) == (arena.match.id, 0)
    tick(arena)
    assert arena.seen(0)["places"] == [0, 4]
    assert arena.last_status(0) == (1, "missing")
    stats = run_stats(arena, 0)
    assert (stats.late, stats.missing, stats.applied) == (1, 29, 0)


def test_an_answer_after_its_own_deadline_is_reported_as_late_by_the_next_observation() -> None:
    arena = Arena(bank_ms=1000).start()
    arena.act(1)
    tick(arena)
    assert arena.seen(0)["bank_ms"] == 0
    arena.wait(600)
    assert type(arena.fault(arena.act, 0, step=1)) is errors.Late, "seat 1 still has time, seat 0 has not"
    assert arena.match.tick == 1
    arena.act(1)
    assert arena.seen(0)["last_action"] == {"tick": 1, "status": "late", "latency_ms": 600.0}
    assert arena.seen(0)["me"] == 0


def test_an_old_tick_is_late_not_wrong() -> None:
    arena = Arena(bank_ms=0).start()
    for _ in range(5):
        tick(arena)
    assert type(arena.fault(arena.act, 0, 2)) is errors.Late


# --- duplicate ------------------------------------------------------------------------------------


@PACES
def test_of_two_answers_the_first_one_counts(pace: str) -> None:
    arena = Arena(pace=pace, bank_ms=0).start()
    arena.act(0, step=1)
    fault = arena.fault(arena.act, 0, step=-1)
    assert type(fault) is errors.Duplicate
    assert fault.tick == 0
    tick(arena)
    assert arena.seen(0)["me"] == 1
    assert arena.last_status(0) == (0, "applied")
    assert run_stats(arena, 0).duplicate == 1


@PACES
def test_a_second_answer_to_a_closed_tick_is_a_duplicate_too(pace: str) -> None:
    arena = Arena(pace=pace, bank_ms=0).start()
    arena.act(0)
    tick(arena)
    assert type(arena.fault(arena.act, 0, 0)) is errors.Duplicate
    assert type(arena.fault(arena.act, 1, 0)) is errors.Late
    assert type(arena.fault(arena.act, 1, 0)) is errors.Duplicate


# --- invalid --------------------------------------------------------------------------------------


@PACES
def test_an_invalid_action_is_neutral_and_its_field_is_named(pace: str) -> None:
    arena = Arena(pace=pace, bank_ms=0).start()
    fault = arena.fault(arena.act, 0, step=7)
    assert type(fault) is errors.InvalidAction
    assert (fault.field, fault.tick, fault.problem) == ("step", 0, "should be -1, 0 or 1")
    assert type(arena.fault(arena.act, 0, step=1)) is errors.Duplicate, "it was the seat's answer"
    tick(arena)
    assert arena.seen(0)["me"] == 0
    assert arena.last_status(0) == (0, "invalid")
    assert run_stats(arena, 0).invalid == 1


def test_an_invalid_answer_is_an_answer_so_nobody_waits_for_another() -> None:
    arena = Arena().start()
    arena.act(1)
    assert type(arena.fault(arena.act, 0, step="left")) is errors.InvalidAction
    assert arena.match.tick == 1
    assert arena.ms == 0


@pytest.mark.parametrize(
    ("game", "part", "field"),
    [
        (RIGHT2LIVE, {"move": "UP"}, "move"),
        (RIGHT2LIVE, {"move": "EAST", "view": "NONE"}, "view"),
        (RIGHT2LIVE, {"move": ["EAST"]}, "move"),
        (SPACEBALLS, {"thrust": [1]}, "thrust"),
        (SPACEBALLS, {"thrust": [1, "2"]}, "thrust.1"),
        (SPACEBALLS, {"thrust": [1e7, 0]}, "thrust.0"),
        (SPACEBALLS, {"thrust": [float("inf"), 0]}, "thrust.0"),
        (SPACEBALLS, {"move": "EAST"}, "thrust"),
    ],
)
def test_the_games_name_the_field_of_an_invalid_action(game: Any, part: dict[str, Any], field: str) -> None:
    arena = Arena(game).start()
    fault = arena.fault(arena.act, 0, **part)
    assert type(fault) is errors.InvalidAction
    assert fault.field == field


# --- blocked --------------------------------------------------------------------------------------


@PACES
def test_a_step_that_the_rules_deny_is_blocked(pace: str) -> None:
    arena = right2live(pace=pace).start()
    arena.act(0, move="WEST", view="WEST")
    arena.act(1, move="EAST")
    wait_for(arena, 1)
    assert arena.last_status(0) == (0, "blocked")
    assert arena.last_status(1) == (0, "applied")
    assert arena.seen(0)["me"]["view"] == "WEST", "R3.4: the view is taken over even if the step fails"
    arena.match.abort("seen enough")
    assert (arena.result.seats[0].stats.blocked, arena.result.seats[0].stats.applied) == (1, 0)
    assert arena.lines()[1]["status"] == ["blocked", "applied"]


def test_neither_standing_still_nor_an_invalid_step_is_blocked() -> None:
    arena = right2live().start()
    arena.act(0, move="NONE")
    arena.fault(arena.act, 1, move="AWAY")
    assert [arena.last_status(seat) for seat in (0, 1)] == [(0, "applied"), (0, "invalid")]


# --- the wrong tick, the wrong time ---------------------------------------------------------------


@PACES
@pytest.mark.parametrize("wrong", [1, 2, 10**9, -1, -(10**9)])
def test_a_tick_that_was_not_shown_is_refused_and_costs_nothing(pace: str, wrong: int) -> None:
    arena = Arena(pace=pace).start()
    fault = arena.fault(arena.act, 0, wrong)
    assert type(fault) is errors.WrongTick
    assert (fault.tick, fault.newest) == (wrong, 0)
    arena.act(0)
    arena.act(1)
    wait_for(arena, 1)
    assert arena.last_status(0) == (0, "applied"), "the right tick may still be answered"


def test_a_match_may_start_at_a_later_tick() -> None:
    seats = [{"x": 0, "y": 0}, {"x": 3, "y": 0}]
    setup = {"map": ["......"], "seats": seats, "tick": 5, "last_change": 5}
    arena = Arena(RIGHT2LIVE, setup=setup).start()
    assert arena.seen(0)["tick"] == 5
    assert type(arena.fault(arena.act, 0, 4)) is errors.WrongTick
    assert type(arena.fault(arena.act, 0, 0)) is errors.WrongTick
    arena.act(0, 5, move="EAST")
    arena.act(1, 5, move="EAST")
    assert arena.last_status(0) == (5, "applied")
    assert type(arena.fault(arena.act, 0, 4)) is errors.WrongTick
    assert type(arena.fault(arena.act, 0, 5)) is errors.Duplicate


def test_an_action_before_the_start_is_refused() -> None:
    arena = Arena()
    arena.connect(0)
    assert type(arena.fault(arena.act, 0)) is errors.NotReady
    arena.connect(1)
    assert arena.is_in(Phase.READY)
    assert type(arena.fault(arena.act, 0)) is errors.NotReady
    arena.ready(0)
    assert arena.is_in(Phase.READY), "an action is no `ready`"


def test_a_bot_that_plays_counts_as_there_even_if_it_never_said_ready() -> None:
    arena = Arena(seats=3, ready_ms=1000)
    arena.connect(0, 1, 2)
    arena.ready(0, 1)
    arena.wait(1000)
    assert arena.is_in(Phase.RUNNING)
    arena.act(2)
    assert [seat.presence for seat in arena.run_out().seats] == ["played", "played", "played"]


# --- the order of arrival -------------------------------------------------------------------------


def arrival(**settings: Any) -> Arena:
    """Three players in a row, who all want the field in the middle between them."""
    seats = [{"x": 0, "y": 0}, {"x": 2, "y": 0}, {"x": 1, "y": 1}]
    setup = {"map": ["...", "..."], "seats": seats, "ruleset": {"preset": "contest-2010"}}
    return Arena(RIGHT2LIVE, setup=setup, **settings).start()


def test_who_answers_first_steps_first() -> None:
    arena = arrival()
    arena.act(2, move="NORTH")
    arena.act(0, move="EAST")
    arena.act(1, move="WEST")
    assert [arena.last_status(seat) for seat in range(3)] == [(0, "blocked"), (0, "blocked"), (0, "applied")]
    arena.match.abort("seen enough")
    assert arena.lines()[1]["order"] == [2, 0, 1]


def test_seats_without_a_valid_answer_follow_in_seat_order() -> None:
    arena = arrival(pace="realtime")
    arena.fault(arena.act, 1, move="AWAY")
    arena.act(2, move="NONE")
    tick(arena)
    arena.match.abort("seen enough")
    assert arena.lines()[1]["order"] == [2, 0, 1]


def test_the_order_belongs_to_the_tick_that_was_answered() -> None:
    arena = arrival(pace="realtime", action_delay=1)
    arena.act(2, 0, move="NONE")
    tick(arena)
    arena.act(1, 1, move="NONE")
    arena.act(0, 0, move="NONE")
    tick(arena)
    tick(arena)
    arena.match.abort("seen enough")
    assert [line.get("order") for line in arena.lines()[1:4]] == [None, [2, 0, 1], [1, 0, 2]]


# --- both real games, to the end ------------------------------------------------------------------


@pytest.mark.parametrize("game", [RIGHT2LIVE, SPACEBALLS], ids=lambda game: game.info.id)
@PACES
def test_a_whole_match_with_every_status_is_proved_by_its_replay(game: Any, pace: str) -> None:
    arena = Arena(game, seats=3, pace=pace).start()
    good = {"move": "NORTH_EAST", "thrust": [0.5, 1]}
    while arena.is_in(Phase.RUNNING):
        now = arena.match.tick
        for place in arena.match.seats:
            if (now + place.number) % 5 == 1:
                arena.fault(arena.act, place.number, now, move="?", thrust="?")
            elif (now + place.number) % 5 != 3:
                arena.act(place.number, now, **good)
            if arena.is_in(Phase.RUNNING) and now % 7 == 0 and (now + place.number) % 5 != 3:
                assert type(arena.fault(arena.act, place.number, now, **good)) is errors.Duplicate
        wait_for(arena, now + 1)
    footer = arena.replay().verify()
    assert footer["ticks"] == arena.result.ticks > 10
    assert footer["points"] == arena.result.points
    stats = arena.result.seats[0].stats
    assert min(stats.invalid, stats.missing, stats.duplicate, stats.applied + stats.blocked) > 0


def run_stats(arena: Arena, seat: int) -> Any:
    return arena.run_out().seats[seat].stats

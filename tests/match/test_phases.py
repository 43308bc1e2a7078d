"""Every cell of the table of phases, and a match on its way through all of them."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from fangnetz_protocol import errors
from fangnetz_protocol.words import MatchReason
from fangnetz_server.match.phases import TRANSITIONS, MatchEvent, Phase, next_phase
from fangnetz_server.match.seats import Presence
from support.arena import Arena

DRAWN = """
            seated   started  ended  walkover  cancelled  failed
waiting     ready    -        -      -         over       over
ready       -        running  -      over      over       over
running     -        -        over   -         over       over
over        -        -        -      -         -          -
"""


def drawn_cells() -> list[tuple[Phase, MatchEvent, Phase | None]]:
    heading, *rows = (line.split() for line in DRAWN.strip().splitlines())
    return [
        (Phase(phase), MatchEvent(event), None if target == "-" else Phase(target))
        for phase, *targets in rows
        for event, target in zip(heading, targets, strict=True)
    ]


@pytest.mark.parametrize(("phase", "event", "target"), drawn_cells())
def test_each_cell_of_the_table(phase: Phase, event: MatchEvent, target: Phase | None) -> None:
    if target is None:
        with pytest.raises(AssertionError, match=f"no way from {phase} by {event}"):
            next_phase(phase, event)
    else:
        assert next_phase(phase, event) is target


def test_the_drawing_has_all_cells() -> None:
    assert {cell[:2] for cell in drawn_cells()} == set(itertools.product(Phase, MatchEvent))
    assert len(TRANSITIONS) == sum(cell[2] is not None for cell in drawn_cells())


# --- waiting --------------------------------------------------------------------------------------


def test_a_match_waits_until_every_seat_has_been_taken() -> None:
    arena = Arena(seats=3)
    arena.connect(0, 2)
    assert arena.is_in(Phase.WAITING)
    assert not arena.outbox.sent, "nobody is told of a match that has no opponents yet"
    arena.connect(1)
    assert arena.is_in(Phase.READY)
    assert [len(arena.heard(seat, "match_start")) for seat in range(3)] == [1, 1, 1]


def test_a_bot_that_came_and_went_still_counts_as_seated() -> None:
    arena = Arena()
    arena.connect(0)
    arena.disconnect(0)
    arena.connect(1)
    assert arena.is_in(Phase.READY)
    assert not arena.heard(0), "it has no connection"
    assert arena.heard(1, "match_start")


def test_waiting_ends_after_ready_ms_with_those_who_came() -> None:
    arena = Arena(ready_ms=3000)
    arena.connect(0)
    arena.wait(2999)
    assert arena.is_in(Phase.WAITING)
    arena.wait(1)
    assert arena.is_in(Phase.READY)
    assert arena.heard(0, "match_start")
    assert arena.due_ms == 6000, "the time for `ready` is another ready_ms"


def test_nobody_came() -> None:
    arena = Arena(ready_ms=3000)
    arena.wait(3000)
    assert arena.is_in(Phase.OVER)
    assert (arena.result.reason, arena.result.detail) == (MatchReason.ABORTED, "no bot connected in time")
    assert (arena.result.points, arena.result.places) == ([], [])
    assert {seat.presence for seat in arena.result.seats} == {Presence.ABSENT}
    assert arena.replay().verify()["reason"] == "aborted"


def test_ready_before_the_match_start_is_refused() -> None:
    arena = Arena()
    arena.connect(0)
    assert type(arena.fault(arena.ready, 0)) is errors.NotReady


# --- ready ----------------------------------------------------------------------------------------


def test_the_first_tick_comes_when_all_are_ready() -> None:
    arena = Arena()
    arena.connect(0, 1)
    arena.ready(1)
    assert arena.is_in(Phase.READY)
    assert not arena.heard(0, "observation")
    arena.ready(0)
    assert arena.is_in(Phase.RUNNING)
    assert [arena.seen(seat)["tick"] for seat in (0, 1)] == [0, 0]


def test_ready_twice_is_harmless() -> None:
    arena = Arena()
    arena.connect(0, 1)
    arena.ready(1, 1)
    assert arena.is_in(Phase.READY)
    arena.ready(0, 0)
    assert len(arena.heard(0, "observation")) == 1


def test_a_bot_that_arrives_while_the_others_get_ready_may_still_play() -> None:
    arena = Arena(ready_ms=3000)
    arena.connect(0)
    arena.wait(3000)
    arena.connect(1)
    assert arena.heard(1, "match_start")
    arena.ready(0, 1)
    assert arena.is_in(Phase.RUNNING)


def test_a_duel_without_opponent_is_a_walkover() -> None:
    arena = Arena(ready_ms=3000)
    arena.connect(0, 1)
    arena.ready(0)
    arena.wait(2999)
    assert arena.is_in(Phase.READY)
    arena.wait(1)
    assert arena.is_in(Phase.OVER)
    assert arena.result.reason == MatchReason.WALKOVER
    assert (arena.result.points, arena.result.places) == ([1.0, 0.0], [1, 2])
    assert [seat.presence for seat in arena.result.seats] == [Presence.PLAYED, Presence.ABSENT]
    assert arena.result.ticks == 0
    assert arena.replay().verify()["points"] == [1.0, 0.0]


def test_a_match_for_many_starts_without_the_absent() -> None:
    arena = Arena(seats=3, ready_ms=3000)
    arena.connect(0, 2)
    arena.wait(3000)
    arena.ready(0, 2)
    arena.wait(3000)
    assert arena.is_in(Phase.RUNNING)
    assert not arena.heard(1)
    result = arena.run_out()
    assert result.reason == "time_over"
    assert [seat.presence for seat in result.seats] == [Presence.PLAYED, Presence.ABSENT, Presence.PLAYED]
    assert arena.replay().verify()["presence"] == ["played", "absent", "played"]


def test_a_match_for_many_with_too_few_is_a_walkover() -> None:
    arena = Arena(seats=3, ready_ms=3000)
    arena.connect(0, 1, 2)
    arena.ready(1)
    arena.wait(3000)
    assert arena.result.reason == MatchReason.WALKOVER
    assert arena.result.points == [0.0, 1.0, 0.0]


def test_nobody_was_ready() -> None:
    arena = Arena(ready_ms=3000)
    arena.connect(0, 1)
    arena.wait(3000)
    assert (arena.result.reason, arena.result.detail) == (MatchReason.ABORTED, "no bot was ready in time")
    assert arena.result.points == []
    assert arena.replay().verify()["reason"] == "aborted"


# --- running and over -----------------------------------------------------------------------------


def test_a_match_runs_until_the_rules_end_it() -> None:
    arena = Arena().start()
    while arena.is_in(Phase.RUNNING):
        arena.act(0)
        arena.act(1)
    assert (arena.result.reason, arena.result.ticks) == ("time_over", 30)
    assert arena.result.points == [0.0, 1.0]
    assert arena.replay().verify()["ticks"] == 30


@pytest.mark.parametrize("phase", list(Phase)[:3])
def test_the_host_may_abort_in_every_phase(phase: Phase) -> None:
    arena = Arena()
    if phase is Phase.RUNNING:
        arena.start()
        arena.wait(100)
    elif phase is Phase.READY:
        arena.connect(0, 1)
    assert arena.is_in(phase)
    arena.match.abort("the host wants to sleep")
    assert arena.is_in(Phase.OVER)
    assert (arena.result.reason, arena.result.detail) == (MatchReason.ABORTED, "the host wants to sleep")
    assert (arena.result.points, arena.result.places) == ([], [])
    assert arena.replay().verify()["reason"] == "aborted"


def test_what_comes_after_the_end_changes_nothing() -> None:
    arena = Arena().start()
    arena.match.abort("early")
    sent, result = len(arena.outbox.sent), arena.result
    arena.match.abort("again")
    arena.disconnect(0)
    arena.connect(0)
    arena.leave(1)
    arena.wait(100_000)
    arena.match.wake()
    assert type(arena.fault(arena.act, 0)) is errors.MatchOver
    assert type(arena.fault(arena.ready, 0)) is errors.MatchOver
    assert arena.match.due_ns is None
    assert len(arena.outbox.sent) == sent
    assert arena.result is result, "exactly one result"


def test_a_wake_that_is_too_early_does_nothing() -> None:
    arena = Arena().start()
    sent = len(arena.outbox.sent)
    for _ in range(3):
        arena.match.wake()
    assert len(arena.outbox.sent) == sent


def test_every_change_of_phase_is_news() -> None:
    arena = Arena()
    changes = []
    steps: list[tuple[Callable[..., None], Any]] = [
        (arena.connect, 0),
        (arena.connect, 1),
        (arena.ready, 0),
        (arena.ready, 1),
        (arena.disconnect, 0),
        (arena.match.abort, "done"),
    ]
    for step, argument in steps:
        before = arena.outbox.changes
        step(argument)
        changes.append(arena.outbox.changes > before)
    assert changes == [True, True, False, True, True, True], "one of two being ready is no news"

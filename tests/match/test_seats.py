"""A seat's statistics: how often and how fast it answered."""

from dataclasses import astuple, fields
from typing import Any

import pytest

from fangnetz_protocol.words import ActionStatus
from fangnetz_server.match.seats import SeatStats
from support.arena import Arena


def stats_after(delays_ms: list[float], **settings: Any) -> SeatStats:
    """Let seat 0 answer one tick after each of these times."""
    arena = Arena(deadline_ms=500, bank_ms=0, **settings).start()
    for delay in delays_ms:
        arena.wait(delay)
        arena.act(0)
        arena.act(1)
    arena.match.abort("measured")
    return arena.result.seats[0].stats


def test_every_status_has_a_count() -> None:
    assert {field.name for field in fields(SeatStats)} == set(ActionStatus) | {
        "latency_median_ms",
        "latency_p99_ms",
    }


def test_nothing_answered_has_no_latency() -> None:
    assert astuple(stats_after([])) == (0, 0, 0, 0, 0, 0, None, None)


def test_one_answer_is_its_own_median() -> None:
    stats = stats_after([12.5])
    assert (stats.latency_median_ms, stats.latency_p99_ms) == (12.5, 12.5)


def test_the_median_of_an_even_number_lies_in_the_middle() -> None:
    assert stats_after([10, 20, 30, 400]).latency_median_ms == 25


def test_p99_is_near_the_slowest() -> None:
    stats = stats_after([1.0] * 10 + [301.0])
    assert stats.latency_median_ms == 1.0
    assert stats.latency_p99_ms == pytest.approx(271.0)


def test_microseconds_are_kept() -> None:
    assert stats_after([0.123]).latency_median_ms == 0.123


def test_late_answers_count_with_their_latency_from_the_observation_on() -> None:
    arena = Arena(pace="realtime", tick_ms=100).start()
    arena.wait(250)
    arena.fault(arena.act, 0, 0)
    arena.match.abort("measured")
    stats = arena.result.seats[0].stats
    assert (stats.late, stats.missing, stats.latency_median_ms) == (1, 1, 250.0)


def test_a_duplicate_has_no_latency_of_its_own() -> None:
    arena = Arena().start()
    arena.wait(10)
    arena.act(0)
    arena.wait(200)
    arena.fault(arena.act, 0)
    arena.match.abort("measured")
    assert arena.result.seats[0].stats.latency_p99_ms == 10.0


def test_the_counts_of_a_whole_match_add_up_to_its_ticks() -> None:
    arena = Arena(pace="realtime", tick_ms=100).start()
    for number in range(10):
        if number % 5 == 0:
            arena.act(0, step=0)
        elif number % 5 == 1:
            arena.fault(arena.act, 0, step=9)
        elif number % 5 != 3:
            arena.fault(arena.act, 0, number - 1)
        arena.wait(100)
    stats = arena.run_out().seats[0].stats
    assert (stats.applied, stats.invalid, stats.duplicate, stats.late, stats.missing) == (2, 2, 2, 2, 24)
    assert stats.applied + stats.invalid + stats.late + stats.missing + stats.blocked == 30

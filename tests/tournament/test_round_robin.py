"""Everybody meets everybody, once in each leg, with the seats shared fairly."""

from collections import Counter

import pytest

from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.round_robin import circle
from fangnetz_server.tournament.values import BotKey, History, Pairing
from support.tournaments import spec_of

SIZES = range(2, 26)


def schedule(bots: int, legs: int) -> tuple[Pairing, ...]:
    return next_pairings(spec_of("round_robin", bots, options={"legs": legs}), History())


@pytest.mark.parametrize("legs", [1, 2, 3])
@pytest.mark.parametrize("bots", SIZES)
def test_every_two_bots_play_each_leg_once(bots: int, legs: int) -> None:
    games = [pairing for pairing in schedule(bots, legs) if not pairing.is_bye]
    met = Counter(frozenset(game.seats) for game in games)
    assert len(met) == bots * (bots - 1) // 2
    assert set(met.values()) == {legs}


@pytest.mark.parametrize("legs", [1, 2, 3])
@pytest.mark.parametrize("bots", SIZES)
def test_everybody_has_each_seat_equally_often(bots: int, legs: int) -> None:
    balance: Counter[BotKey] = Counter()
    for game in schedule(bots, legs):
        if not game.is_bye:
            balance[game.seats[0]] += 1
            balance[game.seats[1]] -= 1
    odd_games = (bots - 1) * legs % 2
    assert {abs(value) for value in balance.values()} == {odd_games}


@pytest.mark.parametrize("bots", SIZES)
def test_nobody_has_two_meetings_in_a_round_and_byes_are_explicit(bots: int) -> None:
    rounds: dict[int, list[BotKey]] = {}
    for pairing in schedule(bots, 1):
        rounds.setdefault(pairing.round, []).extend(pairing.seats)
    assert len(rounds) == bots - 1 + bots % 2
    assert all(len(seats) == len(set(seats)) == bots for seats in rounds.values())


def test_the_schedule_of_four() -> None:
    bots = [BotKey(name) for name in "abcd"]
    assert list(circle(bots)) == [
        (("a", "d"), ("b", "c")),
        (("d", "b"), ("c", "a")),
        (("c", "d"), ("a", "b")),
    ]


def test_the_schedule_of_three_rests_each_once() -> None:
    resting = [pairing.seats[0] for pairing in schedule(3, 2) if pairing.is_bye]
    assert sorted(resting) == ["a", "b", "c"]


def test_who_withdraws_before_the_start_is_not_in_it() -> None:
    spec = spec_of("round_robin", 4)
    pairings = next_pairings(spec, History(withdrawn=frozenset({BotKey("b")})))
    assert {bot for pairing in pairings for bot in pairing.seats} == {"a", "c", "d"}


@pytest.mark.parametrize("left", [0, 1])
def test_with_nobody_left_there_is_nothing_to_play(left: int) -> None:
    spec = spec_of("round_robin", 2)
    gone = frozenset(spec.bots()[left:])
    assert not [p for p in next_pairings(spec, History(withdrawn=gone)) if not p.is_bye]

"""Contests: balanced groups, balanced seats, the same fields for all."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.free_for_all import seat_plan
from fangnetz_server.tournament.values import BotKey, History, Pairing
from support.tournaments import spec_of

MAPS = ["mansion", "marsh"]


def contest(bots: int, seats: int | None, repetitions: int, **keys: object) -> tuple[Pairing, ...]:
    options = {"repetitions": repetitions, **({"seats": seats} if seats else {})}
    spec = spec_of("free_for_all", bots, "right2live", options=options, **keys)
    return next_pairings(spec, History())


def test_all_in_one_match_play_every_map_each_repetition() -> None:
    matches = contest(6, None, 3, maps=MAPS)
    assert [match.map for match in matches] == MAPS * 3
    assert all(sorted(match.seats) == list("abcdef") for match in matches)
    assert len({match.seed for match in matches}) == 6


def test_with_all_in_one_match_the_seats_go_round() -> None:
    sat = Counter((bot, seat) for m in contest(6, None, 9, maps=MAPS) for seat, bot in enumerate(m.seats))
    assert set(sat.values()) == {3}


def test_groups_of_a_round_share_map_and_field() -> None:
    matches = contest(9, 3, 4, maps=MAPS)
    fields: dict[int, set[object]] = {}
    for match in matches:
        fields.setdefault(match.round, set()).add((match.map, match.seed))
    assert len(fields) == 8
    assert all(len(field) == 1 for field in fields.values())


@settings(max_examples=40, deadline=None)
@given(bots=st.integers(4, 16), data=st.data(), seed=st.integers(0, 99))
def test_everybody_plays_once_a_round_in_groups_of_nearly_the_same_size(
    bots: int, data: st.DataObject, seed: int
) -> None:
    groups = data.draw(st.integers(1, bots // 2))
    names = [BotKey(f"bot{number}") for number in range(bots)]
    for dealt in seat_plan(seed, names, groups, 6):
        assert sorted(bot for group in dealt for bot in group) == sorted(names)
        sizes = [len(group) for group in dealt]
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == groups


@pytest.mark.parametrize(
    ("bots", "seats", "rounds", "met_spread", "sat_spread"),
    [(12, 4, 22, 3, 2), (12, 4, 110, 4, 2), (6, 2, 5, 0, 1), (20, 5, 100, 4, 3), (16, 4, 60, 4, 2)],
)
def test_everybody_meets_everybody_and_has_every_seat_about_equally_often(
    bots: int, seats: int, rounds: int, met_spread: int, sat_spread: int
) -> None:
    names = [BotKey(f"bot{number}") for number in range(bots)]
    met: Counter[frozenset[BotKey]] = Counter({frozenset(pair): 0 for pair in combinations(names, 2)})
    sat: Counter[tuple[BotKey, int]] = Counter({(bot, seat): 0 for bot in names for seat in range(seats)})
    for dealt in seat_plan(1, names, bots // seats, rounds):
        for group in dealt:
            met.update(frozenset(pair) for pair in combinations(group, 2))
            sat.update((bot, seat) for seat, bot in enumerate(group))
    assert max(met.values()) - min(met.values()) <= met_spread
    assert max(sat.values()) - min(sat.values()) <= sat_spread


def test_the_order_of_the_entries_does_not_matter() -> None:
    names = list("qwertzuiop")
    one, other = (
        spec_of("free_for_all", order, "right2live", options={"seats": 5, "repetitions": 3})
        for order in (names, names[::-1])
    )
    assert next_pairings(one, History()) == next_pairings(other, History())


def test_with_one_bot_left_there_is_nothing_to_play() -> None:
    spec = spec_of("free_for_all", 3, "right2live")
    gone = frozenset(spec.bots()[1:])
    assert next_pairings(spec, History(withdrawn=gone)) == ()

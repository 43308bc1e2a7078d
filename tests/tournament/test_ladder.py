"""The ladder: who waited longest, then who is closest, and never the same opponent twice in a row."""

from collections import Counter

import pytest

from fangnetz_server.tournament.engine import is_complete, next_pairings
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.ratings import Rating
from fangnetz_server.tournament.standings import standings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing
from support.tournaments import duel_fact, facts_of, spec_of

A, B, C, D = (BotKey(name) for name in "abcd")


def pairs(pairings: tuple[Pairing, ...]) -> list[str]:
    return sorted("".join(sorted(p.seats)) for p in pairings if p.game == 1)


def test_bots_of_equal_strength_meet() -> None:
    strengths = {A: Rating(30, 2), B: Rating(10, 2), C: Rating(29, 2), D: Rating(12, 2)}
    assert pairs(next_pairings(spec_of("ladder", 4), History(), ratings=strengths)) == ["ac", "bd"]


def test_who_waited_longest_is_paired_before_who_fits_better() -> None:
    spec = spec_of("ladder", 3, options={"legs": 1})
    first = (Pairing("ladder", 1, 1, 1, (A, B), 1),)
    history = History(first, facts_of(first))
    strengths = {A: Rating(20, 2), B: Rating(40, 2), C: Rating(10, 2)}
    assert pairs(next_pairings(spec, history, ratings=strengths)) == ["ac"]


def test_busy_away_and_withdrawn_bots_are_left_out() -> None:
    spec = spec_of("ladder", 7)
    playing = Pairing("ladder", 1, 1, 1, (A, B), 1)
    history = History((playing,), withdrawn=frozenset({C}))
    assert pairs(next_pairings(spec, history, away={D})) in (["ef"], ["eg"], ["fg"])


def test_the_same_two_do_not_meet_again_while_others_are_there() -> None:
    spec = spec_of("ladder", 4, options={"legs": 1})
    first = (Pairing("ladder", 1, 1, 1, (A, B), 1), Pairing("ladder", 1, 2, 1, (C, D), 1))
    half = History(first, facts_of(first[:1]))
    assert next_pairings(spec, half) == ()
    assert len(next_pairings(spec, History(first, facts_of(first)))) == 2


def test_with_only_two_bots_they_meet_again_and_again() -> None:
    spec = spec_of("ladder", 2, options={"meetings": 5})
    history = History()
    while new := next_pairings(spec, history):
        history = History(history.pairings + new, history.facts + facts_of(new))
    assert Counter(p.game for p in history.pairings) == {1: 5, 2: 5}
    assert is_complete(spec, history)


@pytest.mark.parametrize("bots", [2, 3, 5, 8])
def test_a_ladder_never_stops_and_lets_nobody_wait_for_long(bots: int) -> None:
    spec = spec_of("ladder", bots, options={"legs": 1})
    history = History()
    last = dict.fromkeys(spec.bots(), 0)
    for number in range(1, 31):
        new = next_pairings(spec, history)
        assert new
        last.update({bot: number for pairing in new for bot in pairing.seats})
        assert min(last.values()) >= number - 2
        history = History(history.pairings + new, history.facts + facts_of(new))
    assert not is_complete(spec, history)


def test_the_opponents_vary() -> None:
    spec = spec_of("ladder", 8, options={"legs": 1})
    history = History()
    for _ in range(40):
        new = next_pairings(spec, history)
        history = History(history.pairings + new, history.facts + facts_of(new, coin))
    met = Counter(frozenset(p.seats) for p in history.pairings)
    assert len(met) >= 20
    assert max(met.values()) <= 20


def coin(pairing: Pairing) -> MatchFact:
    return duel_fact(pairing, pairing.seats[lot(1, "coin", pairing.id) % 2])


def test_the_table_is_sorted_by_the_strength_that_was_shown() -> None:
    spec = spec_of("ladder", 3)
    strengths = {A: Rating(20, 1), B: Rating(30, 8), C: Rating(25, 1)}
    rows = standings(spec, History(), strengths)[0].rows
    assert [(row.bot, row.place) for row in rows] == [(C, 1), (A, 2), (B, 3)]
    assert rows[0].rating == Rating(25, 1)


def test_a_newcomer_starts_at_once() -> None:
    spec = spec_of("ladder", 2)
    first = next_pairings(spec, History())
    history = History(first, facts_of(first))
    later = spec.with_entry("new")
    assert "new" in {bot for pairing in next_pairings(later, history) for bot in pairing.seats}

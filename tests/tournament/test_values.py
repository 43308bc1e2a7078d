"""History: what contradicts itself is refused, and the order of facts does not matter."""

import pytest

from fangnetz_server.tournament.values import BotKey, History, HistoryError, MatchFact, Pairing, SeatFact
from support.tournaments import duel_fact, favourite

A, B, C = BotKey("a"), BotKey("b"), BotKey("c")
FIRST = Pairing("main", 1, 1, 1, (A, B), 11)
SECOND = Pairing("main", 1, 1, 2, (B, A), 11)
LATER = Pairing("main", 2, 1, 1, (A, C), 12)
REST = Pairing("main", 1, 2, 1, (C,), 0)


def test_the_order_of_pairings_and_facts_does_not_matter() -> None:
    one = History((FIRST, SECOND, LATER), (favourite(FIRST), favourite(LATER)))
    other = History((LATER, SECOND, FIRST), (favourite(LATER), favourite(FIRST)))
    assert one.pairings == other.pairings == (FIRST, SECOND, LATER)
    assert one.results == other.results
    assert [pairing.id for pairing, _ in other.played()] == ["main.1.1.1", "main.2.1.1"]


def test_open_leaves_out_byes_and_what_has_a_result() -> None:
    history = History((FIRST, SECOND, REST), (favourite(FIRST),))
    assert history.open() == (SECOND,)


def test_a_result_without_places_leaves_the_pairing_open() -> None:
    broken = MatchFact(FIRST.id, (SeatFact(A, None, None), SeatFact(B, None, None)), "infra_error")
    assert History((FIRST,), (broken,)).open() == (FIRST,)
    assert History((FIRST,), (broken, favourite(FIRST))).open() == ()


def test_the_same_twice_is_harmless() -> None:
    history = History((FIRST, FIRST), (favourite(FIRST), favourite(FIRST)))
    assert len(history.pairings) == 1
    assert len(list(history.played())) == 1


@pytest.mark.parametrize(
    ("pairings", "facts", "problem"),
    [
        ((), (favourite(FIRST),), "pairing main.1.1.1: has a result, but was never handed out"),
        ((FIRST,), (duel_fact(FIRST, "a"), duel_fact(FIRST, "b")), "two different results"),
        ((FIRST,), (MatchFact(FIRST.id, favourite(SECOND).seats, "catch"),), "of other bots, not of a, b"),
        ((FIRST, Pairing("main", 1, 1, 1, (A, B), 99)), (), "handed out twice, with different seats"),
    ],
)
def test_contradictions_are_refused(
    pairings: tuple[Pairing, ...], facts: tuple[MatchFact, ...], problem: str
) -> None:
    with pytest.raises(HistoryError, match=problem):
        History(pairings, facts)


def test_until_round_hides_what_comes_later() -> None:
    history = History((FIRST, LATER), (favourite(FIRST), favourite(LATER)), frozenset({C}))
    shown = history.until_round(1)
    assert shown.pairings == (FIRST,)
    assert set(shown.results) == {FIRST.id}
    assert shown.withdrawn == {C}

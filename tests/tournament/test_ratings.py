"""Ratings: the published model, ties, batches that do not depend on their order, history."""

from itertools import permutations
from math import exp, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz_server.tournament.absence import Settled, disposition
from fangnetz_server.tournament.ratings import (
    NEWCOMER,
    Rating,
    rate_batch,
    rating_history,
    ratings,
    standing_of,
)
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, Presence, SeatFact
from support.tournaments import duel_fact, play, spec_of

A, B, C, D = (BotKey(name) for name in "abcd")
MU, SIGMA, BETA, TAU = 25.0, 25 / 3, 25 / 6, 25 / 300


def test_a_first_win_by_hand() -> None:
    # Weng and Lin 2011, algorithm 1 (JMLR 12, full Bradley-Terry), for two newcomers, p = 1/2:
    # c² = 2 sigma² + 2 beta²; mu rises by sigma²/c · (1 - p); sigma² shrinks by 1 - (sigma/c)³ p (1 - p).
    variance = SIGMA**2 + TAU**2
    c = sqrt(2 * variance + 2 * BETA**2)
    gain = variance / c / 2
    sigma = sqrt(variance * (1 - (sqrt(variance) / c) ** 3 / 4))
    after = rate_batch({}, [[(A, 1), (B, 2)]])
    assert after[A].mu == pytest.approx(MU + gain)
    assert after[B].mu == pytest.approx(MU - gain)
    assert after[A].sigma == after[B].sigma == pytest.approx(sigma)


def test_a_draw_moves_unequal_bots_towards_each_other() -> None:
    # p = 1 / (1 + e^((20 - 30) / c)), and the stronger loses sigma²/c · (p - 1/2).
    prior = {A: Rating(30, 4), B: Rating(20, 4)}
    variance = 16 + TAU**2
    c = sqrt(2 * variance + 2 * BETA**2)
    expected = 1 / (1 + exp(-10 / c))
    after = rate_batch(prior, [[(A, 1), (B, 1)]])
    assert 30 - after[A].mu == pytest.approx(variance / c * (expected - 0.5))
    assert after[B].mu - 20 == pytest.approx(30 - after[A].mu)


def test_equal_bots_that_tie_stay_equal() -> None:
    after = rate_batch({}, [[(A, 1), (B, 1), (C, 1), (D, 1)]])
    assert {rating.mu for rating in after.values()} == {MU}
    assert len({rating.sigma for rating in after.values()}) == 1
    assert after[A].sigma < SIGMA


@pytest.mark.parametrize("order", list(permutations([(A, 1), (B, 2), (C, 2), (D, 4)])))
def test_seats_do_not_matter(order: list[tuple[BotKey, int]]) -> None:
    after = rate_batch({}, [order])
    assert after[A].mu > after[B].mu > after[D].mu
    assert after[B].mu == pytest.approx(after[C].mu)
    assert after[B].mu == pytest.approx(MU)


@settings(deadline=None)
@given(st.permutations([(A, B), (A, C), (B, C), (A, D), (D, B)]))
def test_the_order_inside_a_batch_does_not_matter(games: list[tuple[BotKey, BotKey]]) -> None:
    prior = {A: Rating(28, 3), C: Rating(20, 5)}
    fixed = rate_batch(prior, [[(one, 1), (other, 2)] for one, other in sorted(games)])
    shuffled = rate_batch(prior, [[(one, 1), (other, 2)] for one, other in games])
    for bot, rating in fixed.items():
        assert shuffled[bot].mu == pytest.approx(rating.mu, abs=1e-12)
        assert shuffled[bot].sigma == pytest.approx(rating.sigma, abs=1e-12)


def test_a_batch_of_several_games_knows_more_than_one_game() -> None:
    one = rate_batch({}, [[(A, 1), (B, 2)]])
    three = rate_batch({}, [[(A, 1), (B, 2)]] * 3)
    assert three[A].mu > one[A].mu
    assert three[A].sigma < one[A].sigma
    assert three[A].mu - MU == pytest.approx(MU - three[B].mu)


def test_many_games_of_a_batch_do_not_run_away() -> None:
    after = rate_batch({}, [[(A, 1), (B, 2)]] * 50 + [[(A, 2), (B, 1)]] * 50)
    assert after[A].mu == pytest.approx(MU)
    assert after[A].sigma < 4


def test_the_order_of_facts_does_not_matter() -> None:
    spec = spec_of("round_robin", 5)
    history = play(spec)
    turned = History(history.pairings[::-1], history.facts[::-1])
    assert rating_history(history) == rating_history(turned)


def test_the_history_has_a_point_for_every_batch() -> None:
    spec = spec_of("round_robin", 3, options={"legs": 2})
    points = rating_history(play(spec))
    assert [(point.round, point.game) for point in points[A]] in ([(1, 1), (1, 2), (2, 1), (2, 2)],
        [(1, 1), (1, 2), (3, 1), (3, 2)], [(2, 1), (2, 2), (3, 1), (3, 2)])  # fmt: skip
    sigmas = [point.rating.sigma for point in points[A]]
    assert sigmas == sorted(sigmas, reverse=True)


def test_stronger_bots_end_higher() -> None:
    found = ratings(play(spec_of("round_robin", 5)))
    assert sorted(found, key=lambda bot: -found[bot].mu) == list("abcde")


def test_what_was_known_before_counts() -> None:
    history = play(spec_of("round_robin", 2))
    found = ratings(history, {A: Rating(40, 1), C: Rating(10, 1)})
    assert found[A].mu > 39
    assert found[C] == Rating(10, 1)


def test_walkovers_rate_nobody() -> None:
    spec = spec_of("round_robin", 2)
    pairing = Pairing("main", 1, 1, 1, (A, B), 1)
    settled = disposition(spec, pairing, {A})
    assert isinstance(settled, Settled)
    assert ratings(History((pairing,), (settled.fact,))) == {}


def test_a_forfeit_is_a_loss_but_an_empty_seat_is_none() -> None:
    seats = (
        SeatFact(A, 1.0, 1),
        SeatFact(B, 0.0, 2, Presence.FORFEITED),
        SeatFact(C, None, None, Presence.ABSENT),
    )
    assert standing_of(MatchFact(Pairing("main", 1, 1, 1, (A, B, C), 1).id, seats, "forfeit")) == [
        (A, 1),
        (B, 2),
    ]


def test_draws_all_the_way_keep_everybody_level() -> None:
    found = ratings(play(spec_of("round_robin", 4), lambda pairing: duel_fact(pairing, None)))
    assert {rating.mu for rating in found.values()} == {MU}


def test_the_strength_shown_for_sure() -> None:
    assert NEWCOMER.low == pytest.approx(0)
    assert Rating(30, 2).low == 24

"""The sequential test: published figures, hand computation, and its error rates."""

from math import log
from random import Random

import pytest

from fangnetz_server.tournament.elo import expected_score
from fangnetz_server.tournament.sprt import Decision, SprtOptions, SprtState


def test_walds_bounds() -> None:
    # Wald, Sequential Analysis: log(beta / (1 - alpha)) and log((1 - beta) / alpha); 2.944 for 5 % each.
    options = SprtOptions(alpha=0.05, beta=0.05)
    assert options.lower == pytest.approx(-2.9444, abs=1e-4)
    assert options.upper == pytest.approx(2.9444, abs=1e-4)
    assert SprtOptions(alpha=0.01, beta=0.1).upper == pytest.approx(log(90))


def test_a_published_engine_test() -> None:
    # A test page of the montytest instance of fishtest publishes, for 256 games with the pairs
    # [13, 37, 50, 25, 3] and logistic bounds of 0 and 2.716: Elo -43.6578, log-likelihood ratio
    # ("Logistic (exact)") -0.53772.
    state = SprtState(SprtOptions(elo0=0, elo1=2.716), (13, 37, 50, 25, 3))
    assert state.games == 256
    assert state.elo.elo == pytest.approx(-43.6578, abs=1e-4)
    assert state.llr == pytest.approx(-0.53772, abs=1e-4)
    assert state.decision is Decision.CONTINUE


def test_only_clean_pairs_by_hand() -> None:
    # With nothing but 60 pairs won and 40 lost by 2:0 the distribution is that of a coin, and the ratio is
    # 60 log(s1 / s0) + 40 log((1 - s1) / (1 - s0)). Outcomes not seen weigh a thousandth of a pair each.
    s0, s1 = 0.5, expected_score(50)
    state = SprtState(SprtOptions(elo0=0, elo1=50), (40, 0, 0, 0, 60))
    by_hand = 60 * log(s1 / s0) + 40 * log((1 - s1) / (1 - s0))
    assert state.llr == pytest.approx(by_hand, abs=0.01)


def test_an_unfair_field_adds_nothing() -> None:
    # Whoever sits on seat 0 wins: every pair is 1:1, and that says they are equal.
    state = SprtState(SprtOptions(elo0=0, elo1=20))
    for _ in range(5):
        state = state.add_pair(1, 0)
    assert state.pairs == (0, 0, 5, 0, 0)
    assert state.llr < 0
    assert state.elo.elo == pytest.approx(0)


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        (0, 0, (1, 0, 0, 0, 0)),
        (0.5, 0, (0, 1, 0, 0, 0)),
        (0, 0.5, (0, 1, 0, 0, 0)),
        (0.5, 0.5, (0, 0, 1, 0, 0)),
        (1, 0.5, (0, 0, 0, 1, 0)),
        (1, 1, (0, 0, 0, 0, 1)),
    ],
)
def test_pairs_are_counted_by_their_points(first: float, second: float, pairs: tuple[int, ...]) -> None:
    assert SprtState().add_pair(first, second).pairs == pairs


def test_before_the_first_pair() -> None:
    state = SprtState()
    assert (state.llr, state.decision, state.games) == (0, Decision.CONTINUE, 0)
    assert state.elo.elo is None


def test_turning_question_and_results_round_turns_the_answer_round() -> None:
    one = SprtState(SprtOptions(-10, 30), (4, 9, 20, 12, 8))
    other = SprtState(SprtOptions(-30, 10), (8, 12, 20, 9, 4))
    assert one.llr == pytest.approx(-other.llr)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"elo0": 5, "elo1": 5}, r"elo0 \(5\) must be below elo1 \(5\)"),
        ({"elo0": 0, "elo1": 5000}, "within 1000 of 0"),
        ({"elo0": float("nan")}, "must be below"),
        ({"alpha": 0}, "alpha must be between 0 and 0.5, not 0"),
        ({"beta": 0.5}, "beta must be between 0 and 0.5, not 0.5"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, float], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        SprtOptions(**options)


def test_a_score_that_no_game_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the score of a game is 0, 0\.5 or 1, not 2 and 0"):
        SprtState().add_pair(2, 0)


@pytest.mark.parametrize(("elo", "wrong"), [(0, Decision.ELO1), (100, Decision.ELO0)])
def test_it_errs_as_seldom_as_it_promises(elo: float, wrong: Decision) -> None:
    # 100 tests with an error of 5 % each: more than 11 wrong answers have a chance below 0.5 %.
    random = Random(20260)
    chance = expected_score(elo)
    answers: list[Decision] = []
    for _ in range(100):
        state = SprtState(SprtOptions(elo0=0, elo1=100))
        while state.decision is Decision.CONTINUE:
            state = state.add_pair(random.random() < chance, random.random() < chance)
        answers.append(state.decision)
    assert answers.count(wrong) <= 11

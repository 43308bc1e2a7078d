"""The numbers of R5.4 and R6."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.games.right2live.points import blue_points, forced_round, places, red_points


def test_forced_rounds_from_the_start() -> None:
    rounds, last = [], 0
    for _ in range(10):
        rounds.append(last := forced_round(last))
    assert rounds == [28, 59, 94, 133, 176, 224, 277, 336, 402, 475]


@given(st.integers(0, 10**6))
def test_a_forced_round_is_the_first_that_meets_the_condition(last_change: int) -> None:
    first = forced_round(last_change)
    assert 10 * (first - last_change) >= 250 + first
    assert 10 * (first - 1 - last_change) < 250 + first - 1


def test_the_example_with_ten_players() -> None:
    assert red_points(tick=48, last_change=28, blues=9, catchers=1) == Fraction(427, 9)
    assert red_points(tick=48, last_change=28, blues=9, catchers=2) == Fraction(427, 18)
    assert blue_points(tick=48, reds=1) == Fraction(48, 10)


def test_late_catches_are_worth_nothing_but_never_less() -> None:
    assert red_points(tick=59, last_change=28, blues=1, catchers=1) == 0
    assert red_points(tick=600, last_change=28, blues=1, catchers=1) == 0


def test_equal_points_share_a_place() -> None:
    third = Fraction(1, 3)
    assert places((third, Fraction(2), third, Fraction(0))) == (2, 1, 2, 4)
    assert places((Fraction(0),) * 3) == (1, 1, 1)
    # Exact: rounded to six decimals these two would be equal.
    assert places((third, Fraction(333333333, 10**9))) == (1, 2)

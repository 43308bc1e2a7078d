"""Elo figures against numbers worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.tournament.elo import elo_from_results, elo_of, expected_score, superiority


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (100, 0.640065), (200, 0.759747), (400, 10 / 11)])
def test_expected_scores_of_the_logistic_table(elo: float, score: float) -> None:
    assert expected_score(elo) == pytest.approx(score, abs=1e-6)
    assert expected_score(-elo) == pytest.approx(1 - score, abs=1e-6)
    assert elo_of(score) == pytest.approx(elo, abs=1e-3)


def test_eight_wins_four_draws_four_losses() -> None:
    # Score 10/16 = 0.625; Elo 400 log10(0.625 / 0.375) = 88.74.
    # Variance (8·0.375² + 4·0.125² + 4·0.625²) / 16 = 0.171875, so the error of the mean is
    # sqrt(0.171875 / 16) = 0.103644, and 0.625 ± 1.96·0.103644 is 0.421862 to 0.828138.
    # Superiority: Phi((8 - 4) / sqrt(8 + 4)) = Phi(1.1547) = 0.8759.
    found = elo_from_results(8, 4, 4)
    assert found.games == 16
    assert found.score == 0.625
    assert found.elo == pytest.approx(88.74, abs=0.01)
    assert found.low == pytest.approx(elo_of(0.421862), abs=0.01)
    assert found.high == pytest.approx(elo_of(0.828138), abs=0.01)
    assert found.superiority == pytest.approx(0.8759, abs=1e-4)


def test_draws_tell_nothing_about_superiority() -> None:
    assert superiority(8, 4) == elo_from_results(8, 1000, 4).superiority
    assert superiority(0, 0) == 0.5


@pytest.mark.parametrize("results", [(5, 0, 0), (0, 0, 5)])
def test_a_clean_sweep_has_no_number(results: tuple[int, int, int]) -> None:
    found = elo_from_results(*results)
    assert found.elo is None
    assert found.low is None
    assert found.high is None


def test_nothing_played_yet() -> None:
    found = elo_from_results(0, 0, 0)
    assert (found.games, found.elo, found.superiority) == (0, None, 0.5)


Count = st.integers(0, 500)


@given(wins=Count, draws=Count, losses=Count)
def test_turning_the_results_round_turns_the_figures_round(wins: int, draws: int, losses: int) -> None:
    one, other = elo_from_results(wins, draws, losses), elo_from_results(losses, draws, wins)
    assert one.superiority == pytest.approx(1 - other.superiority)
    if one.elo is not None and other.elo is not None:
        assert one.elo == pytest.approx(-other.elo, abs=1e-6)
        assert one.low is None or one.low <= one.elo + 1e-9
        assert one.high is None or one.high >= one.elo - 1e-9

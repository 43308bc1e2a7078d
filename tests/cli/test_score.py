"""What a series says of a bot: the numbers of its table."""

from collections.abc import Sequence

import pytest

from fangnetz_protocol.words import MatchId
from fangnetz_server.cli.score import duel_elo, score_of, share
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Presence, SeatStats


def stats(latency: float | None = 1.0, faults: int = 0) -> SeatStats:
    return SeatStats(
        applied=10,
        blocked=0,
        late=faults,
        missing=faults,
        invalid=faults,
        duplicate=0,
        latency_median_ms=latency,
        latency_p99_ms=latency,
    )


def match(*seats: tuple[str, int, float], faults: int = 0, latency: float | None = 1.0) -> MatchResult:
    """Return a result; a seat is a name, a place and points."""
    found = [
        SeatResult(number, name, name, points, place, Presence.PLAYED, stats(latency, faults))
        for number, (name, place, points) in enumerate(seats)
    ]
    return MatchResult(MatchId("m"), "any", 1, 7, "over", None, 10, tuple(found), "")


WON = match(("a", 1, 1.0), ("b", 2, 0.0))
DRAWN = match(("a", 1, 0.0), ("b", 1, 0.0))
LOST = match(("b", 1, 1.0), ("a", 2, 0.0))


def test_wins_draws_and_losses() -> None:
    score = score_of("a", [WON, DRAWN, LOST, WON], paired=False)
    assert (score.wins, score.draws, score.losses) == (2, 1, 1)
    assert score.score == 0.625
    assert score.points == 0.5


def test_a_pair_is_one_observation() -> None:
    single = score_of("a", [WON, LOST, WON, LOST], paired=False)
    pairs = score_of("a", [WON, LOST, WON, LOST], paired=True)
    assert single.error == pytest.approx(1.96 * 0.5 / 2, abs=1e-3)
    assert pairs.error == 0, "every pair is even: the field decides, and the bots are alike"


def test_latency_and_faults() -> None:
    results = [
        match(("a", 1, 0), ("b", 1, 0), faults=2, latency=3.0),
        match(("a", 1, 0), ("b", 1, 0), latency=None),
    ]
    score = score_of("a", results, paired=True)
    assert (score.latency_ms, score.faults) == (3.0, 6)
    assert score_of("a", results[1:], paired=True).latency_ms is None


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ((1, 2, 3, 4), (1, 2 / 3, 1 / 3, 0)),
        ((1, 1, 3, 3), (5 / 6, 5 / 6, 1 / 6, 1 / 6)),
        ((1, 1, 1), (0.5,) * 3),
    ],
)
def test_the_share_of_the_others_left_behind(places: Sequence[int], shares: Sequence[float]) -> None:
    result = match(*((f"bot {place} {seat}", place, 0.0) for seat, place in enumerate(places)))
    assert [share(result, seat) for seat in result.seats] == pytest.approx(shares)


def test_among_many_only_the_first_place_alone_is_a_win() -> None:
    results = [
        match(("a", 1, 9.0), ("b", 2, 1.0), ("c", 3, 0.0)),
        match(("a", 1, 5.0), ("b", 1, 5.0), ("c", 3, 0.0)),
        match(("a", 2, 1.0), ("b", 1, 5.0), ("c", 3, 0.0)),
    ]
    score = score_of("a", results, paired=False)
    assert (score.wins, score.draws, score.losses) == (1, 1, 1)
    assert score.score == pytest.approx((1 + 0.75 + 0.5) / 3)


def test_the_elo_difference_comes_from_pairs() -> None:
    assert duel_elo("a", [WON, WON, WON, LOST]).score == 0.75
    assert duel_elo("a", [WON, LOST, WON]).games == 2, "an odd last one adds no pair"
    assert duel_elo("a", [WON]).games == 1

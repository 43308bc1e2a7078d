"""Tables: points, tie-breaks in their order, shared places, and textbook figures computed by hand."""

from typing import Any

import pytest

from fangnetz_server.tournament.absence import Settled, disposition, with_absent_seats
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.options import TieBreak
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import MapMean, Row, standings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, Presence, SeatFact
from support.tournaments import duel_fact, facts_of, favourite, play, play_round, spec_of


def table(spec: TournamentSpec, history: History) -> list[Row]:
    return list(standings(spec, history)[0].rows)


def places(spec: TournamentSpec, history: History) -> list[tuple[int, str]]:
    return [(row.place, row.bot) for row in table(spec, history)]


def asked(row: Row) -> dict[str, float]:
    return {str(name): value for name, value in row.tie_breaks}


def games(*results: str) -> History:
    """Return a history of single games: "a>b" is a win of a, "a=b" a draw, each in a round of its own."""
    pairings, facts = [], []
    for number, result in enumerate(results, start=1):
        one, sign, other = tuple(result)
        pairing = Pairing("main", number, 1, 1, (BotKey(one), BotKey(other)), 1)
        pairings.append(pairing)
        facts.append(duel_fact(pairing, one if sign == ">" else None))
    return History(tuple(pairings), tuple(facts))


def robin(bots: int, *tie_breaks: str, **keys: Any) -> TournamentSpec:
    return spec_of("round_robin", bots, tie_breaks=list(tie_breaks), **keys)


DOUBLE_ROUND = games(
    "a>b", "a>c", "a>d", "b>c", "b>d", "c>d",
    "b>a", "a>c", "d>a", "c>b", "b>d", "c>d",
)  # fmt: skip
"""Sensei's Library, page "Sonneborn-Berger": A and B have 4 wins each, C has 3, D has 1."""


def test_sonneborn_berger_of_a_double_round() -> None:
    # The page's figures: A 4+3+3+1 = 11, B 4+3+1+1 = 9; so A is first.
    rows = table(robin(4, "sonneborn_berger"), DOUBLE_ROUND)
    assert [(row.place, row.bot, row.points) for row in rows] == [
        (1, "a", 4.0), (2, "b", 4.0), (3, "c", 3.0), (4, "d", 1.0)
    ]  # fmt: skip
    assert [asked(row) for row in rows] == [{"sonneborn_berger": 11.0}, {"sonneborn_berger": 9.0}, {}, {}]


def test_sonneborn_berger_counts_draws_half() -> None:
    # By hand: a 2 points (beat c, drew b and d), b 2 (beat d, drew a and c), c 1 (drew b and d),
    # d 1 (drew a and c). a: 1 + 2/2 + 1/2 = 2.5; b: 1 + 2/2 + 1/2 = 2.5; c: 2/2 + 1/2 = 1.5 = d.
    history = games("a>c", "a=b", "a=d", "b>d", "b=c", "c=d")
    rows = table(robin(4, "sonneborn_berger"), history)
    assert [(row.place, row.bot, asked(row)["sonneborn_berger"]) for row in rows] == [
        (1, "a", 2.5), (1, "b", 2.5), (3, "c", 1.5), (3, "d", 1.5)
    ]  # fmt: skip
    assert all(row.shared for row in rows)


def test_buchholz_adds_up_the_opponents() -> None:
    history = games("a>c", "b>f", "d>e", "a>e", "b>d", "a>b", "d>c", "e>c")
    rows = table(spec_of("swiss", 6, options={"rounds": 3}, tie_breaks=["buchholz"]), history)
    # By hand: a has 3 points, b and d 2, e 1, c and f 0. The opponents of b are f, d and a with 0 + 2 + 3,
    # those of d are e, b and c with 1 + 2 + 0, of c a, d and e with 3 + 2 + 1, of f only b with 2.
    assert [(row.place, row.bot, row.points) for row in rows] == [
        (1, "a", 3.0), (2, "b", 2.0), (3, "d", 2.0), (4, "e", 1.0), (5, "c", 0.0), (6, "f", 0.0)
    ]  # fmt: skip
    assert [asked(row).get("buchholz") for row in rows] == [None, 5.0, 3.0, None, 6.0, 2.0]


def test_a_bye_counts_in_buchholz_like_an_opponent_of_ones_own_strength() -> None:
    spec = spec_of("swiss", 3, options={"rounds": 1, "legs": 1}, tie_breaks=["buchholz"])
    rows = table(spec, play(spec))
    # a beat b, who has 0; c had the bye and so met "itself" with 1 point.
    assert [(row.bot, row.points, asked(row).get("buchholz")) for row in rows] == [
        ("c", 1.0, 1.0), ("a", 1.0, 0.0), ("b", 0.0, None)
    ]  # fmt: skip
    assert [row.byes for row in rows] == [1, 0, 0]


def test_head_to_head_looks_only_at_the_games_among_the_level() -> None:
    # a, b and c have 2 points each; among them a won 1, b 1, c 1, so it decides nothing there; d is last.
    circle = games("a>b", "b>c", "c>a", "a>d", "b>d", "c>d")
    assert places(robin(4, "head_to_head"), circle) == [(1, "a"), (1, "b"), (1, "c"), (4, "d")]
    # a and b are level with 1.5, and b won their game.
    pair = games("b>a", "a>c", "a=d", "b=c", "d>b", "c=d")
    assert places(robin(4, "head_to_head"), pair)[1:3] == [(2, "b"), (3, "a")]


def test_head_to_head_says_nothing_if_not_all_have_met() -> None:
    history = games("b>a", "a>d", "c>d")
    assert places(robin(4, "head_to_head"), history) == [(1, "a"), (1, "b"), (1, "c"), (4, "d")]


def test_more_wins_before_more_draws() -> None:
    history = games("a=c", "a=d", "b>c", "d>b")
    rows = table(robin(4, "wins"), history)
    assert [(row.place, row.bot) for row in rows] == [(1, "d"), (2, "b"), (3, "a"), (4, "c")]


def test_fewer_faults_come_first_and_are_shown_as_a_count() -> None:
    pairing = Pairing("main", 1, 1, 1, (BotKey("a"), BotKey("b")), 1)
    history = History((pairing,), (duel_fact(pairing, None, {"a": 3, "b": 1}),))
    rows = table(robin(2, "fewer_faults"), history)
    assert [(row.bot, row.faults, asked(row)) for row in rows] == [
        ("b", 1, {"fewer_faults": 1.0}), ("a", 3, {"fewer_faults": 3.0})
    ]  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_the_lot_leaves_nobody_level(seed: int) -> None:
    rows = table(robin(4, "lot", seed=seed), History())
    assert [row.place for row in rows] == [1, 2, 3, 4]
    drawn = sorted("abcd", key=lambda bot: -lot(seed, "tie", bot))
    assert [row.bot for row in rows] == drawn


def test_tie_breaks_are_asked_in_the_order_that_the_host_set() -> None:
    history = games("a=c", "a=d", "b>c", "d>b")
    one = robin(4, "wins", "sonneborn_berger")
    other = robin(4, "sonneborn_berger", "wins")
    # a has 1 point by two draws (with c ½, d 1½: ½·½ + ½·1½ = 1), b by one win (against c: ½).
    assert [bot for _, bot in places(one, history)][1:3] == ["b", "a"]
    assert [bot for _, bot in places(other, history)][1:3] == ["a", "b"]


def test_later_tie_breaks_split_only_what_earlier_ones_left_level() -> None:
    history = games("a>d", "b>d", "c>d", "a>b")
    rows = table(robin(4, "head_to_head", "wins"), history)
    assert [(row.place, row.bot) for row in rows] == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


def test_points_are_what_the_host_says() -> None:
    history = games("a>b", "a=b", "b>a")
    spec = robin(2, points={"win": 3.0, "draw": 1.0, "loss": 0.25})
    assert [row.points for row in table(spec, history)] == [4.25, 4.25]
    own = robin(2, points={"source": "game"})
    assert [row.points for row in table(own, history)] == [1.0, 1.0]


def test_wins_draws_losses_and_absences_are_counted() -> None:
    spec = robin(2)
    lost = Pairing("main", 9, 1, 1, (BotKey("a"), BotKey("b")), 1)
    settled = disposition(spec, lost, {BotKey("b")})
    assert isinstance(settled, Settled)
    history = games("a>b", "a=b", "b>a")
    history = History((*history.pairings, lost), (*history.facts, settled.fact), frozenset({BotKey("b")}))
    a, b = table(spec, history)
    assert (a.played, a.wins, a.draws, a.losses, a.absences, a.withdrawn) == (4, 2, 1, 1, 0, False)
    assert (b.played, b.wins, b.draws, b.losses, b.absences, b.withdrawn) == (4, 1, 1, 2, 1, True)


def test_nobody_has_played_yet() -> None:
    assert places(robin(3, "wins"), History()) == [(1, "a"), (1, "b"), (1, "c")]


def test_a_round_that_is_not_released_does_not_show() -> None:
    spec = spec_of("swiss", 4, options={"rounds": 2, "legs": 1}, staged_release=True)
    history = play_round(spec, play_round(spec, History()))
    assert [row.played for row in table(spec, history.until_round(1))] == [1, 1, 1, 1]


# Contests


def contest_fact(pairing: Pairing, points: dict[str, float]) -> MatchFact:
    order = sorted(points.values(), reverse=True)
    seats = (SeatFact(bot, points[bot], 1 + order.index(points[bot])) for bot in pairing.seats)
    return MatchFact(pairing.id, tuple(seats), "no_blue_left")


def contest(*results: tuple[str, dict[str, float]]) -> History:
    pairings, facts = [], []
    for number, (map_name, points) in enumerate(results, start=1):
        pairing = Pairing("main", number, 1, 1, tuple(map(BotKey, sorted(points))), 1, map_name)
        pairings.append(pairing)
        facts.append(contest_fact(pairing, points))
    return History(tuple(pairings), tuple(facts))


CONTEST = contest(
    ("marsh", {"a": 10.0, "b": 4.0}),
    ("marsh", {"a": 11.0, "b": 7.0}),
    ("marsh", {"a": 9.0, "b": 1.5}),
    ("pocket", {"a": 1.0, "b": 8.0}),
)


def test_a_contest_sums_the_means_of_the_maps() -> None:
    # a: 30/3 + 1 = 11; b: 12.5/3 + 8 = 12.1666…, although a has more points in all.
    rows = table(spec_of("free_for_all", 2, "right2live", maps=["marsh", "pocket"]), CONTEST)
    assert [(row.place, row.bot, row.points) for row in rows] == [
        (1, "b", pytest.approx(12.5 / 3 + 8)), (2, "a", 11.0)
    ]  # fmt: skip
    assert rows[1].maps == (MapMean("marsh", 10.0, 3), MapMean("pocket", 1.0, 1))
    assert (rows[1].wins, rows[1].losses, rows[1].played) == (3, 1, 4)


def test_an_empty_seat_counts_with_no_points() -> None:
    spec = spec_of("free_for_all", 3, "right2live")
    (pairing,) = next_pairings(spec, History())
    played = {
        bot: seat for bot, seat in zip(pairing.seats, favourite(pairing).seats, strict=True) if bot != "b"
    }
    history = History((pairing,), (with_absent_seats(pairing, played, "no_blue_left"),))
    rows = {row.bot: row for row in table(spec, history)}
    assert (rows[BotKey("b")].points, rows[BotKey("b")].played, rows[BotKey("b")].absences) == (0.0, 1, 1)


@pytest.mark.parametrize(
    ("tie_break", "first"), [("wins", "a"), ("head_to_head", "a"), ("fewer_faults", "b")]
)
def test_tie_breaks_of_contests(tie_break: str, first: str) -> None:
    history = contest(
        ("marsh", {"a": 2.0, "b": 1.0}), ("marsh", {"a": 2.0, "b": 1.0}), ("marsh", {"a": 0.0, "b": 2.0})
    )
    last = history.facts[-1]
    late = SeatFact(BotKey("a"), 0.0, 2, Presence.PLAYED, faults=1)
    facts = (*history.facts[:-1], MatchFact(last.pairing, (late, last.seats[1]), last.reason))
    spec = spec_of("free_for_all", 2, "right2live", tie_breaks=[tie_break])
    rows = table(spec, History(history.pairings, facts))
    assert rows[0].points == rows[1].points
    assert rows[0].bot == first
    assert list(asked(rows[0])) == [tie_break]


def test_the_lot_decides_a_contest_too() -> None:
    history = contest(("marsh", {"a": 1.0, "b": 1.0}))
    spec = spec_of("free_for_all", 2, "right2live", tie_breaks=["lot"])
    assert [row.place for row in table(spec, history)] == [1, 2]


def test_every_tie_break_has_a_unit_to_show() -> None:
    history = games("a>b", "b>a")
    for name in TieBreak:
        rows = table(robin(2, str(name)), history)
        assert list(asked(rows[0])) == [name]
        assert 0 <= asked(rows[0])[name] <= 2


def test_sums_are_exact_whatever_the_order() -> None:
    points = {"a": 0.1, "b": 0.2}
    history = contest(*[("marsh", points)] * 10)
    shuffled = History(history.pairings[::-1], history.facts[3:] + history.facts[:3])
    spec = spec_of("free_for_all", 2, "right2live")
    assert table(spec, history) == table(spec, shuffled)
    assert table(spec, history)[1].points == 0.1


def test_facts_of_a_running_round_count_at_once() -> None:
    spec = spec_of("swiss", 4, options={"rounds": 2, "legs": 2})
    first = next_pairings(spec, History())
    rows = table(spec, History(first, facts_of(first[:1])))
    assert sorted(row.played for row in rows) == [0, 0, 1, 1]

"""Brackets: who meets whom, best of n, byes, places, withdrawals and corrections."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz_server.tournament.absence import Settled, disposition
from fangnetz_server.tournament.engine import is_complete, next_pairings
from fangnetz_server.tournament.knockout import seed_order
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import standings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing
from support.tournaments import Judge, duel_fact, facts_of, favourite, play, play_round, spec_of

ONE = {"best_of": 1}


def meetings(pairings: Sequence[Pairing]) -> list[str]:
    """Return "stage round: ab", or "a" for a bye, without repeats."""
    found = (f"{p.stage} {p.round}: {''.join(sorted(p.seats))}" for p in pairings)
    return list(dict.fromkeys(found))


def places(spec: TournamentSpec, history: History) -> list[tuple[int, str]]:
    return [(row.place, row.bot) for row in standings(spec, history)[0].rows]


def upset(*winners: str) -> Judge:
    """Let these bots win their next meetings, in this order of pairs; otherwise the first in the alphabet."""

    def judge(pairing: Pairing) -> MatchFact:
        return duel_fact(pairing, next((bot for bot in winners if bot in pairing.seats), min(pairing.seats)))

    return judge


def test_the_order_of_seeds() -> None:
    assert seed_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_a_bracket_of_eight() -> None:
    spec = spec_of("knockout", 8, options=ONE)
    assert meetings(play(spec).pairings) == [
        "knockout 1: ah", "knockout 1: de", "knockout 1: bg", "knockout 1: cf",
        "knockout 2: ad", "knockout 2: bc",
        "knockout 3: ab", "third 3: cd",
    ]  # fmt: skip


def test_places_of_a_bracket_of_eight() -> None:
    spec = spec_of("knockout", 8, options=ONE)
    assert places(spec, play(spec)) == [
        (1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (5, "f"), (5, "g"), (5, "h")
    ]  # fmt: skip


def test_without_a_match_for_third_place_it_is_shared() -> None:
    spec = spec_of("knockout", 4, options={**ONE, "third_place": False})
    assert places(spec, play(spec)) == [(1, "a"), (2, "b"), (3, "c"), (3, "d")]


def test_the_best_seeds_get_the_byes() -> None:
    spec = spec_of("knockout", 5, options=ONE)
    first = next_pairings(spec, History())
    assert meetings(first)[:4] == ["knockout 1: a", "knockout 1: de", "knockout 1: b", "knockout 1: c"]
    # b and c have no one to wait for and meet at once.
    assert meetings(first)[4:] == ["knockout 2: bc"]


def test_while_it_runs_who_is_still_in_comes_first() -> None:
    spec = spec_of("knockout", 4, options=ONE)
    history = play_round(spec, History())
    assert places(spec, history) == [(1, "a"), (1, "b"), (1, "c"), (1, "d")]
    history = play_round(spec, History(history.pairings, history.facts), upset("d"))
    assert places(spec, history) == [(1, "a"), (2, "b"), (3, "d"), (4, "c")]


def test_best_of_three_stops_when_it_is_decided() -> None:
    spec = spec_of("knockout", 2, options={"best_of": 3})
    first = next_pairings(spec, History())
    assert [p.game for p in first] == [1, 2]
    swept = History(first, tuple(duel_fact(p, "b") for p in first))
    assert is_complete(spec, swept)
    shared = History(first, (duel_fact(first[0], "a"), duel_fact(first[1], "b")))
    third = next_pairings(spec, shared)
    assert [p.game for p in third] == [3]


def test_draws_lead_to_another_pair_and_then_the_better_seed_goes_on() -> None:
    spec = spec_of("knockout", 2, options={"best_of": 1, "extra_pairs": 1})
    history = play(spec, lambda pairing: duel_fact(pairing, None))
    assert [p.game for p in history.pairings] == [1, 2, 3]
    assert history.pairings[1].seed == history.pairings[2].seed
    assert places(spec, history) == [(1, "a"), (2, "b")]


def test_an_extra_pair_is_played_to_its_end() -> None:
    spec = spec_of("knockout", 2, options={"best_of": 2, "extra_pairs": 2})

    def judge(pairing: Pairing) -> MatchFact:
        return duel_fact(pairing, {3: "b", 4: "a", 5: "b"}.get(pairing.game))

    history = play(spec, judge)
    assert [p.game for p in history.pairings] == [1, 2, 3, 4, 5, 6]
    assert places(spec, history)[0] == (1, "b")


def test_withdrawn_bots_hand_their_opponents_a_bye() -> None:
    spec = spec_of("knockout", 4, options=ONE)
    history = play_round(spec, History())
    gone = History(history.pairings, history.facts, frozenset({BotKey("b")}))
    assert meetings(next_pairings(spec, gone)) == ["third 2: cd", "knockout 2: a"]
    finished = play_round(spec, gone)
    assert places(spec, finished) == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert is_complete(spec, finished)


def test_who_withdraws_during_a_meeting_loses_it() -> None:
    spec = spec_of("knockout", 2, options={"best_of": 3})
    first = next_pairings(spec, History())
    gone = frozenset({BotKey("a")})
    half = History(first, (duel_fact(first[0], "a"),), gone)
    assert next_pairings(spec, half) == ()
    assert not is_complete(spec, half)
    settled = disposition(spec, first[1], gone)
    assert isinstance(settled, Settled)
    history = History(first, (*half.facts, settled.fact), gone)
    assert is_complete(spec, history)
    assert places(spec, history) == [(1, "b"), (2, "a")]


def test_a_correction_does_not_change_pairings_that_were_handed_out() -> None:
    spec = spec_of("knockout", 4, options={**ONE, "third_place": False})
    history = play_round(spec, play_round(spec, History()))
    assert meetings(history.pairings)[-1] == "knockout 2: ab"
    semifinal, others = history.pairings[0], history.facts[1:]
    assert semifinal.seats in (("a", "d"), ("d", "a"))
    corrected = History(history.pairings, (duel_fact(semifinal, "d"), *others))
    assert next_pairings(spec, corrected) == ()
    assert is_complete(spec, corrected)


def test_double_elimination_of_four() -> None:
    spec = spec_of("double_elimination", 4, options=ONE)
    history = play(spec)
    assert meetings(history.pairings) == [
        "winners 1: ad", "winners 1: bc",
        "losers 2: cd", "winners 2: ab",
        "losers 3: bc",
        "final 4: ab",
    ]  # fmt: skip
    assert places(spec, history) == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]


def test_the_second_final_is_played_only_if_the_first_makes_it_necessary() -> None:
    def judge(pairing: Pairing) -> MatchFact:
        return duel_fact(pairing, "b" if pairing.stage == "final" else min(pairing.seats))

    spec = spec_of("double_elimination", 4, options=ONE)
    history = play(spec, judge)
    assert meetings(history.pairings)[-2:] == ["final 4: ab", "final 5: ab"]
    assert places(spec, history)[:2] == [(1, "b"), (2, "a")]
    without = spec_of("double_elimination", 4, options={**ONE, "reset": False})
    history = play(without, judge)
    assert meetings(history.pairings)[-1] == "final 4: ab"
    assert places(without, history)[:2] == [(1, "b"), (2, "a")]


def test_old_opponents_meet_late_in_the_losers_bracket() -> None:
    spec = spec_of("double_elimination", 16, options=ONE)
    met = Counter(
        frozenset(p.seats) for p in play(spec).pairings if p.round <= 5 and not p.is_bye and p.game == 1
    )
    assert set(met.values()) == {1}


@settings(max_examples=80, deadline=None)
@given(
    kind=st.sampled_from(["knockout", "double_elimination"]),
    bots=st.integers(2, 12),
    best_of=st.integers(1, 4),
    extra=st.integers(0, 2),
    seed=st.integers(0, 30),
)
def test_any_bracket_ends_with_one_champion(
    kind: str, bots: int, best_of: int, extra: int, seed: int
) -> None:
    spec = spec_of(kind, bots, options={"best_of": best_of, "extra_pairs": extra}, seed=seed)

    def judge(pairing: Pairing) -> MatchFact:
        pick = lot(seed, "test", pairing.id) % 3
        return duel_fact(pairing, None if pick == 2 else pairing.seats[pick])

    history = play(spec, judge)
    assert is_complete(spec, history)
    table = standings(spec, history)[0].rows
    assert [row.place for row in table].count(1) == 1
    assert sorted(row.bot for row in table) == sorted(spec.bots())
    lost = Counter(
        _loser(spec, history, key) for key in {(p.stage, p.round, p.table) for p in history.pairings}
    )
    allowed = 1 if kind == "knockout" else 2
    assert lost[table[0].bot] < allowed


def _loser(spec: TournamentSpec, history: History, key: tuple[str, int, int]) -> BotKey | None:
    """Return who lost a meeting by points, or by seeding if level; None for a bye."""
    games = [p for p in history.pairings if (p.stage, p.round, p.table) == key]
    if games[0].is_bye:
        return None
    points = dict.fromkeys(games[0].seats, 0.0)
    for game in games:
        seats = history.results[game.id].seats
        winners = [seat.bot for seat in seats if seat.place == 1]
        for bot in winners:
            points[bot] += 1 / len(winners)
    seeding = spec.bots()
    return min(points, key=lambda bot: (points[bot], -seeding.index(bot)))


def test_a_played_bracket_stays_as_it_is() -> None:
    spec = spec_of("double_elimination", 6)
    history = play(spec)
    assert next_pairings(spec, History(history.pairings, facts_of(history.pairings, favourite))) == ()


@pytest.mark.parametrize("kind", ["knockout", "double_elimination"])
def test_all_withdrawn_ends_it(kind: str) -> None:
    spec = spec_of(kind, 4)
    assert is_complete(spec, History(withdrawn=frozenset(spec.bots())))

"""Swiss rounds: named cases and the rules that hold for any results."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fangnetz_server.tournament.absence import Settled, disposition
from fangnetz_server.tournament.engine import is_complete, next_pairings
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.swiss import contenders, next_round
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing
from support.tournaments import Judge, duel_fact, facts_of, play, play_round, spec_of


def tables(pairings: Sequence[Pairing]) -> list[str]:
    """Return "ab", "cd", … for the first games of a round, and "e" for a bye."""
    return ["".join(sorted(pairing.seats)) for pairing in pairings if pairing.game == 1]


def last_round(history: History) -> list[Pairing]:
    number = max(pairing.round for pairing in history.pairings)
    return [pairing for pairing in history.pairings if pairing.round == number]


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    spec = spec_of("swiss", 8, options={"rounds": 3})
    assert tables(next_pairings(spec, History())) == ["ae", "bf", "cg", "dh"]


def test_the_second_round_pairs_winners_with_winners() -> None:
    spec = spec_of("swiss", 8, options={"rounds": 3})
    history = play_round(spec, play_round(spec, History()))
    assert tables(last_round(history)) == ["ac", "bd", "eg", "fh"]


def test_the_bye_goes_to_the_last_of_the_lowest() -> None:
    spec = spec_of("swiss", 5, options={"rounds": 4})
    history = play_round(spec, History())
    assert tables(last_round(history))[-1] == "e"
    history = play_round(spec, history)
    # c and d lost their games (a and b won them), e has the points of its bye: d is last of the lowest.
    assert tables(last_round(history))[-1] == "d"


def test_nobody_rests_twice_even_where_a_bye_scores_nothing() -> None:
    spec = spec_of("swiss", 5, options={"rounds": 5}, points={"bye": 0.0})
    resting = [pairing.seats[0] for pairing in play(spec).pairings if pairing.is_bye]
    assert sorted(resting) == list("abcde")


def test_a_bye_scores_as_many_wins_as_a_meeting_has_games() -> None:
    spec = spec_of("swiss", 3, options={"rounds": 1, "legs": 4})
    history = play_round(spec, History())
    points = {entry.bot: entry.micro / 1_000_000 for entry in contenders(spec, history)}
    assert points == {"a": 4.0, "c": 4.0, "b": 0.0}


def test_a_bye_scores_what_the_host_says() -> None:
    spec = spec_of("swiss", 3, options={"rounds": 1, "legs": 2}, points={"bye": 0.5})
    history = play_round(spec, History())
    assert {entry.bot: entry.micro for entry in contenders(spec, history)}[BotKey("c")] == 1_000_000


def test_who_got_points_from_an_absent_opponent_does_not_get_the_bye_too() -> None:
    spec = spec_of("swiss", 5, options={"rounds": 2, "legs": 1})
    entries = contenders(spec, History())
    assert next_round(1, 1, entries, odd_games=True)[-1].one.bot == "e"
    first = next_pairings(spec, History())
    assert tables(first) == ["ac", "bd", "e"]
    settled = disposition(spec, first[1], {BotKey("b")})
    assert isinstance(settled, Settled)
    gifts = {entry.bot: entry.gifts for entry in contenders(spec, History(first, (settled.fact,)))}
    assert gifts == {"a": 0, "b": 0, "c": 0, "d": 1, "e": 0}
    entries[-1].gifts = 1
    assert next_round(1, 1, entries, odd_games=True)[-1].one.bot == "d"


def test_withdrawn_bots_are_never_paired() -> None:
    spec = spec_of("swiss", 6, options={"rounds": 3})
    history = play_round(spec, History())
    history = History(history.pairings, history.facts, frozenset({BotKey("a"), BotKey("f")}))
    assert sorted("".join(tables(next_pairings(spec, history)))) == ["b", "c", "d", "e"]


def test_a_newcomer_is_paired_from_the_next_round_on() -> None:
    spec = spec_of("swiss", 6, options={"rounds": 3})
    history = play_round(spec, History())
    later = spec.with_entry("z")
    assert "z" in "".join(tables(next_pairings(later, history)))


def test_the_next_round_waits_for_the_last_result() -> None:
    spec = spec_of("swiss", 4, options={"rounds": 2, "legs": 1})
    first = next_pairings(spec, History())
    assert next_pairings(spec, History(first, facts_of(first[:1]))) == ()
    assert len(next_pairings(spec, History(first, facts_of(first)))) == 2


def test_with_one_bot_left_the_tournament_is_over() -> None:
    spec = spec_of("swiss", 3, options={"rounds": 3})
    history = play_round(spec, History())
    history = History(history.pairings, history.facts, frozenset({BotKey("a"), BotKey("b")}))
    assert is_complete(spec, history)


def test_where_only_rematches_are_left_one_is_played() -> None:
    # Six bots, three rounds inside two sets of three who each met all of the other set: what is left
    # are two triangles, and those have no rematch-free round.
    spec = spec_of("swiss", 6, options={"rounds": 4, "legs": 1})
    pairs = ["ad", "be", "cf", "ae", "bf", "cd", "af", "bd", "ce"]
    pairings = tuple(
        Pairing("main", 1 + number // 3, 1 + number % 3, 1, (BotKey(pair[0]), BotKey(pair[1])), 1)
        for number, pair in enumerate(pairs)
    )
    history = History(pairings, facts_of(pairings))
    fourth = tables(next_pairings(spec, history))
    assert sum(pair in pairs for pair in fourth) == 1
    assert len(fourth) == 3


def test_bots_do_not_float_the_same_way_twice_where_it_can_be_helped() -> None:
    # a, b, c have one point each, d and e none: one of the three has to go down.
    spec = spec_of("swiss", 6, options={"rounds": 3, "legs": 1})
    entries = contenders(spec, History())
    for entry in entries[:3]:
        entry.micro = 1_000_000
    assert [t.one.bot for t in next_round(1, 3, entries, odd_games=False)][:2] == ["a", "c"]
    entries[2].floats = (1, 0)
    meetings = next_round(1, 3, entries, odd_games=False)
    down = [t.one.bot for t in meetings if t.other and t.one.micro > t.other.micro]
    assert down == ["b"]


def test_seats_alternate_where_a_meeting_has_one_game() -> None:
    spec = spec_of("swiss", 8, options={"rounds": 7, "legs": 1})
    balance: Counter[BotKey] = Counter()
    for pairing in play(spec).pairings:
        balance[pairing.seats[0]] += 1
        balance[pairing.seats[1]] -= 1
    assert max(map(abs, balance.values())) <= 1


Outcomes = st.lists(st.integers(0, 2), min_size=1, max_size=40)


def judge_by(outcomes: Sequence[int], seed: int) -> Judge:
    def judge(pairing: Pairing) -> MatchFact:
        pick = outcomes[lot(seed, "test", pairing.id) % len(outcomes)]
        return duel_fact(pairing, None if pick == 2 else pairing.seats[pick])

    return judge


@settings(max_examples=60, deadline=None)
@given(
    bots=st.integers(2, 13),
    legs=st.integers(1, 3),
    outcomes=Outcomes,
    seed=st.integers(0, 9),
    bye=st.sampled_from([None, 0.0]),
)
def test_rules_that_hold_for_any_results(
    bots: int, legs: int, outcomes: list[int], seed: int, bye: float | None
) -> None:
    # Up to half of all possible rounds a rematch-free one always exists (Dirac).
    rounds = max(1, bots // 2)
    points = {} if bye is None else {"bye": bye}
    spec = spec_of("swiss", bots, options={"rounds": rounds, "legs": legs}, seed=seed, points=points)
    history = play(spec, judge_by(outcomes, seed))
    met = Counter(frozenset(p.seats) for p in history.pairings if p.game == 1 and not p.is_bye)
    byes = Counter(p.seats[0] for p in history.pairings if p.is_bye)
    seated = Counter(bot for p in history.pairings if p.game == 1 for bot in p.seats)
    assert all(count == 1 for count in met.values()), "a rematch"
    assert all(count == 1 for count in byes.values()), "two byes"
    assert sum(byes.values()) == rounds * (bots % 2)
    assert set(seated.values()) == {rounds}
    assert is_complete(spec, history)


@pytest.mark.parametrize("legs", [1, 2])
def test_a_round_of_200_is_a_whole_round(legs: int) -> None:
    spec = spec_of("swiss", 200, options={"rounds": 3, "legs": legs})
    history = play(spec)
    seated = Counter(bot for pairing in history.pairings for bot in pairing.seats)
    assert len(seated) == 200
    assert set(seated.values()) == {3 * legs}

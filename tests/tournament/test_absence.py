"""Pairings whose bots are not all there."""

from collections.abc import Iterable

from fangnetz_server.tournament.absence import Play, Settled, disposition, long_absent, with_absent_seats
from fangnetz_server.tournament.scores import LOSS, WIN, duel
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, Presence, SeatFact
from support.tournaments import favourite, spec_of

A, B, C = BotKey("a"), BotKey("b"), BotKey("c")
DUEL = Pairing("main", 1, 1, 1, (A, B), 1)
CONTEST = Pairing("main", 1, 1, 1, (A, B, C), 1)

WALKOVER_OF_B = MatchFact(
    CONTEST.id,
    (SeatFact(A, 1.0, 1), SeatFact(B, 0.0, 3, Presence.ABSENT), SeatFact(C, 1.0, 1)),
    "walkover",
)


def settle(pairing: Pairing, absent: Iterable[BotKey]) -> MatchFact:
    kind = "round_robin" if len(pairing.seats) == 2 else "free_for_all"
    settled = disposition(spec_of(kind, 3, "right2live"), pairing, set(absent))
    assert isinstance(settled, Settled)
    return settled.fact


def test_a_duel_with_both_there_is_played() -> None:
    assert disposition(spec_of("round_robin", 2), DUEL, {C}) == Play((0, 1))


def test_the_one_who_is_there_wins() -> None:
    fact = settle(DUEL, {A})
    assert fact.reason == "walkover"
    assert fact.counts
    assert [(s.bot, s.points, s.place, s.presence) for s in fact.seats] == [
        (A, 0.0, 2, Presence.ABSENT),
        (B, 1.0, 1, Presence.PLAYED),
    ]
    assert duel(fact) == (LOSS, WIN)


def test_two_who_are_absent_both_lose() -> None:
    fact = settle(DUEL, {A, B})
    assert fact.counts
    assert duel(fact) == (LOSS, LOSS)


def test_a_contest_is_played_without_the_absent() -> None:
    spec = spec_of("free_for_all", 3, "right2live")
    assert disposition(spec, CONTEST, {B}) == Play((0, 2))
    assert disposition(spec, CONTEST, {B}, min_seats=3) == Settled(WALKOVER_OF_B)


def test_a_contest_with_one_bot_is_a_walkover() -> None:
    fact = settle(CONTEST, {A, C})
    assert [seat.place for seat in fact.seats] == [2, 1, 2]


def test_the_result_of_a_contest_gets_its_empty_seats_back() -> None:
    played = {C: SeatFact(C, 3.5, 1), A: SeatFact(A, 1.0, 2)}
    fact = with_absent_seats(CONTEST, played, "no_blue_left")
    assert [seat.bot for seat in fact.seats] == [A, B, C]
    assert fact.seats[1] == SeatFact(B, None, None, Presence.ABSENT)
    assert History((CONTEST,), (fact,)).open() == ()


def test_who_misses_many_games_in_a_row_counts_as_gone() -> None:
    spec = spec_of("round_robin", 2, absence={"withdraw_after": 2})
    games = tuple(Pairing("main", number, 1, 1, (A, B), 1) for number in (1, 2, 3))
    missed = tuple(settle(Pairing("main", n, 1, 1, (A, B), 1), {A}) for n in (1, 2, 3))
    assert long_absent(spec, History(games, missed[:1])) == frozenset()
    assert long_absent(spec, History(games, missed[:2])) == {A}
    came_back = (missed[0], missed[1], favourite(games[2]))
    assert long_absent(spec, History(games, came_back)) == frozenset()
    assert long_absent(spec, History(games, missed, frozenset({A}))) == frozenset()


def test_the_host_can_switch_that_off() -> None:
    spec = spec_of("round_robin", 2, absence={"withdraw_after": 0})
    assert long_absent(spec, History((DUEL,), (settle(DUEL, {A}),))) == frozenset()

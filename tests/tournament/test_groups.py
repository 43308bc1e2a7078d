"""Group stage and knock-out."""

from collections import Counter

import pytest

from fangnetz_server.tournament.engine import is_complete, next_pairings
from fangnetz_server.tournament.groups import group_members, qualified
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.options import GroupsOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import standings
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing
from support.tournaments import Judge, duel_fact, play, play_round, spec_of


def by_lot(seed: int) -> Judge:
    def judge(pairing: Pairing) -> MatchFact:
        return duel_fact(pairing, pairing.seats[lot(seed, "test", pairing.id) % 2])

    return judge


def options_of(spec: TournamentSpec) -> GroupsOptions:
    assert isinstance(spec.format, GroupsOptions)
    return spec.format


def test_groups_are_dealt_like_a_snake() -> None:
    spec = spec_of("groups", 7, options={"groups": 3})
    history = History(next_pairings(spec, History()))
    assert {stage: "".join(bots) for stage, bots in group_members(history).items()} == {
        "group1": "afg",
        "group2": "be",
        "group3": "cd",
    }


def test_the_knock_out_begins_when_all_groups_are_over() -> None:
    spec = spec_of("groups", 8, options={"groups": 2, "knockout": {"kind": "knockout", "best_of": 1}})
    history = play_round(spec, History())
    assert {p.stage for p in history.pairings} == {"group1", "group2"}
    semifinals = next_pairings(spec, history)
    # Groups adeh and bcfg: a and b win them, d and c come second.
    assert sorted("".join(sorted(p.seats)) for p in semifinals) == ["ac", "bd"]
    assert {p.round for p in semifinals} == {4}


def test_places_of_a_whole_tournament() -> None:
    spec = spec_of("groups", 8, options={"groups": 2, "knockout": {"kind": "knockout", "best_of": 1}})
    tables = standings(spec, play(spec))
    assert [table.name for table in tables] == ["standings", "group1", "group2"]
    assert [(row.place, row.bot) for row in tables[0].rows] == [
        (1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (5, "f"), (7, "g"), (7, "h")
    ]  # fmt: skip
    assert [(row.place, row.bot, row.points) for row in tables[1].rows] == [
        (1, "a", 6.0), (2, "d", 4.0), (3, "e", 2.0), (4, "h", 0.0)
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("bots", "groups", "qualifiers"), [(8, 4, 2), (12, 3, 2), (16, 4, 3), (9, 3, 1)])
def test_two_of_one_group_do_not_meet_at_once(bots: int, groups: int, qualifiers: int, seed: int) -> None:
    spec = spec_of("groups", bots, options={"groups": groups, "qualifiers": qualifiers}, seed=seed)
    history = play_round(spec, History(), by_lot(seed))
    group_of = {bot: stage for stage, bots in group_members(history).items() for bot in bots}
    first = [p for p in next_pairings(spec, history) if not p.is_bye and p.round == _first_round(history)]
    assert first
    assert all(group_of[one] != group_of[other] for one, other in (p.seats for p in first))


def _first_round(history: History) -> int:
    return 1 + max(p.round for p in history.pairings)


@pytest.mark.parametrize("seed", range(5))
def test_as_many_qualify_as_the_host_says(seed: int) -> None:
    spec = spec_of("groups", 10, options={"groups": 3, "qualifiers": 3}, seed=seed)
    history = play_round(spec, History(), by_lot(seed))
    seeds = qualified(spec, options_of(spec), history)
    group_of = {bot: stage for stage, bots in group_members(history).items() for bot in bots}
    assert Counter(group_of[bot] for bot in seeds) == {"group1": 3, "group2": 3, "group3": 3}
    winners = {table.rows[0].bot for table in standings(spec, history)[1:] if not table.rows[0].shared}
    assert winners <= set(seeds[:3])


def test_the_next_of_the_group_moves_up_for_one_who_has_left() -> None:
    spec = spec_of("groups", 8, options={"groups": 2})
    history = play_round(spec, History())
    gone = History(history.pairings, history.facts, frozenset({BotKey("a")}))
    assert sorted(qualified(spec, options_of(spec), gone)) == ["b", "c", "d", "e"]


def test_it_can_end_with_a_double_elimination() -> None:
    spec = spec_of("groups", 6, options={"groups": 2, "knockout": {"kind": "double_elimination"}})
    history = play(spec)
    assert {p.stage for p in history.pairings} >= {"winners", "losers", "final"}
    assert standings(spec, history)[0].rows[0].bot == "a"
    assert is_complete(spec, history)


def test_groups_that_are_all_level_are_decided_by_lot() -> None:
    spec = spec_of("groups", 8, options={"groups": 2, "qualifiers": 1})
    history = play(spec, lambda pairing: duel_fact(pairing, None))
    assert is_complete(spec, history)
    assert [row.place for row in standings(spec, history)[0].rows][:2] == [1, 2]


def test_while_group_rounds_are_held_back_nobody_is_in_the_knock_out() -> None:
    spec = spec_of("groups", 8, options={"groups": 2})
    history = play_round(spec, play_round(spec, History()))
    shown = standings(spec, history.until_round(1))[0].rows
    assert [row.place for row in shown] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert {row.played for row in shown} == {2}

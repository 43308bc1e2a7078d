"""Games come in pairs: the same field and map, with swapped seats."""

import pytest

from fangnetz_server.tournament.meeting import Meeting, deal, paired_games
from fangnetz_server.tournament.values import BotKey, Pairing
from support.tournaments import spec_of

A, B = BotKey("a"), BotKey("b")
MEETING = Meeting("main", 1, 1, A, B)


def games(count: int, regular: int = 0, **keys: object) -> list[Pairing]:
    spec = spec_of("round_robin", 2, "right2live", **keys)
    return list(deal(spec, MEETING, range(1, count + 1), regular))


def test_two_games_share_a_field_and_swap_seats() -> None:
    one, other, third, fourth = games(4)
    assert one.seats == third.seats == (A, B)
    assert other.seats == fourth.seats == (B, A)
    assert one.seed == other.seed != third.seed == fourth.seed


def test_extra_games_form_pairs_of_their_own() -> None:
    # Best of 3, then two more: 1+2, 3, 4+5.
    seeds = [game.seed for game in games(5, regular=3)]
    assert seeds[0] == seeds[1]
    assert seeds[3] == seeds[4]
    assert len({seeds[0], seeds[2], seeds[3]}) == 3
    assert [game.seats[0] for game in games(5, regular=3)] == [A, B, A, A, B]


def test_pairs_of_games_take_the_maps_in_turn() -> None:
    assert [game.map for game in games(6, maps=["marsh", "pocket"])] == [
        "marsh", "marsh", "pocket", "pocket", "marsh", "marsh"
    ]  # fmt: skip
    assert {game.map for game in games(2)} == {None}


def test_the_field_does_not_depend_on_who_is_named_first() -> None:
    spec = spec_of("round_robin", 2)
    turned = Meeting("main", 1, 1, B, A)
    assert [g.seed for g in deal(spec, MEETING, (1, 2))] == [g.seed for g in deal(spec, turned, (1, 2))]


@pytest.mark.parametrize("other_seed", [2, 3])
def test_another_tournament_seed_gives_other_fields(other_seed: int) -> None:
    assert games(1)[0].seed != games(1, seed=other_seed)[0].seed


def test_a_comparison_goes_on_without_end() -> None:
    pairs = [paired_games(5, A, B, number, "marsh") for number in range(1, 51)]
    assert all(first.seats == (A, B) and second.seats == (B, A) for first, second in pairs)
    assert all(first.seed == second.seed for first, second in pairs)
    assert len({first.seed for first, _ in pairs}) == 50
    assert len({game.id for pair in pairs for game in pair}) == 100

"""Lots depend on the seed, the purpose and the parts, and on nothing else."""

from fangnetz_server.tournament.lots import SEED_LIMIT, by_lot, field_seed, lot
from fangnetz_server.tournament.values import BotKey


def test_a_lot_is_the_same_in_every_process_and_version() -> None:
    # Written down once: pairings that were handed out must never change.
    assert lot(1, "seat", "a", 2) == 6829717663022842529
    assert field_seed(1, "main", 1) == 8245337750740763


def test_parts_do_not_run_into_each_other() -> None:
    assert lot(1, "x", "ab", "c") != lot(1, "x", "a", "bc") != lot(1, "xa", "bc")
    assert lot(1, "x", 11) != lot(11, "x", 1)


def test_seeds_are_exact_in_json_readers_that_know_only_doubles() -> None:
    seeds = [field_seed(seed, "main", 1) for seed in range(500)]
    assert all(0 <= seed < SEED_LIMIT and int(float(seed)) == seed for seed in seeds)
    assert len(set(seeds)) == 500


def test_the_order_by_lot_does_not_depend_on_the_order_given() -> None:
    bots = [BotKey(name) for name in "abcdefgh"]
    drawn = by_lot(3, "seeding", bots)
    assert by_lot(3, "seeding", bots[::-1]) == drawn
    assert sorted(drawn) == bots
    assert by_lot(4, "seeding", bots) != drawn

"""Chance as a value: the same name gives the same numbers, any other name gives others."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.games.draw import Draw

SEEDS = st.integers(-(2**70), 2**70)


def numbers(draw: Draw, count: int = 20) -> list[int]:
    return [draw.bits64() for _ in range(count)]


@given(SEEDS, st.integers(0, 10**6), st.text(max_size=10))
def test_the_same_name_gives_the_same_numbers(seed: int, tick: int, purpose: str) -> None:
    assert numbers(Draw(seed, tick, purpose)) == numbers(Draw(seed, tick, purpose))


def test_other_names_share_nothing() -> None:
    names = [
        (seed, tick, purpose) for seed in (-1, 0, 1, 10, 11) for tick in (0, 1, 10) for purpose in ("a", "b")
    ]
    drawn = [number for name in names for number in numbers(Draw(*name))]
    assert len(set(drawn)) == len(names) * 20


def test_the_numbers_never_change() -> None:
    """Replays of old matches depend on these very numbers."""
    draw = Draw(7, 0, "field")
    assert [draw.bits64(), draw.below(1000), draw.unit()] == [1275464719857227181, 762, 0.6420343472440988]
    assert Draw(7, 3, "move_order").shuffled(range(8)) == (7, 2, 0, 5, 6, 1, 3, 4)


@given(SEEDS, st.integers(1, 1 << 64))
def test_below_stays_below(seed: int, limit: int) -> None:
    draw = Draw(seed, 0, "below")
    assert all(0 <= draw.below(limit) < limit for _ in range(20))


@pytest.mark.parametrize("limit", [2, 3, 7])
def test_below_is_even(limit: int) -> None:
    draw = Draw(1, 0, "even")
    counts = [0] * limit
    for _ in range(7000):
        counts[draw.below(limit)] += 1
    assert all(abs(count - 7000 / limit) < 300 for count in counts), counts


@given(SEEDS)
def test_unit_lies_in_its_interval(seed: int) -> None:
    draw = Draw(seed, 0, "unit")
    values = [draw.unit() for _ in range(50)]
    assert all(0 <= value < 1 for value in values)
    assert all(value * 2**53 == int(value * 2**53) for value in values)
    assert len(set(values)) == 50


@given(SEEDS, st.lists(st.integers(), max_size=20))
def test_shuffled_keeps_the_items(seed: int, items: list[int]) -> None:
    before = list(items)
    assert sorted(Draw(seed, 1, "order").shuffled(items)) == sorted(items)
    assert items == before


def test_all_orders_come_up() -> None:
    orders = [Draw(seed, 0, "order").shuffled("abc") for seed in range(600)]
    assert len(set(orders)) == 6
    assert all(60 < orders.count(order) < 140 for order in set(orders))


def test_no_limit_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError):
        Draw(1, 0, "x").below(0)


def test_the_hash_seed_of_the_process_does_not_matter() -> None:
    program = "from fangnetz_server.games.draw import Draw; print(Draw(5, 6, 'x').shuffled(range(50)))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for hash_seed in ("0", "77")
    }
    assert outputs == {f"{Draw(5, 6, 'x').shuffled(range(50))}\n"}

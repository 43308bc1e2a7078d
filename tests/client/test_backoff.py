"""The waits between attempts to connect."""

import random

from hypothesis import given
from hypothesis import strategies as st

from fangnetz.backoff import Backoff


def test_waits_double_up_to_the_longest() -> None:
    waits = Backoff(first_s=1.0, longest_s=5.0, give_up_s=20.0, jitter=0.0).waits(random.Random(1))
    assert list(waits) == [1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


@given(st.integers(), st.floats(0.0, 1.0))
def test_jitter_only_shortens_and_bots_differ(seed: int, jitter: float) -> None:
    plain = Backoff(first_s=1.0, longest_s=8.0, give_up_s=40.0, jitter=0.0)
    shaken = Backoff(first_s=1.0, longest_s=8.0, give_up_s=40.0, jitter=jitter)
    for full, wait in zip(plain.waits(random.Random(seed)), shaken.waits(random.Random(seed)), strict=False):
        assert full * (1 - jitter) <= wait <= full


def test_the_same_chance_gives_the_same_waits() -> None:
    first, second, third = (list(Backoff().waits(random.Random(seed))) for seed in (1, 1, 2))
    assert first == second != third


def test_a_whole_jitter_still_ends() -> None:
    assert sum(Backoff(jitter=1.0, give_up_s=10.0).waits(random.Random(3))) >= 10.0

"""Every Swiss pairing after every possible history of results, against brute force.

For 2 to 7 bots all histories of three rounds are run: the pairings of rounds 1 to 4 are compared with
the cheapest of all possible rounds. For 8 bots that holds for rounds 1 to 3; what can follow the third
is compared in a sample, or as a whole, all 531,441 histories, with FANGNETZ_EXHAUSTIVE=1 (some ten minutes).

Histories that lead to the same `position` are compared once: the costs depend on nothing else, so
the cheapest round is the same up to the lot, which is the least important part.
"""

import os
from collections.abc import Iterable

import pytest

from fangnetz_server.tournament.swiss import Encounter
from support.swiss_histories import State, check_round, expand, position, round_of, start

ROUNDS = 3
EXHAUSTIVE = os.environ.get("FANGNETZ_EXHAUSTIVE") == "1"
SAMPLE = 1 if EXHAUSTIVE else 61


def after(states: Iterable[State], number: int) -> set[State]:
    """Return all states after a round, whose pairings are checked on the way."""
    found: set[State] = set()
    for state in states:
        encounters = round_of(state, number)
        check_round(state, encounters)
        found.update(expand(state, encounters))
    return found


@pytest.mark.parametrize("bots", range(2, 8))
def test_every_history_of_three_rounds(bots: int) -> None:
    states = {start(bots)}
    for number in range(1, ROUNDS + 1):
        states = after(states, number)
    different = {position(state): state for state in states}
    for state in different.values():
        check_round(state, round_of(state, ROUNDS + 1))


def test_every_history_of_eight_bots_up_to_the_third_pairing_and_a_sample_of_the_fourth() -> None:
    states = after(after({start(8)}, 1), 2)
    assert len(states) == 81**2
    different = {position(state): state for state in sorted(states, key=repr)}
    seen = set()
    for index, state in enumerate(states if EXHAUSTIVE else different.values()):
        encounters = round_of(state, 3)
        check_round(state, encounters)
        for later in expand(state, encounters, index % SAMPLE, SAMPLE):
            if (key := position(later)) not in seen:
                seen.add(key)
                check_round(later, round_of(later, 4))
    assert len(seen) >= (200_000 if EXHAUSTIVE else 2_000)


def test_the_second_judge_notices_a_worse_round() -> None:
    state = start(4)
    right = round_of(state, 1)
    one, other = right
    assert one.other is not None
    swapped = [Encounter(one.one, other.one), Encounter(one.other, other.other)]
    with pytest.raises(AssertionError):
        check_round(state, swapped)

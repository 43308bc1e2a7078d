"""All result histories of small Swiss tournaments, and a second judge of their pairings.

The judge knows the rules of docs/reference/tournaments.md but nothing of the code: it adds up the
costs of every possible round and takes the smallest.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import Final, NamedTuple

from fangnetz_server.tournament.swiss import Contender, Encounter, next_round
from fangnetz_server.tournament.values import BotKey

__all__ = ["State", "check_round", "expand", "position", "round_of", "start"]

_BASE: Final = 1 << 16
"""More than the sum of any level of cost of a small round."""


class Entry(NamedTuple):
    """One bot; `points` in half points, `floats` of the last two rounds (1 down, -1 up)."""

    seeding: int
    points: int = 0
    met: frozenset[int] = frozenset()
    byes: int = 0
    balance: int = 0
    floats: tuple[int, int] = (0, 0)


State = tuple[Entry, ...]


def start(bots: int) -> State:
    """Return the state before the first round."""
    return tuple(Entry(number) for number in range(bots))


def round_of(state: State, number: int) -> list[Encounter]:
    """Return what the code pairs, with one game a meeting (the harder case: seats have to be balanced)."""
    contenders = [
        Contender(
            _name(entry.seeding),
            entry.seeding,
            entry.points,
            {_name(other): 1 for other in entry.met},
            entry.byes,
            0,
            entry.balance,
            entry.floats,
        )
        for entry in _ranked(state)
    ]
    return next_round(1, number, contenders, odd_games=True)


def expand(state: State, encounters: Sequence[Encounter], first: int = 0, every: int = 1) -> Iterator[State]:
    """Yield the states after the round for every combination of wins, draws and losses.

    Args:
        first, every: only the combinations with these numbers, for a sample.
    """
    pairs = [
        (entry.one.seeding, None if entry.other is None else entry.other.seeding) for entry in encounters
    ]
    played = sum(other is not None for _, other in pairs)
    for outcome in islice(product((0, 1, 2), repeat=played), first, None, every):
        after = list(state)
        results = iter(outcome)
        for one, other in pairs:
            if other is None:
                after[one] = _rested(state[one])
            else:
                after[one], after[other] = _met(state[one], state[other], next(results))
        yield tuple(after)


def position(state: State) -> tuple[object, ...]:
    """Return all that the costs of the next round depend on, without names and without lots."""
    ranked = _ranked(state)
    place = {entry.seeding: number for number, entry in enumerate(ranked)}
    groups = _groups(ranked)
    lowest = min(entry.balance for entry in ranked)
    return tuple(
        (group, tuple(sorted(place[o] for o in e.met)), e.byes, e.balance - lowest, e.floats)
        for e, group in zip(ranked, groups, strict=True)
    )


def check_round(state: State, encounters: Iterable[Encounter]) -> None:
    """Assert that no other round costs less than this one."""
    ranked = _ranked(state)
    place = {entry.seeding: number for number, entry in enumerate(ranked)}
    bye = len(ranked)
    chosen = [(place[e.one.seeding], bye if e.other is None else place[e.other.seeding]) for e in encounters]
    costs = _costs(ranked)
    best = min(sum(costs[pair] for pair in whole) for whole in _all_rounds(bye + bye % 2))
    assert sorted(node for pair in chosen for node in pair) == list(range(bye + bye % 2))
    assert sum(costs[pair] for pair in chosen) == best, (state, chosen)


def _name(seeding: int) -> BotKey:
    return BotKey(f"bot{seeding}")


def _ranked(state: State) -> list[Entry]:
    return sorted(state, key=lambda entry: (-entry.points, entry.seeding))


def _groups(ranked: Sequence[Entry]) -> list[int]:
    scores = sorted({entry.points for entry in ranked}, reverse=True)
    return [scores.index(entry.points) for entry in ranked]


def _rested(entry: Entry) -> Entry:
    return entry._replace(points=entry.points + 2, byes=entry.byes + 1, floats=(1, entry.floats[0]))


def _met(one: Entry, other: Entry, points: int) -> tuple[Entry, Entry]:
    drift = (one.points > other.points) - (one.points < other.points)
    seat = 1 if one.balance <= other.balance else -1
    return (
        Entry(one.seeding, one.points + points, one.met | {other.seeding}, one.byes,
              one.balance + seat, (drift, one.floats[0])),
        Entry(other.seeding, other.points + 2 - points, other.met | {one.seeding}, other.byes,
              other.balance - seat, (-drift, other.floats[0])),
    )  # fmt: skip


def _costs(ranked: Sequence[Entry]) -> dict[tuple[int, int], int]:
    """Return the cost of every pair of places as one number, most important part first."""
    groups = _groups(ranked)
    bye = len(ranked)
    costs = {}
    for i, one in enumerate(ranked):
        size = groups.count(groups[i])
        for j in range(i + 1, bye):
            other = ranked[j]
            gap = groups[j] - groups[i]
            parts = (
                0,
                int(other.seeding in one.met),
                0,
                gap**2,
                _again(one, 1) + _again(other, -1) if gap else 0,
                15 - abs(one.balance - other.balance),
                j - i if gap else abs(j - i - size // 2),
            )
            costs[i, j] = _number(parts)
        costs[i, bye] = _number((one.byes, 0, groups[-1] - groups[i], 0, _again(one, 1), 0, bye - 1 - i))
    return costs


def _again(entry: Entry, direction: int) -> int:
    return 2 if entry.floats[0] == direction else int(entry.floats[1] == direction)


def _number(parts: Sequence[int]) -> int:
    value = 0
    for part in parts:
        value = value * _BASE + part
    return value


@cache
def _all_rounds(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(_rounds(tuple(range(count))))


def _rounds(nodes: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    for other in rest:
        for more in _rounds(tuple(node for node in rest if node != other)):
            yield ((first, other), *more)

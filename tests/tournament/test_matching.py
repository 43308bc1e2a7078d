"""Matchings against brute force, and costs of several levels in one number."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_server.tournament.matching import MAX_BITS, Packer, best_pairs, best_seats


@st.composite
def price_tables(draw: st.DrawFn) -> list[list[int | None]]:
    count = draw(st.integers(2, 6))
    price = st.one_of(st.none(), st.integers(0, 1000))
    return [[draw(price) if i < j else None for j in range(count)] for i in range(count)]


def all_matchings(nodes: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    if len(nodes) < 2:
        return [()]
    first, *rest = nodes
    found = list(all_matchings(tuple(rest)))
    for other in rest:
        left = tuple(node for node in rest if node != other)
        found += [((first, other), *more) for more in all_matchings(left)]
    return found


@given(price_tables())
def test_most_pairs_first_then_least_cost(prices: list[list[int | None]]) -> None:
    pairs = best_pairs(len(prices), lambda i, j: prices[i][j], 10_000)
    allowed = [
        [price for i, j in matching if (price := prices[i][j]) is not None]
        for matching in all_matchings(tuple(range(len(prices))))
        if all(prices[i][j] is not None for i, j in matching)
    ]
    best = min((-len(costs), sum(costs)) for costs in allowed)
    assert (-len(pairs), sum(prices[i][j] or 0 for i, j in pairs)) == best
    assert len({node for pair in pairs for node in pair}) == 2 * len(pairs)


@st.composite
def squares(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 99), min_size=count, max_size=count)
    return draw(st.lists(row, min_size=count, max_size=count))


@given(squares())
def test_seats_of_least_cost(costs: list[list[int]]) -> None:
    seats = best_seats(costs)
    count = range(len(costs))
    assert sorted(seats) == list(count)
    cheapest = min(sum(costs[bot][order[bot]] for bot in count) for order in permutations(count))
    assert sum(costs[bot][seat] for bot, seat in enumerate(seats)) == cheapest


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 100), st.integers(0, 3)), min_size=8, max_size=8))
def test_packed_sums_compare_like_tuples_of_sums(costs: list[tuple[int, int, int]]) -> None:
    packer = Packer((7, 100, 3), pairs=4)
    one, other = costs[:4], costs[4:]
    packed = [sum(map(packer.pack, side)) for side in (one, other)]
    sums = [tuple(map(sum, zip(*side, strict=True))) for side in (one, other)]
    assert (packed[0] < packed[1]) == (sums[0] < sums[1])
    assert max(packed) < packer.top


def test_a_cost_above_its_limit_counts_as_the_limit() -> None:
    packer = Packer((3, 5), pairs=1)
    assert packer.pack((9, 9)) == packer.pack((3, 5))


def test_the_largest_weights_are_counted_right() -> None:
    # The best matching differs from the next best by 1 in 120 bits.
    high = (1 << MAX_BITS) - 2
    prices = {(0, 1): high, (2, 3): 0, (0, 2): high - 1, (1, 3): 0, (0, 3): high, (1, 2): 1}
    assert best_pairs(4, lambda i, j: prices[i, j], 1 << MAX_BITS) == [(0, 2), (1, 3)]

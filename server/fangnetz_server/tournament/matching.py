"""Perfect matchings of least cost, and costs of several levels packed into one whole number."""

from collections.abc import Callable, Sequence
from typing import Final

import rustworkx

__all__ = ["MAX_BITS", "Packer", "best_pairs", "best_seats"]

MAX_BITS: Final = 120
"""rustworkx counts in 128 bits and needs a few for itself."""


class Packer:
    """Packs costs so that no sum of a lower level ever outweighs one unit of a higher level.

    Args:
        limits: the largest cost of one pair on each level, the most important level first.
        pairs: how many pairs a matching has at most.
    """

    __slots__ = ("_levels", "top")

    def __init__(self, limits: Sequence[int], pairs: int) -> None:
        widths = [(limit * pairs).bit_length() for limit in limits]
        shifts = [sum(widths[level + 1 :]) for level in range(len(widths))]
        self._levels = tuple(zip(limits, shifts, strict=True))
        assert sum(widths) <= MAX_BITS, f"{sum(widths)} bits of cost; rustworkx has room for {MAX_BITS}"
        self.top = 1 << sum(widths)
        """More than the cost of any matching."""

    def pack(self, costs: Sequence[int]) -> int:
        """Return one number for the costs of a pair; a cost above its limit counts as the limit."""
        packed = 0
        for cost, (limit, shift) in zip(costs, self._levels, strict=True):
            if cost:
                packed |= (cost if cost < limit else limit) << shift
        return packed


def best_pairs(count: int, cost: Callable[[int, int], int | None], top: int) -> list[tuple[int, int]]:
    """Return as many disjoint pairs of 0 … count-1 as there can be, with the least sum of costs.

    Args:
        cost: the cost of a pair (i, j) with i < j; None: the pair is not allowed.
        top: more than any cost.

    Returns:
        Sorted pairs (i, j) with i < j. Where several matchings cost the same, any of them: whoever needs
        always the same one gives the pairs a lowest level of costs that are all different.
    """
    edges = [
        (i, j, top - price)
        for i in range(count)
        for j in range(i + 1, count)
        if (price := cost(i, j)) is not None
    ]
    return _matching(count, edges)


def best_seats(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return a seat for each bot, all different, with the least sum of `costs[bot][seat]`."""
    count = len(costs)
    top = 1 + max(max(row) for row in costs)
    edges = [
        (bot, count + seat, top - price) for bot, row in enumerate(costs) for seat, price in enumerate(row)
    ]
    return [seat - count for _, seat in _matching(2 * count, edges)]


def _matching(count: int, edges: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)

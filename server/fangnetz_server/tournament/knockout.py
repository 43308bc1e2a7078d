"""The nodes of knock-out tournaments, single and double elimination."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from fangnetz_server.tournament.bracket import (
    Again,
    EliminationOptions,
    Loser,
    Node,
    Resolved,
    Seed,
    Source,
    Winner,
    resolve,
)
from fangnetz_server.tournament.options import DoubleEliminationOptions, KnockoutOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["bracket_nodes", "knockout", "resolve_knockout", "seed_order"]


def knockout(
    spec: TournamentSpec,
    options: EliminationOptions,
    seeds: Sequence[BotKey],
    history: History,
    after_round: int = 0,
) -> Iterator[Pairing]:
    """Yield the games and byes that are due."""
    for entry in resolve_knockout(spec, options, seeds, history, after_round):
        yield from entry.due


def resolve_knockout(
    spec: TournamentSpec,
    options: EliminationOptions,
    seeds: Sequence[BotKey],
    history: History,
    after_round: int = 0,
) -> tuple[Resolved, ...]:
    """Return what has become of every node of the bracket.

    Args:
        seeds: the bots, the best first.
        after_round: number of the last round before the bracket.
    """
    return resolve(spec, options, bracket_nodes(options, len(seeds), after_round), seeds, history)


def bracket_nodes(options: EliminationOptions, bots: int, after_round: int = 0) -> list[Node]:
    """Return the nodes of a bracket, sources before the nodes that need them."""
    size = 1 << (bots - 1).bit_length()
    match options:
        case KnockoutOptions(third_place=third):
            return _single(size, after_round, third=third and bots >= 4)
        case DoubleEliminationOptions(reset=reset):
            return _double(size, after_round, reset=reset)
        case never:
            assert_never(never)


def seed_order(size: int) -> list[int]:
    """Return the places of the seeding (from 0) in bracket order.

    1 and 2 can only meet in the final, 1 to 4 not before the semifinals, and so on; 1 meets the last.
    """
    order = [0]
    while len(order) < size:
        mirror = 2 * len(order) - 1
        order = [seed for best in order for seed in (best, mirror - best)]
    return order


class _Builder:
    """Collects nodes; a node's round is one more than the latest round that it waits for."""

    def __init__(self, after_round: int) -> None:
        self.nodes: list[Node] = []
        self._after_round = after_round
        self._tables: dict[tuple[str, int], int] = {}

    def add(self, stage: str, first: Source, second: Source) -> int:
        """Add a node and return its number."""
        round_ = 1 + max(self._round_of(first), self._round_of(second))
        table = self._tables[stage, round_] = self._tables.get((stage, round_), 0) + 1
        self.nodes.append(Node(stage, round_, table, (first, second)))
        return len(self.nodes) - 1

    def add_round(self, stage: str, sources: Sequence[Source]) -> list[int]:
        """Add a round in which neighbours meet."""
        return [self.add(stage, *pair) for pair in zip(sources[::2], sources[1::2], strict=True)]

    def _round_of(self, source: Source) -> int:
        return self._after_round if isinstance(source, Seed) else self.nodes[source.node].round


def _first_round(builder: _Builder, stage: str, size: int) -> list[int]:
    return builder.add_round(stage, [Seed(number) for number in seed_order(size)])


def _single(size: int, after_round: int, *, third: bool) -> list[Node]:
    builder = _Builder(after_round)
    nodes = _first_round(builder, "knockout", size)
    while len(nodes) > 1:
        if third and len(nodes) == 2:
            builder.add("third", Loser(nodes[0]), Loser(nodes[1]))
        nodes = builder.add_round("knockout", [Winner(node) for node in nodes])
    return builder.nodes


def _double(size: int, after_round: int, *, reset: bool) -> list[Node]:
    builder = _Builder(after_round)
    winners = _first_round(builder, "winners", size)
    survivors: list[Source] = [Loser(node) for node in winners]
    turned = True
    while len(winners) > 1:
        survivors = [Winner(node) for node in builder.add_round("losers", survivors)]
        winners = builder.add_round("winners", [Winner(node) for node in winners])
        # Every other round the losers come in from the other end, so that old opponents meet late.
        dropped = winners[::-1] if turned else winners
        turned = not turned
        survivors = [
            Winner(builder.add("losers", stayed, Loser(node)))
            for stayed, node in zip(survivors, dropped, strict=True)
        ]
    final = builder.add("final", Winner(winners[0]), survivors[0])
    if reset:
        builder.add("final", Again(final, 0), Again(final, 1))
    return builder.nodes

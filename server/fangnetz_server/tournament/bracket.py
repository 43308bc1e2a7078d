"""Knock-out brackets as lists of nodes, and what has become of each node.

A node is a meeting whose bots come from the seeding or from earlier nodes. Nodes are resolved in
order from the history; what was handed out keeps its bots, whatever is corrected later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fangnetz_server.tournament.meeting import Meeting, MeetingKey, bye, deal, first_by_lot, meetings
from fangnetz_server.tournament.options import DoubleEliminationOptions, KnockoutOptions
from fangnetz_server.tournament.scores import duel
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["Again", "Loser", "Node", "Resolved", "Seed", "Source", "Winner", "resolve", "tiers"]

EliminationOptions = KnockoutOptions | DoubleEliminationOptions


@dataclass(frozen=True, slots=True)
class Seed:
    """A place of the seeding, from 0; empty where there are fewer bots."""

    number: int


@dataclass(frozen=True, slots=True)
class Winner:
    """Whoever wins an earlier node."""

    node: int


@dataclass(frozen=True, slots=True)
class Loser:
    """Whoever loses an earlier node."""

    node: int


@dataclass(frozen=True, slots=True)
class Again:
    """A bot of the first final, if that was won by the bot that came from the losers' bracket."""

    node: int
    slot: int


Source = Seed | Winner | Loser | Again


@dataclass(frozen=True, slots=True)
class Node:
    """A meeting of a bracket; `stage`, `round` and `table` are those of its pairings."""

    stage: str
    round: int
    table: int
    sources: tuple[Source, Source]

    @property
    def key(self) -> MeetingKey:
        return (self.stage, self.round, self.table)


@dataclass(frozen=True, slots=True)
class Resolved:
    """What has become of a node.

    `bots` are those who come here, also one who has left meanwhile; None: not known yet. `slots` are
    the same by source. `due` are the games to hand out now.
    """

    node: Node
    slots: tuple[BotKey | None, BotKey | None] | None = None
    bots: tuple[BotKey, ...] | None = None
    winner: BotKey | None = None
    loser: BotKey | None = None
    is_over: bool = False
    due: tuple[Pairing, ...] = ()


@dataclass(frozen=True, slots=True)
class _Context:
    spec: TournamentSpec
    options: EliminationOptions
    ranks: Mapping[BotKey, int]
    history: History
    handed_out: Mapping[MeetingKey, list[Pairing]]


def resolve(
    spec: TournamentSpec,
    options: EliminationOptions,
    nodes: Sequence[Node],
    seeds: Sequence[BotKey],
    history: History,
) -> tuple[Resolved, ...]:
    """Return the state of all nodes, in their order."""
    ranks = {bot: number for number, bot in enumerate(seeds)}
    context = _Context(spec, options, ranks, history, meetings(history))
    resolved: list[Resolved] = []
    for node in nodes:
        resolved.append(_resolve_node(context, node, seeds, resolved))
    return tuple(resolved)


def tiers(resolved: Sequence[Resolved]) -> dict[BotKey, tuple[float, ...]]:
    """Return for each bot of a bracket how far it has come; more is better, equal shares a place.

    Who is still in counts as further than everybody who is out.
    """
    last: dict[BotKey, int] = {}
    for number, entry in enumerate(resolved):
        last.update(dict.fromkeys(entry.bots or (), number))
    return {bot: _reach(bot, number, resolved) for bot, number in last.items()}


def _reach(bot: BotKey, number: int, resolved: Sequence[Resolved]) -> tuple[float, ...]:
    entry = resolved[number]
    won = entry.winner == bot
    goes_on = Winner(number) if won else Loser(number)
    if not entry.is_over or any(goes_on in later.node.sources and not later.is_over for later in resolved):
        return (float("inf"),)
    leads_on = any(Winner(number) in later.node.sources for later in resolved)
    return (entry.node.round, not leads_on and entry.node.stage != "third", won)


def _resolve_node(
    context: _Context, node: Node, seeds: Sequence[BotKey], earlier: Sequence[Resolved]
) -> Resolved:
    games = context.handed_out.get(node.key, [])
    if not games:
        slots = _slots(node, seeds, earlier)
        return Resolved(node) if slots is None else _start(context, node, slots)
    if games[0].is_bye:
        return _rested(node, _slots(node, seeds, earlier) or (None, None), games[0].seats[0])
    return _continue(context, node, _place_bots(node, seeds, earlier, games[0].seats), games)


def _slots(
    node: Node, seeds: Sequence[BotKey], earlier: Sequence[Resolved]
) -> tuple[BotKey | None, BotKey | None] | None:
    """Return the bots of both sources, None where one is not known yet."""
    if not all(_is_known(source, earlier) for source in node.sources):
        return None
    first, second = (_bot_of(source, seeds, earlier) for source in node.sources)
    return first, second


def _is_known(source: Source, earlier: Sequence[Resolved]) -> bool:
    return isinstance(source, Seed) or earlier[source.node].is_over


def _bot_of(source: Source, seeds: Sequence[BotKey], earlier: Sequence[Resolved]) -> BotKey | None:
    match source:
        case Seed(number):
            return seeds[number] if number < len(seeds) else None
        case Winner(node):
            return earlier[node].winner
        case Loser(node):
            return earlier[node].loser
        case Again(node, slot):
            slots = earlier[node].slots
            return slots[slot] if slots is not None and slots[1] == earlier[node].winner else None


def _rested(node: Node, slots: tuple[BotKey | None, BotKey | None], bot: BotKey) -> Resolved:
    """Resolve a bye that was handed out; who should have been the opponent has left, and so has lost."""
    bots = tuple(dict.fromkeys(each for each in (*slots, bot) if each is not None))
    loser = next((each for each in bots if each != bot), None)
    return Resolved(node, slots, bots, bot, loser, True)


def _place_bots(
    node: Node, seeds: Sequence[BotKey], earlier: Sequence[Resolved], seats: Sequence[BotKey]
) -> tuple[BotKey | None, BotKey | None]:
    """Return who of the `seats` that were handed out came from which source."""
    slots = _slots(node, seeds, earlier) or (None, None)
    first, second = seats
    return (second, first) if first == slots[1] or second == slots[0] else (first, second)


def _start(context: _Context, node: Node, slots: tuple[BotKey | None, BotKey | None]) -> Resolved:
    """Begin a node whose bots are known; who has left meanwhile loses without a game."""
    bots = tuple(bot for bot in slots if bot is not None)
    here = tuple(bot for bot in bots if bot not in context.history.withdrawn)
    loser = next((bot for bot in bots if bot not in here), None)
    match here:
        case ():
            return Resolved(node, slots, (), None, loser, True)
        case (bot,):
            return Resolved(node, slots, bots, bot, loser, True, (bye(*node.key, bot),))
        case _:
            return _continue(context, node, slots, [])


def _continue(
    context: _Context, node: Node, slots: tuple[BotKey | None, BotKey | None], games: list[Pairing]
) -> Resolved:
    """Judge a meeting of two from its games so far, or say which games it needs next."""
    first, second = slots
    assert first is not None, "a meeting that is not a bye has two bots"
    assert second is not None, "a meeting that is not a bye has two bots"
    bots = (first, second)
    best_of, extra_pairs = context.options.best_of, context.options.extra_pairs
    played, lead = _tally(context, first, games)
    remaining = _remaining(best_of, extra_pairs, played, lead)
    waiting = len(games) - played
    someone_left = any(bot in context.history.withdrawn for bot in bots)
    if abs(lead) > 2 * remaining or remaining == 0 or someone_left:
        if waiting:
            return Resolved(node, slots, bots)
        winner = _winner(context, bots, lead, remaining)
        return Resolved(node, slots, bots, winner, second if winner == first else first, True)
    # So many games are needed even if the leader wins them all; half points, hence the 4.
    certain = played + (2 * remaining - abs(lead)) // 4 + 1
    due = _deal(context, node, bots, range(len(games) + 1, certain + 1))
    return Resolved(node, slots, bots, due=due)


def _tally(context: _Context, first: BotKey, games: Sequence[Pairing]) -> tuple[int, int]:
    """Return how many games have a result and the lead of `first` in half points."""
    played, lead = 0, 0
    for pairing in games:
        fact = context.history.results.get(pairing.id)
        if fact is not None:
            seat_0, seat_1 = duel(fact)
            played += 1
            lead += seat_0 - seat_1 if pairing.seats[0] == first else seat_1 - seat_0
    return played, lead


def _remaining(best_of: int, extra_pairs: int, played: int, lead: int) -> int:
    """Return how many games are left; a pair is added whenever all are played and it is level."""
    total = best_of
    while total < best_of + 2 * extra_pairs and (played > total or (played == total and lead == 0)):
        total += 2
    return max(0, total - played)


def _winner(context: _Context, bots: tuple[BotKey, BotKey], lead: int, remaining: int) -> BotKey:
    gone = context.history.withdrawn
    decided = abs(lead) > 2 * remaining
    if not decided and (bots[0] in gone) != (bots[1] in gone):
        return bots[1] if bots[0] in gone else bots[0]
    if lead:
        return bots[0] if lead > 0 else bots[1]
    worst = len(context.ranks)
    return min(bots, key=lambda bot: (context.ranks.get(bot, worst), bot))


def _deal(context: _Context, node: Node, bots: tuple[BotKey, BotKey], games: range) -> tuple[Pairing, ...]:
    drawn = first_by_lot(context.spec, node.stage, node.round, *bots)
    meeting = Meeting(*node.key, drawn.first, drawn.second)
    return tuple(deal(context.spec, meeting, games, context.options.best_of))

"""Contests of many bots in one match: maps x repetitions, in balanced groups where not all fit in."""

from collections.abc import Iterator, Sequence
from typing import Final

from fangnetz_server.tournament.checks import group_count
from fangnetz_server.tournament.lots import by_lot, field_seed, lot
from fangnetz_server.tournament.matching import best_seats
from fangnetz_server.tournament.options import FreeForAllOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["balanced_groups", "free_for_all", "seat_plan"]

STAGE: Final = "main"
_LOT_BITS: Final = 24
_FEW: Final = 20
"""Up to so many bots several drafts of each round are compared: a single one gets stuck more easily."""


def free_for_all(spec: TournamentSpec, options: FreeForAllOptions, history: History) -> Iterator[Pairing]:
    """Yield all matches: in every round each bot plays once, on the same map and field as the others.

    Who is left alone in a group, because others have withdrawn before the start, rests.
    """
    if history.pairings:
        return
    bots = [bot for bot in spec.bots() if bot not in history.withdrawn]
    if len(bots) < 2:
        return
    maps = spec.maps or (None,)
    rounds = options.repetitions * len(maps)
    for number, groups in enumerate(seat_plan(spec.seed, bots, group_count(options, len(bots)), rounds)):
        repetition, place = divmod(number, len(maps))
        seed = field_seed(spec.seed, STAGE, repetition, maps[place])
        for table, seats in enumerate(groups, start=1):
            yield Pairing(STAGE, number + 1, table, 1, seats, seed, maps[place])


def seat_plan(
    seed: int, bots: Sequence[BotKey], groups: int, rounds: int
) -> Iterator[list[tuple[BotKey, ...]]]:
    """Yield for every round the groups in seat order."""
    if groups == 1:
        # With all in one match turning the seats by one each round is perfectly fair.
        order = tuple(by_lot(seed, "seats", bots))
        for number in range(rounds):
            turn = number % len(order)
            yield [order[turn:] + order[:turn]]
        return
    sat = {bot: [0] * len(bots) for bot in bots}
    for number, dealt in enumerate(balanced_groups(seed, bots, groups, rounds)):
        yield [_seat(seed, number, group, sat) for group in dealt]


def balanced_groups(
    seed: int, bots: Sequence[BotKey], groups: int, rounds: int
) -> Iterator[list[list[BotKey]]]:
    """Yield for every round a partition of the bots into groups whose sizes differ by at most one.

    Each round is drawn and then improved by exchanging two bots as long as that brings fewer bots
    together that have met often, so that everybody meets everybody about equally often.
    """
    order = sorted(bots)
    met = [[0] * len(order) for _ in order]
    for number in range(rounds):
        drafts = (_draft(seed, number, attempt, order, groups, met) for attempt in range(_attempts(order)))
        _, place = min(drafts)
        dealt: list[list[int]] = [[] for _ in range(groups)]
        for index, group in enumerate(place):
            dealt[group].append(index)
        for members in dealt:
            _note(members, met)
        yield [[order[index] for index in members] for members in dealt]


def _attempts(bots: Sequence[BotKey]) -> int:
    return 8 if len(bots) <= _FEW else 1


def _draft(
    seed: int, number: int, attempt: int, order: Sequence[BotKey], groups: int, met: Sequence[Sequence[int]]
) -> tuple[int, list[int]]:
    """Return a good partition as the group of each bot, and how often the groups have met before."""
    drawn = by_lot(seed, f"groups {number} {attempt}", order)
    group_of = {bot: position % groups for position, bot in enumerate(drawn)}
    place = [group_of[bot] for bot in order]
    return _improve(place, met, groups), place


def _note(members: Sequence[int], met: list[list[int]]) -> None:
    for one in members:
        for other in members:
            if one != other:
                met[one][other] += 1


def _improve(place: list[int], met: Sequence[Sequence[int]], groups: int) -> int:
    """Exchange bots between groups as long as the sum of earlier meetings inside them falls; return it."""
    bots = range(len(place))
    # ties[bot][group]: how often the bot has met the members of the group.
    ties = [[0] * groups for _ in bots]
    for one in bots:
        for other in bots:
            ties[one][place[other]] += met[one][other]
    one, unchanged = 0, 0
    while unchanged < len(place):
        if (partner := _best_exchange(one, place, met, ties)) is None:
            unchanged += 1
        else:
            unchanged = 0
            _exchange(one, partner, place, met, ties)
        one = (one + 1) % len(place)
    return sum(row[place[bot]] for bot, row in enumerate(ties))


def _best_exchange(
    one: int, place: Sequence[int], met: Sequence[Sequence[int]], ties: Sequence[Sequence[int]]
) -> int | None:
    """Return with whom the exchange of a bot helps most, or None."""
    home, mine, seen = place[one], ties[one], met[one]
    best: int = mine[home]
    found: int | None = None
    for other, away in enumerate(place):
        theirs = ties[other]
        after = mine[away] + theirs[home] - theirs[away] - 2 * seen[other]
        if after < best and away != home:
            best, found = after, other
    return found


def _exchange(
    one: int, other: int, place: list[int], met: Sequence[Sequence[int]], ties: Sequence[list[int]]
) -> None:
    home, away = place[one], place[other]
    for row, now, before in zip(ties, met[other], met[one], strict=True):
        row[home] += now - before
        row[away] += before - now
    place[one], place[other] = away, home


def _seat(
    seed: int, number: int, group: Sequence[BotKey], sat: dict[BotKey, list[int]]
) -> tuple[BotKey, ...]:
    """Return the group in seat order: everybody on the seats where it has sat least."""
    seats = range(len(group))
    costs = [
        [
            sat[bot][seat] << _LOT_BITS | lot(seed, "seat", number, bot, seat) >> (64 - _LOT_BITS)
            for seat in seats
        ]
        for bot in group
    ]
    chosen = dict(zip(best_seats(costs), group, strict=True))
    for seat, bot in chosen.items():
        sat[bot][seat] += 1
    return tuple(chosen[seat] for seat in seats)

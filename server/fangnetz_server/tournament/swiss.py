"""Swiss pairings: the best of all possible rounds, by a matching of least cost.

Every pair of bots has a cost of several levels (`_LEVELS`), and the round with the least sum is played.
A rematch or a second bye is not forbidden but costs more than everything below it, so it happens
exactly where no round without one exists.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.matching import Packer, best_pairs
from fangnetz_server.tournament.meeting import Meeting, bye, deal, first_by_lot
from fangnetz_server.tournament.options import SwissOptions
from fangnetz_server.tournament.scores import WIN, bye_worth, duel, micro, worth
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import WALKOVER, BotKey, History, Pairing

__all__ = ["Contender", "Encounter", "contenders", "next_round", "swiss"]

STAGE: Final = "main"
_MANY_BYES: Final = 7
_MANY_MEETINGS: Final = 3
_FLOATS: Final = 4
_SEATS: Final = 15
_LOT: Final = (1 << 20) - 1


@dataclass(slots=True)
class Contender:
    """What the pairing of a round depends on, for one bot."""

    bot: BotKey
    seeding: int
    micro: int = 0
    met: dict[BotKey, int] = field(default_factory=dict)
    byes: int = 0
    gifts: int = 0
    """Games won because the opponent was away."""
    balance: int = 0
    """Games on seat 0 minus games on seat 1."""
    floats: tuple[int, int] = (0, 0)
    """In the last round and the one before: 1 for meeting a bot with less points, -1 for more."""


def swiss(spec: TournamentSpec, options: SwissOptions, history: History) -> Iterator[Pairing]:
    """Yield the pairings of the next round, once the last one is over."""
    done = max((pairing.round for pairing in history.pairings), default=0)
    if done >= options.rounds or history.open():
        return
    table = [entry for entry in contenders(spec, history) if entry.bot not in history.withdrawn]
    if len(table) >= 2:
        yield from _deal_round(spec, options, done + 1, table)


def contenders(spec: TournamentSpec, history: History) -> list[Contender]:
    """Return all bots as contenders, the best first: by points, then by seeding."""
    board = {bot: Contender(bot, number) for number, bot in enumerate(spec.bots())}
    by_round: dict[int, list[Pairing]] = {}
    for pairing in history.pairings:
        by_round.setdefault(pairing.round, []).append(pairing)
    for _, pairings in sorted(by_round.items()):
        _note_floats(board, pairings)
        for pairing in pairings:
            _note_meeting(spec, board, pairing)
            _note_result(spec, history, board, pairing)
    return sorted(board.values(), key=lambda entry: (-entry.micro, entry.seeding))


def _note_floats(board: dict[BotKey, Contender], pairings: Sequence[Pairing]) -> None:
    drift = dict.fromkeys(board, 0)
    for pairing in pairings:
        if pairing.is_bye:
            drift[pairing.seats[0]] = 1
        else:
            one, other = (board[bot].micro for bot in pairing.seats)
            drift[pairing.seats[0]] = (one > other) - (one < other)
            drift[pairing.seats[1]] = -drift[pairing.seats[0]]
    for bot, entry in board.items():
        entry.floats = (drift[bot], entry.floats[0])


def _note_meeting(spec: TournamentSpec, board: dict[BotKey, Contender], pairing: Pairing) -> None:
    if pairing.is_bye:
        entry = board[pairing.seats[0]]
        entry.byes += 1
        entry.micro += bye_worth(spec)
        return
    one, other = (board[bot] for bot in pairing.seats)
    one.balance += 1
    other.balance -= 1
    if pairing.game == 1:
        one.met[other.bot] = one.met.get(other.bot, 0) + 1
        other.met[one.bot] = other.met.get(one.bot, 0) + 1


def _note_result(
    spec: TournamentSpec, history: History, board: dict[BotKey, Contender], pairing: Pairing
) -> None:
    fact = history.results.get(pairing.id)
    if fact is None:
        return
    values = worth(spec)
    for seat, half_points in zip(fact.seats, duel(fact), strict=True):
        entry = board[seat.bot]
        entry.micro += micro(seat.points) if spec.points.source == "game" else values[half_points]
        entry.gifts += fact.reason == WALKOVER and half_points == WIN


@dataclass(frozen=True, slots=True)
class Encounter:
    """A meeting of the next round; `other` is None for a bye."""

    one: Contender
    other: Contender | None


def next_round(seed: int, number: int, entries: Sequence[Contender], *, odd_games: bool) -> list[Encounter]:
    """Return the round of least cost, the best bot's table first and a bye last.

    Args:
        seed: of the tournament; it decides between rounds that are equally good.
        number: of the round.
        entries: who is still in, the best first.
        odd_games: seats cannot be balanced inside a meeting.
    """
    costs = _Costs(seed, number, entries, odd_games)
    count = len(entries)
    pairs = best_pairs(count + count % 2, costs.of, costs.top)
    return [
        Encounter(entries[i], entries[j] if j < count else None)
        for i, j in sorted(pairs, key=lambda p: (p[1] == count, p))
    ]


class _Costs:
    """The cost of every pair; index `len(entries)` is the bye."""

    def __init__(self, seed: int, number: int, entries: Sequence[Contender], odd_games: bool) -> None:
        self._entries = entries
        self._round = (seed, "swiss", number)
        self._odd_games = odd_games
        scores = sorted({entry.micro for entry in entries}, reverse=True)
        level = {score: group for group, score in enumerate(scores)}
        self._group = [level[entry.micro] for entry in entries]
        self._size = [self._group.count(group) for group in self._group]
        last, count = len(scores) - 1, len(entries)
        self._last = last
        limits = (_MANY_BYES, _MANY_MEETINGS, 1, last, last * last, _FLOATS, _SEATS, count, _LOT)
        self._packer = Packer(limits, (count + 1) // 2)
        self.top = self._packer.top

    def of(self, i: int, j: int) -> int:
        """Return the cost of a pair, i < j."""
        return self._packer.pack(self._of_bye(i) if j == len(self._entries) else self._of_meeting(i, j))

    def _of_meeting(self, i: int, j: int) -> tuple[int, ...]:
        one, other = self._entries[i], self._entries[j]
        gap = self._group[j] - self._group[i]
        return (
            0,
            one.met.get(other.bot, 0),
            0,
            0,
            gap * gap,
            _repeated(one, 1) + _repeated(other, -1) if gap else 0,
            # The squares of the balances grow least where the two differ most.
            max(0, _SEATS - abs(one.balance - other.balance)) if self._odd_games else 0,
            j - i if gap else abs(j - i - self._size[i] // 2),
            self._lot(*sorted((one.bot, other.bot))),
        )

    def _of_bye(self, i: int) -> tuple[int, ...]:
        entry = self._entries[i]
        return (
            entry.byes,
            0,
            min(entry.gifts, 1),
            self._last - self._group[i],
            0,
            _repeated(entry, 1),
            0,
            len(self._entries) - 1 - i,
            self._lot(entry.bot),
        )

    def _lot(self, *bots: BotKey) -> int:
        seed, purpose, number = self._round
        return lot(seed, purpose, number, *bots) & _LOT


def _repeated(entry: Contender, direction: int) -> int:
    """Return how bad it is that a bot floats this way: twice in a row is worse than after a pause."""
    return (entry.floats[0] == direction) + (direction in entry.floats)


def _deal_round(
    spec: TournamentSpec, options: SwissOptions, number: int, entries: Sequence[Contender]
) -> Iterator[Pairing]:
    tables = next_round(spec.seed, number, entries, odd_games=options.legs % 2 == 1)
    for table, pair in enumerate(tables, start=1):
        if pair.other is None:
            yield bye(STAGE, number, table, pair.one.bot)
        else:
            meeting = _seat(spec, options, number, table, pair.one, pair.other)
            yield from deal(spec, meeting, range(1, options.legs + 1))


def _seat(
    spec: TournamentSpec, options: SwissOptions, number: int, table: int, one: Contender, other: Contender
) -> Meeting:
    """With an odd number of games the one who sat on seat 0 less often has it once more."""
    if options.legs % 2 == 0 or one.balance == other.balance:
        drawn = first_by_lot(spec, STAGE, number, one.bot, other.bot)
        return Meeting(STAGE, number, table, drawn.first, drawn.second)
    first, second = (one, other) if one.balance < other.balance else (other, one)
    return Meeting(STAGE, number, table, first.bot, second.bot)

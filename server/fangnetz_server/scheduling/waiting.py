"""The pairings of a tournament that wait to be played, found by the bots that could play them now.

A league of 20 bots may have tens of thousands of them, and after every match it is looked again, so they
are not gone through one by one: those of the same bots wait in one line, and only its first matters.
"""

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fangnetz_server.store.values import PairingRecord, PairingState
from fangnetz_server.tournament.values import BotKey, Pairing, PairingId

__all__ = ["StoredPairings", "Waiting"]

_Bots = frozenset[BotKey]


class Waiting:
    """Pairings in playing order."""

    def __init__(self) -> None:
        self._lines: dict[_Bots, list[Pairing]] = {}
        self._of_bot: defaultdict[BotKey, set[_Bots]] = defaultdict(set)
        self._wanted: Counter[BotKey] = Counter()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Pairing]:
        for line in self._lines.values():
            yield from line

    def wants(self, bot: BotKey) -> bool:
        """Tell whether a pairing waits for this bot."""
        return self._wanted[bot] > 0

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Let more of them wait."""
        for pairing in pairings:
            bots = frozenset(pairing.seats)
            if bots not in self._lines:
                self._lines[bots] = []
                for bot in bots:
                    self._of_bot[bot].add(bots)
            insort(self._lines[bots], pairing, key=lambda waiting: waiting.order)
            self._wanted.update(pairing.seats)
            self._count += 1

    def remove(self, pairing: Pairing) -> None:
        """Take one out that is dealt with now."""
        bots = frozenset(pairing.seats)
        line = self._lines[bots]
        line.remove(pairing)
        self._wanted.subtract(pairing.seats)
        self._count -= 1
        if not line:
            del self._lines[bots]
            for bot in bots:
                self._of_bot[bot].discard(bots)

    def ready(
        self, free: Collection[BotKey], excused: Collection[BotKey], put_aside: Collection[PairingId]
    ) -> list[Pairing]:
        """Return the first pairing of each line that could be dealt with, in playing order.

        Args:
            free: bots that can play; a pairing of nobody else is ready.
            excused: bots that nobody waits for any more; a pairing with one of them is ready.
            put_aside: pairings that are not wanted at the moment.
        """
        lines = {bots for bot in free for bots in self._of_bot[bot] if bots.issubset(free)}
        for bot in excused:
            lines |= self._of_bot[bot]
        firsts = (
            next((pairing for pairing in self._lines[bots] if pairing.id not in put_aside), None)
            for bots in lines
        )
        return sorted(
            (pairing for pairing in firsts if pairing is not None), key=lambda waiting: waiting.order
        )


@dataclass(frozen=True, slots=True)
class StoredPairings:
    """The pairings as the store has them: those without a result, and what else is asked of them."""

    open: dict[PairingId, Pairing]
    waiting: Waiting
    attempts: dict[PairingId, int]
    done: int

    @classmethod
    def of(cls, records: Sequence[PairingRecord]) -> "StoredPairings":
        """Put them in order; for a large tournament that takes a while."""
        open_ = {
            record.pairing.id: record.pairing
            for record in records
            if not record.pairing.is_bye and record.state is not PairingState.DONE
        }
        waiting = Waiting()
        waiting.add(open_.values())
        attempts = {record.pairing.id: len(record.matches) for record in records}
        return cls(open_, waiting, attempts, sum(record.state is PairingState.DONE for record in records))

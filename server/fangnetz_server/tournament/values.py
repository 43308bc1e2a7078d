"""What goes into a tournament and what comes out: pairings, results and the history of both.

Everything else in this package is a function of these values. A pairing that was handed out is a
fact like a result: it is never computed again, so a later correction or withdrawal cannot change it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType

__all__ = [
    "BYE",
    "WALKOVER",
    "BotKey",
    "History",
    "HistoryError",
    "MatchFact",
    "Pairing",
    "PairingId",
    "Presence",
    "SeatFact",
]

BotKey = NewType("BotKey", str)
"""The name of a bot inside a tournament."""
PairingId = NewType("PairingId", str)
"""`stage.round.table.game`, unique in a tournament."""

WALKOVER: Final = "walkover"
"""Reason of a result that nobody played for."""
BYE: Final = 1
"""Number of seats of a bye."""


class Presence(StrEnum):
    """Whether a seat took part; the words are those of the match results."""

    PLAYED = "played"
    ABSENT = "absent"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match that is to be played, or a bye (one seat, nothing to play).

    `round`, `table` and `game` count from 1; the games of one table are a meeting of the same bots.
    `seed` is the match seed, below 2**53, so that every JSON reader keeps it exact.
    """

    stage: str
    round: int
    table: int
    game: int
    seats: tuple[BotKey, ...]
    seed: int
    map: str | None = None
    id: PairingId = field(init=False, compare=False)

    def __post_init__(self) -> None:
        key = PairingId(f"{self.stage}.{self.round}.{self.table}.{self.game}")
        object.__setattr__(self, "id", key)

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == BYE

    @property
    def order(self) -> tuple[int, int, str, int]:
        """Sorts pairings as they are to be played: by round, then first games first."""
        return (self.round, self.game, self.stage, self.table)


@dataclass(frozen=True, slots=True)
class SeatFact:
    """One seat of a result.

    `points` are the game's own, with at most six decimals (R6.4); they and `place` (from 1, equal
    seats share one) are None where there is no sporting result. `faults` counts actions that were
    late, missing or invalid.
    """

    bot: BotKey
    points: float | None
    place: int | None
    presence: Presence = Presence.PLAYED
    faults: int = 0


@dataclass(frozen=True, slots=True)
class MatchFact:
    """The result of a pairing, in seat order, with corrections already applied."""

    pairing: PairingId
    seats: tuple[SeatFact, ...]
    reason: str

    @property
    def counts(self) -> bool:
        """False without a sporting result (aborted, infra_error): the match is still to be played."""
        return any(seat.place is not None for seat in self.seats)


class HistoryError(ValueError):
    """Facts that contradict each other; `pairing` says where."""

    def __init__(self, pairing: PairingId, problem: str) -> None:
        super().__init__(f"pairing {pairing}: {problem}")
        self.pairing = pairing
        self.problem = problem


@dataclass(frozen=True, slots=True)
class History:
    """Everything that has happened in a tournament; the order of what is given does not matter.

    Args:
        pairings: all that were handed out, byes too.
        facts: the results so far. One without a sporting result leaves its pairing open.
        withdrawn: bots that have left for good.

    Raises:
        HistoryError: a result of an unknown pairing or of other bots, or two different ones.
    """

    pairings: tuple[Pairing, ...] = ()
    facts: tuple[MatchFact, ...] = ()
    withdrawn: frozenset[BotKey] = frozenset()
    results: Mapping[PairingId, MatchFact] = field(init=False, repr=False, compare=False)
    """The results that count, by pairing."""
    _by_id: Mapping[PairingId, Pairing] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id = _index(self.pairings)
        ordered = sorted(by_id.items(), key=lambda item: item[1].order)
        object.__setattr__(self, "_by_id", MappingProxyType(dict(ordered)))
        object.__setattr__(self, "pairings", tuple(self._by_id.values()))
        object.__setattr__(self, "results", MappingProxyType(_results(by_id, self.facts)))

    def played(self) -> Iterator[tuple[Pairing, MatchFact]]:
        """Yield the pairings that have a result, in playing order."""
        for key, pairing in self._by_id.items():
            fact = self.results.get(key)
            if fact is not None:
                yield pairing, fact

    def open(self) -> tuple[Pairing, ...]:
        """Return the pairings that still need a result, in playing order."""
        return tuple(
            pairing for key, pairing in self._by_id.items() if key not in self.results and not pairing.is_bye
        )

    def until_round(self, last: int) -> "History":
        """Return the part up to a round: what everybody may see with staged release."""
        pairings = tuple(pairing for pairing in self.pairings if pairing.round <= last)
        known = {pairing.id for pairing in pairings}
        facts = tuple(fact for fact in self.facts if fact.pairing in known)
        return History(pairings, facts, self.withdrawn)


def _index(pairings: tuple[Pairing, ...]) -> dict[PairingId, Pairing]:
    by_id: dict[PairingId, Pairing] = {}
    for pairing in pairings:
        known = by_id.get(pairing.id)
        if known is None:
            by_id[pairing.id] = pairing
        elif known != pairing:
            raise HistoryError(pairing.id, "was handed out twice, with different seats, seeds or maps")
    return by_id


def _results(by_id: Mapping[PairingId, Pairing], facts: tuple[MatchFact, ...]) -> dict[PairingId, MatchFact]:
    results: dict[PairingId, MatchFact] = {}
    for fact in facts:
        pairing = by_id.get(fact.pairing)
        if pairing is None:
            raise HistoryError(fact.pairing, "has a result, but was never handed out")
        if tuple([seat.bot for seat in fact.seats]) != pairing.seats:
            raise HistoryError(fact.pairing, f"has a result of other bots, not of {', '.join(pairing.seats)}")
        if not fact.counts:
            continue
        known = results.get(fact.pairing)
        if known is None:
            results[fact.pairing] = fact
        elif known != fact:
            raise HistoryError(fact.pairing, "has two different results; hand in the valid one only")
    return results

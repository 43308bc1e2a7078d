"""What becomes of a pairing whose bots are not all there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fangnetz_server.tournament.options import FreeForAllOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import (
    WALKOVER,
    BotKey,
    History,
    MatchFact,
    Pairing,
    Presence,
    SeatFact,
)

__all__ = ["Play", "Settled", "disposition", "long_absent", "with_absent_seats"]


@dataclass(frozen=True, slots=True)
class Play:
    """Play it with these seats (indices into `pairing.seats`); the others stay empty."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing to play: store this result."""

    fact: MatchFact


def disposition(
    spec: TournamentSpec, pairing: Pairing, absent: Collection[BotKey], min_seats: int = 2
) -> Play | Settled:
    """Say what to do with an open pairing.

    Args:
        absent: who has withdrawn, and who is still away after the grace time.
        min_seats: of the game. A free-for-all is played without the absent ones as long as so many are there.
    """
    present = tuple(seat for seat, bot in enumerate(pairing.seats) if bot not in absent)
    if len(present) == len(pairing.seats):
        return Play(present)
    if isinstance(spec.format, FreeForAllOptions) and len(present) >= max(2, min_seats):
        return Play(present)
    return Settled(_walkover(pairing, present))


def with_absent_seats(pairing: Pairing, played: Mapping[BotKey, SeatFact], reason: str) -> MatchFact:
    """Return the result of a match that was played with some seats empty, absent seats filled in."""
    seats = (played.get(bot) or SeatFact(bot, None, None, Presence.ABSENT) for bot in pairing.seats)
    return MatchFact(pairing.id, tuple(seats), reason)


def long_absent(spec: TournamentSpec, history: History) -> frozenset[BotKey]:
    """Return the bots that the host's rule (`absence.withdraw_after`) takes as having left for good."""
    limit = spec.absence.withdraw_after
    if not limit:
        return frozenset()
    missed: dict[BotKey, int] = {}
    for _, fact in history.played():
        for seat in fact.seats:
            missed[seat.bot] = missed.get(seat.bot, 0) + 1 if seat.presence is Presence.ABSENT else 0
    return frozenset(bot for bot, count in missed.items() if count >= limit) - history.withdrawn


def _walkover(pairing: Pairing, present: tuple[int, ...]) -> MatchFact:
    """Those present share place 1 and get a point (B5.1); the absent ones come behind them."""
    seats = (
        SeatFact(bot, 1.0, 1) if seat in present else SeatFact(bot, 0.0, 1 + len(present), Presence.ABSENT)
        for seat, bot in enumerate(pairing.seats)
    )
    return MatchFact(pairing.id, tuple(seats), WALKOVER)

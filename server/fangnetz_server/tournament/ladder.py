"""The ladder: goes on for ever; who has waited longest is paired first, with somebody of its strength."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.matching import Packer, best_pairs
from fangnetz_server.tournament.meeting import Meeting, deal, first_by_lot
from fangnetz_server.tournament.options import LadderOptions
from fangnetz_server.tournament.ratings import NEWCOMER, Rating
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["ladder"]

STAGE: Final = "ladder"
_WAIT: Final = 255
"""Rounds of waiting beyond which more make no difference."""
_RECENT: Final = 8
"""Meetings that a bot remembers."""
_AGAIN: Final = 900
"""A recent meeting counts as much as 3 rating points of distance (squared tenths)."""
_DISTANCE: Final = 1_000_000 + _AGAIN * _RECENT
_LOT: Final = (1 << 20) - 1


def ladder(
    spec: TournamentSpec,
    options: LadderOptions,
    history: History,
    away: Collection[BotKey],
    ratings: Mapping[BotKey, Rating],
) -> Iterator[Pairing]:
    """Yield meetings for all bots that are free now.

    A bot meets the same opponent twice in a row only where no more than two are there.
    """
    past = _past_opponents(history)
    here = [
        bot
        for bot in spec.bots()
        if bot not in history.withdrawn
        and bot not in away
        and (options.meetings is None or len(past.get(bot, ())) < options.meetings)
    ]
    busy = {bot for pairing in history.open() for bot in pairing.seats}
    free = [bot for bot in here if bot not in busy]
    number = 1 + max((pairing.round for pairing in history.pairings), default=0)
    pairs = _pair(spec, number, free, past, ratings, rematch=len(here) == 2)
    for table, (one, other) in enumerate(pairs, start=1):
        drawn = first_by_lot(spec, STAGE, number, one, other)
        meeting = Meeting(STAGE, number, table, drawn.first, drawn.second)
        yield from deal(spec, meeting, range(1, options.legs + 1))


def _past_opponents(history: History) -> dict[BotKey, list[tuple[int, BotKey]]]:
    """Return the rounds and opponents of every bot, the latest last."""
    past: dict[BotKey, list[tuple[int, BotKey]]] = {}
    for pairing in history.pairings:
        if pairing.game == 1:
            one, other = pairing.seats
            past.setdefault(one, []).append((pairing.round, other))
            past.setdefault(other, []).append((pairing.round, one))
    return past


def _pair(
    spec: TournamentSpec,
    number: int,
    free: Sequence[BotKey],
    past: Mapping[BotKey, Sequence[tuple[int, BotKey]]],
    ratings: Mapping[BotKey, Rating],
    *,
    rematch: bool,
) -> list[tuple[BotKey, BotKey]]:
    """Return as many pairs as there can be: first by waiting, then by distance."""
    recent = [[opponent for _, opponent in past.get(bot, ())[-_RECENT:]] for bot in free]
    waited = [min(_WAIT, number - past[bot][-1][0]) if bot in past else _WAIT for bot in free]
    tenths = [round(10 * ratings.get(bot, NEWCOMER).mu) for bot in free]
    packer = Packer((2 * _WAIT, _DISTANCE, _LOT), max(1, len(free) // 2))

    def cost(i: int, j: int) -> int | None:
        if not rematch and (recent[i][-1:] == [free[j]] or recent[j][-1:] == [free[i]]):
            return None
        distance = (tenths[i] - tenths[j]) ** 2 + _AGAIN * recent[i].count(free[j])
        drawn = lot(spec.seed, STAGE, number, *sorted((free[i], free[j]))) & _LOT
        return packer.pack((2 * _WAIT - waited[i] - waited[j], distance, drawn))

    return [(free[i], free[j]) for i, j in best_pairs(len(free), cost, packer.top)]

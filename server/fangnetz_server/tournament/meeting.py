"""A meeting: some games of the same bots, dealt in pairs with the same field and swapped seats."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fangnetz_server.tournament.lots import field_seed, lot
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["Meeting", "MeetingKey", "bye", "deal", "first_by_lot", "meetings", "paired_games"]

MeetingKey = tuple[str, int, int]
"""Stage, round and table."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two bots at a table; the first has seat 0 in the first game of every pair."""

    stage: str
    round: int
    table: int
    first: BotKey
    second: BotKey


def deal(spec: TournamentSpec, meeting: Meeting, games: Iterable[int], regular: int = 0) -> Iterator[Pairing]:
    """Yield games of a meeting; games 1 and 2, 3 and 4, … share field and map.

    Args:
        games: their numbers, from 1.
        regular: how many games belong to the meeting before extra ones are added; extra games
            form pairs of their own, so that a last single game never tears the pairs apart.
    """
    bots = sorted((meeting.first, meeting.second))
    for game in games:
        field, swapped = _place_in_pairs(game, regular)
        seats = (meeting.first, meeting.second)
        yield Pairing(
            meeting.stage,
            meeting.round,
            meeting.table,
            game,
            seats[::-1] if swapped else seats,
            field_seed(spec.seed, meeting.stage, meeting.round, *bots, field),
            spec.maps[(meeting.round - 1 + field) % len(spec.maps)] if spec.maps else None,
        )


def bye(stage: str, round_: int, table: int, bot: BotKey) -> Pairing:
    """Return the pairing of a bot that rests in this round."""
    return Pairing(stage, round_, table, 1, (bot,), 0)


def first_by_lot(spec: TournamentSpec, stage: str, round_: int, one: BotKey, other: BotKey) -> Meeting:
    """Return the meeting (at table 0) with the lot deciding who has seat 0 first."""
    low, high = sorted((one, other))
    swap = lot(spec.seed, "first seat", stage, round_, low, high) & 1
    return Meeting(stage, round_, 0, high if swap else low, low if swap else high)


def meetings(history: History) -> dict[MeetingKey, list[Pairing]]:
    """Return the games that were handed out, by meeting, in the order of their games."""
    found: dict[MeetingKey, list[Pairing]] = {}
    for pairing in history.pairings:
        found.setdefault((pairing.stage, pairing.round, pairing.table), []).append(pairing)
    return found


def paired_games(
    seed: int, one: BotKey, other: BotKey, pair: int, map_name: str | None = None
) -> tuple[Pairing, Pairing]:
    """Return pair number `pair` (from 1) of an open-ended comparison of two bots (`fangnetz compare`)."""
    match_seed = field_seed(seed, "compare", *sorted((one, other)), pair)
    return (
        Pairing("compare", pair, 1, 1, (one, other), match_seed, map_name),
        Pairing("compare", pair, 1, 2, (other, one), match_seed, map_name),
    )


def _place_in_pairs(game: int, regular: int) -> tuple[int, bool]:
    """Return the number of the field (from 0) and whether the seats are swapped."""
    index = game - 1
    if regular and game > regular:
        extra = index - regular
        return (regular + 1) // 2 + extra // 2, extra % 2 == 1
    return index // 2, index % 2 == 1

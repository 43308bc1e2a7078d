"""Round robin by the circle method: everybody meets everybody once, in as few rounds as possible."""

from collections.abc import Iterator, Sequence

from fangnetz_server.tournament.meeting import Meeting, bye, deal
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = ["circle", "round_robin"]


def circle(bots: Sequence[BotKey]) -> Iterator[tuple[tuple[BotKey | None, BotKey | None], ...]]:
    """Yield the rounds as tuples of pairs; None is the place of the one who rests.

    Over all rounds everybody sits first and second equally often, or with one game of difference
    where the number of games is odd: two of the turning places meet with a fixed distance, once in
    each direction, and the games of the fixed place alternate.
    """
    if not bots:
        return
    places: list[BotKey | None] = [*bots, None] if len(bots) % 2 else [*bots]
    turning = len(places) - 1
    fixed = places[turning]
    for number in range(turning):
        hub = places[number]
        pairs = [(hub, fixed) if number % 2 == 0 else (fixed, hub)]
        for step in range(1, len(places) // 2):
            ahead, behind = places[(number + step) % turning], places[(number - step) % turning]
            pairs.append((ahead, behind) if step % 2 else (behind, ahead))
        yield tuple(pairs)


def round_robin(
    spec: TournamentSpec, bots: Sequence[BotKey], legs: int, stage: str = "main"
) -> Iterator[Pairing]:
    """Yield all games and byes, round after round."""
    for number, pairs in enumerate(circle(bots), start=1):
        for table, (first, second) in enumerate(pairs, start=1):
            if first is not None and second is not None:
                yield from deal(spec, Meeting(stage, number, table, first, second), range(1, legs + 1))
            elif (resting := first or second) is not None:
                yield bye(stage, number, table, resting)

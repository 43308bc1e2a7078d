"""What a game is worth, and each bot's sums; whole millionths of a point, so that sums are exact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from fangnetz_server.tournament.options import SwissOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Presence, SeatFact

__all__ = [
    "DRAW",
    "LOSS",
    "MICRO",
    "WIN",
    "Game",
    "Score",
    "bye_worth",
    "duel",
    "micro",
    "score_board",
    "worth",
]

MICRO: Final = 1_000_000
"""Millionths in a point: the games give points with six decimals (R6.4)."""


WIN: Final = 2
"""A duel counts in half points, as chess does it: whole numbers that also index `Score.outcomes`."""
DRAW: Final = 1
LOSS: Final = 0
_LAST: Final = 1_000_000
"""Place of a seat that nobody sat on: behind all others."""


class Game(NamedTuple):
    """One game of a bot: what it was worth in half points, and in the table."""

    opponent: BotKey
    half_points: int
    micro: int


@dataclass(slots=True)
class Score:
    """Sums of one bot; `rests` are games that a bye stands for."""

    micro: int = 0
    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Losses, draws and wins."""
    byes: int = 0
    rests: int = 0
    absences: int = 0
    faults: int = 0
    games: list[Game] = field(default_factory=list)

    @property
    def wins(self) -> int:
        return self.outcomes[WIN]

    @property
    def draws(self) -> int:
        return self.outcomes[DRAW]

    @property
    def losses(self) -> int:
        return self.outcomes[LOSS]

    @property
    def played(self) -> int:
        return sum(self.outcomes)


def micro(points: float | None) -> int:
    """Return points as whole millionths; none at all count nothing."""
    return 0 if points is None else round(points * MICRO)


def duel(fact: MatchFact) -> tuple[int, int]:
    """Return how a duel ended for seat 0 and for seat 1: WIN, DRAW or LOSS.

    Places decide, whatever the points are; who is absent loses, and two who are absent both lose.
    """
    one, other = fact.seats
    first, second = _rank(one), _rank(other)
    if first == second:
        return (LOSS, LOSS) if first == _LAST else (DRAW, DRAW)
    return (WIN, LOSS) if first < second else (LOSS, WIN)


def _rank(seat: SeatFact) -> int:
    return _LAST if seat.presence is Presence.ABSENT or seat.place is None else seat.place


def worth(spec: TournamentSpec) -> tuple[int, int, int]:
    """Return the millionths of LOSS, DRAW and WIN."""
    points = spec.points
    return micro(points.loss), micro(points.draw), micro(points.win)


def bye_worth(spec: TournamentSpec) -> int:
    """Return the millionths of a bye. Only in a Swiss tournament does it score; elsewhere it is a rest."""
    if not isinstance(spec.format, SwissOptions):
        return 0
    points = spec.points
    return spec.format.legs * micro(points.win if points.bye is None else points.bye)


def score_board(
    spec: TournamentSpec, history: History, bots: Iterable[BotKey], stage: str | None = None
) -> dict[BotKey, Score]:
    """Return the sums of duels for `bots`, in all stages or in one.

    Games against others than `bots` count too (they may have left the tournament).
    """
    board = {bot: Score() for bot in bots}
    values = None if spec.points.source == "game" else worth(spec)
    for pairing, fact in history.played():
        if stage is None or pairing.stage == stage:
            one, other = fact.seats
            first, second = duel(fact)
            _add_game(board.get(one.bot), one, other.bot, first, values)
            _add_game(board.get(other.bot), other, one.bot, second, values)
    for pairing in history.pairings:
        if pairing.is_bye and (stage is None or pairing.stage == stage):
            _add_bye(board.get(pairing.seats[0]), spec)
    return board


def _add_game(
    score: Score | None, seat: SeatFact, opponent: BotKey, half_points: int, values: Sequence[int] | None
) -> None:
    if score is None:
        return
    gained = micro(seat.points) if values is None else values[half_points]
    score.micro += gained
    score.outcomes[half_points] += 1
    score.faults += seat.faults
    score.absences += seat.presence is Presence.ABSENT
    score.games.append(Game(opponent, half_points, gained))


def _add_bye(score: Score | None, spec: TournamentSpec) -> None:
    if score is None:
        return
    score.byes += 1
    if isinstance(spec.format, SwissOptions):
        score.rests += spec.format.legs
        score.micro += bye_worth(spec)

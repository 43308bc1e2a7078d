"""What a game is worth, and each bot's sums; whole millionths of a point, so that sums are exact."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fangnetz_server.tournament.options import SwissOptions
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing, Presence, SeatFact

__all__ = ["MICRO", "Game", "Score", "Verdict", "duel", "micro", "score_board", "worth"]

MICRO: Final = 1_000_000
"""Millionths in a point: the games give points with six decimals (R6.4)."""


class Verdict(StrEnum):
    """How a duel ended for one of the two."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


_PLAIN: Final = {Verdict.WIN: 2, Verdict.DRAW: 1, Verdict.LOSS: 0}
_LAST: Final = 1_000_000
"""Place of a seat that nobody sat on: behind all others."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a bot; `half_points` are 2, 1 or 0 for a win, draw or loss."""

    opponent: BotKey
    verdict: Verdict
    micro: int

    @property
    def half_points(self) -> int:
        return _PLAIN[self.verdict]


@dataclass(slots=True)
class Score:
    """Sums of one bot; `rests` are games that a bye stands for."""

    micro: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    rests: int = 0
    absences: int = 0
    faults: int = 0
    games: list[Game] = field(default_factory=list)

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses


def micro(points: float | None) -> int:
    """Return points as whole millionths; none at all count nothing."""
    return 0 if points is None else round(points * MICRO)


def duel(fact: MatchFact) -> tuple[Verdict, Verdict]:
    """Return how a duel ended for seat 0 and for seat 1.

    Places decide, whatever the points are; who is absent loses, and two who are absent both lose.
    """
    one, other = fact.seats
    first, second = _rank(one), _rank(other)
    if first == second:
        both = Verdict.LOSS if first == _LAST else Verdict.DRAW
        return both, both
    return (Verdict.WIN, Verdict.LOSS) if first < second else (Verdict.LOSS, Verdict.WIN)


def _rank(seat: SeatFact) -> int:
    return _LAST if seat.presence is Presence.ABSENT or seat.place is None else seat.place


def worth(spec: TournamentSpec) -> Mapping[Verdict, int]:
    """Return the millionths for each way a duel can end."""
    points = spec.points
    return {
        Verdict.WIN: micro(points.win),
        Verdict.DRAW: micro(points.draw),
        Verdict.LOSS: micro(points.loss),
    }


def score_board(
    spec: TournamentSpec, history: History, bots: Iterable[BotKey], stage: str | None = None
) -> dict[BotKey, Score]:
    """Return the sums of duels for `bots`, in all stages or in one.

    Games against others than `bots` count too (they may have left the tournament).
    """
    board = {bot: Score() for bot in bots}
    values = worth(spec)
    for pairing, fact in history.played():
        if stage is None or pairing.stage == stage:
            _add_duel(board, fact, values, spec.points.source == "game")
    for pairing in history.pairings:
        if pairing.is_bye and (stage is None or pairing.stage == stage):
            _add_bye(board, pairing, spec)
    return board


def _add_duel(
    board: dict[BotKey, Score], fact: MatchFact, values: Mapping[Verdict, int], own_points: bool
) -> None:
    verdicts = duel(fact)
    one, other = fact.seats
    for seat, opponent, verdict in ((one, other, verdicts[0]), (other, one, verdicts[1])):
        score = board.get(seat.bot)
        if score is not None:
            gained = micro(seat.points) if own_points else values[verdict]
            _add_game(score, seat, Game(opponent.bot, verdict, gained))


def _add_game(score: Score, seat: SeatFact, game: Game) -> None:
    score.micro += game.micro
    score.faults += seat.faults
    score.games.append(game)
    if seat.presence is Presence.ABSENT:
        score.absences += 1
    match game.verdict:
        case Verdict.WIN:
            score.wins += 1
        case Verdict.DRAW:
            score.draws += 1
        case Verdict.LOSS:
            score.losses += 1


def _add_bye(board: dict[BotKey, Score], pairing: Pairing, spec: TournamentSpec) -> None:
    score = board.get(pairing.seats[0])
    if score is None:
        return
    score.byes += 1
    if isinstance(spec.format, SwissOptions):
        # Elsewhere a bye only rests: everybody rests once in a round robin, and a knock-out scores no points.
        points = spec.points
        score.rests += spec.format.legs
        score.micro += spec.format.legs * micro(points.win if points.bye is None else points.bye)

"""How strong the reference bots are: seeded local matches of each against the next weaker one."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, Final

from fangnetz.loading import load_bot, seeded
from fangnetz.local import LocalResult, play_local, require_games
from fangnetz.problems import WrongUse

__all__ = ["PAIRINGS", "Pairing", "Played", "Row", "play_pairing", "strength_table"]

TEAM: Final = 3
"""Bots of each side in a match of Right2Live."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A row of the table: a bot, its rival, and the share of matches that it should win, if any."""

    game: str
    bot: str
    rival: str
    goal: float | None = None

    def __str__(self) -> str:
        return f"{self.game} {self.bot} – {self.rival}"


PAIRINGS: Final = (
    Pairing("right2live", "strong", "simple", 0.8),
    Pairing("right2live", "simple", "random", 0.9),
    Pairing("spaceballs", "strong", "simple", 0.8),
    Pairing("spaceballs", "simple", "random", 0.9),
    # These two are there for the crashes: a bot may be made to crash by a rival that plays well or madly.
    Pairing("spaceballs", "strong", "random"),
    Pairing("spaceballs", "strong", "strong"),
)


@dataclass(frozen=True, slots=True)
class Played:
    """One match, seen from the bot's side."""

    points: float
    rival_points: float
    crashed: bool
    """Spaceballs: the bot flew into a mine or a wall."""
    ticks: int


@dataclass(frozen=True, slots=True)
class Row:
    """All matches of a pairing."""

    pairing: Pairing
    played: tuple[Played, ...]

    @property
    def wins(self) -> int:
        return sum(match.points > match.rival_points for match in self.played)

    @property
    def draws(self) -> int:
        return sum(match.points == match.rival_points for match in self.played)

    @property
    def losses(self) -> int:
        return len(self.played) - self.wins - self.draws

    @property
    def won(self) -> float:
        """Share of the matches that were won; a draw is no win."""
        return self.wins / len(self.played)

    @property
    def crashed(self) -> float:
        """Share of the matches in which the bot crashed by its own fault."""
        return sum(match.crashed for match in self.played) / len(self.played)


def strength_table(
    *, game: str | None = None, matches: int = 100, seed: int = 1, jobs: int | None = None
) -> list[Row]:
    """Play all pairings and print a table of the results; progress goes to standard error.

    Args:
        game: only the pairings of this game; None: of both.
        matches: matches a pairing; seats and maps alternate from match to match.
        seed: seed of the first match of each pairing, + 1 with each match.
        jobs: processes to use, at most one a core, which is also the default.

    Raises:
        WrongUse: there is no such game, or the rules are not installed.
    """
    pairings = [pairing for pairing in PAIRINGS if game in (None, pairing.game)]
    if not pairings:
        games = sorted({pairing.game for pairing in PAIRINGS})
        raise WrongUse(f"there are no reference bots of {game!r}, only of {', '.join(games)}")
    require_games()
    print(_HEADER, flush=True)
    rows = []
    with ProcessPoolExecutor(_processes(jobs), mp_context=get_context("spawn")) as pool:
        for pairing in pairings:
            futures = [pool.submit(play_pairing, pairing, number, seed) for number in range(matches)]
            played = tuple(future.result() for future in _with_progress(str(pairing), futures))
            rows.append(Row(pairing, played))
            print(_line(rows[-1]), flush=True)
    return rows


def play_pairing(pairing: Pairing, number: int, seed: int) -> Played:
    """Play one match of a pairing; `number` counts the matches from 0."""
    play = _play_teams if pairing.game == "right2live" else _play_duel
    return play(pairing, number, seed + number)


def _play_duel(pairing: Pairing, number: int, seed: int) -> Played:
    first = number % 2
    sides = [load_bot(f"{pairing.game}:{name}") for name in (pairing.bot, pairing.rival)]
    bots = [seeded(sides[(seat + first) % 2], 2 * seed + seat)() for seat in range(2)]
    result = play_local(pairing.game, bots, seed=seed)
    own, other = result.points[first], result.points[1 - first]
    return Played(own, other, _has_crashed(result, own), result.ticks)


def _has_crashed(result: LocalResult, points: float) -> bool:
    return result.reason == "double_crash" or (result.reason.startswith("crash") and points == 0)


def _play_teams(pairing: Pairing, number: int, seed: int) -> Played:
    """Play three bots against three on one of the maps; the points of a side are summed."""
    from fangnetz_server.maps import load_map, map_names

    names = map_names()
    ground = load_map(names[number // 2 % len(names)])
    sides = [load_bot(f"{pairing.game}:{name}") for name in (pairing.bot, pairing.rival)]
    owners = [(seat + number) % 2 for seat in range(2 * TEAM)]
    bots = [seeded(sides[owner], 100 * seed + seat)() for seat, owner in enumerate(owners)]
    setup = {"map": ground.rows, "toxicity": ground.toxicity, "seats": len(bots)}
    result = play_local(pairing.game, bots, seed=seed, setup=setup)
    points = [sum(_of_side(result.points, owners, side)) for side in (0, 1)]
    return Played(points[0], points[1], crashed=False, ticks=result.ticks)


def _of_side(points: Iterable[float], owners: Sequence[int], side: int) -> Iterator[float]:
    return (own for own, owner in zip(points, owners, strict=True) if owner == side)


def _processes(jobs: int | None) -> int:
    cores = os.cpu_count() or 1
    return max(1, min(jobs or cores, cores))


def _with_progress(name: str, futures: Sequence[Any]) -> Sequence[Any]:
    """Show on a terminal how many matches are over, and return the futures when all are."""
    shown = sys.stderr.isatty()
    for number, _ in enumerate(as_completed(futures), start=1):
        if shown:
            print(f"\r{name}: {number} of {len(futures)}\033[K", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return futures


_COLUMNS: Final = "{:<11} {:<7} {:<7} {:>5} {:>5} {:>5} {:>8} {:>8} {:>8} {:>7}"
_HEADER: Final = _COLUMNS.format(
    "game", "bot", "rival", "won", "drawn", "lost", "won %", "goal %", "crash %", "ticks"
)


def _line(row: Row) -> str:
    pairing = row.pairing
    ticks = sum(match.ticks for match in row.played) / len(row.played)
    return _COLUMNS.format(
        pairing.game,
        pairing.bot,
        pairing.rival,
        row.wins,
        row.draws,
        row.losses,
        f"{100 * row.won:.1f}",
        "" if pairing.goal is None else f"{100 * pairing.goal:.0f}",
        f"{100 * row.crashed:.1f}" if pairing.game == "spaceballs" else "",
        f"{ticks:.0f}",
    )

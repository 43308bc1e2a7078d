"""Tournaments: the pairing of a round, tables of 10,000 matches, and pairings against brute force."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from bench.report import Verdict, note
from fangnetz_server.tournament.checks import GameFacts
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.ratings import ratings
from fangnetz_server.tournament.reading import parse_spec
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.standings import standings
from fangnetz_server.tournament.values import History, MatchFact, Pairing, SeatFact

__all__ = ["pairing"]

BOTS: Final = 200
ROUNDS: Final = 50
LEGS: Final = 2
ROUND_S: Final = 2.0
TABLE_S: Final = 0.1
EXHAUSTIVE: Final = os.environ.get("FANGNETZ_EXHAUSTIVE") == "1"
_GAMES: Final = {"spaceballs": GameFacts(2, 2)}
_ROOT: Final = Path(__file__).parents[1]


def pairing() -> Iterable[Verdict]:
    """Swiss rounds of 200 bots, tables of 10,000 matches, pairings of 2 to 8 bots against brute force."""
    spec = _swiss()
    history, slowest = _play(spec)
    yield Verdict(f"Swiss, {BOTS} bots, slowest of {ROUNDS} rounds", slowest, "<=", ROUND_S, "s")
    matches = len(history.facts)
    took = min(_cpu_s(lambda: standings(spec, history)) for _ in range(5))
    yield Verdict(f"standings of {matches:,} matches and {BOTS} bots", took, "<=", TABLE_S, "s")
    note(f"history of {matches:,} matches put in order in {_cpu_s(lambda: _copy(history)):.3f} s")
    note(f"ratings from {matches:,} matches, from scratch, in {_cpu_s(lambda: ratings(history)):.2f} s")
    if not EXHAUSTIVE:
        note("of 8 bots a sample; all 531,441 histories take minutes: FANGNETZ_EXHAUSTIVE=1")
    histories = "all histories of 8 bots" if EXHAUSTIVE else "all histories of 7 bots, some of 8"
    yield Verdict(f"runs with a Swiss round worse than brute force, {histories}", _worse(), "<=", 0)


def _swiss() -> TournamentSpec:
    entries = [{"bot": f"bot{number:03}"} for number in range(BOTS)]
    format_ = {"kind": "swiss", "rounds": ROUNDS, "legs": LEGS}
    return parse_spec({"name": "Bench", "game": "spaceballs", "format": format_, "entries": entries}, _GAMES)


def _play(spec: TournamentSpec) -> tuple[History, float]:
    """Play all rounds and return the slowest pairing."""
    history, slowest = History(), 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        due = next_pairings(spec, history)
        slowest = max(slowest, time.process_time() - start)
        history = History(history.pairings + due, history.facts + tuple(map(_judge, due)))
    return history, slowest


def _judge(match: Pairing) -> MatchFact:
    """Let the bot with the lower name win mostly."""
    low, high = sorted(match.seats)
    chance = 50 + (int(high[3:]) - int(low[3:])) // 5
    winner = low if lot(1, "result", match.id) % 100 < chance else high
    seats = (SeatFact(bot, float(bot == winner), 1 if bot == winner else 2) for bot in match.seats)
    return MatchFact(match.id, tuple(seats), "catch")


def _copy(history: History) -> History:
    return History(history.pairings[::-1], history.facts[::-1])


def _cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _worse() -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "tests/tournament/test_swiss_exhaustive.py"],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    note(done.stdout.strip().splitlines()[-1])
    return done.returncode

"""The rules alone, without a network: steps and rounds a second of CPU time."""

import functools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

from bench.report import Verdict, note
from bench.stopwatch import cpu_rate, loops_per_second
from fangnetz_protocol.words import COMPASS, SeatId
from fangnetz_server.games.contract import GameState
from fangnetz_server.games.registry import AnyGame, load_games
from fangnetz_server.maps import load_map

__all__ = ["rules"]

STEPS_PER_SECOND: Final = 40_000
ROUNDS_PER_SECOND: Final = 600
MAP: Final = "pillars"
"""The one of 70x30 fields, wide open and full of pillars: much is seen, and much is in the way."""
PLAYERS: Final = (2, 5, 10, 20)
STEPS: Final = 10_000
STEPS_A_THRUST: Final = 100
ROUNDS: Final = 120
ROUNDS_A_START: Final = 20
"""Rounds before all are placed anew, so that the teams stay mixed."""


def rules() -> Iterable[Verdict]:
    """Steps and rounds a second of the rules, and how the cost grows with the players."""
    games = load_games()
    loops = loops_per_second()
    note(f"calibration: {loops / 1e6:.1f} million loops/s of floats in pure Python")
    for per_tick in (5, 1):
        flight = record_flight(games["spaceballs"], per_tick)
        steps = cpu_rate(functools.partial(fly, games["spaceballs"], flight, per_tick))
        note(f"one step costs as much as {loops / steps:.1f} loops")
        yield Verdict(f"Spaceballs, {per_tick} steps a tick", steps, ">=", STEPS_PER_SECOND, "steps/s")
    pillars = load_map(MAP).rows
    ten = measure_crowd(games["right2live"], 10, pillars)
    note(f"10 players see {ten.seen:.1f} opponents in all")
    note(f"one round of ten costs as much as {loops / ten.rate:,.0f} loops")
    what = "Right2Live, 10 players on 70x30, all observations"
    yield Verdict(what, ten.rate, ">=", ROUNDS_PER_SECOND, "rounds/s")
    hall = [" " * len(pillars[0])] * len(pillars)
    crowds = [measure_crowd(games["right2live"], players, hall) for players in PLAYERS]
    for crowd in crowds:
        note(
            f"empty hall: {crowd.players:2} players see {crowd.seen:5.1f} in all, {crowd.rate:7,.0f} rounds/s"
        )
    yield Verdict("exponent of a round's cost over players x visible opponents", exponent(crowds), "<=", 1)


# --- Spaceballs -------------------------------------------------------------------------------

Tick = tuple[GameState, Sequence[Any]]
"""A state and the actions that lead on from it."""


def record_flight(game: AnyGame, steps_per_tick: int) -> list[Tick]:
    """Fly matches with a thrust drawn anew every second, and return their ticks."""
    chance, flight, seed = random.Random(1), list[Tick](), 0
    while len(flight) * steps_per_tick < STEPS:
        seed += 1
        state = game.prepare(seed, {"ruleset": {"steps_per_tick": steps_per_tick}})
        while game.outcome(state) is None:
            if len(flight) * steps_per_tick % STEPS_A_THRUST == 0 or state.tick == 0:
                thrusts = [_thrust(game, chance) for _ in range(2)]
            flight.append((state, thrusts))
            state = game.step(state, thrusts)
    return flight


def _thrust(game: AnyGame, chance: random.Random) -> Any:
    return game.parse_action({"thrust": [chance.uniform(-1, 1), chance.uniform(-0.5, 1)]})


def fly(game: AnyGame, flight: Iterable[Tick], steps_per_tick: int) -> int:
    """Take all ticks again and return the number of steps."""
    ticks = 0
    for state, thrusts in flight:
        game.step(state, thrusts)
        ticks += 1
    return ticks * steps_per_tick


# --- Right2Live -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Crowd:
    """How fast the rounds of so many players are."""

    players: int
    seen: float
    """Opponents in sight, summed over all players: players x visible opponents."""
    rate: float
    """Rounds a second, observations of all players included."""


def measure_crowd(game: AnyGame, players: int, layout: Sequence[str]) -> Crowd:
    """Measure rounds of players who walk about at random."""
    walk = record_walk(game, players, layout)
    rate = cpu_rate(functools.partial(walk_again, game, walk))
    seen = sum(_seen(game, state) for state, _ in walk) / len(walk)
    return Crowd(players, seen, rate)


def record_walk(game: AnyGame, players: int, layout: Sequence[str]) -> list[Tick]:
    """Walk about, half of the players in each team at the start, and return the rounds."""
    chance, walk, seed = random.Random(1), list[Tick](), 0
    teams = [{"team": "RED" if seat % 2 else "BLUE"} for seat in range(players)]
    while len(walk) < ROUNDS:
        seed += 1
        state = game.prepare(seed, {"map": list(layout), "seats": teams})
        while game.outcome(state) is None and state.tick < ROUNDS_A_START:
            moves = [_move(game, chance) for _ in range(players)]
            walk.append((state, moves))
            state = game.step(state, moves)
    return walk


def _move(game: AnyGame, chance: random.Random) -> Any:
    direction = chance.choice(COMPASS)
    return game.parse_action({"move": direction, "view": direction})


def walk_again(game: AnyGame, walk: Iterable[Tick]) -> int:
    """Play all rounds again, observations included, and return their number."""
    rounds = 0
    for state, moves in walk:
        after = game.step(state, moves)
        for seat in range(after.seat_count):
            game.observe(after, SeatId(seat))
        rounds += 1
    return rounds


def _seen(game: AnyGame, state: GameState) -> int:
    observations = [game.observe(state, SeatId(seat)) for seat in range(state.seat_count)]
    return sum(
        other["team"] != observation["me"]["team"]
        for observation in observations
        for other in observation["players"]
    )


def exponent(crowds: Sequence[Crowd]) -> float:
    """Return the slope of log(cost) over log(players x visible opponents), by least squares."""
    points = [(log(crowd.seen), -log(crowd.rate)) for crowd in crowds]
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / sum(
        (x - middle_x) ** 2 for x, _ in points
    )

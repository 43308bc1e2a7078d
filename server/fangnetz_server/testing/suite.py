"""Runs all clauses over seeded matches of a game."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from fangnetz_server.games.contract import Game, JsonObject
from fangnetz_server.testing.clauses import CLAUSES
from fangnetz_server.testing.trial import ContractViolation, Trial, play_trial

__all__ = ["check_game"]

T = TypeVar("T")

_SEED: Final = 7_391_284_650_183
"""A number that no field or point is by chance, so that a leak of the seed is seen."""


def check_game(
    game: Game[Any, Any],
    *,
    samples: Sequence[JsonObject] = (),
    setup: Mapping[str, Any] | None = None,
    matches: int = 3,
    max_ticks: int = 20_000,
) -> None:
    """Check a game against the contract of `fangnetz_server.games.contract`.

    Plays seeded matches with actions drawn from the samples and neutral ones, and holds every
    clause against each of them.

    Args:
        game: the game to check.
        samples: game parts of valid actions, of each kind one; without them only the neutral action is tried.
        setup: what to fix of the start position, as in a scenario file.
        matches: how many matches to play.
        max_ticks: ticks within which a match has to end.

    Raises:
        ContractViolation: the first clause that does not hold, and how.
    """
    given = setup or {}
    for number in range(matches):
        trial = _guarded("play", partial(play_trial, game, _SEED + number, given, samples, max_ticks))
        for clause in CLAUSES:
            problem = _guarded(clause.__name__, partial(_first_problem, clause, trial))
            if problem is not None:
                raise ContractViolation(clause.__name__, problem)


def _first_problem(clause: Callable[[Trial], Any], trial: Trial) -> str | None:
    return next(iter(clause(trial)), None)


def _guarded(name: str, call: Callable[[], T]) -> T:
    """Return what the call returns; an exception of the game breaks the clause."""
    try:
        return call()
    except Exception as error:
        raise ContractViolation(name, f"the game raised {type(error).__name__}: {error}") from error

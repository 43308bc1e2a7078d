"""Cases of the rules: before, actions, after; one runner plays them and checks that its input stays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from fangnetz_server.games.contract import JsonObject, Outcome
from fangnetz_server.games.registry import AnyGame

__all__ = ["Case", "look_up", "play_case"]

EVERY = "*"
"""Stands for all ticks without an action of their own."""


@dataclass(frozen=True)
class Case:
    """One case, named by the rule that it shows.

    `actions` are game parts by seat and tick; `expect` holds values by tick and path
    ("balls.0.x"); the values of dictionaries are compared as far as they are given.
    """

    rule: str
    why: str
    setup: JsonObject
    ticks: int
    expect: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    actions: Mapping[int, Mapping[int | str, JsonObject]] = field(default_factory=dict)
    outcome: Outcome | None = None
    ends: int | None = None
    """Tick with which the match ends."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}"


def play_case(game: AnyGame, case: Case) -> None:
    """Play a case and compare every expected value."""
    state = game.prepare(1, case.setup)
    frames = {0: game.frame(state)}
    while state.tick < case.ticks and game.outcome(state) is None:
        actions = [_action(game, case, seat, state.tick + 1) for seat in range(state.seat_count)]
        before, given = game.fingerprint(state), list(actions)
        after = game.step(state, actions)
        assert game.fingerprint(state) == before
        assert actions == given
        state = after
        frames[state.tick] = game.frame(state)
    for tick, values in case.expect.items():
        for path, wanted in values.items():
            compare(look_up(frames[tick], path), wanted, f"tick {tick}: {path}")
    assert game.outcome(state) == case.outcome
    assert case.ends in (None, state.tick)


def _action(game: AnyGame, case: Case, seat: int, tick: int) -> Any:
    script = case.actions.get(seat, {})
    part = script.get(tick, script.get(EVERY))
    return None if part is None else game.parse_action(part)


def look_up(value: Any, path: str) -> Any:
    """Return the value at a path such as "balls.0.x"."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, Sequence) else value[part]
    return value


def compare(found: Any, wanted: Any, where: str) -> None:
    """Assert that the found value is the wanted one; numbers may differ by rounding."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            compare(found[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), f"{where}: {found}"
        for number, value in enumerate(wanted):
            compare(found[number], value, f"{where}.{number}")
    elif isinstance(wanted, float):
        assert isclose(found, wanted, rel_tol=0, abs_tol=1e-9), f"{where}: {found} instead of {wanted}"
    else:
        assert found == wanted, f"{where}: {found} instead of {wanted}"

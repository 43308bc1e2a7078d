"""Scenario files: a scripted match through the rules, without a network (protocol section 4)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NoReturn, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import Game, GameState, InvalidAction, JsonObject, SetupError
from fangnetz_server.games.faults import first_fault

__all__ = ["Scenario", "ScenarioError", "load_scenario", "run_scenario"]

Order: TypeAlias = tuple[SeatId, ...]

_STRING_OR_CONSTANT: Final = re.compile(r'"(?:\\.|[^"\\])*"|NaN|-?Infinity')
LONGEST: Final = 1_000_000
"""Ticks to run at most: a hundred times the longest match of any game here, so that a slip ends."""


class ScenarioError(ValueError):
    """A scenario file that says something wrong.

    `where` is a path into the document ("actions.3.seat") or a place in the text ("line 3, column 5").
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.where = where
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario ready to run: a start position and what happens to it."""

    game: Game[Any, Any]
    start: GameState
    script: Mapping[SeatId, Mapping[int | str, JsonObject]]
    """The game parts of the actions: by seat, then by tick or "*" (P4.1)."""
    orders: tuple[Order, ...]
    """The orders of movement of the first ticks (P4.2)."""
    order: Order | None
    """The order of all other ticks; None: it is drawn."""
    ticks: int
    """Number of the last tick to run (P4.3)."""
    observe: bool
    """Whether each frame holds what every seat sees (P4.5)."""


class _Action(BaseModel):
    """What the scenario itself reads of an action; the rest is the game part."""

    model_config = ConfigDict(extra="allow", strict=True)

    tick: int | str
    seat: Annotated[int, Field(ge=0)]

    @field_validator("tick", mode="before")
    @classmethod
    def _number_or_star(cls, tick: object) -> object:
        if tick == "*" or (type(tick) is int and tick >= 1):
            return tick
        raise ValueError('should be the number of a tick, from 1 on, or "*" for all')


class _Document(BaseModel):
    """What the scenario itself reads of a document; the rest is the game's setup (P4.2)."""

    model_config = ConfigDict(extra="allow")

    game: str
    ticks: Annotated[int, Field(strict=True, ge=0, le=LONGEST)]
    seed: Annotated[int, Field(strict=True)] = 0
    actions: tuple[_Action, ...] = ()
    order: list[Any] | None = None
    observe: Annotated[bool, Field(strict=True)] = False


def load_scenario(data: bytes, games: Mapping[str, Game[Any, Any]]) -> Scenario:
    """Read a scenario file and build its start position.

    Args:
        data: the file, JSON in UTF-8.
        games: the known games by their id.

    Raises:
        ScenarioError: the file says something wrong; the text names the place and what would be right.
    """
    try:
        document = _Document.model_validate(_read_object(data))
    except ValidationError as error:
        raise ScenarioError(*first_fault(error, "", _Document)) from error
    game = games.get(document.game)
    if game is None:
        raise ScenarioError("game", f"should be one of {', '.join(sorted(games))}, not {document.game!r:.60}")
    try:
        start = game.prepare(document.seed, document.model_extra or {})
    except SetupError as error:
        raise ScenarioError(error.where, error.problem) from error
    if document.ticks < start.tick:
        raise ScenarioError(
            "ticks", f"should be at least {start.tick}, the tick of the start, not {document.ticks}"
        )
    orders, order = _orders(document.order, start.seat_count)
    script = _script(document.actions, start.seat_count)
    return Scenario(game, start, script, orders, order, document.ticks, document.observe)


def run_scenario(scenario: Scenario) -> Iterator[JsonObject]:
    """Yield a `frame` a tick, beginning with the start position, and one last line.

    The last line is a `match_end`, or `stopped` if the match goes on after the last tick (P4.3).
    """
    game, state = scenario.game, scenario.start
    yield _frame(scenario, state)
    first = state.tick + 1
    for tick in range(first, scenario.ticks + 1):
        if game.outcome(state) is not None:
            break
        actions = [_action(scenario, SeatId(seat), tick) for seat in range(state.seat_count)]
        order = scenario.orders[tick - first] if tick - first < len(scenario.orders) else scenario.order
        state = game.step(state, actions, order)
        yield _frame(scenario, state)
    yield _last_line(scenario, state)


def _frame(scenario: Scenario, state: GameState) -> JsonObject:
    line = {"type": "frame", "tick": state.tick, **scenario.game.frame(state)}
    if scenario.observe:
        line["observations"] = [
            scenario.game.observe(state, SeatId(seat)) for seat in range(state.seat_count)
        ]
    return line


def _last_line(scenario: Scenario, state: GameState) -> JsonObject:
    outcome = scenario.game.outcome(state)
    if outcome is None:
        return {"type": "stopped"}
    return {
        "type": "match_end",
        "reason": outcome.reason,
        "points": list(outcome.points),
        "places": list(outcome.places),
        "ticks": state.tick,
    }


def _action(scenario: Scenario, seat: SeatId, tick: int) -> Any:
    script = scenario.script.get(seat, {})
    part = script.get(tick, script.get("*"))
    try:
        return None if part is None else scenario.game.parse_action(part)
    except InvalidAction:
        # P4.4: it counts as in a match, where an invalid action is a neutral one.
        return None


def _orders(given: list[Any] | None, seats: int) -> tuple[tuple[Order, ...], Order | None]:
    """Read `order`: one for all ticks, or a list whose first entry is for the first tick run (P4.2)."""
    if given is None:
        return (), None
    if any(isinstance(entry, list) for entry in given):
        return tuple(
            _permutation(entry, seats, f"order.{number}") for number, entry in enumerate(given)
        ), None
    return (), _permutation(given, seats, "order")


def _permutation(given: object, seats: int, where: str) -> Order:
    every = [SeatId(seat) for seat in range(seats)]
    if not isinstance(given, list) or any(type(seat) is not int for seat in given) or sorted(given) != every:
        raise ScenarioError(where, f"should hold each of the seats 0 to {seats - 1} once, not {given!r:.60}")
    return tuple(SeatId(seat) for seat in given)


def _script(actions: Sequence[_Action], seats: int) -> dict[SeatId, dict[int | str, JsonObject]]:
    script: dict[SeatId, dict[int | str, JsonObject]] = {}
    for number, action in enumerate(actions):
        if action.seat >= seats:
            raise ScenarioError(
                f"actions.{number}.seat", f"should be below {seats}, the number of seats, not {action.seat}"
            )
        # P2.1: of several actions for one tick the first one counts.
        script.setdefault(SeatId(action.seat), {}).setdefault(action.tick, action.model_extra or {})
    return script


def _read_object(data: bytes) -> dict[str, Any]:
    """Read the JSON text; its faults are named by line and column."""
    try:
        text = data.decode("utf-8-sig")
        document = json.loads(text, parse_constant=lambda name: _refuse_constant(text, name))
    except json.JSONDecodeError as error:
        raise ScenarioError(f"line {error.lineno}, column {error.colno}", f"no JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ScenarioError(f"line {data.count(10, 0, error.start) + 1}", "no text in UTF-8") from error
    except RecursionError as error:
        raise ScenarioError("", "the document is nested too deeply; a scenario needs five levels") from error
    except ValueError as error:
        raise ScenarioError("", f"a number has too many digits: {error}") from error
    if not isinstance(document, dict):
        raise ScenarioError("", f"a scenario is a JSON object, not {document!r:.60}")
    return document


def _refuse_constant(text: str, name: str) -> NoReturn:
    # Python's reader takes NaN and Infinity, JSON has neither (P1.4).
    places = (found for found in _STRING_OR_CONSTANT.finditer(text) if found[0] == name)
    raise json.JSONDecodeError(f"{name} is no number", text, next(places).start())

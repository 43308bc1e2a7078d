"""From a setup to the start position and back (R1; protocol P4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final, TypeGuard

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from fangnetz_protocol.words import Direction, Team
from fangnetz_server.games.contract import JsonObject, SetupError
from fangnetz_server.games.draw import Draw
from fangnetz_server.games.faults import first_fault
from fangnetz_server.games.right2live.arena import Arena, build_arena, layer_faults, map_faults
from fangnetz_server.games.right2live.default_map import DEFAULT_LAYER, DEFAULT_MAP
from fangnetz_server.games.right2live.ruleset import Hundredths, read_ruleset, to_hundredths
from fangnetz_server.games.right2live.state import BLUE, Player, State

__all__ = ["DEFAULT_SEATS", "MAX_SEATS", "MIN_SEATS", "export_setup", "prepare"]

MIN_SEATS: Final = 2
MAX_SEATS: Final = 20
DEFAULT_SEATS: Final = 10
_KEYS: Final = ("ruleset", "map", "toxicity", "seats", "tick", "last_change")


def _looks_somewhere(view: Direction) -> Direction:
    if view is Direction.NONE:
        raise ValueError("a view is one of the eight directions")
    return view


class SeatSetup(BaseModel):
    """One seat of a scenario; what is left out is as at the start of a match (R1.5)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    x: int | None = None
    y: int | None = None
    view: Annotated[Direction, Field(strict=False), AfterValidator(_looks_somewhere)] = Direction.NORTH
    team: Annotated[Team, Field(strict=False)] = Team.BLUE
    life: Hundredths | None = None
    standing: int = Field(default=0, ge=0, le=1_000_000)


@dataclass(frozen=True, slots=True)
class _Start:
    """A seat of the setup and its field, None where the seed decides."""

    seat: SeatSetup
    field: int | None


def prepare(seed: int, setup: Mapping[str, Any]) -> State:
    """Build the start position (R1.5), or the one that a scenario file describes.

    Args:
        seed: the match seed; it decides what the setup leaves open.
        setup: `ruleset`, `map`, `toxicity`, `seats` (a number, or a list with `x`, `y`, `view`, `team`,
            `life`, `standing`), `tick` and `last_change`. Null means the same as left out.

    Raises:
        SetupError: something in it is wrong; the text names the place.
    """
    for key in setup:
        if key not in _KEYS:
            raise SetupError(str(key), f"unknown; known are {', '.join(_KEYS)}")
    given = {key: value for key, value in setup.items() if value is not None}
    ruleset = read_ruleset(given.get("ruleset", {}))
    arena = _read_arena(given)
    tick = _read_count("tick", given.get("tick", 0))
    last_change = _read_count("last_change", given.get("last_change", 0))
    if last_change > tick:
        raise SetupError("last_change", f"is {last_change}, but must not be after tick {tick}")
    if ruleset.max_rounds is not None and tick >= ruleset.max_rounds:
        raise SetupError(
            "tick", f"is {tick}, but the match ends with round {ruleset.max_rounds} (max_rounds)"
        )
    starts = _read_seats(arena, given.get("seats", DEFAULT_SEATS))
    players = _place(seed, arena, starts, to_hundredths(ruleset.life))
    return State(ruleset, arena, seed, tick, last_change, players)


def export_setup(state: State) -> JsonObject:
    """Return a setup from which `prepare` builds an equal state, of the start position."""
    return {
        "ruleset": state.ruleset.model_dump(),
        "map": state.arena.rows(),
        "toxicity": state.arena.layer(),
        "seats": [_export_seat(state.arena, player) for player in state.players],
        "tick": state.tick,
        "last_change": state.last_change,
    }


def _export_seat(arena: Arena, player: Player) -> JsonObject:
    x, y = arena.xy(player.field)
    return {
        "x": x,
        "y": y,
        "view": str(player.view),
        "team": str(player.team),
        "life": player.life / 100,
        "standing": player.standing,
    }


def _read_arena(given: Mapping[str, Any]) -> Arena:
    if "map" not in given:
        if "toxicity" in given:
            raise SetupError("toxicity", "needs the map that it belongs to")
        return build_arena(DEFAULT_MAP, DEFAULT_LAYER)
    rows = _read_rows("map", given["map"])
    for fault in map_faults(rows):
        raise SetupError(f"map line {fault.line}, column {fault.column}", fault.problem)
    if "toxicity" not in given:
        return build_arena(rows, None)
    layer = _read_rows("toxicity", given["toxicity"])
    for fault in layer_faults(layer, rows):
        raise SetupError(f"toxicity line {fault.line}, column {fault.column}", fault.problem)
    return build_arena(rows, layer)


def _read_rows(where: str, value: object) -> tuple[str, ...]:
    if not _is_list(value):
        raise SetupError(where, "must be a list of lines")
    for line, row in enumerate(value, 1):
        if not isinstance(row, str):
            raise SetupError(f"{where} line {line}", f"must be a text, not {row!r}")
    return tuple(value)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _read_count(where: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000:
        raise SetupError(where, f"must be a whole number from 0 to 1000000, not {value!r}")
    return value


def _read_seats(arena: Arena, value: object) -> list[_Start]:
    if isinstance(value, int) and not isinstance(value, bool):
        starts = [_Start(SeatSetup(), None)] * _checked_number(arena, value)
    elif _is_list(value):
        _checked_number(arena, len(value))
        starts = [_read_seat(arena, f"seats.{seat}", entry) for seat, entry in enumerate(value)]
    else:
        raise SetupError("seats", f"must be a number or a list, not {value!r}")
    if not any(start.seat.team is BLUE for start in starts):
        raise SetupError(
            "seats", "at least one seat must be BLUE, or the match is over before it starts (R7.1)"
        )
    _check_apart(starts)
    return starts


def _checked_number(arena: Arena, number: int) -> int:
    if not MIN_SEATS <= number <= MAX_SEATS:
        raise SetupError("seats", f"there are {number}; a match has {MIN_SEATS} to {MAX_SEATS} (R1.1)")
    free = len(arena.free_fields())
    if free < number:
        raise SetupError("map", f"has {free} free fields for {number} seats; each needs one (R1.1)")
    return number


def _read_seat(arena: Arena, where: str, entry: object) -> _Start:
    if not isinstance(entry, Mapping):
        raise SetupError(where, 'must be an object, such as {"x": 0, "y": 0}')
    try:
        seat = SeatSetup.model_validate(dict(entry))
    except ValidationError as error:
        raise SetupError(*first_fault(error, where, SeatSetup)) from None
    if seat.x is None and seat.y is None:
        return _Start(seat, None)
    if seat.x is None or seat.y is None:
        raise SetupError(where, "needs both x and y, or neither of them")
    for axis, value, size in (("x", seat.x, arena.width), ("y", seat.y, arena.height)):
        if not 0 <= value < size:
            raise SetupError(f"{where}.{axis}", f"is {value}; the map goes from 0 to {size - 1}")
    field = arena.at(seat.x, seat.y)
    if not arena.free[field]:
        raise SetupError(where, f"({seat.x}, {seat.y}) is a wall")
    return _Start(seat, field)


def _check_apart(starts: Sequence[_Start]) -> None:
    first: dict[int, int] = {}
    for number, start in enumerate(starts):
        if start.field is not None and (other := first.setdefault(start.field, number)) != number:
            raise SetupError(f"seats.{number}", f"stands on the same field as seat {other}")


def _place(seed: int, arena: Arena, starts: Sequence[_Start], life: int) -> tuple[Player, ...]:
    """Give each seat its field, drawn from the fields that no seat has been given (R1.5)."""
    taken = {start.field for start in starts}
    left = [field for field in arena.free_fields() if field not in taken]
    draw = Draw(seed, 0, "start")
    players = []
    for start in starts:
        field = left.pop(draw.below(len(left))) if start.field is None else start.field
        own = life if start.seat.life is None else to_hundredths(start.seat.life)
        players.append(Player(field, start.seat.view, start.seat.team, own, start.seat.standing, Fraction(0)))
    return tuple(players)

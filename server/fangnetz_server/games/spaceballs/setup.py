"""Builds the start position from a seed and what a scenario fixes (B1, P4.2), and writes it back."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fangnetz_server.games.contract import JsonObject, SetupError
from fangnetz_server.games.faults import first_fault
from fangnetz_server.games.spaceballs.fingerprint import build_arena
from fangnetz_server.games.spaceballs.placing import draw_field
from fangnetz_server.games.spaceballs.ruleset import read_ruleset
from fangnetz_server.games.spaceballs.state import Ball, State, places

__all__ = ["export_setup", "prepare"]

Coordinate = Annotated[float, Field(strict=True, ge=0, le=1)]
Speed = Annotated[float, Field(strict=True, ge=-100, le=100)]
"""Faster than any ball can get in the longest match with the usual thrust."""
Points: TypeAlias = Annotated[tuple[tuple[Coordinate, Coordinate], ...], Field(max_length=100)]
"""Far more than fit without touching."""


class _Start(BaseModel):
    """A ball in a setup; what is left out is that of the usual start."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    x: Coordinate | None = None
    y: Coordinate | None = None
    vx: Speed = 0.0
    vy: Speed = 0.0
    fuel: Annotated[int, Field(strict=True, ge=0, le=1000)] = 0


class _Setup(BaseModel):
    """What a scenario may fix (P4.2)."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    ruleset: dict[str, Any] = {}
    stations: Points | None = None
    mines: Points | None = None
    balls: tuple[_Start, _Start] = (_Start(), _Start())


# B1.5: red on the left, blue on the right, both at rest.
_STARTS = (Ball(0.015, 0.015), Ball(0.985, 0.015))


def prepare(seed: int, setup: Mapping[str, Any]) -> State:
    """Build the start position.

    Raises:
        SetupError: something in the setup is wrong; the text names the place.
    """
    try:
        # Null means the same as left out.
        given = _Setup.model_validate({key: value for key, value in setup.items() if value is not None})
    except ValidationError as error:
        raise SetupError(*first_fault(error, "", _Setup)) from error
    ruleset = read_ruleset(given.ruleset)
    balls = (_ball(given.balls[0], _STARTS[0]), _ball(given.balls[1], _STARTS[1]))
    stations, mines = draw_field(
        seed,
        (ruleset.stations, ruleset.mines),
        (given.stations, given.mines),
        [(ball.x, ball.y) for ball in balls],
    )
    arena = build_arena(ruleset, places(stations), places(mines))
    return State(arena, 0, 0, balls, arena.stations, arena.mines)


def _ball(given: _Start, usual: Ball) -> Ball:
    x = usual.x if given.x is None else given.x
    y = usual.y if given.y is None else given.y
    # Adding 0.0 turns -0.0 into 0.0: equal states have equal bits, so their fingerprints are equal.
    return Ball(x + 0.0, y + 0.0, given.vx + 0.0, given.vy + 0.0, fuel=given.fuel)


def export_setup(state: State) -> JsonObject:
    """Return a setup from which `prepare` builds this start position again, bit by bit."""
    return {
        "ruleset": state.arena.ruleset.model_dump(),
        "stations": [[place.x, place.y] for place in state.arena.stations.items],
        "mines": [[place.x, place.y] for place in state.arena.mines.items],
        "balls": [
            {"x": ball.x, "y": ball.y, "vx": ball.vx, "vy": ball.vy, "fuel": ball.fuel}
            for ball in state.balls
        ],
    }

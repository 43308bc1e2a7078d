"""What a host may want otherwise: the fields of rules section B7, and the presets."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.faults import first_fault

__all__ = ["DT", "PRESETS", "STEPS_PER_SECOND", "Ruleset", "read_ruleset"]

DT: Final = 0.01
"""Seconds a step (B2.1)."""
STEPS_PER_SECOND: Final = 100
MOST_OBJECTS: Final = 25
"""So many fit on the field with any seed; a third of the fields with 25 are stuck and started over (B1.3)."""


class Ruleset(BaseModel):
    """The ruleset of a match (B7). The bounds keep a match finite and its numbers sane."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    steps_per_tick: int = Field(default=5, ge=1, le=1000)
    """Steps under one action (B2.4)."""
    duration: float = Field(default=60.0, ge=DT, le=3600.0)
    """Seconds of a whole match, a multiple of 0.01 (B2.1)."""
    thrust: float = Field(default=0.1, gt=0.0, le=100.0)
    """Size of the acceleration, in field widths a square second (B2.2)."""
    stations: int = Field(default=9, ge=1)
    """Number of stations, odd: one in the middle and pairs (B1.3)."""
    mines: int = Field(default=12, ge=0)
    """Number of mines, even: pairs (B1.3)."""
    mine_choice: Literal["nearest", "last"] = "nearest"
    """Which mine vanishes: the one nearest to the defender, or the last of the list (B4.6)."""
    mine_clock: Literal["since_last_station", "grid"] = "since_last_station"
    """When mines vanish: counted from the last station on, or in steps that are a multiple of 300 (B7)."""
    crash_and_catch: Literal["crash", "both"] = "crash"
    """Whether a crash ends the match before a catch is judged, or both are judged (B7)."""

    @field_validator("duration")
    @classmethod
    def _whole_steps(cls, duration: float) -> float:
        if round(duration * STEPS_PER_SECOND) / STEPS_PER_SECOND != duration:
            raise ValueError("should be a multiple of 0.01, the length of a step")
        return duration

    @field_validator("stations")
    @classmethod
    def _odd(cls, stations: int) -> int:
        if stations % 2 == 0:
            raise ValueError("should be odd: one station in the middle and pairs beside it")
        return stations

    @field_validator("mines")
    @classmethod
    def _even(cls, mines: int) -> int:
        if mines % 2 == 1:
            raise ValueError("should be even: mines come in pairs")
        return mines

    @model_validator(mode="after")
    def _fits(self) -> "Ruleset":
        if self.stations + self.mines > MOST_OBJECTS:
            raise ValueError(f"should have at most {MOST_OBJECTS} stations and mines together")
        return self

    @property
    def steps(self) -> int:
        """Steps of a whole match (B2.1)."""
        return round(self.duration * STEPS_PER_SECOND)

    @property
    def ticks(self) -> int:
        """Ticks of a whole match; the last one may be shorter (B2.4)."""
        return -(-self.steps // self.steps_per_tick)


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    # B7: the public engine of the tournament of 2015.
    "bremen-2015": {
        "steps_per_tick": 1,
        "mine_choice": "last",
        "mine_clock": "grid",
        "crash_and_catch": "both",
    },
}


def read_ruleset(given: object) -> Ruleset:
    """Return the ruleset for the `ruleset` object of a setup: a preset, and fields that override it (P4.4).

    Raises:
        SetupError: a field or the preset is unknown or out of bounds.
    """
    if not isinstance(given, Mapping):
        raise SetupError("ruleset", f"should be an object, not {given!r:.60}")
    fields = dict(given)
    preset = fields.pop("preset", "default")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise SetupError("ruleset.preset", f"should be one of {', '.join(PRESETS)}, not {preset!r:.60}")
    try:
        return Ruleset.model_validate({**PRESETS[preset], **fields})
    except ValidationError as error:
        raise SetupError(*first_fault(error, "ruleset", Ruleset)) from error

"""The rules that a host may choose, and the presets (R9)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.faults import first_fault

__all__ = ["PRESETS", "Hundredths", "Ruleset", "read_ruleset", "to_hundredths"]

MAX_LIFE: Final = 1_000_000.0
"""Far above any sensible life; keeps the sums small."""


def to_hundredths(life: float) -> int:
    """Return life points as whole hundredths (R1.6)."""
    return round(life * 100)


def _whole_hundredths(life: float) -> float:
    if abs(life * 100 - to_hundredths(life)) > 1e-6:
        raise ValueError("life is counted in whole hundredths, such as 99.25 (R1.6)")
    return life


Hundredths = Annotated[float, Field(ge=-MAX_LIFE, le=MAX_LIFE), AfterValidator(_whole_hundredths)]
"""Life points with at most two decimals."""


class Ruleset(BaseModel):
    """The ruleset in force (R9)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    move_order: Literal["drawn", "arrival"] = "drawn"
    """Who steps first: drawn afresh each round, or in the order in which the actions arrived (R3.3)."""
    max_rounds: int | None = Field(default=None, ge=1)
    """The match ends after this round; None: only when no BLUE is left (R7.2)."""
    life: Hundredths = Field(default=100.0, gt=0)
    """Life points at the start (R1.5)."""
    fov_degrees: int = Field(default=179, ge=1, le=360)
    """Whole angle of view (R8.2)."""


PRESETS: Final[Mapping[str, Ruleset]] = {
    "default": Ruleset(),
    "contest-2010": Ruleset(move_order="arrival"),
}


def read_ruleset(given: object) -> Ruleset:
    """Return the ruleset of a setup: a preset, overridden by the other fields (protocol P4.4).

    Raises:
        SetupError: no object, an unknown preset, field or value.
    """
    if not isinstance(given, Mapping):
        raise SetupError("ruleset", 'must be an object, such as {"preset": "default"}')
    fields: dict[str, Any] = dict(given)
    preset = fields.pop("preset", "default")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise SetupError("ruleset.preset", f"{preset!r} is unknown; there are {', '.join(PRESETS)}")
    try:
        return Ruleset.model_validate(PRESETS[preset].model_dump() | fields)
    except ValidationError as error:
        raise SetupError(*first_fault(error, "ruleset", Ruleset)) from None

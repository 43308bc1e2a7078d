"""What a host may choose for a match besides the game's own ruleset (protocol P2.2, P2.5)."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fangnetz_protocol.words import Pace
from fangnetz_server.games.contract import GameInfo

__all__ = ["MatchSettings"]

_Milliseconds = Annotated[int, Field(ge=1, le=3_600_000)]


class MatchSettings(BaseModel):
    """Pace and time limits of a match; the times are whole milliseconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pace: Pace = Pace.LOCKSTEP
    """`realtime`: ticks at fixed times; `lockstep`: the next tick as soon as all have answered."""
    tick_ms: _Milliseconds = 250
    """Realtime: time between two ticks."""
    deadline_ms: _Milliseconds = 1000
    """Lockstep: time for each answer, before the bank is touched."""
    bank_ms: Annotated[int, Field(ge=0, le=3_600_000)] = 5000
    """Lockstep: extra time a seat has in the whole match."""
    ready_ms: _Milliseconds = 10_000
    """Time to connect, and again to answer `match_start` with `ready`."""
    action_delay: Annotated[int, Field(ge=0, le=20)] = 0
    """Realtime: ticks by which every action takes effect later, for bots far away."""
    on_disconnect: Literal["neutral", "forfeit"] = "neutral"
    """A seat that stays away: neutral actions, or the match is given up once its bank is spent."""

    @model_validator(mode="after")
    def _delay_needs_fixed_ticks(self) -> Self:
        if self.action_delay and self.pace is Pace.LOCKSTEP:
            raise ValueError(
                "action_delay needs pace realtime: in lockstep every tick waits for its answers anyway"
            )
        return self

    @classmethod
    def defaults(cls, info: GameInfo, **given: object) -> Self:
        """Return the settings with the game's own times for what is not `given`.

        Raises:
            pydantic.ValidationError: a given value is of the wrong kind or out of its bounds.
        """
        times = {"tick_ms": info.tick_ms, "deadline_ms": info.deadline_ms}
        return cls.model_validate({**times, **given})

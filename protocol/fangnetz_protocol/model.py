"""The base of all wire models."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Count", "Model", "Number"]


class Model(BaseModel):
    """A frozen message or part of one; unknown fields are ignored (P1.4), numbers are finite."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, use_attribute_docstrings=True)


Count = Annotated[int, Field(ge=0, strict=True)]
"""A number of things, or the number of a seat, a tick or a step."""

Number = Annotated[float, Field(strict=True)]
"""A finite number; no text and no truth value stands for one."""

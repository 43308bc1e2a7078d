"""Looks into values: what can be changed in a state, and what is no JSON in a part."""

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from math import isfinite
from typing import Any

from pydantic import BaseModel

__all__ = ["json_faults", "mutable_parts"]


def mutable_parts(value: object, where: str) -> Iterator[str]:
    """Yield a sentence for each part of a state that somebody could change.

    Fields with `compare=False` are not part of the value and are left out.
    """
    match value:
        case None | bool() | int() | float() | str() | bytes() | Enum():
            return
        case list() | dict() | set() | bytearray():
            yield f"{where} is a {type(value).__name__}, which can be changed"
        case tuple() | frozenset():
            for number, entry in enumerate(value):
                yield from mutable_parts(entry, f"{where}.{number}")
        case BaseModel():
            if not value.model_config.get("frozen"):
                yield f"{where} is a model that is not frozen"
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            if not getattr(value, "__dataclass_params__").frozen:  # noqa: B009 (unknown to the type checker)
                yield f"{where} is a dataclass that is not frozen"
            for field in dataclasses.fields(value):
                if field.compare:
                    yield from mutable_parts(getattr(value, field.name), f"{where}.{field.name}")
        case _ if hasattr(value, "__dict__") and vars(value):
            yield f"{where} is a {type(value).__name__}, whose attributes can be changed"


def json_faults(value: Any, where: str) -> Iterator[str]:
    """Yield a sentence for each part that is no JSON or no finite number (P1.4)."""
    match value:
        case None | bool() | str():
            return
        case int():
            if not -(2**63) <= value < 2**64:
                yield f"{where} is an integer of more than 64 bits"
        case float():
            if not isfinite(value):
                yield f"{where} is {value}, which is no JSON"
        case list() | tuple():
            for number, entry in enumerate(value):
                yield from json_faults(entry, f"{where}.{number}")
        case Mapping():
            for key, entry in value.items():
                if not isinstance(key, str):
                    yield f"{where} has the key {key!r}, which is no string"
                yield from json_faults(entry, f"{where}.{key}")
        case _:
            yield f"{where} is a {type(value).__name__}, which is no JSON"

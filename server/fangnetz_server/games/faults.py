"""Turns what pydantic found wrong in a setup into one place and one sentence."""

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

__all__ = ["first_fault"]


def first_fault(error: ValidationError, root: str, model: type[BaseModel]) -> tuple[str, str]:
    """Return where the first fault is, as a path from `root` on, and what would be right there.

    Args:
        error: what validating a `model` raised.
        root: the path of the validated object; empty for the document itself.
        model: whose fields to list where an unknown one was given.
    """
    fault = error.errors(include_url=False)[0]
    path = [root] if root else []
    return ".".join([*path, *map(str, fault["loc"])]), _problem(fault, model)


def _problem(fault: ErrorDetails, model: type[BaseModel]) -> str:
    match fault["type"]:
        case "extra_forbidden" if len(fault["loc"]) == 1:
            return f"unknown; known are {', '.join(model.model_fields)}"
        case "extra_forbidden":
            return "unknown"
        case "missing":
            return "is missing"
        case "model_type" | "dict_type":
            return f"should be an object, not {fault['input']!r:.60}"
        case "tuple_type" | "list_type":
            return f"should be a list, not {fault['input']!r:.60}"
        case _:
            text = fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
            return f"{text}, not {fault['input']!r:.60}"

"""Holds messages against the generated JSON Schemas, with a validator that is not ours."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

__all__ = ["DIRECTIONS", "FOLDER", "complaints", "validate"]

FOLDER = Path(__file__).parents[2] / "protocol" / "schema"
DIRECTIONS = ("bot-to-server", "server-to-bot", "server-to-spectator")
_WITH_PART = frozenset({"action", "observation", "frame", "match_start"})


def validate(direction: str, message: dict[str, Any], game: str | None = None) -> None:
    """Assert that a message is as the schemas say.

    Args:
        direction: one of DIRECTIONS.
        message: the message as JSON gives it (lists, no tuples).
        game: where given, the message's part is held against the game's schema, too.
    """
    problems = complaints(direction, message, game)
    assert not problems, f"{direction} {json.dumps(message)[:500]}\n" + "\n".join(problems)


def complaints(direction: str, message: dict[str, Any], game: str | None = None) -> list[str]:
    """Return what is wrong with a message; nothing if it is as the schemas say."""
    found = _errors(direction, message)
    if game is not None and message.get("type") in _WITH_PART:
        found += _errors(game, message)
    return found


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@cache
def _validator_of(name: str, type_: str) -> Draft202012Validator | None:
    """Return a validator for the one message of this type, whose errors name its fields."""
    schema = _validator(name).schema
    assert isinstance(schema, dict)
    mapping: dict[str, str] = schema["discriminator"]["mapping"]
    if type_ not in mapping:
        return None
    return Draft202012Validator({"$ref": mapping[type_], "$defs": schema["$defs"]})


def _errors(name: str, message: dict[str, Any]) -> list[str]:
    whole = _validator(name)
    part = _validator_of(name, str(message.get("type")))
    if part is None:
        return [f"{name}: no message of type {message.get('type')!r}"]
    found = [f"{name}: {error.json_path}: {error.message}" for error in part.iter_errors(message)]
    if not found and not whole.is_valid(message):
        found = [f"{name}: no message of this direction"]
    return found

"""Generate the JSON Schemas and the AsyncAPI document from the models.

    python -m fangnetz_protocol.schema protocol/schema

The files are for people and programs without Python; a test compares them with the models.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema

from fangnetz_protocol import messages as m
from fangnetz_protocol import right2live, spaceballs
from fangnetz_protocol.asyncapi import asyncapi
from fangnetz_protocol.model import Model
from fangnetz_protocol.yamlish import to_yaml

__all__ = ["DIRECTIONS", "GAMES", "documents", "main"]

JsonObject = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TAGS: Final = ("type", "kind")
"""The fields that tell messages and events apart."""


def _whole(name: str, envelope: type[Model], part: type[Model]) -> Any:
    """Return the model of a message with a game's part in it."""
    return create_model(name, __base__=(part, envelope), __doc__=f"{envelope.__doc__}\n\n{part.__doc__}")


def _briefed(name: str, briefing: type[Model]) -> Any:
    """Return the model of a `match_start` with a game's static part."""
    setup: Any = (briefing, Field(description="The game's static part."))
    return create_model(name, __base__=m.WatchStart, __doc__=m.MatchStart.__doc__, setup=setup)


def _game(name: str, action: type[Model], seen: type[Model], frame: type[Model], setup: type[Model]) -> Any:
    start = _briefed(f"{name}Start", setup)
    act = _whole(f"{name}Action", m.Action, action)
    observation = _whole(f"{name}Observation", m.Observation, seen)
    snapshot = _whole(f"{name}Frame", m.Frame, frame)
    return Annotated[start | act | observation | snapshot, Field(discriminator="type")]


DIRECTIONS: Final[dict[str, Any]] = {
    "bot-to-server": m.BotMessage,
    "server-to-bot": m.ServerMessage,
    "server-to-spectator": m.SpectatorMessage,
}
"""The messages of each direction; the games' parts are open in them."""

GAMES: Final[dict[str, Any]] = {
    "right2live": _game(
        "Right2Live", right2live.Move, right2live.Observation, right2live.Frame, right2live.Briefing
    ),
    "spaceballs": _game(
        "Spaceballs", spaceballs.Thrust, spaceballs.Observation, spaceballs.Frame, spaceballs.Briefing
    ),
}
"""The messages of each built-in game that hold a part of it, with that part."""


class _Plain(GenerateJsonSchema):
    """Leaves out titles of fields, which only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def documents() -> dict[str, str]:
    """Return the text of every generated file by its name."""
    schemas = {f"{name}.schema.json": _schema(name, union) for name, union in (DIRECTIONS | GAMES).items()}
    texts = {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()
    }
    return texts | {"asyncapi.yaml": to_yaml(asyncapi())}


def _schema(name: str, union: Any) -> JsonObject:
    schema = TypeAdapter(union).json_schema(schema_generator=_Plain)
    for part in _objects(schema):
        _demand_tag(part)
    return {"$schema": _DIALECT, "title": f"Fangnetz: {name}", **schema}


def _objects(value: Any) -> Iterator[JsonObject]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inner)


def _demand_tag(part: JsonObject) -> None:
    """Require the tag: the models give it by default, but on the wire it has to be there."""
    for tag in _TAGS:
        field = part.get("properties", {}).get(tag, {})
        if "const" in field:
            field.pop("default", None)
            part["required"] = [tag, *part.get("required", [])]


def main(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m fangnetz_protocol.schema FOLDER")
    main(Path(sys.argv[1]))

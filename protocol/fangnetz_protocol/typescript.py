"""Generate the words and the message types of the JavaScript SDK from the models.

    python -m fangnetz_protocol.typescript clients/javascript

A test compares the files with the models.
"""

import json
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter

from fangnetz_protocol import codes, messages, right2live, spaceballs, words
from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.version import PROTOCOL_VERSION, SUBPROTOCOL, __version__
from fangnetz_protocol.words import COMPASS, Direction

__all__ = ["documents", "main"]

JsonObject = dict[str, Any]

_HEAD: Final = "// Written by `make schema` from the models of fangnetz_protocol; do not edit."
_DIRECTION: Final = 'import("../types/messages.js").Direction'
_MODULES: Final[tuple[tuple[ModuleType, str], ...]] = (
    (words, ""),
    (codes, ""),
    (messages, ""),
    (right2live, "Right2Live"),
    (spaceballs, "Spaceballs"),
)
"""Where the types come from, and what stands before their names: both games have a `Ball` or a `Caught`."""
_RENAMED: Final = {"Error": "ErrorMessage"}
"""`Error` is JavaScript's own."""
_TAGS: Final = ("type", "kind")
"""The fields that tell messages and events apart; on the wire they are always there."""
_WHOLE: Final = ("Observation", "Frame")
"""Parts of a game that come in one object with their envelope: their types are whole messages."""


def documents() -> dict[str, str]:
    """Return the text of every generated file by its path in the package."""
    types = "\n\n".join([_HEAD, *(text for module, game in _MODULES for text in _types(module, game))])
    return {
        "src/version.js": "\n\n".join([_HEAD, *_versions()]) + "\n",
        "src/words.js": "\n\n".join([_HEAD, *_words()]) + "\n",
        "types/messages.d.ts": types + "\n",
    }


# --- version.js and words.js --------------------------------------------------------------------


def _versions() -> Iterator[str]:
    yield _constant("VERSION", __version__, "Version of this package and of the server it comes with.")
    yield _constant("PROTOCOL_VERSION", PROTOCOL_VERSION, "Version of the messages (P1.5).")
    yield _constant("SUBPROTOCOL", SUBPROTOCOL, "The WebSocket subprotocol (P1.2).")


def _words() -> Iterator[str]:
    offsets = {way.value: [way.dx, way.dy] for way in Direction}
    closings = {int(code): code.sentence for code in CloseCode}
    yield _constant(
        "COMPASS",
        [way.value for way in COMPASS],
        f"The eight directions, clockwise from NORTH. @type {{readonly {_DIRECTION}[]}}",
    )
    yield _constant(
        "OFFSETS",
        offsets,
        "Step to the right and step downwards of each direction (R1.2: NORTH is y - 1). "
        f"@type {{Readonly<Record<{_DIRECTION}, readonly [number, number]>>}}",
    )
    yield _constant(
        "CLOSE_CODES", closings, "What each close code means (P1.8). @type {Readonly<Record<number, string>>}"
    )


def _constant(name: str, value: object, comment: str) -> str:
    return f"/** {comment} */\nexport const {name} = {_literal(value)};"


def _literal(value: object) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "\n".join(["{", *(f"\t{key}: {_literal(item)}," for key, item in value.items()), "}"])


# --- messages.d.ts ------------------------------------------------------------------------------


def _types(module: ModuleType, game: str) -> Iterator[str]:
    """Yield the declarations of all enums, models and unions of a module."""
    for name in module.__all__:
        subject = getattr(module, name)
        if isinstance(subject, type) and issubclass(subject, Enum):
            yield _enum(subject)
        elif isinstance(subject, type) and issubclass(subject, BaseModel):
            if name != "Envelope":
                yield _Declaration(game, subject).interface()
        elif name == "Event" or name.endswith("Message"):
            yield _Declaration(game, subject).union(name)


def _enum(words: type[Enum]) -> str:
    values = " | ".join(json.dumps(word.value) for word in words)
    return f"/** {_line(words.__doc__)} */\nexport type {words.__name__} = {values};"


class _Declaration:
    """The declaration of one model or union.

    Args:
        game: what stands before the names of its module.
        subject: the model or union.
    """

    def __init__(self, game: str, subject: Any) -> None:
        self._game = game
        self._schema = TypeAdapter(subject).json_schema()

    def interface(self) -> str:
        """Return a model as an interface."""
        name = self._schema["title"]
        base = f" extends {name}" if self._game and name in _WHOLE else ""
        lines = [
            f"/** {_line(self._schema['description'])} */",
            f"export interface {self._name(name)}{base} {{",
        ]
        required = {*self._schema.get("required", ()), *_TAGS}
        for field, value in self._schema["properties"].items():
            if meaning := _line(value.get("description")):
                lines.append(f"\t/** {meaning} */")
            lines.append(f"\t{field}{'' if field in required else '?'}: {self._type(value)};")
        return "\n".join([*lines, "}"])

    def union(self, name: str) -> str:
        """Return a union of models."""
        return f"export type {self._name(name)} = {self._type(self._schema)};"

    def _name(self, name: str) -> str:
        shared = not self._game or hasattr(words, name)
        return _RENAMED.get(name, name) if shared else f"{self._game}{name}"

    def _type(self, field: JsonObject) -> str:
        if "const" in field:
            return json.dumps(field["const"])
        if "enum" in field:
            return " | ".join(json.dumps(value) for value in field["enum"])
        if "$ref" in field:
            return self._name(field["$ref"].rpartition("/")[2])
        if options := field.get("anyOf") or field.get("oneOf"):
            return " | ".join(self._type(option) for option in options)
        return self._list(field) if field.get("type") == "array" else _plain(field)

    def _list(self, field: JsonObject) -> str:
        if "prefixItems" in field:
            return f"[{', '.join(self._type(item) for item in field['prefixItems'])}]"
        items = self._type(field["items"])
        return f"({items})[]" if " " in items else f"{items}[]"


def _plain(field: JsonObject) -> str:
    kind = str(field.get("type"))
    return {"integer": "number", "object": "Record<string, any>"}.get(kind, kind)


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def main(package: Path) -> None:
    """Write all files into the folder of the npm package."""
    for name, text in documents().items():
        (package / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m fangnetz_protocol.typescript PACKAGE")
    main(Path(sys.argv[1]))

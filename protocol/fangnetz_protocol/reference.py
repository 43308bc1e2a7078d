"""Write the tables of the protocol reference from the models, and its conversations from recordings.

    python -m fangnetz_protocol.reference docs/reference/protocol.md

Everything between `<!-- table: NAME -->` and `<!-- end -->` is replaced, and so is what stands behind
`<!-- conversation: NAME -->`: the messages of `conversations/NAME.txt` beside the page. The rest is
written by hand. Tests compare the page with the models, and the recordings with the real server.
"""

import re
import sys
import textwrap
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter

from fangnetz_protocol import codes, messages, right2live, spaceballs, words

__all__ = ["conversation", "main", "recordings", "refreshed", "table"]

JsonObject = dict[str, Any]

_MODULES: Final = {
    module.__name__.rpartition(".")[2]: module for module in (codes, messages, right2live, spaceballs)
}
_BLOCK: Final = re.compile(r"(<!-- table: ([a-z0-9_]+)\.(\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_TALK: Final = re.compile(r"(<!-- conversation: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_WIDTH: Final = 116
_TAGS: Final = ("type", "kind")
_PLURALS: Final = {"number": "numbers", "whole number": "whole numbers", "text": "texts"}


def refreshed(page: str, recorded: Mapping[str, str] | None = None) -> str:
    """Return the page with all its tables and conversations written anew.

    Args:
        page: its text.
        recorded: recordings by name, as `recordings` reads them; a conversation without one stays.
    """
    page = _BLOCK.sub(lambda found: f"{found[1]}\n{table(found[2], found[3])}\n{found[4]}", page)
    known = recorded or {}

    def talk(found: re.Match[str]) -> str:
        text = known.get(found[2])
        return found[0] if text is None else f"{found[1]}\n{conversation(text)}\n{found[3]}"

    return _TALK.sub(talk, page)


def recordings(page: Path) -> dict[str, str]:
    """Return the recordings beside a page by their names.

    A line of one is a message as it was on the wire, behind `> ` what the bot said, behind `< ` what
    it heard.
    """
    files = (page.parent / "conversations").glob("*.txt")
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


def conversation(recorded: str) -> str:
    """Return a recording as a block of text in which long messages go over several lines."""
    lines = [
        # A blank behind each comma, as a place for the line to end at.
        textwrap.fill(
            re.sub(r",(?=\S)", ", ", line),
            _WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in recorded.splitlines()
    ]
    return "\n".join(["```text", *lines, "```"]) + "\n"


def table(module: str, name: str) -> str:
    """Return the table of a model's fields or of a list of codes.

    Args:
        module: codes, messages, right2live or spaceballs.
        name: a class in it.
    """
    subject = getattr(_MODULES[module], name)
    if issubclass(subject, Enum):
        return _codes(subject)
    return _Fields(module, subject).table()


def _codes(codes: type[Enum]) -> str:
    rows = [f"| `{code.value}` | {getattr(code, 'sentence', '')} |" for code in codes]
    return "\n".join(["| code | meaning |", "|---|---|", *rows]) + "\n"


class _Fields:
    """The fields of one model as a table."""

    def __init__(self, module: str, model: type[BaseModel]) -> None:
        self._module = module
        self._schema = TypeAdapter(model).json_schema()

    def table(self) -> str:
        required = {*self._schema.get("required", ()), *_TAGS}
        rows = [
            f"| `{name}` | {self._kind(field)} | {'yes' if name in required else 'no'} | {_meaning(field)} |"
            for name, field in self._schema["properties"].items()
        ]
        return "\n".join(["| field | type | always there | meaning |", "|---|---|---|---|", *rows]) + "\n"

    def _kind(self, field: JsonObject) -> str:
        """Return the type of a field in words."""
        if "const" in field:
            return f'`"{field["const"]}"`'
        if "enum" in field:
            return " or ".join(f'`"{value}"`' for value in field["enum"])
        if "$ref" in field:
            return self._link(field["$ref"].rpartition("/")[2])
        if options := field.get("anyOf") or field.get("oneOf"):
            return " or ".join(self._kind(option) for option in options)
        return self._list(field) if field.get("type") == "array" else _plain(field)

    def _list(self, field: JsonObject) -> str:
        if "prefixItems" in field:
            return f"list [{', '.join(self._kind(item) for item in field['prefixItems'])}]"
        items = self._kind(field["items"])
        return f"list of {_PLURALS.get(items, items)}"

    def _link(self, name: str) -> str:
        """Return a link to the section of a type; those of a game are headed by its name."""
        shared = self._module == "messages" or hasattr(words, name)
        return f"[{name}](#{name.lower()})" if shared else f"[{name}](#{self._module}-{name.lower()})"


def _meaning(field: JsonObject) -> str:
    return " ".join(field.get("description", "").split()).replace("|", "\\|")


def _plain(field: JsonObject) -> str:
    kind = str(field.get("type"))
    text = {"integer": "whole number", "string": "text"}.get(kind, kind)
    if "maxLength" in field:
        text += f" ({field.get('minLength', 0)} to {field['maxLength']} characters)"
    return text


def main(page: Path) -> None:
    """Write the tables and conversations of a page anew."""
    text = refreshed(page.read_text(encoding="utf-8"), recordings(page))
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m fangnetz_protocol.reference PAGE")
    main(Path(sys.argv[1]))

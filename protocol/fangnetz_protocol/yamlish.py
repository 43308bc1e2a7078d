"""A writer for the small part of YAML that a generated document needs; no library, always the same text."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["to_yaml"]

_PLAIN: Final = re.compile(r"[A-Za-z$][A-Za-z0-9_$.-]*\Z")
_WORDS: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Words that a reader would not take for a text."""


def to_yaml(value: Any) -> str:
    """Return a value of JSON as YAML in block style; texts are quoted as in JSON, which YAML understands."""
    return "\n".join(_lines(value)) + "\n"


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _entry(f"{_key(key)}:", inner)
    elif isinstance(value, list) and value:
        for inner in value:
            first, *rest = _lines(inner)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _entry(head: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from (f"  {line}" for line in _lines(value))
    else:
        yield f"{head} {json.dumps(value, ensure_ascii=False)}"


def _key(key: str) -> str:
    return key if _PLAIN.match(key) and key.lower() not in _WORDS else json.dumps(key)

"""Tells the competitor in words what is wrong with the program, but not once a tick for ever."""

import logging
from collections import Counter
from typing import Final

from fangnetz.bridge.answers import BadLine, shown

__all__ = ["Complaints"]

log: Final = logging.getLogger("fangnetz")
_TOLD: Final = 3
"""Complaints of one kind that are told in a match; the rest are counted."""


class Complaints:
    """What went wrong with a program in one match."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()

    def bad_line(self, name: str, number: int, line: bytes, bad: BadLine) -> None:
        """Tell about a line that does not count, with the line."""
        self._tell(bad.kind, f"{name}, line {number}: {bad.problem}; the line: {shown(line)}")

    def error(self, name: str, code: str, message: str, line: bytes | None) -> None:
        """Tell about an error that the server answered with, and the line that it is about."""
        about = "" if line is None else f"; the line: {shown(line)}"
        self._tell(f"error {code}", f"{name}: the server says {code}: {message}{about}")

    def summary(self) -> str:
        """Return how often what went wrong; empty if nothing did."""
        return ", ".join(f"{count} x {kind}" for kind, count in sorted(self._kinds.items()))

    def _tell(self, kind: str, text: str) -> None:
        self._kinds[kind] += 1
        if self._kinds[kind] < _TOLD:
            log.warning("%s", text)
        elif self._kinds[kind] == _TOLD:
            log.warning("%s (of this kind no more is told in this match)", text)

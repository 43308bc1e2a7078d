"""The limits of a confined program."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Final

from fangnetz.problems import WrongUse

__all__ = ["Limits", "read_limits"]

_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take, it and all that it starts taken together; the defaults suit a small bot."""

    cpu_tick_ms: int = 1_000
    """CPU time for one answer, in milliseconds."""
    cpu_match_s: int = 120
    """CPU time for a match, the start of the program included, in seconds."""
    memory_mb: int = 512
    """Memory, in millions of bytes."""
    processes: int = 64
    """Processes and threads."""
    files: int = 64
    """Open files of each process."""
    scratch_mb: int = 64
    """What it may write to its scratch folder, in millions of bytes."""


def read_limits(given: Iterable[str]) -> Limits:
    """Return the limits that a command line names as NAME=VALUE; the rest keep their defaults.

    Raises:
        WrongUse: no such limit, or no such value.
    """
    names = [field.name for field in fields(Limits)]
    limits = Limits()
    for text in given:
        name, _, value = text.partition("=")
        if name not in names:
            raise WrongUse(f"--limit {text}: there is no limit {name!r}; there are {', '.join(names)}")
        if not value.isdecimal() or not 1 <= int(value) <= _MOST:
            raise WrongUse(f"--limit {text}: has to be NAME=VALUE with a whole number from 1 to {_MOST:,}")
        limits = replace(limits, **{name: int(value)})
    return limits

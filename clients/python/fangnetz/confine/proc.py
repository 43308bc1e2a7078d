"""What /proc tells of processes and of all that they have started."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["Usage", "processes", "usage_below"]

_STAT_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Process:
    """One process at one moment."""

    parent: int
    own_cpu_s: float
    waited_cpu_s: float
    """CPU time of its children that have ended and were waited for."""
    threads: int
    resident: int
    """Bytes of memory."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program and all that it has started take together."""

    cpu_s: float = 0.0
    memory: int = 0
    """Bytes."""
    threads: int = 0
    """Processes count as their threads."""


def processes() -> dict[int, Process]:
    """Return all processes of this machine that /proc shows, by their number."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                file = os.open(f"/proc/{name}/stat", os.O_RDONLY)
                try:
                    found[int(name)] = _read(os.read(file, _STAT_BYTES))
                finally:
                    os.close(file)
            except OSError:
                continue  # It has ended meanwhile.
    return found


def usage_below(root: int, all_: Mapping[int, Process], children: Mapping[int, list[int]]) -> Usage:
    """Return what the processes below one take; of the root itself counts only for whom it has waited.

    Args:
        root: number of the process at the top.
        all_: as from `processes`.
        children: the same by their parents.
    """
    if root not in all_:
        return Usage()
    cpu_s, memory, threads = all_[root].waited_cpu_s, 0, 0
    left = list(children.get(root, ()))
    while left:
        number = left.pop()
        process = all_[number]
        cpu_s += process.own_cpu_s + process.waited_cpu_s
        memory += process.resident
        threads += process.threads
        left += children.get(number, ())
    return Usage(cpu_s, memory, threads)


def _read(stat: bytes) -> Process:
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    # After the name in brackets, which may hold anything: state, parent, … as in proc(5), from field 3 on.
    fields = stat.rpartition(b")")[2].split()
    return Process(
        parent=int(fields[1]),
        own_cpu_s=(int(fields[11]) + int(fields[12])) / ticks,
        waited_cpu_s=(int(fields[13]) + int(fields[14])) / ticks,
        threads=int(fields[17]),
        resident=int(fields[21]) * page,
    )

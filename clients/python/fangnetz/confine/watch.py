"""Looks again and again at what confined programs take, and ends who takes too much.

One look serves all programs of this process. The kernel's own limits hold at once but for each
process alone; this holds for a program and all that it has started together.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from fangnetz.confine.limits import Limits
from fangnetz.confine.proc import Process, Usage, processes, usage_below

__all__ = ["Watch", "Watched", "excess"]

_PERIOD_S: Final = 0.05
_IDLE_PERIOD_S: Final = 0.25
"""While nobody has a question to answer, so that idle programs cost nothing."""
_MB: Final = 1_000_000
_HELPERS: Final = 3
"""Processes of the sandbox itself."""


class Watched(Protocol):
    """A program as the watch sees it."""

    @property
    def root(self) -> int:
        """Number of the process below which all of it runs."""

    @property
    def question(self) -> object:
        """What it works on at the moment, such as the number of a tick; None: nothing."""

    def break_off(self, reason: str) -> None:
        """End it at once: it has broken a limit."""


@dataclass(slots=True)
class _Post:
    """What is known of one program."""

    limits: Limits
    scratch: Path | None
    question: object = None
    cpu_before_s: float = 0.0
    """CPU time when the question was first seen."""


class Watch:
    """The watch over all confined programs of this process; it sleeps while there are none."""

    def __init__(self) -> None:
        self._posts: dict[Watched, _Post] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, program: Watched, limits: Limits, scratch: Path | None = None) -> None:
        """Begin to look at a program.

        Args:
            program: the program.
            limits: what it may take.
            scratch: its scratch folder, if nothing else holds the size of that.
        """
        self._posts[program] = _Post(limits, scratch)
        if self._task is None:
            self._task = asyncio.create_task(self._look_again_and_again())

    def remove(self, program: Watched) -> None:
        """Look at a program no more."""
        self._posts.pop(program, None)

    async def _look_again_and_again(self) -> None:
        while self._posts:
            is_idle = all(program.question is None for program in self._posts)
            await asyncio.sleep(_IDLE_PERIOD_S if is_idle else _PERIOD_S)
            # In a thread: to read some hundred files takes milliseconds in which no answer shall wait.
            seen = await asyncio.to_thread(processes)
            children = _by_parent(seen)
            for program, post in list(self._posts.items()):
                reason = _judge(program, post, usage_below(program.root, seen, children))
                if reason is not None:
                    self.remove(program)
                    program.break_off(reason)
        self._task = None


def _judge(program: Watched, post: _Post, usage: Usage) -> str | None:
    if program.question != post.question:  # Only what was seen from now on counts for this one.
        post.question, post.cpu_before_s = program.question, usage.cpu_s
    tick_s = usage.cpu_s - post.cpu_before_s if post.question is not None else 0.0
    written = 0 if post.scratch is None else _size(post.scratch)
    return excess(post.limits, usage, tick_s, written)


def excess(limits: Limits, usage: Usage, tick_s: float, written: int) -> str | None:
    """Return which limit is broken, as a clause after "it"; None if none is.

    Args:
        limits: what may be taken.
        usage: what is taken.
        tick_s: seconds of CPU time for the present answer.
        written: bytes in the scratch folder.
    """
    if usage.cpu_s > limits.cpu_match_s:
        return f"has used more than {limits.cpu_match_s} s of CPU time in the match (cpu_match_s)"
    if tick_s * 1000 > limits.cpu_tick_ms:
        return f"has used more than {limits.cpu_tick_ms} ms of CPU time for one answer (cpu_tick_ms)"
    if usage.memory > limits.memory_mb * _MB:
        return f"has used more than {limits.memory_mb} MB of memory (memory_mb)"
    if usage.threads > limits.processes + _HELPERS:
        return f"has had more than {limits.processes} processes and threads (processes)"
    if written > limits.scratch_mb * _MB:
        return f"has written more than {limits.scratch_mb} MB (scratch_mb)"
    return None


def _by_parent(all_: Mapping[int, Process]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for number, process in all_.items():
        children.setdefault(process.parent, []).append(number)
    return children


def _size(folder: Path) -> int:
    """Return the bytes on the disk below a folder; what vanishes meanwhile does not count."""
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_blocks * 512
            except OSError:
                continue
    return total

"""The processes of a bridge: each plays one match at a time, and the next one after it."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Final

from fangnetz.bridge.answers import shown
from fangnetz.bridge.partner import NoPartner, Partner
from fangnetz.bridge.program import Program
from fangnetz.bridge.program_log import ProgramLog
from fangnetz.problems import WrongUse

__all__ = ["Hall"]

log: Final = logging.getLogger("fangnetz")


class _Idle:
    """Hears a program between its matches."""

    def __init__(self, hall: "Hall", program: Program) -> None:
        self._hall = hall
        self._program = program

    def line(self, number: int, line: bytes) -> None:
        log.debug("line %d came while no match was running: %s", number, shown(line))

    def ended(self, how: str) -> None:
        if not self._program.has_played:
            log.warning("the program %s, before any match began", how)
        self._hall.departed(self._program)


class Hall:
    """Starts a program for each match that runs at the same time, and keeps it for the next.

    Args:
        words: the command line.
        log_file: takes the standard error of the first program; others get a number in the name.
    """

    renews: Final = False

    def __init__(self, words: Sequence[str], log_file: Path) -> None:
        self._words = tuple(words)
        self._log_file = log_file
        self._free: list[Program] = []
        self._all: dict[Program, int] = {}
        """Every program that runs, with the number of its log."""
        self._logs: dict[int, ProgramLog] = {}
        self._lock = asyncio.Lock()
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start the first program, so that it is warm when the first match comes.

        Raises:
            NoPartner: it cannot be started.
        """
        self._rest(await self._start())

    async def take(self) -> Partner:
        async with self._lock:  # Who warms up is waited for.
            while self._free:
                program = self._free.pop()
                if program.is_alive:
                    return program
            return await self._start()

    def give_back(self, partner: Partner) -> None:
        assert isinstance(partner, Program), "only programs of this hall come back"
        if partner.is_alive and partner.can_read:
            self._rest(partner)
        elif partner.is_alive:
            # Who has not even read its messages is not going to play the next match well.
            self._spawn(partner.stop())
        else:
            self.departed(partner)

    async def close(self) -> None:
        self._is_closing = True
        await asyncio.gather(*self._tasks)
        await asyncio.gather(*(program.stop() for program in list(self._all)))
        for log_file in self._logs.values():
            log_file.close()

    def departed(self, program: Program) -> None:
        """A program ended between two matches: some play one match and go. The next may warm up."""
        if program.has_played and not self._is_closing:
            self._spawn(self._warm_up())

    async def _warm_up(self) -> None:
        async with self._lock:
            with contextlib.suppress(NoPartner):  # Whoever needs one hears why there is none.
                self._rest(await self._start())

    def _rest(self, program: Program) -> None:
        program.listener = _Idle(self, program)
        self._free.append(program)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self) -> Program:
        for program in [program for program in self._all if not program.is_alive]:
            del self._all[program]
        number = next(number for number in range(1, 10_000) if number not in self._all.values())
        log_file = self._log(number)
        try:
            program = await Program.start(self._words, self._words[0], log_file)
        except OSError as error:
            raise NoPartner(f"{self._words[0]} cannot be started: {error.strerror or error}") from error
        self._all[program] = number
        return program

    def _log(self, number: int) -> ProgramLog:
        if number not in self._logs:
            path = self._log_file
            if number > 1:
                path = path.with_name(f"{path.stem}-{number}{path.suffix}")
            try:
                self._logs[number] = ProgramLog(path)
            except OSError as error:
                raise WrongUse(f"the log {path} cannot be written: {error.strerror or error}") from None
            log.info("standard error of the program goes to %s (the newest 2 MB)", path.resolve())
        return self._logs[number]

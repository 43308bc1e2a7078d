"""The processes of a bridge: each plays one match at a time, and the next one after it."""

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Final

from fangnetz.bridge.answers import shown
from fangnetz.bridge.partner import End, NoPartner, Partner
from fangnetz.bridge.program import Program
from fangnetz.bridge.program_log import ProgramLog
from fangnetz.confine.cage import Cage
from fangnetz.confine.watch import Watch
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

    def ended(self, end: End) -> None:
        if not self._program.has_played:
            log.warning("the program %s, before any match began", end.how)
        self._hall.departed(self._program)


class Hall:
    """Starts a program for each match that runs at the same time, and keeps it for the next.

    Args:
        words: the command line.
        log_file: takes the standard error of all of them.
        cage: what holds the programs; None: nothing. In a cage a program plays one match alone.
        watch: looks at those in the cage.
    """

    renews: Final = False

    def __init__(
        self, words: Sequence[str], log_file: Path, cage: Cage | None = None, watch: Watch | None = None
    ) -> None:
        self._words = tuple(words)
        self._cage = cage
        self._watch = watch or Watch()
        self._log_file = log_file
        self._log: ProgramLog | None = None
        self._free: list[Program] = []
        self._all: set[Program] = set()
        self._lock = asyncio.Lock()
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin the log, and start the first program, so that it is warm when the first match comes.

        Raises:
            WrongUse: the log cannot be written.
            NoPartner: the program cannot be started.
        """
        try:
            self._log = ProgramLog(self._log_file)
        except OSError as error:
            raise WrongUse(f"the log {self._log_file} cannot be written: {error.strerror or error}") from None
        log.info("standard error of the program goes to %s (the newest 2 MB)", self._log_file.resolve())
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
        if partner.is_alive and partner.can_read and self._cage is None:
            self._rest(partner)
        elif partner.is_alive:
            # Who has not even read its messages is not going to play the next match well. In a cage
            # nobody takes along what another match has left, CPU time least of all.
            self._spawn(partner.stop())
            self.departed(partner)
        else:
            self.departed(partner)

    async def close(self) -> None:
        self.retire()
        async with self._lock:  # Who is being started is there then, to be ended.
            await asyncio.gather(*(program.stop() for program in list(self._all)))
        await asyncio.gather(*self._tasks)
        if self._log is not None:
            self._log.close()

    def retire(self) -> None:
        self._is_closing = True

    def departed(self, program: Program) -> None:
        """A program ended between two matches: some play one match and go. The next may warm up."""
        if program.has_played and not self._is_closing:
            self._spawn(self._warm_up())

    async def _warm_up(self) -> None:
        async with self._lock:
            if self._is_closing:
                return
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
        """Start a program, in the cage if there is one."""
        assert self._log is not None, "the hall is open"
        cage, name = self._cage, self._words[0]
        scratch = cage.make_scratch() if cage is not None else None
        try:
            program = await Program.start(self._words, name, self._log, cage=cage, scratch=scratch)
        except OSError as error:
            raise NoPartner(f"{name} cannot be started: {error.strerror or error}") from error
        self._all.add(program)
        if cage is not None:
            self._watch.add(program, cage.limits, scratch)
        self._spawn(self._clean_up(program, scratch))
        return program

    async def _clean_up(self, program: Program, scratch: Path | None) -> None:
        await program.gone.wait()
        self._all.discard(program)
        self._watch.remove(program)
        if scratch is not None:
            await asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True)

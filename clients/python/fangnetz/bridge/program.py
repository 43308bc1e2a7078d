"""A program as a process: lines over its standard input and output, its standard error into a log."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import Final

from fangnetz.bridge.lines import LineReader
from fangnetz.bridge.partner import End, Listener
from fangnetz.bridge.program_log import ProgramLog
from fangnetz.confine.cage import Cage
from fangnetz_protocol.words import Tick

__all__ = ["Program"]

_KEEPER: Final = Path(__file__).with_name("keeper.py")
_GRACE_S: Final = 1.0
"""Time to end after the end of its input, before it is told to."""
_END_S: Final = 10.0
"""Time in which the keeper ends everything; longer only takes what the kernel itself cannot end."""
_ERRORS: Final = 2
_LAST_BYTES: Final = 2000
"""What is kept of standard error for its last line."""
_HIDDEN: Final = frozenset({"FANGNETZ_TOKEN"})
"""Variables that the program does not get: what it prints shall not give the token away."""
_SHELL: Final = 128
"""A status above it, from a sandbox as from a shell, tells the number of the signal."""


class Program(asyncio.SubprocessProtocol):
    """One run of a program. Make it with `start`."""

    def __init__(self, name: str, log: ProgramLog, cage: Cage | None) -> None:
        self.name: Final = name
        self.listener: Listener | None = None
        self.is_alive = True
        self.has_played = False
        self.question: Tick | None = None
        self.root = 0
        """Number of the process below which all of it runs."""
        self.gone: Final = asyncio.Event()
        """Set once the program and all that it started are gone."""
        self._log = log
        self._last = b""
        self._context = copy_context()
        self._cage = cage
        self._broken: str | None = None
        self._reader = LineReader()
        self._waiting = False
        self._process: asyncio.SubprocessTransport
        self._input: asyncio.WriteTransport
        self._control: socket.socket

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        name: str,
        log: ProgramLog,
        *,
        cage: Cage | None = None,
        scratch: Path | None = None,
    ) -> "Program":
        """Start a program.

        Args:
            words: its command line.
            name: what to call it.
            log: takes its standard error.
            cage: what holds it; None: nothing.
            scratch: where it may write, if the cage has no place of its own for that.

        Raises:
            OSError: this machine cannot start another process.
        """
        ours, theirs = socket.socketpair()
        hold = ("-", "-") if cage is None else cage.keeper_words()
        prefix = () if cage is None else cage.prefix
        with theirs:
            transport, program = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(name, log, cage),
                *(sys.executable, "-I", "-S", str(_KEEPER), str(theirs.fileno()), *hold, *prefix, *words),
                pass_fds=[theirs.fileno()],
                cwd=None if cage is None else cage.folder,
                env=_plain_environment() if cage is None else cage.environment(scratch),
                start_new_session=True,  # Ctrl-C is for the bridge alone.
            )
        program._control = ours
        program.root = transport.get_pid()
        return program

    @property
    def can_read(self) -> bool:
        return not self._waiting

    def send(self, line: bytes) -> None:
        if self.is_alive and not self._input.is_closing():
            self._input.write(line + b"\n")

    def break_off(self, reason: str) -> None:
        """End it at once, because it has broken a limit."""
        self._broken = reason
        with contextlib.suppress(OSError):
            self._control.send(b"!")

    async def stop(self) -> None:
        """End it, politely at first; afterwards nothing of it is left."""
        self.listener = None
        self._input.close()
        for action, patience_s in ((None, _GRACE_S), (self._let_go, _END_S), (self._kill, _END_S)):
            if action is not None:
                action()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await self.gone.wait()
                break
        self._process.close()

    # --- of asyncio -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process = transport
        pipe = transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.set_write_buffer_limits(high=0)
        self._input = pipe

    def pause_writing(self) -> None:
        self._waiting = True

    def resume_writing(self) -> None:
        self._waiting = False

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _ERRORS:
            self._log.write(data)
            self._last = (self._last + data)[-_LAST_BYTES:]
            return
        for number, line in self._reader.feed(data):
            self._say(number, line)

    def process_exited(self) -> None:
        # Its pipes close with it, unless somebody took them along who is out of the keeper's reach.
        asyncio.get_running_loop().call_later(_GRACE_S, self._process.close)

    def connection_lost(self, error: Exception | None) -> None:
        # Who notices the end of a process does so in a thread of its own, without our context.
        self._context.run(self._finish)

    # --- inside ---------------------------------------------------------------------------------

    def _finish(self) -> None:
        for number, line in self._reader.finish():
            self._say(number, line)
        self.is_alive = False
        self.gone.set()
        end = self._end()
        self._control.close()
        self._process.close()
        if self.listener is not None:
            self.listener.ended(end)

    def _say(self, number: int, line: bytes) -> None:
        if self.listener is not None:
            self.listener.line(number, line)

    def _let_go(self) -> None:
        self._control.close()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _end(self) -> End:
        """Return how it ended, in words, with its last ones."""
        lines = self._last.decode("utf-8", "replace").strip().splitlines()
        told = f"{f'; its last words: {lines[-1]}' if lines else ''} (see {self._log.path})"
        status = self._status()
        broken = self._broken
        if broken is None and status is not None and self._cage is not None:
            broken = self._cage.limit_of_signal(-status if status < 0 else status - _SHELL)
        if broken is not None:
            return End(f"{broken}; it was ended{told}", is_final=True)
        return End(f"{_ended(status)}{told}")

    def _status(self) -> int | None:
        """Return the exit status, below zero for a signal; None if nobody could tell."""
        try:
            self._control.setblocking(False)
            return int(self._control.recv(64))
        except (OSError, ValueError):
            return None


def _ended(status: int | None) -> str:
    if status is None:
        return "was ended from outside"
    if status < 0:
        return f"was ended by {signal.strsignal(-status) or f'signal {-status}'}"
    return f"ended with status {status}"


def _plain_environment() -> Mapping[str, str]:
    return {key: value for key, value in os.environ.items() if key not in _HIDDEN}

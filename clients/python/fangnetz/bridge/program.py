"""A program as a process: lines over its standard input and output, its standard error into a log."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fangnetz.bridge.lines import LineReader
from fangnetz.bridge.partner import Listener
from fangnetz.bridge.program_log import ProgramLog

__all__ = ["Program"]

_KEEPER: Final = Path(__file__).with_name("keeper.py")
_GRACE_S: Final = 1.0
"""Time to end after the end of its input, before it is told to."""
_END_S: Final = 10.0
"""Time in which the keeper ends everything; longer only takes what the kernel itself cannot end."""
_ERRORS: Final = 2
_HIDDEN: Final = frozenset({"FANGNETZ_TOKEN"})
"""Variables that the program does not get: what it prints shall not give the token away."""


class Program(asyncio.SubprocessProtocol):
    """One run of a program. Make it with `start`."""

    def __init__(self, name: str, log: ProgramLog) -> None:
        self.name: Final = name
        self.listener: Listener | None = None
        self.log: Final = log
        self.is_alive = True
        self.has_played = False
        self.gone: Final = asyncio.Event()
        """Set once the program and all that it started are gone."""
        self._reader = LineReader()
        self._waiting = False
        self._stopping = False
        self._process: asyncio.SubprocessTransport
        self._input: asyncio.WriteTransport
        self._control: socket.socket

    @classmethod
    async def start(cls, words: Sequence[str], name: str, log: ProgramLog) -> "Program":
        """Start a program.

        Args:
            words: its command line.
            name: what to call it.
            log: takes its standard error.

        Raises:
            OSError: this machine cannot start another process.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            _, program = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(name, log),
                *(sys.executable, "-I", "-S", str(_KEEPER), str(theirs.fileno()), *words),
                pass_fds=[theirs.fileno()],
                env={key: value for key, value in os.environ.items() if key not in _HIDDEN},
                start_new_session=True,  # Ctrl-C is for the bridge alone.
            )
        program._control = ours
        return program

    @property
    def can_read(self) -> bool:
        return not self._waiting

    def send(self, line: bytes) -> None:
        if self.is_alive and not self._input.is_closing():
            self._input.write(line + b"\n")

    async def stop(self) -> None:
        """End it, politely at first; afterwards nothing of it is left."""
        self._stopping = True
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
            self.log.write(data)
            return
        for number, line in self._reader.feed(data):
            self._say(number, line)

    def process_exited(self) -> None:
        # Its pipes close with it, unless somebody took them along who is out of the keeper's reach.
        asyncio.get_running_loop().call_later(_GRACE_S, self._process.close)

    def connection_lost(self, error: Exception | None) -> None:
        for number, line in self._reader.finish():
            self._say(number, line)
        self.is_alive = False
        self.gone.set()
        if self.listener is not None:
            self.listener.ended(self._how())
        self._control.close()
        self._process.close()

    # --- inside ---------------------------------------------------------------------------------

    def _say(self, number: int, line: bytes) -> None:
        if self.listener is not None:
            self.listener.line(number, line)

    def _let_go(self) -> None:
        self._control.close()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _how(self) -> str:
        """Return how it ended, in words, with its last ones."""
        words = self.log.last_line()
        return f"{self._end()}{f'; its last words: {words}' if words else ''} (see {self.log.path})"

    def _end(self) -> str:
        try:
            self._control.setblocking(False)
            status = int(json.loads(self._control.recv(4096))["status"])
        except (OSError, ValueError, KeyError):
            return "was ended from outside"
        if status < 0:
            return f"was ended by {signal.strsignal(-status) or f'signal {-status}'}"
        return f"ended with status {status}"

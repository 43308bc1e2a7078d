"""Reads in small bites, one after the other, so that what peers send never fills a turn of the event loop.

The event loop reads 256 kB at a time, of all connections that have something. As pings or as requests of
18 bytes that is a quarter of a second of work for each of them, during which no match goes on.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

__all__ = ["BITE", "Intake", "Turns"]

BITE: Final = 1024
"""Bytes that are worked off in a turn, as pings 1 ms; an action has some 100, a browser's request 1,000."""
_PAUSE_S: Final = 0.01
"""Time between two bites of one connection: what is left of a flood is 100 kB a second."""


class Turns:
    """Does one piece of work in each turn of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def ask(self, work: Callable[[], None]) -> None:
        """Do this when its turn comes."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    async def turn(self) -> None:
        """Wait for a turn; what the caller does until it waits again is done in it."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()

        def begin() -> None:
            if not mine.done():  # Whoever waited may have been cancelled.
                mine.set_result(None)

        self.ask(begin)
        await mine

    def _next(self) -> None:
        work = self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        work()


def _nobody(_data: bytes) -> None:
    """Take what is left of a connection that has ended."""


class Intake:
    """What a connection has received and not worked off yet.

    Whoever works it off pauses and resumes this instead of the transport.

    Args:
        turns: of all connections.
        transport: where the bytes come from; only its reading is touched.
        feed: works off some bytes.
        at_once: so few bytes need no turn, because they are quickly done.
    """

    def __init__(
        self, turns: Turns, transport: asyncio.ReadTransport, feed: Callable[[bytes], None], *, at_once: int
    ) -> None:
        self._turns = turns
        self._transport = transport
        self._feed = feed
        self._at_once = at_once
        self._rest = bytearray()
        self._has_asked = False
        self._pause: asyncio.TimerHandle | None = None
        self._is_wanted = True
        self._is_deaf = False

    def take(self, data: bytes) -> None:
        """Work off what has come, as much of it as may be now; no more is read until all of it is done."""
        if self._is_deaf:
            return
        if self._is_wanted and not self._rest and self._pause is None and len(data) <= self._at_once:
            self._feed(data)
            return
        self._rest += data
        self._transport.pause_reading()
        self._go_on()

    def pause_reading(self) -> None:
        """Work off nothing more until `resume_reading`."""
        if not self._is_deaf:
            self._is_wanted = False
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Go on; with what is left over, in a later turn."""
        self._is_wanted = True
        self._go_on()

    def forget(self) -> None:
        """Nothing that the peer says counts any more.

        A flood is thrown away from here on, and only its end is waited for. A peer that has nothing in
        the queue is still listened to, because it answers our goodbye.
        """
        if self._rest:
            self._is_deaf = True
            self._rest.clear()
            self.resume_reading()

    def close(self) -> None:
        """The connection has ended."""
        self._is_deaf = True
        self._rest.clear()
        self._feed = _nobody  # So whoever was fed goes with the connection, without the garbage collector.
        if self._pause is not None:
            self._pause.cancel()

    def _go_on(self) -> None:
        if not self._is_wanted or self._has_asked or self._pause is not None:
            return
        if self._rest:
            self._has_asked = True
            self._turns.ask(self._bite)
        elif not self._transport.is_closing():
            self._transport.resume_reading()

    def _bite(self) -> None:
        self._has_asked = False
        if self._is_wanted and self._rest:
            bite = bytes(self._rest[:BITE])
            del self._rest[:BITE]
            self._feed(bite)
        if self._rest:
            self._pause = asyncio.get_running_loop().call_later(_PAUSE_S, self._after_pause)
        else:
            self._go_on()

    def _after_pause(self) -> None:
        self._pause = None
        self._go_on()

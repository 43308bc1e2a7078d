"""What the spectators of a match see, and when: whole frames or one seat's view, at once or later (P3)."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

import orjson

from fangnetz_protocol.words import SeatId
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.match.clock import Clock

__all__ = ["Stage", "View"]

View = SeatId | None
"""Whose view is shown: a seat's, or None for everything."""
_NS: Final = 1_000_000_000


class Stage:
    """The audiences of one match, one a view.

    Args:
        limits, clock: of the whole server.
        delay_s: time by which everything is shown later (P3.6).
        on_close: called once the match was shown to its end.
    """

    def __init__(self, limits: Limits, clock: Clock, *, delay_s: float, on_close: Callable[[], None]) -> None:
        self._limits = limits
        self._clock = clock
        self._delay_ns = int(delay_s * _NS)
        self._on_close = on_close
        self._audiences: dict[View, Audience] = {None: Audience(limits, clock)}
        self._shown: bytes | None = None
        """With a delay: the newest whole frame that was shown."""
        self._later: deque[tuple[int, Callable[[], None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return sum(len(audience) for audience in self._audiences.values())

    @property
    def is_delayed(self) -> bool:
        return self._delay_ns > 0

    @property
    def shown_tick(self) -> int:
        """With a delay: the tick of the newest whole frame that spectators were shown; at first -1."""
        return -1 if self._shown is None else int(orjson.loads(self._shown)["tick"])

    def wants_frames(self) -> bool:
        """Tell whether a frame has to be built: somebody watches, or may come and see it later."""
        return self.is_delayed or len(self) > 0

    def views(self) -> list[SeatId]:
        """Return the seats whose view somebody watches."""
        return [view for view, audience in self._audiences.items() if view is not None and len(audience)]

    def join(self, socket: Socket, view: View, frame: Callable[[], bytes]) -> None:
        """Let a spectator in and show him the newest picture at once (P3.2).

        Args:
            socket: the spectator.
            view: what he sees.
            frame: builds the newest frame of this view.
        """
        if not self.is_delayed:
            socket.push(frame())
        elif view is None and self._shown is not None:
            socket.push(self._shown)
        if view not in self._audiences:
            self._audiences[view] = Audience(self._limits, self._clock)
        self._audiences[view].add(socket)

    def part(self, socket: Socket, view: View) -> None:
        """A spectator has left."""
        self._audiences[view].remove(socket)

    def show(self, view: View, message: bytes, *, final: bool) -> None:
        """Show a frame; the final one may not be left out."""
        if self.is_delayed:
            self._postpone(lambda: self._publish(view, message, final=final))
        else:
            self._publish(view, message, final=final)

    def finish(self, message: bytes) -> None:
        """Show `match_end` after all frames, then close."""
        if self.is_delayed:
            self._postpone(lambda: self._close(message))
        else:
            self._close(message)

    def cut(self) -> None:
        """The server shuts down: show what is still held back, now."""
        if self._timer is not None:
            self._timer.cancel()
        while self._later:
            self._later.popleft()[1]()

    def _publish(self, view: View, message: bytes, *, final: bool) -> None:
        if view is None:
            self._shown = message
        audience = self._audiences[view]
        if final:
            audience.publish_all(message)
        else:
            audience.publish(message)

    def _close(self, message: bytes) -> None:
        for audience in self._audiences.values():
            audience.publish_all(message)
            audience.close()
        self._on_close()

    def _postpone(self, action: Callable[[], None]) -> None:
        self._later.append((self._clock.now_ns() + self._delay_ns, action))
        self._arm()

    def _arm(self) -> None:
        if self._timer is None and self._later:
            wait_ns = max(0, self._later[0][0] - self._clock.now_ns())
            self._timer = asyncio.get_running_loop().call_later(wait_ns / _NS, self._release)

    def _release(self) -> None:
        self._timer = None
        while self._later and self._later[0][0] <= self._clock.now_ns():
            self._later.popleft()[1]()
        self._arm()

"""The spectators of one match: one frame for all, and none of them can hold up a match (P3.5)."""

import asyncio
from dataclasses import dataclass
from typing import Final

from websockets.protocol import State
from websockets.server import ServerProtocol

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket, frame_text
from fangnetz_server.match.clock import Clock

__all__ = ["Audience"]

_NS: Final = 1_000_000_000
_KEEPS_UP: Final = 0


@dataclass(slots=True)
class _Spectator:
    """A spectator as the loop over all of them wants it: what it needs, without a way through the socket.

    With hundreds of spectators nothing is in the processor's caches, so each object less counts.
    """

    socket: Socket
    transport: asyncio.Transport
    protocol: ServerProtocol
    behind_since: int = _KEEPS_UP
    """Since when the buffer has been full, or 0."""


class Audience:
    """A set of spectators. Nothing here waits."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limit_bytes = limits.spectator_buffer_bytes
        self._patience_ns = int(limits.spectator_patience_s * _NS)
        self._clock = clock
        self._spectators: dict[Socket, _Spectator] = {}

    def __len__(self) -> int:
        return len(self._spectators)

    def add(self, socket: Socket) -> None:
        self._spectators[socket] = _Spectator(socket, socket.transport, socket.protocol)

    def remove(self, socket: Socket) -> None:
        self._spectators.pop(socket, None)

    def publish(self, message: bytes) -> None:
        """Send a snapshot to everybody who keeps up; the others skip it, the next one is complete anyway."""
        frame = frame_text(message)
        limit = self._limit_bytes
        for seen in self._spectators.values():
            if seen.transport.get_write_buffer_size() > limit:
                self._skip(seen)
            elif seen.protocol.state is State.OPEN:
                if seen.behind_since:
                    seen.behind_since = _KEEPS_UP
                seen.transport.write(frame)

    def publish_all(self, message: bytes) -> None:
        """Send something that nobody may miss, such as the end of the match."""
        frame = frame_text(message)
        for socket in self._spectators:
            socket.push_framed(frame)

    def close(self) -> None:
        """Say goodbye to everybody: the match is over and all of it was shown."""
        for socket in list(self._spectators):
            socket.drop(CloseCode.NORMAL)

    def _skip(self, seen: _Spectator) -> None:
        now = self._clock.now_ns()
        if not seen.behind_since:
            seen.behind_since = now
        elif now - seen.behind_since > self._patience_ns:
            seen.socket.drop(CloseCode.TOO_SLOW)

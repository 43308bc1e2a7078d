"""The spectators of one match: one frame for all, and none of them can hold up a match (P3.5)."""

from typing import Final

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket, frame_text
from fangnetz_server.match.clock import Clock

__all__ = ["Audience"]

_NS: Final = 1_000_000_000
_KEEPS_UP: Final = 0


class Audience:
    """A set of spectators. Nothing here waits."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limit_bytes = limits.spectator_buffer_bytes
        self._patience_ns = int(limits.spectator_patience_s * _NS)
        self._clock = clock
        self._behind_since: dict[Socket, int] = {}
        """For each spectator since when his buffer has been full, or 0."""

    def __len__(self) -> int:
        return len(self._behind_since)

    def add(self, socket: Socket) -> None:
        self._behind_since[socket] = _KEEPS_UP

    def remove(self, socket: Socket) -> None:
        self._behind_since.pop(socket, None)

    def publish(self, message: bytes) -> None:
        """Send a snapshot to everybody who keeps up; the others skip it, the next one is complete anyway."""
        frame = frame_text(message)
        limit = self._limit_bytes
        for socket, behind_since in self._behind_since.items():
            if socket.transport.get_write_buffer_size() > limit:
                self._skip(socket, behind_since)
            else:
                if behind_since:
                    self._behind_since[socket] = _KEEPS_UP
                socket.push_framed(frame)

    def publish_all(self, message: bytes) -> None:
        """Send something that nobody may miss, such as the end of the match."""
        frame = frame_text(message)
        for socket in self._behind_since:
            socket.push_framed(frame)

    def close(self) -> None:
        """Say goodbye to everybody: the match is over and all of it was shown."""
        for socket in list(self._behind_since):
            socket.drop(CloseCode.NORMAL)

    def _skip(self, socket: Socket, behind_since: int) -> None:
        now = self._clock.now_ns()
        if not behind_since:
            self._behind_since[socket] = now
        elif now - behind_since > self._patience_ns:
            socket.drop(CloseCode.TOO_SLOW)

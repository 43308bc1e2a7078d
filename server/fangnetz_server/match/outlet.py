"""Where a match's messages and news go: to links and sockets in the server, to lists in tests."""

from typing import Protocol

from fangnetz_protocol.words import SeatId
from fangnetz_server.match.result import MatchResult

__all__ = ["Outlet"]


class Outlet(Protocol):
    """Where a match's messages go. No call may raise or wait."""

    def to_seat(self, seat: SeatId, message: bytes) -> None:
        """Send to the bot on a seat that is connected."""
        ...

    def wants_frames(self) -> bool:
        """Tell whether anybody watches; frames are built only then."""
        ...

    def to_spectators(self, message: bytes, *, final: bool) -> None:
        """Send a frame; the `final` one of a match may not be left out."""
        ...

    def ticked(self, late_ns: int | None, took_ns: int) -> None:
        """A tick was played: how late (None: nothing was due), and how long it took."""
        ...

    def answered(self, latency_ms: float) -> None:
        """A bot has answered an observation."""
        ...

    def moved(self) -> None:
        """`due_ns` may be earlier than before."""
        ...

    def changed(self) -> None:
        """The phase or a connection is another one: news for the lobby."""
        ...

    def finished(self, result: MatchResult) -> None:
        """The match is over. `end_message` is to be sent once the result is durable (decision 3)."""
        ...

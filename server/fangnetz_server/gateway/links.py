"""A bot over all its connections: its identity, its resume secret, its seats and its faults."""

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fangnetz_protocol.codes import CloseCode, ErrorCode
from fangnetz_protocol.errors import PeerError
from fangnetz_protocol.words import BotId, MatchId, SeatId
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.match.clock import Clock
from fangnetz_server.match.seats import Entrant

if TYPE_CHECKING:
    from fangnetz_server.gateway.table import Table

__all__ = ["BotLink", "LinkBook"]

_FORGIVEN: Final = frozenset(
    {ErrorCode.LATE, ErrorCode.MATCH_OVER, ErrorCode.NOT_READY, ErrorCode.SERVER_FULL, ErrorCode.INTERNAL}
)
"""Errors that a slow line or the server brings about; they never count as strikes (P1.8)."""

_ARRIVES_NS: Final = 2_000_000_000
"""What a bot says so long after something was sent to it, it says in the knowledge of that."""


class BotLink:
    """One bot as the server knows it, with or without a connection at the moment."""

    def __init__(self, entrant: Entrant, games: tuple[str, ...], limits: Limits, clock: Clock) -> None:
        self.entrant = entrant
        self.games = games
        """Games that it plays, as it said in its latest hello."""
        self.session = secrets.token_hex(6)
        self.resume = secrets.token_urlsafe(24)
        self.tables: dict[MatchId, tuple[Table, SeatId]] = {}
        self.socket: Socket | None = None
        self.heard_ns = 0
        """When the bot said something, the last time."""
        self._limits = limits
        self._clock = clock
        self._strikes = 0
        self._unread: deque[tuple[int, bytes]] = deque(maxlen=limits.matches_per_bot)
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def is_connected(self) -> bool:
        return self.socket is not None

    def attach(self, socket: Socket) -> None:
        """Take a new connection; an older one is closed because this one replaces it (P2.4)."""
        older, self.socket = self.socket, socket
        self.heard_ns = self._clock.now_ns()
        if older is not None:
            older.drop(CloseCode.REPLACED)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None

    def detach(self, socket: Socket) -> bool:
        """Forget a connection that ended; False if it had been replaced before."""
        if self.socket is not socket:
            return False
        self.socket = None
        for table, seat in list(self.tables.values()):
            table.disconnect(seat)
        return True

    def send(self, message: bytes) -> None:
        """Send to the bot if it is there; one that has stopped reading is dropped and may resume."""
        socket = self.socket
        if socket is None:
            return
        if socket.unsent_bytes > self._limits.bot_buffer_bytes:
            socket.drop(CloseCode.TOO_SLOW)
        else:
            socket.push(message)

    def deliver(self, message: bytes) -> None:
        """Send something that the bot has to learn; it is kept until the bot was heard well after that.

        The line may be dead without anybody having noticed, or about to be replaced.
        """
        self._unread.append((self._clock.now_ns(), message))
        self.send(message)

    def send_unread(self) -> None:
        """Send to a new connection what may not have arrived on the one before."""
        for _, message in self._unread:
            self.send(message)

    def heard(self) -> None:
        """The bot has said something: what was sent some time before that has arrived."""
        self.heard_ns = self._clock.now_ns()
        while self._unread and self.heard_ns - self._unread[0][0] > _ARRIVES_NS:
            self._unread.popleft()

    def sit_down(self, table: "Table", seat: SeatId) -> None:
        """Take a seat; the count of faults starts anew (P1.8)."""
        self.tables[table.match.id] = (table, seat)
        self._strikes = 0

    def stand_up(self, match: MatchId) -> None:
        """Leave a match, over or not."""
        self.tables.pop(match, None)

    def whereabouts(self, error: PeerError) -> dict[str, object]:
        """Return the match, seat and tick of a fault, as far as it has any, for the log."""
        if error.match is None or (place := self.tables.get(MatchId(error.match))) is None:
            return {}
        return {"match": error.match, "seat": place[1], "tick": error.tick}

    @property
    def strikes(self) -> int:
        """Faults in the present match."""
        return self._strikes

    def fault(self, error: PeerError) -> bool:
        """Count a fault; False if it was one too many (P1.8)."""
        if error.code not in _FORGIVEN:
            self._strikes += 1
        return self._strikes <= self._limits.strikes

    def expire_by(self, handle: asyncio.TimerHandle) -> None:
        """Keep the timer that will forget this link; a new connection stops it."""
        self._expiry = handle


class LinkBook:
    """All bots that are connected or may still resume. Two with the same id are impossible."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._by_bot: dict[BotId, BotLink] = {}
        self._by_resume: dict[str, BotLink] = {}

    def __iter__(self) -> Iterator[BotLink]:
        return iter(self._by_bot.values())

    def find(self, bot: BotId) -> BotLink | None:
        return self._by_bot.get(bot)

    def find_resume(self, resume: str) -> BotLink | None:
        return self._by_resume.get(resume)

    def open(self, entrant: Entrant, games: tuple[str, ...]) -> BotLink:
        """Make the link of a bot that has none."""
        assert entrant.bot not in self._by_bot, "two links for one bot"
        link = BotLink(entrant, games, self._limits, self._clock)
        self._by_bot[entrant.bot] = link
        self._by_resume[link.resume] = link
        return link

    def revoke(self, link: BotLink) -> None:
        """End a bot's connection; whoever wants in again has to prove who he is anew."""
        self._by_resume.pop(link.resume, None)
        link.resume = secrets.token_urlsafe(24)
        self._by_resume[link.resume] = link
        if link.socket is not None:
            link.socket.drop(CloseCode.REFUSED)

    def release(self, link: BotLink, *, at_once: bool) -> None:
        """A link without a connection: forget it when it has no match, after the time to resume."""
        loop = asyncio.get_running_loop()
        wait_s = 0 if at_once else self._limits.resume_s
        link.expire_by(loop.call_later(wait_s, self._forget_idle, link))

    def _forget_idle(self, link: BotLink) -> None:
        if link.is_connected:
            return
        if link.tables:
            self.release(link, at_once=False)
        elif self._by_bot.get(link.entrant.bot) is link:
            del self._by_bot[link.entrant.bot]
            self._by_resume.pop(link.resume, None)

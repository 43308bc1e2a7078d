"""`/play`: one connection of a bot, from `hello` to the end (protocol P2)."""

import asyncio
from collections.abc import Callable
from typing import Final, assert_never

import structlog
from websockets.exceptions import ConnectionClosed

from fangnetz_protocol import errors
from fangnetz_protocol import messages as m
from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.session import Role, Session
from fangnetz_protocol.version import PROTOCOL_VERSION, __version__
from fangnetz_protocol.words import MatchId, SeatId
from fangnetz_server.gateway.bucket import TokenBucket
from fangnetz_server.gateway.desk import Desk
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink, LinkBook
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.gateway.table import Table
from fangnetz_server.match.clock import Clock
from fangnetz_server.metrics import Metrics

__all__ = ["BotConnection", "slow_down"]

_log = structlog.get_logger(__name__)

_FREE_FAULTS: Final = 10
"""So many mistakes anybody may make at full speed."""


async def slow_down(faults: int, limits: Limits) -> None:
    """Wait a little before the next message of a peer who has made so many faults is read."""
    if faults > _FREE_FAULTS and limits.fault_pause_s:
        await asyncio.sleep(limits.fault_pause_s)


class BotConnection:
    """Serves one socket of a bot.

    Args:
        socket: an open connection.
        token: the credential of the `Authorization` header, or None.
        address: of the client, for the log.
        links: all bots of the server.
        desk: who may come in and what happens to those who are in.
        limits, clock, metrics: of the whole server.
        greeted: called once the bot has said a good hello.
    """

    def __init__(
        self,
        socket: Socket,
        token: str | None,
        *,
        address: str,
        links: LinkBook,
        desk: Desk,
        limits: Limits,
        clock: Clock,
        metrics: Metrics,
        greeted: Callable[[], None],
    ) -> None:
        self._socket = socket
        self._token = token
        self._address = address
        self._links = links
        self._desk = desk
        self._limits = limits
        self._clock = clock
        self._metrics = metrics
        self._greeted = greeted
        self._bucket = TokenBucket(limits.messages_per_second, clock)
        self._session: Session[m.BotMessage, m.ServerMessage] = Session(
            Role.SERVER_FOR_BOT, limits.message_bytes
        )

    async def run(self) -> None:
        """Serve the bot until its connection ends."""
        link = await self._wait_hello()
        if link is None:
            return
        log = _log.bind(bot=link.entrant.bot, session=link.session)
        log.info("bot_connected", address=self._address)
        try:
            await self._serve(link)
        except ConnectionClosed:
            pass
        finally:
            self._end(link)
            log.info("bot_disconnected", code=self._socket.close_code)

    # --- the way in ---------------------------------------------------------------------------

    async def _wait_hello(self) -> BotLink | None:
        """Return the link of a bot that said a good hello; None if the connection ended before."""
        try:
            async with asyncio.timeout(self._limits.hello_s):
                return await self._receive_hello()
        except TimeoutError:
            self._socket.drop(CloseCode.HELLO_EXPECTED)
        except ConnectionClosed:
            pass
        return None

    async def _receive_hello(self) -> BotLink | None:
        faults = 0
        while True:
            try:
                message = self._session.receive(await self._socket.recv())
            except errors.PeerError as error:
                self._send(error.as_message())
                faults += 1
                if faults > self._limits.strikes:
                    self._socket.drop(CloseCode.POLICY)
                    return None
                await slow_down(faults, self._limits)
                continue
            assert isinstance(message, m.Hello), "the session lets nothing else through"
            return await self._greet(message)

    async def _greet(self, hello: m.Hello) -> BotLink | None:
        try:
            link, resumed = await self._identify(hello)
        except errors.PeerError as error:
            taken = isinstance(error, errors.NameTaken)
            self._send(error.as_message())
            self._socket.drop(CloseCode.ALREADY_CONNECTED if taken else CloseCode.REFUSED)
            return None
        self._greeted()
        link.attach(self._socket)
        self._send(self._welcome(link, resumed))
        link.send_unread()
        for table, seat in list(link.tables.values()):
            table.reconnect(seat)
        self._desk.arrived(link)
        return link

    async def _identify(self, hello: m.Hello) -> tuple[BotLink, bool]:
        """Return the bot's link and whether it existed before.

        Raises:
            errors.PeerError: the bot may not come in.
        """
        if hello.protocol.split(".")[0] != PROTOCOL_VERSION.split(".")[0]:
            raise errors.UnsupportedProtocol(hello.protocol)
        if hello.resume is not None:
            link = self._links.find_resume(hello.resume)
            if link is None:
                raise errors.UnknownResume
            return link, True
        games = self._desk.check_games(hello.games)
        entrant = await self._desk.admit(hello, self._token)
        # Nothing is awaited from here on, so of two that come at once one finds the other.
        link = self._links.find(entrant.bot)
        if link is None:
            return self._links.open(entrant, games), False
        if link.socket is not None and link.socket.is_open:
            raise errors.NameTaken(entrant.name)
        # The identity is proven again, so the seats of the lost connection are the bot's (P2.6).
        link.games = games
        return link, True

    def _welcome(self, link: BotLink, resumed: bool) -> m.Welcome:
        return m.Welcome(
            protocol=PROTOCOL_VERSION,
            server=__version__,
            session=link.session,
            resume=link.resume,
            bot=m.BotInfo(id=link.entrant.bot, name=link.entrant.name),
            limits=m.Limits(
                message_bytes=self._limits.message_bytes,
                messages_per_second=self._limits.messages_per_second,
                strikes=self._limits.strikes,
            ),
            games=tuple(
                m.GameVersion(id=info.id, rules_version=info.rules_version) for info in self._desk.games()
            ),
            resumed=resumed,
        )

    # --- inside -------------------------------------------------------------------------------

    async def _serve(self, link: BotLink) -> None:
        socket, count, heard = self._socket, self._metrics.count_message, self._desk.heard
        while True:
            data = await socket.recv()
            if link.socket is not socket:
                return  # Another connection has taken over; what this one still says is void (P2.4).
            link.heard()
            heard(link.heard_ns)
            try:
                count(self._handle(link, data), "ok")
            except errors.PeerError as error:
                count("fault", error.code)
                self._send(error.as_message())
                place = link.whereabouts(error)
                _log.debug("bot_fault", bot=link.entrant.bot, code=error.code, **place)
                if not link.fault(error):
                    _log.warning("bot_struck_out", bot=link.entrant.bot, code=error.code, **place)
                    socket.drop(CloseCode.POLICY)
                    return
                await slow_down(link.strikes, self._limits)

    def _handle(self, link: BotLink, data: str | bytes) -> str:
        """Give a message its effect and return its type.

        Raises:
            errors.PeerError: it has none.
        """
        if wait_ms := self._bucket.take():
            raise errors.RateLimited(self._limits.messages_per_second, wait_ms)
        message = self._session.receive(data)
        match message:
            case m.Action():
                table, seat = self._seat(link, message.match)
                table.match.act(seat, message.tick, message.part)
                # A good answer was asked for; in lockstep there are more of them in a second than any limit.
                self._bucket.give_back()
            case m.Ready():
                table, seat = self._seat(link, message.match)
                table.match.ready(seat)
            case m.Leave():
                table, seat = self._seat(link, message.match)
                table.leave(link, seat)
            case m.Hello():
                raise errors.UnexpectedMessage("hello", ("ready", "action", "leave"))
            case _:
                assert_never(message)
        return message.type

    def _seat(self, link: BotLink, match: MatchId) -> tuple[Table, SeatId]:
        place = link.tables.get(match)
        if place is None:
            raise self._desk.why_not_seated(match, link.entrant.bot)
        return place

    def _end(self, link: BotLink) -> None:
        """The connection is over, for whatever reason."""
        if link.detach(self._socket):
            said_goodbye = self._socket.protocol.close_rcvd is not None
            self._links.release(link, at_once=said_goodbye and not link.tables)
            self._desk.departed(link)

    def _send(self, message: m.ServerMessage) -> None:
        self._socket.push(self._session.send(message))

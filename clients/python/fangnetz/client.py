"""Play: connect, greet, serve, and come back when the connection breaks."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from logging import getLogger
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from fangnetz.address import DEFAULT_SERVER, is_local, play_url
from fangnetz.backoff import Backoff
from fangnetz.explain import explain_closed, explain_failed
from fangnetz.link import Link
from fangnetz.problems import ConnectionLost, NotFangnetz, Problem, Refused, Unreachable
from fangnetz.table import BotSource, Playable, Table
from fangnetz.wire import Wire
from fangnetz_protocol.codec import MAX_BYTES_FROM_SERVER
from fangnetz_protocol.codes import CloseCode, ErrorCode
from fangnetz_protocol.messages import ClientInfo, Hello, MatchEnd, Welcome
from fangnetz_protocol.version import PROTOCOL_VERSION, SUBPROTOCOL, __version__

__all__ = ["Client", "Guest", "play"]

log: Final = getLogger("fangnetz")
Sleep = Callable[[float], Awaitable[None]]

_OPEN_S: Final = 10.0
"""Time for TCP, TLS and the upgrade."""
_WELCOME_S: Final = 15.0
"""Time for the welcome; a server under load may check tokens slowly."""
_CLOSE_S: Final = 2.0
"""Time for the closing handshake; nobody wants to wait for it after Ctrl-C."""
_PING_S: Final = 20.0
_PONG_S: Final = 40.0
"""Longer than the server's own limit: a `decide` that blocks must not be taken for a dead server."""
_QUEUE: Final = 256
"""Frames kept in memory while the bot thinks; the kernel keeps the rest."""


class Guest(Protocol):
    """Who plays: the matches that last longer than a connection."""

    @property
    def name(self) -> str:
        """The name to show."""

    @property
    def games(self) -> tuple[str, ...] | None:
        """The games to play; None: all."""

    @property
    def language(self) -> str:
        """The programming language, for the host's eyes."""

    @property
    def done(self) -> bool:
        """True once as many matches are finished as were asked for."""

    @property
    def is_playing(self) -> bool:
        """True while a match is running."""

    def forget_all(self) -> None:
        """Drop all running matches: the server could not give the seats back."""


class SessionForgotten(Exception):
    """The server is there, but not the session: no reason to wait before a new one."""


class Client:
    """Plays with one name on one server; it lasts longer than its connections.

    Args:
        guest: who plays.
        link: makes what carries messages between a new connection and the guest.
        server: address of the server, as for `play_url`.
        token: the bot's credential, or None.
        backoff: how long to wait between attempts to connect.
        chance, sleep: where jitter and waiting come from.
    """

    def __init__(
        self,
        guest: Guest,
        link: Callable[[ClientConnection], Wire],
        server: str,
        token: str | None,
        *,
        backoff: Backoff,
        chance: random.Random,
        sleep: Sleep,
    ) -> None:
        self.url: Final = play_url(server)
        self._guest = guest
        self._link = link
        self._token = token
        self._backoff = backoff
        self._chance = chance
        self._sleep = sleep
        self._resume: str | None = None
        self._waits: Iterator[float] = iter(())
        """Empty before the first welcome: a wrong address shall be told at once."""

    async def play(self) -> None:
        """Play all matches.

        Raises:
            Problem: the server cannot be reached, refuses, or stayed away too long.
        """
        while not self._guest.done:
            try:
                await self._play_once()
            except SessionForgotten:
                log.info("the server has started anew; so does the session")
            except Problem as problem:
                if self._is_farewell(problem):
                    break
                wait = next(self._waits, None) if problem.may_pass else None
                if wait is None:
                    raise
                log.warning("%s; trying again in %.1f s", problem, wait)
                await self._sleep(wait)

    async def _play_once(self) -> None:
        """Play over one connection until the guest is done."""
        connection = await self._connect()
        link = self._link(connection)
        try:
            self._take_welcome(await self._greet(link))
            await link.serve()
        except ConnectionClosed as error:
            raise explain_closed(error) from error
        finally:
            await connection.close()

    async def _connect(self) -> ClientConnection:
        try:
            connection = await connect(
                self.url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,  # It costs more time than the messages take on the line.
                user_agent_header=f"fangnetz/{__version__}",
                proxy=None if is_local(self.url) else True,
                open_timeout=_OPEN_S,
                close_timeout=_CLOSE_S,
                ping_interval=_PING_S,
                ping_timeout=_PONG_S,
                max_size=MAX_BYTES_FROM_SERVER,
                max_queue=_QUEUE,
            )
        except (OSError, WebSocketException) as error:
            raise explain_failed(error, self.url) from error
        if connection.subprotocol != SUBPROTOCOL:  # P1.2
            await connection.close()
            raise NotFangnetz(self.url, f"it speaks WebSocket, but not {SUBPROTOCOL}")
        return connection

    async def _greet(self, link: Wire) -> Welcome:
        try:
            async with asyncio.timeout(_WELCOME_S):
                return await link.greet(self._hello())
        except TimeoutError:
            raise Unreachable(self.url, "the server does not answer the hello") from None
        except Refused as refusal:
            if refusal.code is ErrorCode.UNKNOWN_RESUME and self._resume is not None:
                self._resume = None
                raise SessionForgotten from refusal
            raise

    def _hello(self) -> Hello:
        return Hello(
            protocol=PROTOCOL_VERSION,
            token=self._token,
            name=self._guest.name,
            client=ClientInfo(name="fangnetz", version=__version__, language=self._guest.language),
            games=self._guest.games,
            resume=self._resume,
        )

    def _take_welcome(self, welcome: Welcome) -> None:
        log.info("welcome as %s (%s) at %s", welcome.bot.name, welcome.bot.id, self.url)
        self._resume = welcome.resume
        self._waits = self._backoff.waits(self._chance)
        if not welcome.resumed:
            self._guest.forget_all()

    def _is_farewell(self, problem: Problem) -> bool:
        """Tell whether the server said good-bye after the last match, so that all is done."""
        return (
            isinstance(problem, ConnectionLost)
            and problem.code == CloseCode.NORMAL
            and self._resume is not None
            and not self._guest.is_playing
        )


async def play(
    bot: Playable,
    server: str = DEFAULT_SERVER,
    token: str | None = None,
    *,
    name: str | None = None,
    matches: int | None = None,
    backoff: Backoff | None = None,
    chance: random.Random | None = None,
    sleep: Sleep = asyncio.sleep,
) -> list[MatchEnd]:
    """Play matches on a server and return their results.

    A synchronous `decide` runs in the event loop, because that costs nothing; while it works, all
    other matches of this client wait. One that takes longer than the deadline loses its tick and
    no more; the server gives up a connection that does not answer its pings for 20 s. A bot that
    has to think long makes `decide` async and moves the work away (`asyncio.to_thread`).

    Args:
        bot: a bot class or another function that makes a bot, called once a match, so that
            several matches can be played at the same time; or one bot, for one at a time.
        server: `ws://HOST:PORT`, also with a path, `wss`, `http` or `https`, or `HOST:PORT`.
        token: the bot's credential, where the host gave one.
        name: name to show; None: the bot's own.
        matches: return after that many finished matches; None: play on until the server says
            good-bye.
        backoff: waits between attempts to connect again; None: the default ones.
        chance, sleep: where jitter and waiting come from; for tests.

    Raises:
        Problem: WrongUse, Unreachable, NotFangnetz, Refused or ConnectionLost, each with one
            clear line. Before the first welcome nothing is tried again.
    """
    table = Table(BotSource(bot), matches, name)
    client = Client(
        table,
        lambda connection: Link(connection, table),
        server,
        token,
        backoff=backoff or Backoff(),
        chance=chance or random.Random(),
        sleep=sleep,
    )
    await client.play()
    return table.results

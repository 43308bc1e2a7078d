"""Listen for clients of 2010 and make each one a bot on a Fangnetz server."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from fangnetz.client import play
from fangnetz.contest2010.bot import ContestBot, Times
from fangnetz.contest2010.client import Client
from fangnetz.contest2010.maps import MapFolder
from fangnetz.problems import Problem, WrongUse

__all__ = ["MOST_CLIENTS", "Adapter", "serve_contest"]

log: Final = logging.getLogger("fangnetz")
MOST_CLIENTS: Final = 20
"""Clients at the same time: as many as a match has seats (R1.1)."""
_LEAVE_S: Final = 2.0
"""Time to give up a seat after the client has gone."""
_GOODBYE: Final = "DISCONNECT|"


class Adapter:
    """The clients that are there, and the name or token that each one plays under.

    Args:
        server: address of the server, as for `fangnetz.play`.
        name: the first client's name; the others get a number behind it.
        tokens: one a client; more clients than tokens are refused. Without any, names are enough.
        times: what the clients are given.
    """

    def __init__(self, server: str, name: str, tokens: Sequence[str], times: Times) -> None:
        self._server = server
        self._times = times
        self._free = list(range(len(tokens) or MOST_CLIENTS))
        self._name = name
        self._tokens = tokens
        self._playing: set[ContestBot] = set()
        self._maps = MapFolder()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let one client play one match, from its connection to its end."""
        if not self._free:
            log.warning("a client is refused: %d are here, no more names or tokens", len(self._playing))
            writer.close()
            return
        place = self._free.pop(0)
        try:
            await self._serve(Client(reader, writer, self._named(place)), place)
        finally:
            self._free = sorted([*self._free, place])

    def close(self) -> None:
        """Delete the maps."""
        self._maps.remove()

    def _named(self, place: int) -> str:
        return self._name if place == 0 else f"{self._name}-{place + 1}"

    async def _serve(self, client: Client, place: int) -> None:
        log.info("%s: a client has connected", client.name)
        bot = ContestBot(client, self._maps.path, self._times)
        self._playing.add(bot)
        listening = asyncio.create_task(client.listen())
        playing = asyncio.create_task(self._play(bot, client.name, place))
        try:
            await asyncio.wait({listening, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done() and bot.is_seated:
                await asyncio.wait({playing}, timeout=_LEAVE_S)  # It gives up its seat.
        finally:
            self._playing.discard(bot)
            for task in (listening, playing):
                task.cancel()
            await asyncio.gather(listening, playing, return_exceptions=True)
            await client.close(*([_GOODBYE] if bot.is_over else []))
            if not bot.is_over:
                await self._tell_gone(bot)
            log.info("%s: the connection is closed", client.name)

    async def _play(self, bot: ContestBot, name: str, place: int) -> None:
        token = self._tokens[place] if self._tokens else None
        try:
            await play(lambda: bot, self._server, token, name=name, matches=1)
        except Problem as problem:
            log.error("%s: %s", name, problem)

    async def _tell_gone(self, gone: ContestBot) -> None:
        """Tell the clients that sit in the same match; of other bots nobody hears that they have gone."""
        for bot in tuple(self._playing):
            if gone.playing is not None and gone.playing == bot.playing:
                await bot.tell_gone(gone.seat)


async def serve_contest(
    listen: str,
    server: str,
    *,
    name: str,
    tokens: Sequence[str] = (),
    times: Times | None = None,
) -> None:
    """Listen for clients until cancelled.

    Args:
        listen: HOST:PORT to listen on.
        server, name, tokens, times: as for `Adapter`.

    Raises:
        WrongUse: nothing can listen there.
    """
    host, port = _address(listen)
    adapter = Adapter(server, name, tokens, times or Times())
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # The stream server makes one a connection.
        tasks.add(task)
        try:
            await adapter.serve(reader, writer)
        finally:
            tasks.discard(task)

    try:
        listener = await asyncio.start_server(serve, host, port)
    except OSError as error:
        adapter.close()
        raise WrongUse(f"cannot listen on {listen}: {error.strerror or error}") from None
    where = "{}:{}".format(*listener.sockets[0].getsockname()[:2])
    log.info("clients of 2010 may connect to %s; they play at %s", where, server)
    try:
        await asyncio.Event().wait()
    finally:
        listener.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        adapter.close()


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 0xFFFF:
        raise WrongUse(f"--listen {listen!r} has to be HOST:PORT, such as 127.0.0.1:15000")
    return host.strip("[]"), int(port)

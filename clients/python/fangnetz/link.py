"""One connection of a bot: the greeting, then observations in and actions out."""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from time import perf_counter
from typing import Final, assert_never

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fangnetz.player import Answer, Greeting, Player
from fangnetz.table import Table
from fangnetz.wire import Wire
from fangnetz_protocol.messages import (
    Error,
    Leave,
    MatchEnd,
    MatchStart,
    Notice,
    Observation,
    ServerMessage,
    Welcome,
)
from fangnetz_protocol.words import MatchId

__all__ = ["Link"]

log: Final = logging.getLogger("fangnetz")
_SLOW_S: Final = 0.001
"""After this time at work a newer observation may be there; looking for it costs some 10 µs."""


class Link(Wire):
    """Carries the messages of one connection between the server and the table.

    Args:
        connection: an open connection to `/play`.
        table: the matches of this client; it outlives the connection.
    """

    def __init__(self, connection: ClientConnection, table: Table) -> None:
        super().__init__(connection)
        self._table = table
        self._thinking: dict[Player, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Play until the table is done.

        Raises:
            ConnectionClosed: the connection ended before.
        """
        closed: ConnectionClosed | None = None
        async with asyncio.TaskGroup() as tasks:
            try:
                await self._serve(tasks)
            except ConnectionClosed as error:
                closed = error  # Raised outside, because a task group wraps what it lets through.
            await self._stop_thinking(*self._thinking)
        if closed is not None and not self._table.done:
            raise closed

    async def _serve(self, tasks: asyncio.TaskGroup) -> None:
        busy_since = perf_counter()
        while not self._table.done:
            slow = perf_counter() - busy_since > _SLOW_S
            batch = await self._receive_waiting() if slow else []
            if not batch:
                batch = [await self._receive()]
            busy_since = perf_counter()
            for message in batch:
                await self._handle(message, tasks)

    async def _handle(self, message: ServerMessage | None, tasks: asyncio.TaskGroup) -> None:
        match message:
            case Observation():
                await self._observe(message, tasks)
            case MatchStart():
                await self._begin(message, tasks)
            case MatchEnd():
                await self._stop_thinking(self._table.players.get(message.match))
                self._table.end(message)
            case Error():
                self._tell_error(message)
            case Notice():
                self._tell_notice(message)
            case Welcome() | None:
                pass  # The session lets a welcome pass only in the greeting.
            case _:
                assert_never(message)

    # --- matches --------------------------------------------------------------------------------

    async def _begin(self, start: MatchStart, tasks: asyncio.TaskGroup) -> None:
        thinking = self._table.players.get(start.match) in self._thinking
        if thinking:
            return  # The host changes the pace while the bot thinks; it says `ready` in its own time.
        greeting = self._table.start(start)
        if isinstance(greeting, Awaitable):
            player = self._table.players[start.match]
            self._thinking[player] = tasks.create_task(self._think(player, greeting))
        else:
            await self._give(greeting)

    async def _give(self, answer: Answer | Greeting) -> None:
        """Send what a bot has come to, if anything."""
        if answer is None:
            return
        await self._send(answer)
        if isinstance(answer, Leave):
            self._table.leave(answer.match)

    # --- observations ---------------------------------------------------------------------------

    async def _observe(self, observation: Observation, tasks: asyncio.TaskGroup) -> None:
        player = self._table.players.get(observation.match)
        if player is None:
            return
        if player in self._thinking:
            player.wait(observation)
            return
        answer = player.answer(observation)
        if isinstance(answer, Awaitable):
            self._thinking[player] = tasks.create_task(self._think(player, answer))
        else:
            await self._give(answer)

    async def _think(self, player: Player, answer: Awaitable[Answer] | Awaitable[Greeting]) -> None:
        """Send what an async method comes to, then ask `decide` about the newest observation, if any."""
        try:
            await self._give(await answer)
            while (observation := player.take_waiting()) is not None:
                again = player.answer(observation)
                await self._give(await again if isinstance(again, Awaitable) else again)
            if self._table.done:
                await self._connection.close()  # Nothing more would come to wake the reader.
        except ConnectionClosed:
            pass  # The reader notices it, too.
        finally:
            player.take_waiting()
            self._thinking.pop(player, None)

    async def _stop_thinking(self, *players: Player | None) -> None:
        tasks = [task for player in players if player and (task := self._thinking.get(player))]
        if tasks:
            await asyncio.sleep(0)  # A coroutine that has not begun would be lost with a warning.
        for task in tasks:
            task.cancel()

    async def _receive_waiting(self) -> list[ServerMessage | None]:
        """Return all messages that came meanwhile, without the observations that are out of date."""
        batch: list[ServerMessage | None] = []
        await asyncio.sleep(0)  # Lets the event loop read the socket.
        with suppress(TimeoutError, ConnectionClosed):  # The next receive raises it again.
            while True:
                async with asyncio.timeout(0):
                    batch.append(await self._receive())
        newest = {message.match: message for message in batch if isinstance(message, Observation)}
        return [message for message in batch if not self._is_stale(message, newest)]

    def _is_stale(self, message: ServerMessage | None, newest: dict[MatchId, Observation]) -> bool:
        if not isinstance(message, Observation) or newest[message.match] is message:
            return False
        player = self._table.players.get(message.match)
        if player is not None:
            player.skip(message)
        return True

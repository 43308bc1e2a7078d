"""A bot of the SDK as a program that reads and writes lines: for a host who confines what it runs.

A program in a sandbox has no network; the bridge outside carries its lines to the server.
"""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import BinaryIO, TypeVar

from fangnetz.table import BotSource, Playable, Table
from fangnetz_protocol.codec import MAX_BYTES_FROM_SERVER, TO_BOT, encode
from fangnetz_protocol.errors import PeerError
from fangnetz_protocol.messages import Action, Leave, MatchEnd, MatchStart, Observation, ServerMessage

__all__ = ["play_lines"]

T = TypeVar("T")


def play_lines(bot: Playable, lines: Iterable[bytes], output: BinaryIO) -> None:
    """Play what the lines say, until there are no more.

    Args:
        bot: a bot class, another function that makes a bot, or a bot.
        lines: the server's messages as the bridge writes them.
        output: takes the answers.

    Raises:
        WrongUse: it is no bot.
    """
    with asyncio.Runner() as runner:
        program = _Program(Table(BotSource(bot), None), runner)
        for line in lines:
            answer = program.hear(line)
            if answer is not None:
                output.write(encode(answer) + b"\n")
                output.flush()


class _Program:
    """The bots of one program; what is async runs to its end before the next line is read."""

    def __init__(self, table: Table, runner: asyncio.Runner) -> None:
        self._table = table
        self._runner = runner

    def hear(self, line: bytes) -> Action | Leave | None:
        """Return what to write for a line, if anything."""
        try:
            return self._answer(TO_BOT.decode(line.decode("utf-8", "replace"), MAX_BYTES_FROM_SERVER))
        except PeerError:
            return None  # A newer server may say more than this client knows (P1.4).

    def _answer(self, message: ServerMessage) -> Action | Leave | None:
        table = self._table
        match message:
            case MatchStart():
                greeting = self._waited(table.start(message))
                answer: Action | Leave | None = greeting if isinstance(greeting, Leave) else None
            case Observation() if message.match in table.players:
                answer = self._waited(table.players[message.match].answer(message))
            case MatchEnd():
                table.end(message)
                answer = None
            case _:
                answer = None  # The bridge has told its log of errors and notices.
        if isinstance(answer, Leave):
            table.leave(answer.match)
        return answer

    def _waited(self, promised: T | Awaitable[T]) -> T:
        if isinstance(promised, Awaitable):
            value: T = self._runner.run(_wait(promised))
            return value
        return promised


async def _wait(promised: Awaitable[T]) -> T:
    return await promised

"""A proxy that is a bad line: what it carries comes late and in pieces, gets lost, or breaks off."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Final, Literal

__all__ = ["BadLine", "Fault", "bad_line"]

Fault = Literal["cut", "hole", "half"]
"""How a connection ends. `cut`: both ends are told at once. `hole`: for a while nothing arrives on either
side, then it is cut. `half`: the server is told at once, the client only after that while."""

_HOLE_S: Final = 0.5
_PIECE: Final = 512
"""Bytes that are carried at a time: a message can come in two pieces."""
_STEP_S: Final = 1e-6
_ADDRESSES: Final = 200


class BadLine:
    """Carries what comes on a port of its own to the port `target`, each connection from another address.

    Args:
        target: port of the server on 127.0.0.1; None: nobody listens there.
        chance: decides what happens.
        delay_s: the longest time that a piece is under way.
        faults: what ends a connection; none: nothing does.
        pieces: about so many pieces are carried before.
    """

    def __init__(
        self,
        target: int | None,
        chance: Random,
        *,
        delay_s: float = 0.0,
        faults: Sequence[Fault] = (),
        pieces: int = 100,
    ) -> None:
        self.target = target
        self.suffered: list[Fault] = []
        """What has happened to connections."""
        self.url = ""
        self._chance = chance
        self._delay_s = delay_s
        self._faults = tuple(faults)
        self._pieces = pieces
        self._connections: set[asyncio.Task[None]] = set()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to its end."""
        task = asyncio.current_task()
        assert task is not None, "a coroutine of a task"
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        writers = [writer]
        try:
            with suppress(OSError):
                if self.target is not None:
                    address = f"127.0.1.{self._chance.randint(1, _ADDRESSES)}"
                    other = await asyncio.open_connection("127.0.0.1", self.target, local_addr=(address, 0))
                    writers.append(other[1])
                    await self._carry((reader, writer), other)
        finally:
            for one in writers:
                one.transport.abort()

    async def close(self) -> None:
        """Break all connections."""
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _carry(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        budget = [self._chance.randint(self._pieces // 2, self._pieces * 3 // 2) if self._faults else -1]
        ways = [
            asyncio.create_task(self._one_way(client[0], server[1], budget)),
            asyncio.create_task(self._one_way(server[0], client[1], budget)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        if budget[0] == 0:
            fault = self._chance.choice(self._faults)
            self.suffered.append(fault)
            if fault == "half":
                server[1].transport.abort()
            if fault != "cut":
                await asyncio.sleep(_HOLE_S)

    async def _one_way(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: list[int]
    ) -> None:
        """Carry pieces until one end is closed, or what both ways may carry together is used up."""
        loop, due = asyncio.get_running_loop(), 0.0
        while budget[0] and (piece := await reader.read(_PIECE)):
            budget[0] -= 1
            # No piece overtakes another; that many are under way at the same time.
            due = max(due + _STEP_S, loop.time() + self._chance.uniform(0, self._delay_s))
            loop.call_at(due, writer.write, piece)


@asynccontextmanager
async def bad_line(line: BadLine) -> AsyncIterator[BadLine]:
    """Open the line's own end; its address is `url`."""
    listener = await asyncio.start_server(line.connected, "127.0.0.1", 0)
    line.url = f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with listener:
        try:
            yield line
        finally:
            await line.close()

"""A strict client of the contest of 2010, written from the table of its protocol alone.

It takes nothing that the table does not name, in no other order, and checks every word.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fangnetz.contest2010.adapter import Adapter
from fangnetz.contest2010.bot import Times
from support.clients import PATIENCE_S

__all__ = ["QUICK", "ContestServer", "StrictClient", "contest_server", "send_at_once", "send_bytewise"]

QUICK: Final = Times(map_s=0.0)
Send = Callable[[asyncio.StreamWriter, str], Awaitable[None]]

_VIEW: Final = "(?:NORTH|NORTH_EAST|EAST|SOUTH_EAST|SOUTH|SOUTH_WEST|WEST|NORTH_WEST)"
_PLACE: Final = r"(\d+),(\d+)"
_DECIMAL: Final = r"(-?\d+\.\d+)"
_SHAPES: Final = {
    "ID": r"(\d+)",
    "PING": "",
    "CONNECTED": r"(\d+)",
    "DISCONNECTED": r"(\d+)",
    "MAP": r"([^ ,|\n]+)",
    "SET": rf"{_PLACE} {_VIEW}",
    "SEE_PLAYER": rf"{_PLACE} {_VIEW} (\d+)",
    "LIFE": rf"{_DECIMAL} (\d+)",
    "TOXIC": rf"{_PLACE} {_DECIMAL}",
    "TEAMCHANGE": r"(RED|BLUE) (\d+)",
    "START": r"(\d+)",
    "DISCONNECT": "",
}
_ORDER: Final = ("SET", "SEE_PLAYER", "LIFE", "TOXIC", "TEAMCHANGE", "START")


async def send_at_once(writer: asyncio.StreamWriter, text: str) -> None:
    """Send a text in one packet."""
    writer.write(text.encode("ascii"))
    await writer.drain()


async def send_bytewise(writer: asyncio.StreamWriter, text: str) -> None:
    """Send every byte in a packet of its own."""
    for byte in text.encode("ascii"):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0)


class StrictClient:
    """One connection to the adapter.

    `heard` holds all commands; what they told stands in the other fields.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, send: Send) -> None:
        self.heard: list[str] = []
        self.id = -1
        self.others: set[int] = set()
        self.gone: set[int] = set()
        self.map: list[str] = []
        self.teams: dict[int, str] = {}
        self.lives: dict[int, float] = {}
        self.rounds: list[int] = []
        self._reader = reader
        self._writer = writer
        self._send = send
        self._rest = ""
        self._waiting: list[str] = []

    async def say(self, text: str) -> None:
        await self._send(self._writer, text)

    def close(self) -> None:
        self._writer.close()

    async def next(self) -> tuple[str, tuple[str, ...]]:
        """Return the next command and its words; `("", ())` once the connection is closed."""
        while not self._waiting:
            async with asyncio.timeout(PATIENCE_S):
                data = await self._reader.read(1 << 16)
            if not data:
                assert self._rest == "", f"cut off: {self._rest}"
                return "", ()
            *whole, self._rest = (self._rest + data.decode("ascii")).split("|")
            self._waiting += whole
        command = self._waiting.pop(0)
        self.heard.append(command)
        name, _, words = command.partition(" ")
        assert name in _SHAPES, f"the table has no {command!r}"
        found = re.fullmatch(_SHAPES[name], words)
        assert found, f"{command!r} is not as in the table"
        return name, found.groups()

    async def take_id(self, answer: str = "ID_OKAY|") -> None:
        """Take the first command of all and answer it."""
        name, words = await self.next()
        assert name == "ID", "the first command is always ID"
        self.id = int(words[0])
        await self.say(answer)

    async def take_map(self) -> None:
        """Take everything up to the MAP, and read it."""
        while (found := await self.next())[0] != "MAP":
            assert found[0] in ("CONNECTED", "PING"), found
            self._note(*found)
        self.map = _lines(Path(found[1][0]))
        assert {len(row) for row in self.map} == {len(self.map[0])}
        assert set("".join(self.map)) <= {"#", " "}

    async def take_round(self) -> bool:
        """Take the commands of a round up to its START; False if the game is over instead."""
        step = 0
        while True:
            name, words = await self.next()
            if name == "DISCONNECT":
                assert step == 0, "a round was broken off"
                assert await self.next() == ("", ()), "after DISCONNECT comes nothing more"
                return False
            self._note(name, words)
            if name in _ORDER:
                assert _ORDER.index(name) >= step, f"{name} after {_ORDER[step]}"
                assert _ORDER.index(name) > step or name not in ("SET", "TOXIC", "START") or step == 0
                step = _ORDER.index(name)
            else:
                assert name in ("PING", "DISCONNECTED"), f"{name} in the middle of a game"
            if name == "START":
                assert set(self.lives) == self.others | {self.id}, "a LIFE for all"
                return True

    async def play(self, policy: Callable[[int], str]) -> None:
        """Play a whole game; the policy gives the commands for a round."""
        await self.take_id()
        await self.take_map()
        while await self.take_round():
            await self.say(policy(self.rounds[-1]))

    def _note(self, name: str, words: tuple[str, ...]) -> None:
        match name, words:
            case "CONNECTED", (number,):
                assert int(number) not in (self.id, *self.others)
                self.others.add(int(number))
            case "DISCONNECTED", (number,):
                assert int(number) in self.others
                self.gone.add(int(number))
            case "SET", (x, y):
                assert self.map[int(y)][int(x)] == " ", "nobody stands on a wall"
                self.lives = {}
            case "SEE_PLAYER", (x, y, number):
                assert self.map[int(y)][int(x)] == " "
                assert int(number) in self.others
            case "LIFE", (value, number):
                self.lives[int(number)] = float(value)
            case "TOXIC", (_, _, value):
                assert 0.01 <= float(value) <= 0.2
            case "TEAMCHANGE", (team, number):
                assert self.teams.get(int(number), "BLUE") != team, "no change at all"
                self.teams[int(number)] = team
            case "START", (number,):
                assert int(number) > (self.rounds[-1] if self.rounds else 0)
                self.rounds.append(int(number))


def _lines(file: Path) -> list[str]:
    *lines, rest = file.read_text(encoding="ascii").split("\n")
    assert rest == "", "every line has its end"
    return lines


class ContestServer:
    """An adapter that listens on a free port of 127.0.0.1."""

    def __init__(self, adapter: Adapter, port: int) -> None:
        self.adapter = adapter
        self.port = port
        self._writers: list[asyncio.StreamWriter] = []

    async def client(self, send: Send = send_at_once) -> StrictClient:
        """Connect a client."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._writers.append(writer)
        return StrictClient(reader, writer, send)

    def hang_up(self) -> None:
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def contest_server(url: str, **options: Any) -> AsyncIterator[ContestServer]:
    """Run an adapter in the running loop; options are those of `Adapter`."""
    adapter = Adapter(url, **{"name": "veteran", "tokens": (), "times": QUICK, **options})
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await adapter.serve(reader, writer)

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    server = ContestServer(adapter, listener.sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        listener.close()
        server.hang_up()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*tasks)
        adapter.close()

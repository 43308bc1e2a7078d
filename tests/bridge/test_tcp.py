"""The same lines over a local TCP port."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from fangnetz.bridge.run import BridgeOptions, bridge
from fangnetz_protocol.messages import MatchEnd
from support.live_server import eventually
from support.programs import answer
from support.scripted import Peer, Script, ScriptedServer

JsonObject = dict[str, Any]


class Program:
    """A program that connects; it reads and writes lines."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, type_: str) -> JsonObject:
        async with asyncio.timeout(10):
            message: JsonObject = json.loads(await self._reader.readline())
        assert message["type"] == type_, message
        return message

    async def act(self, *, end: str = "\n") -> None:
        seen = await self.read("observation")
        self._writer.write((json.dumps(answer(seen["tick"], seen["match"])) + end).encode())

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def at_end(self) -> bool:
        async with asyncio.timeout(10):
            return await self._reader.read() == b""


class Door:
    """A bridge that listens; `results` are there after its end."""

    def __init__(self, port: int, playing: "asyncio.Task[list[MatchEnd]]") -> None:
        self._port = port
        self.playing = playing

    async def enter(self) -> Program:
        return Program(*await asyncio.open_connection("127.0.0.1", self._port))


@asynccontextmanager
async def door(caplog: pytest.LogCaptureFixture, *scripts: Script, **options: Any) -> AsyncIterator[Door]:
    caplog.set_level(logging.INFO)
    async with ScriptedServer(*scripts) as server:
        given: dict[str, Any] = {"tcp": "127.0.0.1:0", "server": server.url, "matches": 1, **options}
        playing = asyncio.create_task(bridge(BridgeOptions(**given)))
        await eventually(lambda: "waiting for programs at" in caplog.text, "the port")
        yield Door(int(caplog.text.partition("waiting for programs at 127.0.0.1:")[2].split()[0]), playing)
        async with asyncio.timeout(10):
            await playing


async def test_a_match(caplog: pytest.LogCaptureFixture) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == answer(0)
        assert await peer.ask(1) == answer(1)
        await peer.end()
        await peer.until_closed()

    async with door(caplog, script) as opened:
        program = await opened.enter()
        assert (await program.read("match_start"))["match"] == "m-1"
        await program.act(end="\r\n")
        await program.act()
        assert (await program.read("match_end"))["reason"] == "catch"
        assert await program.at_end()
        await program.close()


async def test_a_program_may_come_late_and_come_again(caplog: pytest.LogCaptureFixture) -> None:
    gone = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == answer(0)
        await gone.wait()
        assert await peer.ask(1) == answer(1)
        await peer.end()
        await peer.until_closed()

    async with door(caplog, script) as opened:
        for _ in range(3):  # Those who say nothing do no harm, however many there are.
            silent = await opened.enter()
            await silent.read("match_start")
            await silent.close()
        program = await opened.enter()
        await program.read("match_start")
        await program.act()
        await program.close()
        await eventually(lambda: caplog.text.count("another one takes over") == 4, "the end of it")
        gone.set()
        again = await opened.enter()
        await again.read("match_start")
        await again.act()
        await again.close()
    assert [result.match for result in await opened.playing] == ["m-1"]


async def test_two_programs_play_two_matches(caplog: pytest.LogCaptureFixture) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2"):
            await peer.start(match)
        for match in ("m-2", "m-1"):
            assert await peer.ask(0, match) == answer(0, match)
            await peer.end(match)
        await peer.until_closed()

    async with door(caplog, script, matches=2) as opened:
        programs = [await opened.enter(), await opened.enter()]
        for program in programs:
            await program.read("match_start")
        for program in reversed(programs):
            await program.act()
            await program.read("match_end")
            await program.close()

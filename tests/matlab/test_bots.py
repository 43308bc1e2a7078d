"""The example bots of the Bremen course against `random`, through the bridge and on the real server."""

import asyncio
import re
import socket
from pathlib import Path

import pytest

from support.bridged import MATCHES, bridged, check_clean
from support.live_server import LiveServer
from support.octave import MATLAB, require_octave


@pytest.mark.parametrize("bot", ["tanken", "angriff", "spiegel"])
async def test_an_example_beats_random(server: LiveServer, tmp_path: Path, bot: str) -> None:
    program = (require_octave(), "-qf", MATLAB / "play_stdio.m", MATLAB / "bots" / bot)
    errors = tmp_path / "bot.log"
    results, log = await bridged(server, bot, "--says-ready", "--log", errors, "--", *program)
    check_clean(results, log)
    assert all(result.points[0] == 1 for result in results)
    told = errors.read_text(encoding="utf-8")
    assert "coasts" not in told
    assert len(re.findall(r"^match \w+ is over: ", told, re.MULTILINE)) == MATCHES


async def test_the_same_over_tcp(server: LiveServer) -> None:
    octave = require_octave("instrument-control")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"pkg load instrument-control; addpath ('{MATLAB}'); play_tcp ('{MATLAB}/bots/tanken', {port})"
    said = ""

    async def play_tcp() -> None:
        nonlocal said
        program = await asyncio.create_subprocess_exec(
            *(octave, "-qf", "--no-history", "--eval", code),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(120):
                said = (await program.communicate())[1].decode()
        finally:
            if program.returncode is None:
                program.kill()
                await program.wait()
        assert program.returncode == 0, said

    results, log = await bridged(
        server, "tanken", "--says-ready", "--tcp", f"127.0.0.1:{port}", beside=play_tcp
    )
    check_clean(results, log)
    assert "the bridge has hung up" in said
    assert "coasts" not in said

"""The command `fangnetz-bot bridge` as a process of its own: its end, whoever brings it about."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from pathlib import Path

import psutil
import pytest

from fangnetz_protocol.codes import CloseCode
from support.live_server import eventually
from support.programs import answer, program
from support.scripted import Peer, ScriptedServer

FAMILY = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note(os.getpid())
        time.sleep(600)
    os._exit(0)
os.wait()
note(os.getpid())
for message in observations():
    act(message)
"""


async def started(folder: Path, *arguments: str) -> Process:
    return await create_subprocess_exec(
        *(sys.executable, "-W", "error", "-m", "fangnetz", "bridge", *arguments),
        stdout=PIPE,
        stderr=PIPE,
        cwd=folder,
        env={**os.environ, "FANGNETZ_TOKEN": "s3cr3t"},
    )


async def result(process: Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_a_match_ends_the_command_with_status_0(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert (hello["name"], hello["token"]) == ("mine", "s3cr3t")
        await peer.start()
        assert await peer.ask(0) == answer(0)
        await peer.end()
        assert await peer.until_closed() == CloseCode.NORMAL

    words = program("for message in observations(): act(message); note('done')")
    (tmp_path / "mine.py").write_text(words[-1], encoding="utf-8")
    async with ScriptedServer(script) as server:
        options = ("--server", server.url, "--matches", "1")
        status, out, err = await result(await started(tmp_path, *options, "--", *words[:-2], "mine.py"))
    assert (status, out) == (0, ""), err
    assert f"standard error of the program goes to {tmp_path / 'mine.log'} (the newest 2 MB)" in err
    assert "match m-1 is over: place 1 of 2 with 1 points, catch, 7 ticks" in err
    assert "s3cr3t" not in err
    assert (tmp_path / "mine.log").read_text() == "done\n"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
async def test_signals_end_the_bridge_and_all_that_the_program_has_started(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    playing, closed = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == answer(0)
        playing.set()
        code = await peer.until_closed()
        assert code == (CloseCode.NORMAL if number != signal.SIGKILL else 1006)
        closed.set()

    async with ScriptedServer(script) as server:
        process = await started(tmp_path, "--server", server.url, "--name", "bot", "--", *program(FAMILY))
        async with asyncio.timeout(30):
            await playing.wait()
        log = tmp_path / "bot.log"
        await eventually(lambda: log.read_text().count("\n") == 2, "the family")
        family = [psutil.Process(int(line)) for line in log.read_text().split()]
        process.send_signal(number)
        ended = await result(process)
        async with asyncio.timeout(30):
            await closed.wait()
    assert ended[0] == status
    assert "Traceback" not in ended[2]
    await eventually(lambda: not any(one.is_running() for one in family), "the end of the family")


async def test_a_program_that_cannot_be_played_with_is_status_7(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2", "m-3"):
            await peer.start(match)
            while (await peer.receive())["type"] != "leave":
                pass
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        process = await started(tmp_path, "--server", server.url, "--", *program("sys.exit('no licence')"))
        status, _, err = await result(process)
    assert status == 7
    last = err.splitlines()[-1]
    assert last.startswith("the program failed in 3 matches in a row; in the last one the program ended")
    assert "its last words: no licence (see " in last

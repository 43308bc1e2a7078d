"""The command `fangnetz-bot` as processes of its own: what it says, its exit status, its end."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from pathlib import Path

import pytest

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.version import __version__
from support.scripted import Peer, ScriptedServer, observation

COMMAND = (sys.executable, "-W", "error", "-c", "from fangnetz.cli import main; main()")
BOT = """
from fangnetz import SpaceballsBot, Thrust, run

class Mine(SpaceballsBot):
    def decide(self, observation):
        return Thrust(thrust=(0, 1))
"""


async def started(*arguments: str, **environment: str) -> Process:
    clean = {key: value for key, value in os.environ.items() if key != "FANGNETZ_TOKEN"}
    return await create_subprocess_exec(
        *COMMAND, *arguments, stdout=PIPE, stderr=PIPE, env=clean | environment
    )


async def result(process: Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def outcome(*arguments: str, **environment: str) -> tuple[int | None, str, str]:
    return await result(await started(*arguments, **environment))


@pytest.fixture
def bot_file(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(BOT, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", [(), ("run",), ("bridge",), ("lines",), ("list",), ("strength",)])
async def test_help_shows_an_example(command: tuple[str, ...]) -> None:
    status, out, err = await outcome(*command, "--help")
    assert (status, err, "Example: fangnetz-bot" in out) == (0, "", True)


async def test_the_version() -> None:
    assert await outcome("--version") == (0, f"fangnetz-bot {__version__}\n", "")


async def test_the_module_is_the_command() -> None:
    process = await create_subprocess_exec(
        *(sys.executable, "-m", "fangnetz", "dance"), stdout=PIPE, stderr=PIPE
    )
    status, _, err = await result(process)
    assert (status, err) == (2, "fangnetz-bot: No such command 'dance'. (fangnetz-bot --help shows how)\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing command"),
        (("dance",), "No such command 'dance'"),
        (("run",), "Missing argument 'BOT'"),
        (("run", "x", "--matches", "0"), "--matches"),
        (("run", "x", "--speed", "9"), "No such option"),
        (("run", "nowhere.py"), "there is no file nowhere.py"),
        (("run", "BOT", "--server", "ftp://x"), "the scheme has to be ws, wss, http or https"),
        (("run", "BOT", "--seed", "7"), "Mine takes no seed"),
        (("bridge",), "the program is missing"),
        (("bridge", "--", "./nowhere"), "there is no program './nowhere' that can be run"),
        (("bridge", "--tcp", "4711"), "has to be HOST:PORT"),
        (("bridge", "--limit", "files=9", "--", "true"), "--limit and --read are for --confine"),
        (("bridge", "--confine", "--limit", "speed=9", "--", "true"), "there is no limit 'speed'"),
        (("bridge", "--confine", "--sandbox", "jail", "--", "true"), "one of auto, bwrap, rlimits"),
    ],
)
async def test_wrong_use_is_one_line_and_status_2(
    arguments: tuple[str, ...], says: str, bot_file: str
) -> None:
    status, out, err = await outcome(*[bot_file if text == "BOT" else text for text in arguments])
    assert (status, out, err.count("\n"), says in err) == (2, "", 1, True), err


async def test_a_match_ends_the_command_with_status_0(bot_file: str) -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert (hello["name"], hello["token"]) == ("Otto", "s3cr3t")
        await peer.start()
        assert (await peer.ask(0))["thrust"] == [0.0, 1.0]
        await peer.end()
        assert await peer.until_closed() == CloseCode.NORMAL

    async with ScriptedServer(script) as server:
        status, out, err = await outcome(
            *("run", bot_file, "--server", server.url, "--name", "Otto", "--matches", "1"),
            FANGNETZ_TOKEN="s3cr3t",
        )
    assert (status, out) == (0, "")
    assert "match m-1 is over: place 1 of 2 with 1 points, catch, 7 ticks" in err
    assert "s3cr3t" not in err


async def test_the_log_can_be_quiet(bot_file: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.end()

    async with ScriptedServer(script) as server:
        quiet = ("--log-level", "warning")
        assert await outcome("run", bot_file, "--server", server.url, "--matches", "1", *quiet) == (0, "", "")


async def test_a_server_that_is_not_there_is_status_3(bot_file: str) -> None:
    async with ScriptedServer() as server:
        url = server.url
    status, out, err = await outcome("run", bot_file, "--server", url)
    assert (status, out) == (3, "")
    assert err.splitlines() == [
        f"cannot reach {url}/play: nobody listens at {url.removeprefix('ws://')}; is the server running?"
    ]


async def test_something_else_is_status_4(bot_file: str) -> None:
    async with ScriptedServer(subprotocol=None) as server:
        url = server.url
        status, _, err = await outcome("run", bot_file, "--server", url)
    assert (status, err) == (
        4,
        f"no Fangnetz server at {url}/play: it speaks WebSocket, but not fangnetz.v1\n",
    )


async def test_a_refusal_is_status_5(bot_file: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.receive()
        await peer.send({"type": "error", "code": "bad_token", "message": "the token is not known"})

    async with ScriptedServer(script) as server:
        status, _, err = await outcome("run", bot_file, "--server", server.url)
    assert (status, err) == (5, "refused by the server (bad_token): the token is not known\n")


async def test_another_connection_of_the_same_bot_is_status_6(bot_file: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.close(CloseCode.REPLACED)

    async with ScriptedServer(script) as server:
        status, _, err = await outcome("run", bot_file, "--server", server.url)
    assert status == 6
    assert "4001, Another connection has taken over" in err.splitlines()[-1]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_signals_end_the_bot_with_a_closing_handshake(
    number: signal.Signals, status: int, bot_file: str
) -> None:
    ready, closed = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(observation(0))
        await peer.receive()
        ready.set()
        assert await peer.until_closed() == CloseCode.NORMAL
        closed.set()

    async with ScriptedServer(script) as server:
        process = await started("run", bot_file, "--server", server.url)
        async with asyncio.timeout(30):
            await ready.wait()
        process.send_signal(number)
        ended = await result(process)
        async with asyncio.timeout(30):
            await closed.wait()
    assert ended[0] == status
    assert "Traceback" not in ended[2]


async def test_run_in_a_script_is_the_same(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.ask(0)
        await peer.end()

    path = tmp_path / "script.py"
    async with ScriptedServer(script) as server:
        path.write_text(f"{BOT}\nprint(run(Mine, {server.url!r}, matches=1)[0].reason)", encoding="utf-8")
        process = await create_subprocess_exec(sys.executable, str(path), stdout=PIPE, stderr=PIPE)
        status, out, _ = await result(process)
    assert (status, out) == (0, "catch\n")

"""Programs at the bridge over real pipes and sockets, against a server that plays a script."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from fangnetz.bridge.partner import ProgramFailed
from fangnetz.bridge.run import BridgeOptions, bridge
from fangnetz.problems import WrongUse
from fangnetz_protocol.messages import MatchEnd
from support.live_server import eventually
from support.programs import answer, program
from support.scripted import Peer, Script, ScriptedServer, observation, start

Steps = Callable[[Peer], Awaitable[None]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The file that takes a program's standard error."""
    return tmp_path / "program.log"


async def played(code: str, log: Path, *scripts: Script, **options: Any) -> list[MatchEnd]:
    """Let a program play against scripts, one a connection, and return the results."""
    async with ScriptedServer(*scripts) as server:
        own: dict[str, Any] = {"command": tuple(program(code)), "name": "eager", "matches": 1, "log": log}
        async with asyncio.timeout(60):
            return await bridge(BridgeOptions(server=server.url, **own | options))


def written(log: Path) -> str:
    return log.read_text(encoding="utf-8")


def one_match(steps: Steps) -> Script:
    """Return the script of a whole match around some steps."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await steps(peer)
        await peer.end()
        await peer.until_closed()

    return script


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the complaints in the log."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def is_alive(number: int) -> bool:
    """Tell whether a process runs; one that has ended and that nobody waits for does not."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


# --- the play -------------------------------------------------------------------------------------


async def test_a_match_as_the_program_sees_it(log: Path) -> None:
    async def steps(peer: Peer) -> None:
        assert await peer.ask(0) == answer(0)
        assert await peer.ask(1) == answer(1)
        await peer.send({"type": "notice", "code": "announcement", "message": "Lunch."})
        await peer.send({"type": "error", "code": "late", "message": "too late", "ref": {"match": "m-1"}})

    code = """
for message in messages():
    note(json.dumps(message))
    if message["type"] == "observation":
        act(message)
"""
    results = await played(code, log, one_match(steps))
    assert [result.match for result in results] == ["m-1"]
    messages = [json.loads(line) for line in written(log).splitlines()]
    kinds = ["match_start", "observation", "observation", "notice", "error", "match_end"]
    assert [message["type"] for message in messages] == kinds
    assert messages[1] == observation(0)
    assert messages[2] == observation(1)
    assert messages[4] == {"type": "error", "code": "late", "message": "too late", "ref": {"match": "m-1"}}


async def test_the_hello_says_what_plays(log: Path) -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert (hello["name"], hello["token"], hello["games"]) == ("eager", "s3cr3t", ["spaceballs"])
        assert hello["client"]["language"].startswith("python")
        await peer.start()
        await peer.end()
        await peer.until_closed()

    await played("for _ in messages(): pass", log, script, token="s3cr3t", games=("spaceballs",))


async def test_the_program_does_not_get_the_token(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FANGNETZ_TOKEN", "s3cr3t")

    async def steps(peer: Peer) -> None:
        await peer.ask(0)

    await played(
        "note(sorted(os.environ))\nfor message in observations(): act(message)", log, one_match(steps)
    )
    assert "'PATH'" in written(log)
    assert "FANGNETZ_TOKEN" not in written(log)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("act(message, end='\\r\\n')", id="crlf"),
        pytest.param("say(b'\\xef\\xbb\\xbf'); act(message)", id="bom"),
        pytest.param("say('\\n\\r\\n  \\n'); act(message)", id="blank lines"),
        pytest.param("say('{\"tick\": %d, \"thrust\": [0, 1]}\\n' % message['tick'])", id="short form"),
        pytest.param("say(os.urandom(5000).replace(b'\\n', b'') + b'\\n'); act(message)", id="rubbish"),
        pytest.param("say('x' * 200_000 + '\\n'); act(message)", id="200 kB without sense"),
        pytest.param("act(message, debug=' ' * 200_000, tick=0); act(message)", id="200 kB with sense"),
        pytest.param("say('thinking ...\\n'); act(message)", id="prints to standard output"),
        pytest.param("act(message); act(message)", id="twice"),
        pytest.param("act(message, tick=message['tick'] - 1); act(message)", id="an old tick first"),
        pytest.param("act(message, tick=message['tick'] + 1); act(message)", id="a coming tick first"),
        pytest.param("act(message, match='m-0'); act(message)", id="another match first"),
        pytest.param(
            "text = '{\"tick\": %d, \"thrust\": [0, 1]}\\n' % message['tick']\n"
            "    for sign in text: say(sign); time.sleep(0.001)",
            id="a byte at a time",
        ),
    ],
)
async def test_strange_output_does_no_harm(code: str, log: Path) -> None:
    async def steps(peer: Peer) -> None:
        for tick in range(3):
            assert await peer.ask(tick) == answer(tick)

    await played(f"for message in observations():\n    {code}", log, one_match(steps))


async def test_the_last_line_counts_without_its_end(log: Path) -> None:
    async def steps(peer: Peer) -> None:
        assert await peer.ask(0) == answer(0)

    await played("act(next(observations()), end='')", log, one_match(steps))


async def test_a_late_line_never_answers_the_next_tick(log: Path) -> None:
    """The program is slow at tick 0: its line comes with tick 0, and tick 1 gets its own."""
    code = """
for message in observations():
    if message["tick"] == 0:
        open(sys.argv[1]).read()  # Until the test has sent the next one.
    act(message, thrust=[message["tick"], 1])
"""
    gate = log.with_name("gate")
    os.mkfifo(gate)

    async def steps(peer: Peer) -> None:
        await peer.send(observation(0), observation(1), observation(2))
        await asyncio.to_thread(gate.write_text, "go on")
        assert await peer.receive() == answer(0, thrust=[0, 1])
        assert await peer.receive() == answer(2, thrust=[2, 1])

    await played(code, log, one_match(steps), command=(*program(code), str(gate)))


async def test_a_flood_on_standard_error_is_capped(log: Path) -> None:
    async def steps(peer: Peer) -> None:
        for tick in range(2):
            assert await peer.ask(tick) == answer(tick)

    code = """
for message in observations():
    for number in range(100):
        note("x" * 100_000)
    note("the end of tick", message["tick"])
    act(message)
"""
    await played(code, log, one_match(steps))
    assert written(log).endswith("the end of tick 1\n")
    assert sum(file.stat().st_size for file in log.parent.iterdir()) <= 2_000_000


async def test_a_program_that_never_reads_costs_ticks_and_no_more(log: Path) -> None:
    async def steps(peer: Peer) -> None:
        for tick in range(200):
            await peer.send(observation(tick, events=[{"kind": "timeout"}] * 200))

    await played("time.sleep(600)", log, one_match(steps))


async def test_a_program_that_does_not_read_for_long_is_not_buried(log: Path) -> None:
    """What it has not read is not followed by more: only the newest is kept for it."""
    gate = log.with_name("gate")
    os.mkfifo(gate)
    code = """
open(sys.argv[1]).read()
shown = []
for message in observations():
    shown.append(message["tick"])
    act(message, shown=shown)
"""

    async def steps(peer: Peer) -> None:
        for tick in range(200):
            await peer.send(observation(tick, events=[{"kind": "timeout"}] * 2000))
        await peer.send(start("m-2"))  # Its answer tells that all of them are there.
        assert await peer.receive() == {"type": "leave", "match": "m-2"}
        await asyncio.to_thread(gate.write_text, "go on")
        while (answer := await peer.receive())["tick"] != 199:
            pass
        assert len(answer["shown"]) <= 4

    await played(code, log, one_match(steps), command=(*program(code), str(gate)))


async def test_a_program_that_sleeps_through_a_match_does_not_play_the_next(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        for tick in range(20):
            await peer.send(observation(tick, "m-1", events=[{"kind": "timeout"}] * 2000))
        await peer.end("m-1")
        await peer.start("m-2")
        assert await peer.ask(0, "m-2") == answer(0, "m-2")
        await peer.end("m-2")
        await peer.until_closed()

    code = f"""
if not os.path.exists({str(log.with_name("mark"))!r}):
    open({str(log.with_name("mark"))!r}, "w").close()
    time.sleep(600)
for message in observations():
    act(message)
"""
    assert len(await played(code, log, script, matches=2)) == 2


async def test_two_matches_at_once_have_a_program_each(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(observation(0, "m-9"))  # Of no match.
        await peer.start("m-1")
        await peer.start("m-2")
        for tick in range(2):
            assert await peer.ask(tick, "m-1") == answer(tick, "m-1", mine=["m-1"])
            assert await peer.ask(tick, "m-2") == answer(tick, "m-2", mine=["m-2"])
        await peer.end("m-2")
        await peer.start("m-3")  # The program of m-2 plays it.
        assert (await peer.ask(0, "m-3"))["mine"] == ["m-2", "m-3"]
        await peer.end("m-1")
        await peer.end("m-3")
        await peer.until_closed()

    code = """
mine = []
for message in messages():
    if message["type"] == "match_start":
        mine.append(message["match"])
    if message["type"] == "observation":
        act(message, mine=mine)
"""
    results = await played(code, log, script, matches=3)
    assert [result.match for result in results] == ["m-2", "m-1", "m-3"]


async def test_a_match_more_than_asked_for_is_left(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.send(start("m-2"))
        assert await peer.receive() == {"type": "leave", "match": "m-2"}
        await peer.end("m-1")
        await peer.until_closed()

    await played("for _ in messages(): pass", log, script)


async def test_the_program_can_say_itself_when_it_is_ready(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.end()
        await peer.until_closed()

    code = """
for message in messages():
    if message["type"] == "match_start":
        note("prepared")
        say('{"type": "ready"}\\n')
"""
    await played(code, log, script, says_ready=True)
    assert written(log) == "prepared\n"


async def test_the_program_can_leave(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(observation(0))
        assert await peer.receive() == {"type": "leave", "match": "m-1"}
        await peer.until_closed()

    assert await played('for _ in observations(): say(\'{"type": "leave"}\\n\')', log, script) == []


async def test_a_lost_connection_is_none_of_the_programs_business(log: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == answer(0)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        assert (await peer.welcome(resumed=True))["resume"] == "secret-1"
        await peer.start()
        assert await peer.ask(0) == answer(0)  # The same tick again (P2.4); it was answered already.
        assert await peer.ask(3, missed=[1, 2]) == answer(3)
        await peer.end()
        await peer.until_closed()

    code = """
for message in messages():
    note(message["type"], message.get("tick"), message.get("missed"))
    if message["type"] == "observation":
        act(message)
"""
    await played(code, log, first, second)
    assert written(log).splitlines() == [
        "match_start None None",
        "observation 0 None",
        "observation 3 [1, 2]",
        "match_end None None",
    ]


# --- faults, in words -----------------------------------------------------------------------------


async def test_faults_are_told_with_the_line(log: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def steps(peer: Peer) -> None:
        for tick in range(5):
            await peer.ask(tick)
        about = {"match": "m-1", "tick": 4, "field": "thrust"}
        await peer.send({"type": "error", "code": "invalid_action", "message": "thrust?", "ref": about})

    code = "for message in observations(): say('thinking of it\\n'); act(message)"
    await played(code, log, one_match(steps))
    name = program("")[0]
    problem = "is no JSON at character 0: invalid literal, expected 'true'"
    nonsense = "print messages for yourself to standard error; the line: thinking of it"
    assert [line for line in told(caplog) if "is no JSON" in line] == [
        f"{name}, line {number}: {problem}; {nonsense}{more}"
        for number, more in [
            (1, ""),
            (3, ""),
            (5, " (of this kind no more is told in this match)"),
        ]
    ]
    line = '{"type": "action", "match": "m-1", "tick": 4, "thrust": [0, 1]}'
    assert told(caplog)[-1] == f"{name}: the server says invalid_action: thrust?; the line: {line}"
    assert "(1 x error invalid_action, 5 x json)" in caplog.text


# --- the end of programs --------------------------------------------------------------------------


async def test_a_program_that_dies_is_started_once_more(log: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def steps(peer: Peer) -> None:
        assert await peer.ask(0) == answer(0)
        assert await peer.ask(1) == answer(1)  # By the second one.
        assert await peer.ask(2) == answer(2)

    code = f"""
second = os.path.exists({str(log.with_name("mark"))!r})
open({str(log.with_name("mark"))!r}, "w").close()
for message in observations():
    if message["tick"] == 1 and not second:
        raise ValueError("this is too much")
    act(message)
"""
    await played(code, log, one_match(steps))
    (told_once,) = [line for line in told(caplog) if "another one takes over" in line]
    assert "the program ended with status 1; its last words: ValueError: this is too much" in told_once
    assert str(log) in told_once


async def test_a_program_that_dies_twice_leaves_the_match(
    log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(observation(0))
        assert await peer.receive() == {"type": "leave", "match": "m-1"}
        await peer.until_closed()

    assert await played("next(observations()); os.abort()", log, script) == []
    assert "m-1 is left: the program was ended by Aborted" in told(caplog)[-1]


async def test_a_match_that_was_left_stays_left_after_a_lost_connection(log: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.send(observation(0))
        assert await peer.receive() == {"type": "leave", "match": "m-1"}
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome(resumed=True)
        await peer.send(start("m-1"))
        assert await peer.receive() == {"type": "leave", "match": "m-1"}
        await peer.start("m-2")
        await peer.end("m-2")
        await peer.until_closed()

    assert len(await played("next(observations()); os.abort()", log, first, second, matches=2)) == 1


async def test_a_program_that_fails_in_every_match_ends_the_bridge(log: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2", "m-3"):
            await peer.send(start(match))
            while (await peer.receive())["type"] != "leave":
                pass
        await peer.until_closed()

    with pytest.raises(
        ProgramFailed, match="failed in 3 matches in a row; in the last one the program ended"
    ):
        await played("next(messages()); sys.exit(3)", log, script, matches=10)


async def test_a_program_for_one_match_is_started_anew_for_the_next(
    log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2", "m-3"):
            await peer.start(match)
            assert await peer.ask(0, match) == answer(0, match)
            await peer.end(match)
        await peer.until_closed()

    code = """
for message in messages():
    if message["type"] == "observation":
        act(message)
    if message["type"] == "match_end":
        break
"""
    assert len(await played(code, log, script, matches=3)) == 3
    assert told(caplog) == []


FORKS = """
def grandchild(escape):
    if os.fork() == 0:
        if escape:
            os.setsid()
            if os.fork():
                os._exit(0)
        note(os.getpid())
        time.sleep(600)
        os._exit(0)

grandchild(False)
grandchild(True)
note(os.getpid())
for message in observations():
    act(message)
time.sleep(600)
"""


async def test_the_program_and_its_forks_are_gone_at_the_end(log: Path) -> None:
    """Also those that left its process group, and a program that stays after the end of its input."""

    async def steps(peer: Peer) -> None:
        await peer.ask(0)
        await eventually(lambda: written(log).count("\n") == 3, "the forks")
        assert all(map(psutil.pid_exists, map(int, written(log).split())))

    await played(FORKS, log, one_match(steps))
    assert not any(map(is_alive, map(int, written(log).split())))


async def test_who_ignores_every_polite_signal_is_ended(log: Path) -> None:
    async def steps(peer: Peer) -> None:
        await peer.ask(0)

    code = """
import signal
import subprocess
import sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
note(os.getpid())
act(next(observations()))
time.sleep(600)
"""
    await played(code, log, one_match(steps))
    assert not is_alive(int(written(log)))


async def test_a_program_ends_with_its_keeper(log: Path) -> None:
    """Whoever kills the process between the bridge and the program, such as a kernel short of memory."""

    async def steps(peer: Peer) -> None:
        answer = await peer.ask(0)
        keeper, own = answer["keeper"], answer["own"]
        os.kill(keeper, signal.SIGKILL)
        await eventually(lambda: not is_alive(own), "the end of the first one")
        assert (await peer.ask(1))["own"] != own  # The next one has taken over.

    code = "for message in observations(): act(message, keeper=os.getppid(), own=os.getpid())"
    await played(code, log, one_match(steps))


# --- wrong use ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"command": ()}, "the program is missing"),
        ({"command": ("./nowhere",)}, "there is no program './nowhere' that can be run"),
        ({"command": ("x",), "tcp": "127.0.0.1:1"}, "with --tcp there is no command"),
        ({"tcp": "4711"}, "--tcp 4711: has to be HOST:PORT"),
        ({"tcp": "127.0.0.1:port"}, "has to be HOST:PORT"),
        ({"tcp": "192.0.2.1:4711"}, "cannot listen at 192.0.2.1:4711: "),
    ],
)
async def test_wrong_use(options: dict[str, Any], says: str) -> None:
    with pytest.raises(WrongUse, match=says):
        await bridge(BridgeOptions(**options))


def test_by_tcp_it_works_where_nothing_can_be_confined() -> None:
    """Windows has neither users nor limits as Unix has them."""
    code = """
import os, sys
sys.modules["resource"] = None
del os.sysconf, os.geteuid, os.fork
import fangnetz.bridge.run
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


async def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    options = BridgeOptions(command=tuple(program("")), log=tmp_path / "nowhere" / "x.log")
    with pytest.raises(WrongUse, match=r"nowhere/x\.log cannot be written: No such file or directory"):
        await bridge(options)

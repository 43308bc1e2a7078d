"""Programs that want more than they may: they are held or ended, and the match goes on."""

import asyncio
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from fangnetz.bridge.run import BridgeOptions, bridge
from fangnetz.confine.cage import Sandbox, user_of
from fangnetz.confine.limits import Limits
from support.programs import require_sandbox, system_program
from support.scripted import Peer, ScriptedServer

JsonObject = dict[str, Any]
NAME: Final = "villain"
TIGHT: Final = Limits(cpu_tick_ms=400, cpu_match_s=2, memory_mb=64, processes=8, files=16, scratch_mb=8)
HELD: Final = ("(cpu_tick_ms)", "(cpu_match_s)", "(memory_mb)", "(processes)")
"""Limits that end who forks; which of them is the first does not matter."""
FULL: Final = ("(scratch_mb)", "No space left on device", "File too large")
"""How a program learns that it has written enough; Python ignores the signal and goes by the error."""
BOTH = pytest.mark.parametrize("sandbox", [Sandbox.BWRAP, Sandbox.RLIMITS])


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a bot in a place that other users can reach; pytest's own places are closed to them."""
    with tempfile.TemporaryDirectory(prefix="fangnetz-test-") as place:
        monkeypatch.setattr(tempfile, "tempdir", place)  # For scratch folders.
        folder = Path(place) / "bot"
        folder.mkdir()
        for path in (folder, folder.parent):
            path.chmod(0o755)
        (folder / "mine.txt").write_text("my own file", encoding="utf-8")
        yield folder
        assert list(Path(place).glob("fangnetz-scratch-*")) == []


class Outcome:
    """What came of a match with a confined program."""

    def __init__(self) -> None:
        self.answers: list[JsonObject] = []
        self.has_left = False


async def attack(
    code: str, home: Path, sandbox: Sandbox, *, ticks: int = 2, limits: Limits = TIGHT
) -> tuple[Outcome, str]:
    """Let a program play until the match is over or left; return what it answered, and its log."""
    if sandbox is Sandbox.BWRAP:
        require_sandbox()
    outcome = Outcome()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        for tick in range(ticks):
            answer = await peer.ask(tick)
            if answer["type"] == "leave":
                outcome.has_left = True
                break
            outcome.answers.append(answer)
        else:
            await peer.end()
        await peer.until_closed()

    log = home.parent / "bot.log"
    async with ScriptedServer(script) as server:
        options = BridgeOptions(
            command=tuple(system_program(code)),
            server=server.url,
            name=NAME,
            matches=1,
            log=log,
            limits=limits,
            folder=home,
            sandbox=sandbox,
        )
        async with asyncio.timeout(60):
            await bridge(options)
    return outcome, log.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    """See that no process is left of a program, neither below this one nor as the user that it was."""
    before = set(psutil.Process().children(recursive=True))
    yield
    assert set(psutil.Process().children(recursive=True)) <= before
    user = user_of(NAME)
    assert [one for one in psutil.process_iter(["uids"]) if user and one.info["uids"].real == user] == []


# --- what the kernel's limits hold with and without a sandbox ------------------------------------------


@BOTH
async def test_a_good_program_does_not_notice(home: Path, sandbox: Sandbox) -> None:
    code = """
import tempfile
for message in observations():
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 1_000_000)
    act(message, read=open("mine.txt").read(), home=os.environ["HOME"], keys=sorted(os.environ))
"""
    outcome, log = await attack(code, home, sandbox)
    assert [answer["read"] for answer in outcome.answers] == ["my own file"] * 2
    assert (
        {"HOME", "PATH", "TMPDIR"}
        <= set(outcome.answers[0]["keys"])
        <= {"HOME", "PATH", "PWD", "TMPDIR", "LANG"}
        | {key for key in os.environ if key.startswith(("LC_", "JAVA_HOME"))}
    )
    assert log == ""


@BOTH
async def test_to_think_for_ever_ends_at_the_limit_for_an_answer(
    home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    outcome, _ = await attack("for message in observations():\n  while True: pass", home, sandbox)
    assert (outcome.answers, outcome.has_left) == ([], True)
    assert "has used more than 400 ms of CPU time for one answer (cpu_tick_ms); it was ended" in caplog.text
    assert caplog.text.count("another one takes over") == 0


@BOTH
async def test_to_think_a_little_in_each_tick_is_no_fault(home: Path, sandbox: Sandbox) -> None:
    code = """
for message in observations():
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
    act(message)
"""
    limits = Limits(cpu_tick_ms=400)
    outcome, _ = await attack(code, home, sandbox, ticks=6, limits=limits)
    assert len(outcome.answers) == 6


@BOTH
async def test_to_think_between_two_answers_ends_at_the_limit_for_the_match(
    home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    """Four children think; each of them is far below the limit that the kernel knows."""
    code = """
next(observations())
for _ in range(4):
    if os.fork() == 0:
        while True: pass
time.sleep(600)
"""
    limits = Limits(cpu_tick_ms=1_000_000, cpu_match_s=1)
    outcome, _ = await attack(code, home, sandbox, limits=limits)
    assert outcome.has_left
    assert "has used more than 1 s of CPU time in the match (cpu_match_s); it was ended" in caplog.text


@BOTH
async def test_to_eat_memory(home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    code = """
food = []
for message in observations():
    while True:
        food.append(b"x" * 2_000_000)
        time.sleep(0.002)
"""
    outcome, _ = await attack(code, home, sandbox)
    assert (outcome.answers, outcome.has_left) == ([], True)
    assert "has used more than 64 MB of memory (memory_mb); it was ended" in caplog.text


@BOTH
async def test_to_eat_all_memory_at_once(home: Path, sandbox: Sandbox) -> None:
    code = """
for message in observations():
    try:
        food = bytearray(20_000_000_000)
    except MemoryError:
        act(message, hungry=True)
"""
    outcome, _ = await attack(code, home, sandbox)
    assert [answer["hungry"] for answer in outcome.answers] == [True, True]


@BOTH
async def test_to_fork_without_end(home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    code = """
next(observations())
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
    outcome, _ = await attack(code, home, sandbox)
    assert (outcome.answers, outcome.has_left) == ([], True)
    assert any(name in caplog.text for name in HELD)


@BOTH
async def test_to_fork_more_than_allowed_fails(home: Path, sandbox: Sandbox) -> None:
    if sandbox is Sandbox.RLIMITS and os.geteuid() != 0:
        pytest.skip("without a sandbox the kernel counts all processes of the user who runs the tests")
    code = """
count = 0
try:
    while count < 100:
        if os.fork() == 0:
            time.sleep(600)
        count += 1
except OSError:
    pass
for message in observations():
    act(message, count=count)
"""
    outcome, _ = await attack(code, home, sandbox)
    assert 1 <= outcome.answers[0]["count"] <= TIGHT.processes


@BOTH
async def test_to_open_files_without_end(home: Path, sandbox: Sandbox) -> None:
    code = """
files = []
try:
    while len(files) < 1000:
        files.append(open("mine.txt"))
except OSError:
    count = len(files)
    files.clear()
for message in observations():
    act(message, count=count)
"""
    outcome, _ = await attack(code, home, sandbox)
    assert 1 <= outcome.answers[0]["count"] <= TIGHT.files


@BOTH
async def test_to_write_a_gigabyte_to_one_file(
    home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    code = """
next(observations())
with open(os.environ["TMPDIR"] + "/big", "wb") as file:
    for _ in range(1000):
        file.write(b"x" * 1_000_000)
"""
    outcome, log = await attack(code, home, sandbox)
    assert outcome.has_left
    assert any(words in log + caplog.text for words in FULL)


@BOTH
async def test_to_write_a_gigabyte_to_many_files(
    home: Path, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    code = """
next(observations())
for number in range(1000):
    with open(os.environ["TMPDIR"] + "/big" + str(number), "wb") as file:
        file.write(b"x" * 1_000_000)
    time.sleep(0.001)
time.sleep(600)
"""
    outcome, log = await attack(code, home, sandbox)
    assert outcome.has_left
    assert any(words in log + caplog.text for words in FULL)


@BOTH
async def test_to_ignore_every_signal(home: Path, sandbox: Sandbox) -> None:
    code = """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
for message in observations():
    act(message)
time.sleep(600)
"""
    outcome, _ = await attack(code, home, sandbox)
    assert len(outcome.answers) == 2


# --- what only a sandbox holds ----------------------------------------------------------------------


async def tried(expression: str, home: Path) -> Any:
    """Let a program in the sandbox evaluate an expression and return what it got, or the kind of error."""
    code = f"""
import socket
import tempfile
try:
    got = {expression}
except Exception as error:
    got = type(error).__name__
for message in observations():
    act(message, got=got)
"""
    outcome, _ = await attack(code, home, Sandbox.BWRAP, ticks=1)
    return outcome.answers[0]["got"]


async def test_the_network_is_out_of_reach(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        assert await tried(f"socket.create_connection({address!r}, 1) and 1", home) in (
            "ConnectionRefusedError",
            "OSError",
        )
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


async def test_other_machines_are_out_of_reach(home: Path) -> None:
    assert await tried("socket.create_connection(('192.0.2.1', 80), 1) and 1", home) == "OSError"


async def test_sockets_of_the_host_are_out_of_reach(home: Path) -> None:
    path = home.parent / "host.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        path.chmod(0o777)
        assert (
            await tried(f"socket.socket(socket.AF_UNIX).connect({str(path)!r})", home) == "FileNotFoundError"
        )
        abstract = f"\0fangnetz-test-{os.getpid()}"
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(abstract)
            other.listen()
            got = await tried(f"socket.socket(socket.AF_UNIX).connect({abstract!r})", home)
            assert got == "ConnectionRefusedError"


async def test_the_hosts_data_and_other_bots_are_out_of_reach(home: Path) -> None:
    for name in ("data/fangnetz.sqlite", "other-bot/secret.txt"):
        file = home.parent / name
        file.parent.mkdir()
        file.write_text("secret", encoding="utf-8")
        assert await tried(f"open({str(file)!r}).read()", home) == "FileNotFoundError"
    assert await tried(f"os.listdir({str(home.parent)!r})", home) == ["bot"]
    for secret in ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/var/log"):
        assert await tried(f"os.listdir({secret!r}) or open({secret!r}).read()", home) == "FileNotFoundError"


@pytest.mark.parametrize(
    "place", ["mine.txt", "new.txt", "/new.txt", "/etc/new", "/usr/new", "/dev/shm/new", "/dev/new"]
)
async def test_nothing_is_written_outside_the_scratch_folder(home: Path, place: str) -> None:
    assert await tried(f"open({place!r}, 'w').write('x')", home) in ("OSError", "PermissionError")
    assert (home / "mine.txt").read_text() == "my own file"


async def test_a_folder_can_be_shown_to_the_program(home: Path) -> None:
    """With `readable`, and never to write."""
    require_sandbox()
    library = home.parent / "library"
    library.mkdir(mode=0o755)
    (library / "book.txt").write_text("words", encoding="utf-8")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert (await peer.ask(0))["got"] == "words"
        await peer.end()
        await peer.until_closed()

    code = f"act(next(observations()), got=open({str(library / 'book.txt')!r}).read())"
    async with ScriptedServer(script) as server:
        options = BridgeOptions(
            command=tuple(system_program(code)),
            server=server.url,
            matches=1,
            log=home.parent / "bot.log",
            limits=TIGHT,
            folder=home,
            readable=(library,),
        )
        await bridge(options)


async def test_other_processes_are_out_of_sight(home: Path) -> None:
    names = await tried(
        "[open(f'/proc/{n}/comm').read().strip() for n in os.listdir('/proc') if n.isdecimal()]", home
    )
    assert sorted(names) == ["bwrap", "python3"]


async def test_no_rights_are_left(home: Path) -> None:
    lines = await tried("open('/proc/self/status').read().splitlines()", home)
    rights = [line for line in lines if line.startswith(("CapEff", "CapPrm", "CapBnd", "NoNewPrivs"))]
    bound = "0" * 16 if os.geteuid() == 0 else rights[2].partition("\t")[2]
    zero = "0" * 16
    assert rights == [f"CapPrm:\t{zero}", f"CapEff:\t{zero}", f"CapBnd:\t{bound}", "NoNewPrivs:\t1"]


# --- a next match -----------------------------------------------------------------------------------


@BOTH
async def test_nothing_is_taken_along_into_the_next_match(home: Path, sandbox: Sandbox) -> None:
    if sandbox is Sandbox.BWRAP:
        require_sandbox()
    code = """
place = os.environ["TMPDIR"] + "/notes"
for message in observations():
    notes = os.path.exists(place)
    open(place, "w").write("x")
    end = time.process_time() + 0.8
    while time.process_time() < end: pass
    act(message, notes=notes)
"""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2", "m-3"):  # Together far above the limit of a match.
            await peer.start(match)
            assert (await peer.ask(0, match))["notes"] is False
            await peer.end(match)
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        options = BridgeOptions(
            command=tuple(system_program(code)),
            server=server.url,
            matches=3,
            log=home.parent / "bot.log",
            limits=Limits(cpu_match_s=2),
            folder=home,
            sandbox=sandbox,
        )
        async with asyncio.timeout(60):
            assert len(await bridge(options)) == 3

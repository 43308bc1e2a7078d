"""`fangnetz bot`, `match` and `audit` against a live server, and when there is none."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from structlog.testing import capture_logs

from fangnetz_protocol.words import Pace
from fangnetz_server.cli import main
from fangnetz_server.host.keys import HOST_TOKEN_VARIABLE
from fangnetz_server.match.phases import Phase
from support.live_server import ThreadedServer, eventually, threaded_server


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    output: str
    errors: str


Run = Callable[..., Done]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server for registered bots only; its data folder is the one of the test."""
    with threaded_server(tmp_path, is_open=False) as running:
        yield running


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """The command in this process, somewhere else than the server's data folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv(HOST_TOKEN_VARIABLE, raising=False)

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["fangnetz", *arguments])
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        return Done(status, *capsys.readouterr())

    with capture_logs():  # The server's log would stand between what the command prints.
        yield run


@pytest.fixture
def command(served: ThreadedServer, call: Run, tmp_path: Path) -> Callable[..., str]:
    """The command, with the options that lead it to the server; it has to succeed."""

    def run(*arguments: str) -> str:
        done = call(*arguments, "--server", served.url, "--data", str(tmp_path))
        assert done.status == 0, done.errors
        return done.output

    return run


def refused(call: Run, served: ThreadedServer, data: Path, *arguments: str) -> str:
    """Return what a command says that the server refuses."""
    done = call(*arguments, "--server", served.url, "--data", str(data))
    assert (done.status, done.output) == (1, "")
    assert done.errors.startswith("fangnetz: ")
    assert done.errors.count("\n") == 1
    return done.errors


def token_in(output: str) -> str:
    """Return the token that stands alone on a line."""
    (token,) = (line.strip() for line in output.splitlines() if line.startswith("  "))
    return token


# --- bots -------------------------------------------------------------------------------------


def test_the_life_of_a_bot(command: Callable[..., str]) -> None:
    made = command("bot", "add", "Team Rot", "--owner", "rot@example.org")
    token = token_in(made)
    assert "Team Rot" in made
    assert len(token) >= 32

    listed = command("bot", "list")
    assert "Team Rot" in listed
    assert "rot@example.org" in listed
    assert "away" in listed
    assert token not in listed

    assert "disabled" in command("bot", "disable", "Team Rot")
    assert "disabled" in command("bot", "list")
    assert "enabled" in command("bot", "enable", "Team Rot")
    assert token_in(command("bot", "rotate", "Team Rot")) != token

    trail = command("audit")
    rows = [line.split() for line in trail.splitlines()[1:]]
    assert [row[3] for row in rows if row[2] == "bot"] == ["rotate", "enable", "disable", "add"]
    assert all(row[1] == "host@127.0.0.1" for row in rows)
    assert len(command("audit", "--limit", "1").splitlines()) == 2


@pytest.mark.parametrize("name", ["[bold]x[/bold]", "[/]", "a/b", "ä ö", "50%", "a?b#c", "..x"])
def test_any_visible_name_goes_through_every_command(command: Callable[..., str], name: str) -> None:
    assert name in command("bot", "add", name)
    assert name in command("bot", "list")
    assert name in command("bot", "disable", name)
    assert name in command("bot", "rotate", name)
    assert name in command("audit")


def test_a_taken_name_and_an_unknown_bot(
    command: Callable[..., str], call: Run, served: ThreadedServer, tmp_path: Path
) -> None:
    command("bot", "add", "Ann")

    assert "Ann" in refused(call, served, tmp_path, "bot", "add", "ann")
    assert "'Bob'" in refused(call, served, tmp_path, "bot", "disable", "Bob")
    assert "new.name" not in refused(call, served, tmp_path, "bot", "add", "a\u200bb")


# --- matches ----------------------------------------------------------------------------------


def test_a_live_match_obeys(tmp_path: Path, call: Run) -> None:
    with threaded_server(tmp_path) as served:
        match = served.play(
            "spaceballs", ["ann", "bob"], setup={"ruleset": {"duration": 60}}, pace="realtime", tick_ms=20
        )
        live = served.server.host.tables[match].match

        def command(*arguments: str) -> str:
            done = call("match", *arguments, "--server", served.url, "--data", str(tmp_path))
            assert done.status == 0, done.errors
            return done.output

        served.run(eventually(lambda: live.phase is Phase.RUNNING, "the match runs"))
        assert command("pause", match) == f"match {match}: pause\n"
        tick = live.tick
        assert command("pause", match) == f"match {match}: nothing to pause\n"
        assert command("step", match) == f"match {match}: step\n"
        assert live.tick == tick + 1
        assert "deadline_ms 500" in command("pace", match, "lockstep", "--deadline-ms", "500")
        assert (live.settings.pace, live.settings.deadline_ms) == (Pace.LOCKSTEP, 500)
        assert command("resume", match) == f"match {match}: resume\n"
        assert command("abort", match, "--why", "seen enough") == f"match {match}: aborted\n"
        result = served.wait_over(match)
        assert (result["reason"], result["detail"]) == ("aborted", "seen enough")
        for word in ("pause", "step", "resume"):
            assert f"'{match}'" in refused(call, served, tmp_path, "match", word, match)
        done = call("audit", "--server", served.url, "--data", str(tmp_path))
        assert "why: seen enough" in done.output
        assert "deadline_ms: 500" in done.output


def test_a_wrong_pace(served: ThreadedServer, call: Run, tmp_path: Path) -> None:
    match = served.run(make(served))

    assert "pace" in refused(call, served, tmp_path, "match", "pace", match, "warp")


async def make(served: ThreadedServer) -> str:
    return served.server.create("spaceballs", "ann", "bob").match.id


# --- no server, no token ----------------------------------------------------------------------

COMMANDS = [
    ("bot", "add", "Ann"),
    ("bot", "list"),
    ("bot", "rotate", "Ann"),
    ("bot", "disable", "Ann"),
    ("bot", "enable", "Ann"),
    ("match", "pause", "m"),
    ("match", "resume", "m"),
    ("match", "step", "m"),
    ("match", "pace", "m", "realtime"),
    ("match", "abort", "m", "--why", "x"),
    ("audit",),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_without_a_token_nothing_is_asked(call: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = call(*arguments, "--server", "http://127.0.0.1:9", "--data", str(tmp_path / "none"))

    assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
    assert "no host token" in done.errors
    assert "--data" in done.errors
    assert HOST_TOKEN_VARIABLE in done.errors


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_wrong_token_is_refused(
    served: ThreadedServer,
    call: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.setenv(HOST_TOKEN_VARIABLE, "guessed")

    said = refused(call, served, tmp_path, *arguments)

    assert "not the host's" in said
    assert "guessed" not in said


def test_the_token_may_come_from_the_environment(
    served: ThreadedServer, call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOST_TOKEN_VARIABLE, (tmp_path / "host-token").read_text().strip())

    assert call("bot", "list", "--server", served.url, "--data", str(tmp_path / "none")).status == 0


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_server_is_there(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv(HOST_TOKEN_VARIABLE, "secret-of-the-host")

    done = call(*arguments, "--server", "http://127.0.0.1:9")

    assert (done.status, done.output, done.errors.count("\n")) == (1, "", 1)
    assert "no server answers at http://127.0.0.1:9" in done.errors
    assert "is it running?" in done.errors
    assert "secret-of-the-host" not in done.errors


@pytest.mark.parametrize("server", ["nonsense", "ws://127.0.0.1:9", "http://", "http://[", "http://a b"])
def test_an_address_that_is_none(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str
) -> None:
    monkeypatch.setenv(HOST_TOKEN_VARIABLE, "secret-of-the-host")

    done = call("bot", "list", "--server", server)

    assert done.status in (1, 2)
    assert done.errors.startswith("fangnetz: ")
    assert done.errors.count("\n") == 1
    assert server in done.errors

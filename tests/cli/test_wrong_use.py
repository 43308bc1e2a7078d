"""Wrong use of any command: exit status 2 and exactly one line that says what is wrong."""

import asyncio
import io
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fangnetz_server.cli import main
from support.command import fangnetz, write_bots

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process, in a folder with a few files."""
    monkeypatch.chdir(tmp_path)
    write_bots(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.txt").write_text("hello\n")
    (tmp_path / "bad.map").write_text("..\n.x\n")

    def nothing_may_start(**_: object) -> None:
        raise AssertionError("wrong use has to be found before anything runs")

    monkeypatch.setattr(asyncio, "Runner", nothing_may_start)

    def call(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fangnetz", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        return status, *capsys.readouterr()

    return call


CASES = """
bogus | No such command 'bogus'.
serve extra | unexpected extra argument
serve --port 99999 | Invalid value for '--port'
serve --port many | Invalid value for '--port'
serve --nonsense | No such option: --nonsense
serve --games chess | game 'chess' is not installed; installed: right2live, spaceballs
serve --pace fast | play.pace
serve --map nowhere | map: 'nowhere' is unknown; there are archipelago
serve --map bad.map | bad.map line 2, column 2: 'x' has no meaning here
serve --map folder/none.map | folder/none.map line 1, column 1: cannot be read: No such file or directory
serve --bot chess:strong | --bot chess:strong: the server does not play 'chess', but right2live, spaceballs
serve --games spaceballs --bot right2live:simple | the server does not play 'right2live', but spaceballs
serve --bot random | --bot random: say for which game, such as right2live:random
serve --bot none.py | bot 'none.py': there is no file none.py
serve --bot strange | bot 'strange' is none of random, simple, strong, nor FILE.py[:CLASS], nor MODULE:CLASS
serve --config none.toml | none.toml: No such file or directory
serve --config folder | folder: Is a directory
serve --config text.txt | text.txt: no TOML
config show --config none.toml | none.toml: No such file or directory
play | Missing argument
play chess random random | game 'chess' is not installed; installed: right2live, spaceballs
play spaceballs | spaceballs is for 2 bots, not 0
play spaceballs coast.py | spaceballs is for 2 bots, not 1
play spaceballs coast.py coast.py coast.py | spaceballs is for 2 bots, not 3
play spaceballs coast.py --open 2 | spaceballs is for 2 bots, not 3
play right2live random | right2live is for 2 to 20 bots, not 1
play right2live stand.py --open 20 | right2live is for 2 to 20 bots, not 21
play spaceballs random none.py | bot 'none.py': there is no file none.py
play spaceballs random folder.py | bot 'folder.py': there is no file folder.py
play spaceballs random strange | bot 'strange' is none of random, simple, strong
play spaceballs random simple --pace fast | pace 'fast' is none of realtime, lockstep
play spaceballs random simple --map mansion | --map is for right2live; spaceballs draws its field
play right2live random simple --map nowhere | map: 'nowhere' is unknown
play right2live random simple --map bad.map | bad.map line 2, column 2
play spaceballs random simple --open 30 | Invalid value for '--open'
play spaceballs random simple --open -1 | Invalid value for '--open'
play spaceballs random simple --seed x | Invalid value for '--seed'
simulate | Missing argument 'FILE'
simulate none.json | none.json: No such file or directory
simulate folder | folder: Is a directory
simulate text.txt | text.txt: line 1, column 1: no JSON
simulate - | standard input: line 1, column 1: no JSON
replay bogus | No such command 'bogus'.
replay verify | Missing argument 'FILE...'
replay verify none.zst | none.zst: No such file or directory
replay verify folder | folder: Is a directory
replay show none.zst | none.zst: No such file or directory
replay info folder | folder: Is a directory
map check none.map | none.map: No such file or directory
map check folder | folder: Is a directory
map show none | map: 'none' is unknown
map show none.map | none.map line 1, column 1: cannot be read
map show bad.map | bad.map line 2, column 2
map list extra | unexpected extra argument
demo --port 70000 | Invalid value for '--port'
demo extra | unexpected extra argument
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_wrong_use_is_status_2_and_one_line(run: Run, case: str) -> None:
    arguments, _, text = case.partition(" | ")
    status, output, errors = run(*arguments.split())
    assert (status, output) == (2, "")
    assert text in errors
    assert errors.startswith("fangnetz: ")
    assert errors.count("\n") == 1
    assert errors.endswith("\n")
    assert "Traceback" not in errors


@pytest.mark.parametrize("arguments", [(), ("replay",), ("map",), ("config",)], ids=" ".join)
def test_a_command_without_arguments_shows_its_help(run: Run, arguments: tuple[str, ...]) -> None:
    status, output, errors = run(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith(f"Usage: {' '.join(('fangnetz', *arguments))} ")
    assert "\nCommands:\n" in errors


@pytest.mark.parametrize("command", ["verify", "show", "info"])
def test_a_replay_that_is_none_is_a_failed_check(run: Run, command: str) -> None:
    status, output, errors = run("replay", command, "text.txt")
    assert (status, output) == (1, "")
    assert errors.startswith("fangnetz: text.txt: file: not an intact zstd file")
    assert errors.count("\n") == 1


def test_a_bad_map_is_a_failed_check_with_all_its_faults(run: Run) -> None:
    status, output, errors = run("map", "check", "bad.map")
    assert status == 1
    assert output.startswith("bad.map:2:2: 'x' has no meaning here")
    assert errors == "fangnetz: 1 fault in bad.map\n"


# --- what is found only when the server starts ----------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [("serve",), ("play", "spaceballs", "coast.py", "coast.py"), ("demo",)], ids=" ".join
)
def test_a_port_in_use_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write_bots(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = fangnetz(*arguments, "--port", port, cwd=tmp_path)
    text = (
        f"fangnetz: cannot listen on 127.0.0.1:{port}: Address already in use; choose another with --port\n"
    )
    assert (done.returncode, done.stderr.decode()) == (2, text)


@pytest.mark.parametrize(
    "arguments", [("serve",), ("play", "spaceballs", "coast.py", "coast.py"), ("demo",)], ids=" ".join
)
def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write_bots(tmp_path)
    done = fangnetz(*arguments, "--port", 0, "--data", "coast.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == "fangnetz: coast.py: cannot be made (File exists)\n"


def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    done = fangnetz("serve", "--host", "127.0.0.1.9", "--open", "--port", 0, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(b"fangnetz: cannot listen on 127.0.0.1.9:0: ")
    assert done.stderr.count(b"\n") == 1


def test_a_database_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "fangnetz.sqlite3").write_text("once upon a time\n" * 100)
    done = fangnetz("serve", "--port", 0, "--data", "data", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(b"fangnetz: ")
    assert b"data/fangnetz.sqlite3" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_logs_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    write_bots(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "logs").write_text("I am a file")
    done = fangnetz("play", "spaceballs", "coast.py", "coast.py", "--port", 0, "--data", "data", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"fangnetz: data/logs: File exists\n")

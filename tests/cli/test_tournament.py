"""`fangnetz tournament …` and `fangnetz compare` as a host uses them."""

import signal
import socket
import time
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest

from support.command import Command, Done, fangnetz, running, write_bots

CUP: Final = """
name = "Cup"
game = "spaceballs"
format = { kind = "round_robin", legs = 2 }
ruleset = { duration = 1.0 }
settings = { deadline_ms = 60000 }

[[bots]]
name = "Ada"
bot = "coast.py:Coast"
[[bots]]
name = "Bert"
bot = "simple"
[[bots]]
name = "Cleo"
bot = "random"
"""


def text_of(done: Done) -> str:
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_a_dry_run_prints_the_schedule_and_needs_no_server(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    text = text_of(fangnetz("tournament", "create", "cup.toml", "--dry-run", cwd=tmp_path))
    assert "3 bots, at most 6 matches" in text
    assert text.count("main.") == 9
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.toml"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Cup"', '"Cup', "no TOML"),
        ("legs", "lags", 'format.lags: unknown; did you mean "legs"?'),
        ("legs = 2", "legs = 0", "format.legs"),
        ("duration", "duratoin", "setup or ruleset"),
        ('bot = "random"', 'bot = "random"\ncommand = "x"', "bots.2: needs one of bot, command and program"),
        ("round_robin", "round_table", 'format: "kind" is one of round_robin'),
    ],
)
def test_a_bad_file_is_named_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "cup.toml").write_text(CUP.replace(old, new))
    done = fangnetz("tournament", "create", "cup.toml", "--dry-run", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("fangnetz: cup.toml")
    assert said in done.stderr.decode()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for(server: Command, port: int) -> None:
    def answers() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    server.wait_for(answers)


def test_a_tournament_survives_a_killed_server(tmp_path: Path) -> None:
    write_bots(tmp_path)
    (tmp_path / "cup.toml").write_text(CUP)
    port = free_port()
    where = ("--server", f"http://127.0.0.1:{port}", "--data", "data")
    serve = ("serve", "--data", "data", "--port", port, "--games", "spaceballs")

    def ask(*words: str) -> str:
        return text_of(fangnetz("tournament", *words, *where, cwd=tmp_path))

    with running(*serve, cwd=tmp_path) as server:
        wait_for(server, port)
        assert ask("create", "cup.toml").startswith("tournament cup: Cup, 3 bots, at most 6 matches")
        ask("start")
        server.meet_family(6)  # Three bots, each on its leash.
        server.signal(signal.SIGKILL)
        end = time.monotonic() + 30
        while server.survivors():
            assert time.monotonic() < end, "the bots outlive the server"
            psutil.wait_procs(server.survivors(), timeout=1)
    with running(*serve, cwd=tmp_path) as server:
        wait_for(server, port)
        server.wait_for(lambda: "finished" in ask("list"))
        assert "6 of 6" in ask("status")
        assert ask("matches", "--bot", "Ada", "--limit", "3").count("Ada") == 3
        for form, name in (("html", "cup.html"), ("markdown", "cup.md"), ("csv", "cup-standings.csv")):
            ask("export", "--format", form)
            assert "Cleo" in (tmp_path / name).read_text()
        done = fangnetz("tournament", "delete", "cup", *where, cwd=tmp_path)
        assert (done.returncode, b"has 6 results" in done.stderr) == (1, True)
        assert ask("delete", "cup", "--results") == "tournament cup: deleted\n"
        assert ask("delete", "cup") == "tournament cup: there is none\n"


def test_a_comparison_ends_with_an_answer(tmp_path: Path) -> None:
    options = ("--game", "spaceballs", "--elo1", "400", "--jobs", "1")
    text = text_of(fangnetz("compare", "simple", "random", *options, cwd=tmp_path))
    assert "simple is stronger" in text
    done = fangnetz("compare", "random", "random", *options, "--games", "2", cwd=tmp_path)
    assert (done.returncode, b"no answer after 2 games" in done.stderr) == (1, True)


def test_a_broken_bot_proves_nothing(tmp_path: Path) -> None:
    write_bots(tmp_path)
    done = fangnetz("compare", "simple", "broken.py", "--game", "spaceballs", cwd=tmp_path)
    assert done.returncode == 1
    assert b"broken did not play" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--until", "noon"), "there is only sprt"),
        (("--elo0", "9", "--elo1", "3"), "elo0"),
        (("--alpha", "0.9"), "alpha"),
        (("--map", "mansion"), "--map is for right2live"),
    ],
)
def test_wrong_options_of_a_comparison(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    done = fangnetz("compare", "simple", "random", "--game", "spaceballs", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert not list(tmp_path.iterdir())


def test_a_second_demo_goes_on_from_the_first(tmp_path: Path) -> None:
    for number in (1, 2):
        text = text_of(fangnetz("demo", cwd=tmp_path))
        assert f"Right2Live cup {number}" in text
        assert f"Spaceballs cup {number}" in text
        assert f"({9 * number} matches)" in text
    assert (tmp_path / "fangnetz-demo" / "demo-spaceballs-2.html").exists()

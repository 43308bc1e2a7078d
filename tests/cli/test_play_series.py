"""`fangnetz play --n`: series, what they say, and that a lost match can be played again."""

import csv
import re
import shlex
import sys
from pathlib import Path

import pytest

from support.command import Done, fangnetz, said, write_bots

PROGRAM = """
import json, sys
print("a word on standard error", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "observation":
        print(json.dumps({"type": "action", "tick": message["tick"], "thrust": [0, 0]}), flush=True)
"""


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    write_bots(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM)


def series(tmp_path: Path, *arguments: object) -> tuple[Done, str]:
    done = fangnetz("play", *arguments, "--port", 0, "--data", "data", cwd=tmp_path)
    return done, done.stdout.decode()


def rows(tmp_path: Path) -> list[dict[str, str]]:
    (file,) = (tmp_path / "data").glob("series-*.csv")
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def frames(replay: str, cwd: Path) -> list[bytes]:
    """Return what happened in a match, without its id."""
    shown = fangnetz("replay", "show", replay, cwd=cwd)
    assert shown.returncode == 0
    match = Path(replay).name.partition(".")[0].encode()
    return shown.stdout.replace(match, b"MATCH").splitlines()


def test_a_series_of_duels_and_a_lost_match_played_again(tmp_path: Path) -> None:
    done, text = series(tmp_path, "spaceballs", "random", "coast.py", "--n", 4, "--seed", 7, "--jobs", 2)
    assert (done.returncode, said(done)) == (0, b"")
    assert "spaceballs · 4 matches · seeds 7 to 8, each field twice with swapped seats" in text
    assert re.search(r"^random +0 +0 +4 +0\.0 +± 0\.0 +0 ", text, re.MULTILINE)
    assert re.search(r"^coast +4 +0 +0 +100\.0 +± 0\.0 +1 ", text, re.MULTILINE)
    assert "Elo of random to coast: beyond all numbers so far" in text
    assert "random lost 4; play them again" in text
    found = rows(tmp_path)
    assert [(row["match"], row["seed"], row["seats"]) for row in found] == [
        ("1", "7", "random coast"),
        ("2", "7", "coast random"),
        ("3", "8", "random coast"),
        ("4", "8", "coast random"),
    ]
    second = found[1]
    assert second["again"] in text
    words = shlex.split(second["again"])[1:]
    assert words[:6] == ["play", "spaceballs", "coast.py", "random", "--seed", "7"]
    again = fangnetz(*words[:6], "--port", 0, "--data", "again", cwd=tmp_path).stdout.decode()
    replay = re.search(r"^Replay +(\S+)$", again, re.MULTILINE)
    assert replay is not None
    assert frames(replay[1], tmp_path) == frames(second["replay"], tmp_path)


def test_the_logs_of_the_bots_lie_beside_each_replay(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "program.py"])
    done, text = series(tmp_path, "spaceballs", command, "random", "--n", 2, "--seed", 1)
    assert (done.returncode, said(done)) == (0, b"")
    assert re.search(r"^program +2 +0 +0 ", text, re.MULTILINE)
    for row in rows(tmp_path):
        replay = tmp_path / row["replay"]
        match = replay.name.partition(".")[0]
        logs = {
            file.name.removeprefix(f"{match}."): file.read_text()
            for file in replay.parent.glob(f"{match}.*.log")
        }
        assert set(logs) == {"program.log", "program.stderr.log", "random.log"}
        assert all(f"match {match} is over" in logs[name] for name in ("program.log", "random.log"))
        assert "a word on standard error" in logs["program.stderr.log"]


def test_a_series_of_many_bots_moves_them_from_seat_to_seat(tmp_path: Path) -> None:
    done, text = series(
        tmp_path, "right2live", "stand.py", "stand.py", "random", "--n", 3, "--map", "pocket", "--seed", 5
    )
    assert done.returncode == 0
    assert "right2live · 3 matches · seeds 5 to 7\n" in text
    assert "Elo" not in text
    assert [row["seats"] for row in rows(tmp_path)] == [
        "stand stand-2 random",
        "stand-2 random stand",
        "random stand stand-2",
    ]
    assert all("--map pocket --data data" in row["again"] for row in rows(tmp_path))
    table = dict(re.findall(r"^(\S+) +\d+ +\d+ +\d+ +(\d+\.\d) ", text, re.MULTILINE))
    assert set(table) == {"stand", "stand-2", "random"}
    assert sum(map(float, table.values())) == pytest.approx(150, abs=0.2)


def test_a_bot_that_does_not_come_ends_the_series(tmp_path: Path) -> None:
    done, text = series(tmp_path, "spaceballs", "coast.py", "broken.py", "--n", 50)
    assert done.returncode == 1
    assert b"fangnetz: broken did not come to play: " in said(done)
    assert b"this bot is broken" in said(done)
    assert "matches" not in text


def test_a_bot_that_dies_on_the_way_is_told_of_and_the_series_goes_on(tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(
        "import os\nfrom fangnetz import SpaceballsBot, Thrust\n\n"
        "class Dying(SpaceballsBot):\n"
        "    def decide(self, observation):\n"
        "        if self.tick == 20:\n            print('farewell', flush=True)\n            os._exit(3)\n"
        "        return Thrust(thrust=(0.0, 0.0))\n"
    )
    done, text = series(tmp_path, "spaceballs", "dying.py", "random", "--n", 2, "--seed", 4)
    assert (done.returncode, said(done)) == (0, b"")
    assert "dying has ended in match 1, seed 4: farewell" in text
    assert "spaceballs · 2 matches" in text


@pytest.mark.parametrize("option", ["--watch", "--open"])
def test_what_is_for_one_match_is_refused(tmp_path: Path, option: str) -> None:
    more = [option, 1] if option == "--open" else [option]
    done, _ = series(tmp_path, "spaceballs", "coast.py", "coast.py", "--n", 2, *more)
    assert done.returncode == 2
    assert said(done) == f"fangnetz: --n plays by itself; {option} is for one match\n".encode()

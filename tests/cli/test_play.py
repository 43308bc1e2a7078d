"""`fangnetz play`: whole matches with bots of one's own as processes, and every way in which they end."""

import re
from pathlib import Path

import pytest

from support.command import Done, fangnetz, running, said, write_bots


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    write_bots(tmp_path)


def replay_of(output: str) -> str:
    found = re.search(r"^Replay +(\S+)$", output, re.MULTILINE)
    assert found is not None, output
    return found[1]


def test_a_duel_of_two_bots_of_ones_own(tmp_path: Path) -> None:
    done = fangnetz(
        "play", "spaceballs", "coast.py", "coast.py", "--seed", 5, "--port", 0, "--data", "data", cwd=tmp_path
    )
    text = done.stdout.decode()
    assert (done.returncode, said(done)) == (0, b"")
    assert "spaceballs · timeout after 1200 ticks · seed 5" in text
    assert re.search(r"1 +coast +0 ", text)
    assert re.search(r"1 +coast-2 +0 ", text)
    proof = fangnetz("replay", "verify", replay_of(text), cwd=tmp_path)
    assert proof.returncode == 0
    assert b"verified, 1200 ticks of spaceballs, coast - coast-2, 0 : 0 (timeout)" in proof.stdout


def test_a_match_of_right2live_on_a_chosen_map(tmp_path: Path) -> None:
    done = fangnetz(
        *("play", "right2live", "stand.py", "stand.py:Stand", "stand.py", "--map", "pocket"),
        *("--seed", 5, "--port", 0, "--data", "data"),
        cwd=tmp_path,
    )
    text = done.stdout.decode()
    assert (done.returncode, said(done)) == (0, b"")
    assert "right2live · no_blue_left after " in text
    assert all(name in text for name in ("stand", "Stand", "stand-2"))
    shown = fangnetz("replay", "show", replay_of(text), cwd=tmp_path)
    assert shown.stdout.splitlines()[-1].startswith(b'{"type":"match_end"')


def test_two_runs_with_the_same_seed_are_the_same_match(tmp_path: Path) -> None:
    ends = []
    for folder in ("first", "second"):
        done = fangnetz(
            *("play", "right2live", "stand.py", "stand.py", "--map", "slopes", "--seed", 42),
            *("--port", 0, "--data", folder),
            cwd=tmp_path,
        )
        replay = replay_of(done.stdout.decode())
        shown = fangnetz("replay", "show", replay, cwd=tmp_path).stdout
        match = Path(replay).name.partition(".")[0].encode()
        ends.append(shown.replace(match, b"MATCH"))
    assert ends[0] == ends[1]


def test_a_bot_that_is_broken_loses_by_walkover_and_is_told_of(tmp_path: Path) -> None:
    done = fangnetz(
        "play", "spaceballs", "coast.py", "broken.py", "--port", 0, "--data", "data", cwd=tmp_path
    )
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "broken has ended:" in text
    assert "this bot is broken" in text
    assert "spaceballs · walkover after 0 ticks" in text
    assert "broken (absent)" in text


def test_a_match_in_which_nobody_plays_has_no_result(tmp_path: Path) -> None:
    done = fangnetz(
        "play", "spaceballs", "broken.py", "broken.py", "--port", 0, "--data", "data", cwd=tmp_path
    )
    assert done.returncode == 1
    assert said(done) == b"fangnetz: the match has no result: no bot connected in time\n"
    assert b"aborted after 0 ticks" in done.stdout


def test_a_seat_can_be_kept_for_a_bot_that_connects_by_itself(tmp_path: Path) -> None:
    with running(
        "play", "spaceballs", "coast.py", "--open", 1, "--port", 0, "--data", "data", cwd=tmp_path
    ) as command:
        server = command.read_until(b"--server ws://").decode().split()[-1]
        guest = command.start_bot("run", "coast.py", "--server", server, "--name", "guest", "--matches", 1)
        assert guest.wait(60) == 0
        output, errors = command.process.communicate(timeout=60)
        status = command.process.returncode
    assert (status, said(Done([], status, output, errors))) == (0, b"")
    assert b"guest" in output
    assert b"timeout after 1200 ticks" in output

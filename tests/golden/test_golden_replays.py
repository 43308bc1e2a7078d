"""Replays that were recorded once and stay: an outcome that changes has to say so by a new rules version.

`pytest tests/golden --update-golden` records the files of the present rules versions that are missing
or written in another way. It never replaces a file that the rules play otherwise now: then raise
`rules_version` of the game first (its number is part of the name), and keep or delete the older file.
"""

from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from fangnetz_server.match.replay import Replay, ReplayError
from support.golden import SCRIPTED
from support.replays import GAMES, lines_of, refusal

FOLDER: Final = Path(__file__).parent
EACH = pytest.mark.parametrize("name", SCRIPTED)
LATE_FIELDS: Final = ("server", "digest")
"""What another version of the server may write otherwise; a digest covers the line before it."""


def golden_file(name: str) -> Path:
    version = SCRIPTED[name].game.info.rules_version
    return FOLDER / f"{name}-rules-{version}.ndjson.zst"


def record_again(name: str) -> bytes:
    return SCRIPTED[name].play().recorder.data


def content(replay: bytes) -> list[dict[str, Any]]:
    lines = [orjson.loads(line) for line in lines_of(replay)]
    return [{key: value for key, value in line.items() if key not in LATE_FIELDS} for line in lines]


@EACH
def test_golden_replays_are_proved(name: str, update_golden: bool) -> None:
    file = golden_file(name)
    if update_golden and not file.exists():
        file.write_bytes(record_again(name))
    try:
        footer = Replay(file.read_bytes(), GAMES).verify()
    except ReplayError as error:
        pytest.fail(f"{file.name}: {error}. If that is meant, raise rules_version of the game.")
    assert footer["ticks"] > 40, "a match worth keeping"


@EACH
def test_the_same_match_is_recorded_as_it_was(name: str, update_golden: bool) -> None:
    file, again = golden_file(name), record_again(name)
    if update_golden and refusal(file.read_bytes()) == "":
        file.write_bytes(again)
    assert content(again) == content(file.read_bytes())


def test_the_golden_replays_show_what_the_rules_can_do() -> None:
    seen = set()
    for name in SCRIPTED:
        for frame in Replay(golden_file(name).read_bytes(), GAMES).frames():
            seen |= {event["kind"] for event in frame.get("events", ())}
        seen.add(content(golden_file(name).read_bytes())[-1]["reason"])
    assert {"blocked", "forced", "caught", "no_blue_left"} <= seen
    assert {"refuelled", "mine_removed", "catch"} <= seen


def test_every_file_has_its_match() -> None:
    found = {file.name for file in FOLDER.glob("*.zst")}
    assert found >= {golden_file(name).name for name in SCRIPTED}
    for file in found:
        assert file.rpartition("-rules-")[0] in SCRIPTED
        assert (FOLDER / file).stat().st_size < 20_000

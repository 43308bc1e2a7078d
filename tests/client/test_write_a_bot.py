"""The bots of the how-to are real: they load, they beat `random`, and the page tells the truth."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fangnetz import problems
from fangnetz.bot import Bot
from fangnetz.loading import load_bot, seeded
from fangnetz.local import play_local
from fangnetz.player import AnyBot

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, type[AnyBot]]]:
    """Give the bots of the page, by their game."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    found = {}
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)):
        path = tmp_path / f"bot{number}.py"
        path.write_text(code, encoding="utf-8")
        bot = load_bot(str(path))
        found[bot.game] = bot
    yield found
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_the_bot_for_spaceballs_beats_random(bots: dict[str, type[AnyBot]]) -> None:
    random = seeded(load_bot("spaceballs:random"), 1)
    falcon = bots["spaceballs"]
    wins = sum(play_local("spaceballs", [falcon(), random()], seed=seed).points[0] for seed in range(20))
    assert wins >= 16


def test_the_bot_for_right2live_beats_random(bots: dict[str, type[AnyBot]]) -> None:
    random = seeded(load_bot("right2live:random"), 1)
    hound = bots["right2live"]
    for seed in range(3):
        table = [bot() for bot in (hound, random) * 3]
        points = play_local("right2live", table, seed=seed).points
        assert sum(points[::2]) > sum(points[1::2])


def test_the_methods_of_the_table_are_those_of_a_bot() -> None:
    told = set(re.findall(r"^\| `(\w+)\(self", TEXT, re.MULTILINE))
    assert told == {"start", "decide", "missed", "end"}
    assert all(callable(getattr(Bot, name)) for name in told)


def test_the_exit_statuses_of_the_table_are_those_of_the_problems() -> None:
    told = {int(status) for status in re.findall(r"^\| (\d) \|", TEXT, re.MULTILINE)}
    known = {getattr(problems, name).exit_status for name in problems.__all__}
    assert told == (known | {0}) - {problems.Problem.exit_status}


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target

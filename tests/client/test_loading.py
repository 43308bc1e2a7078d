"""Bots by the names that users write."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fangnetz.bots import STRENGTHS
from fangnetz.loading import load_bot, reference_bots, seeded
from fangnetz.problems import WrongUse

BOT = """
from fangnetz import SpaceballsBot, Thrust

class {name}(SpaceballsBot):
    def decide(self, observation):
        return Thrust(thrust=(0, 0))
"""


@pytest.fixture(autouse=True)
def own_imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take back what loading a bot does to the interpreter."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, name: str, *bots: str, more: str = "") -> Path:
    path = folder / name
    path.write_text("".join(BOT.format(name=bot) for bot in bots) + more, encoding="utf-8")
    return path


def test_a_file_with_one_bot(tmp_path: Path) -> None:
    bot = load_bot(str(write(tmp_path, "mine.py", "Mine", "_Base")))
    assert (bot.__name__, bot.game) == ("Mine", "spaceballs")


def test_a_file_may_be_called_like_a_module_of_python(tmp_path: Path) -> None:
    import random

    assert load_bot(str(write(tmp_path, "random.py", "Mine"))).__name__ == "Mine"
    assert sys.modules["random"] is random


def test_one_of_several_bots(tmp_path: Path) -> None:
    path = write(tmp_path, "two.py", "One", "Two")
    assert load_bot(f"{path}:Two").__name__ == "Two"
    with pytest.raises(WrongUse, match=r"two\.py defines One, Two; say which: .*two\.py:CLASS"):
        load_bot(str(path))
    with pytest.raises(WrongUse, match=r"has no bot class Three; it defines One, Two"):
        load_bot(f"{path}:Three")


def test_a_file_uses_the_modules_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "helper_beside.py", "Base")
    path = write(tmp_path, "mine.py", more="from helper_beside import Base\nclass Mine(Base): ...\n")
    assert load_bot(str(path)).__name__ == "Mine"


def test_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "bot_module_here.py", "Mine")
    monkeypatch.chdir(tmp_path)
    assert load_bot("bot_module_here").__name__ == load_bot("bot_module_here:Mine").__name__ == "Mine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n", "mine.py defines no bot class"),
        ("def broken(:\n", "SyntaxError: .*line 1"),
        ("\n\n1 / 0\n", "ZeroDivisionError: division by zero .*mine.py, line 3"),
        ("import no_such_module_anywhere\n", "No module named 'no_such_module_anywhere'"),
    ],
)
def test_files_that_hold_no_bot(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match=says) as caught:
        load_bot(str(write(tmp_path, "mine.py", more=text)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("nowhere.py", "there is no file nowhere.py"),
        ("nowhere.py:Bot", "there is no file nowhere.py"),
        ("no_such_module", "there is no file or module 'no_such_module', and no such reference bot"),
        ("no_such.module:Bot", "there is no file or module 'no_such.module'"),
        ("spaceballs:superb", "no such reference bot"),
        ("", "there is no file or module"),
        (".", "there is no file or module"),
    ],
)
def test_names_that_lead_nowhere(where: str, says: str) -> None:
    with pytest.raises(WrongUse, match=says):
        load_bot(where)


def test_reference_bots_are_found_by_game_and_strength() -> None:
    for reference in reference_bots():
        assert reference.strength in STRENGTHS
        assert load_bot(reference.name).game == reference.game


def test_seeds_are_handed_out_one_a_match(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "mine.py",
        "Plain",
        more="class Seeded(Plain):\n    def __init__(self, seed=0):\n        self.seed = seed\n",
    )
    factory = seeded(load_bot(f"{path}:Seeded"), 7)
    assert [vars(factory())["seed"] for _ in range(3)] == [7, 8, 9]
    drawn = [vars(seeded(load_bot(f"{path}:Seeded"), None)())["seed"] for _ in range(8)]
    assert len(set(drawn)) > 1
    plain = load_bot(f"{path}:Plain")
    assert seeded(plain, None) is plain
    with pytest.raises(WrongUse, match="Plain takes no seed"):
        seeded(plain, 7)
    assert seeded(plain, 7, if_taken=True) is plain
    assert vars(seeded(load_bot(f"{path}:Seeded"), 7, if_taken=True)())["seed"] == 7

"""The examples in five languages play on the real server, beat `random`, and stand complete on the page."""

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from fangnetz import play
from fangnetz.bridge.run import BridgeOptions, bridge
from fangnetz.loading import load_bot, seeded
from fangnetz_server.match.result import MatchResult
from support.live_server import LiveServer
from support.scripted import observation

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "clients" / "examples"
PAGE: Final = ROOT / "docs" / "how-to" / "write-a-bot-in-any-language.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Example:
    """How an example becomes a program.

    Args:
        file: its source.
        game: what it plays.
        tool: the program that has to be installed, and the package that brings it.
        commands: what compiles it, if anything, and what runs it; as on the page.
    """

    file: str
    game: str
    tool: tuple[str, str]
    commands: tuple[str, ...]

    def build(self, folder: Path) -> tuple[str, ...]:
        """Compile it in a folder and return the command line that runs it there."""
        tool, package = self.tool
        if shutil.which(tool) is None:
            missing = f"{tool} is not installed: apt-get install {package}"
            (pytest.fail if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1" else pytest.skip)(missing)
        shutil.copy(EXAMPLES / self.file, folder)
        *building, running = self.commands
        for command in building:
            subprocess.run(command.split(), check=True, cwd=folder, timeout=120)
        return tuple(str(folder / word) if (folder / word).is_file() else word for word in running.split())


ALL: Final = (
    Example("falcon.py", "spaceballs", ("python3", "python3"), ("python3 falcon.py",)),
    Example(
        "falcon.cpp",
        "spaceballs",
        ("g++", "g++"),
        ("g++ -O2 -std=c++17 -Wall -Wextra -o falcon falcon.cpp", "./falcon"),
    ),
    Example("falcon.rs", "spaceballs", ("rustc", "rustc"), ("rustc -O -o falcon falcon.rs", "./falcon")),
    Example("Hound.java", "right2live", ("javac", "default-jdk-headless"), ("java Hound.java",)),
    Example("hound.mjs", "right2live", ("node", "nodejs"), ("node hound.mjs",)),
)
EACH = pytest.mark.parametrize("example", ALL, ids=lambda example: example.file)

Builder = Callable[[Example], tuple[str, ...]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Return what gives the command line of an example, compiled once."""
    done: dict[str, tuple[str, ...]] = {}

    def build(example: Example) -> tuple[str, ...]:
        if example.file not in done:
            done[example.file] = example.build(tmp_path_factory.mktemp("example"))
        return done[example.file]

    return build


# --- they play ------------------------------------------------------------------------------------


async def matches(
    server: LiveServer, game: str, words: tuple[str, ...], *, seats: int, seeds: range, log: Path
) -> list[MatchResult]:
    """Play matches of a program on the first seat against `random` on the others, a seed each."""
    rivals = [f"random-{number}" for number in range(1, seats)]
    random = load_bot(f"{game}:random")
    options = BridgeOptions(
        command=words, server=server.ws, name="example", matches=len(seeds), log=log, games=(game,)
    )
    results = []
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(bridge(options))
        for number, name in enumerate(rivals):
            tasks.create_task(play(seeded(random, number), server.ws, name=name, matches=len(seeds)))
        for seed in seeds:
            setup = {"seats": seats} if game == "right2live" else {}
            table = server.create(game, "example", *rivals, setup=setup, seed=seed, deadline_ms=60_000)
            results.append(await server.host.wait_result(table.match.id))
    return results


@EACH
async def test_an_example_beats_random(
    example: Example, built: Builder, server: LiveServer, tmp_path: Path
) -> None:
    seats = {"spaceballs": 2, "right2live": 4}[example.game]
    log = tmp_path / "example.log"
    results = await matches(server, example.game, built(example), seats=seats, seeds=range(4), log=log)
    own, *others = (sum(points) for points in zip(*(result.points for result in results), strict=True))
    assert own >= 3 if seats == 2 else own > max(others), results
    assert all(result.seats[0].stats.missing == 0 for result in results), results
    assert all(result.seats[0].stats.invalid == 0 for result in results), results
    assert log.read_bytes() == b""


# --- they read JSON -------------------------------------------------------------------------------

STRANGE: Final = (
    "",
    " ",
    "{",
    "[",
    '{"type"',
    '{"type":',
    '{"type":"observation"',
    '{"type":"observation"}',
    '{"type":"error","message":"no \\"x\\" \\u00e4 \\\\ \U0001f680"}',
    '{"type":"notice","code":"announcement","message":"Lunch."}',
    '{"type":"news from the future","list":[[],{},[{}],true,false,null,-0.5e-3]}',
)
PLAYER: Final = {"x": 1, "y": 1, "view": "NORTH", "team": "BLUE"}
LAST: Final[dict[str, list[dict[str, Any]]]] = {
    "spaceballs": [
        observation(
            12345,
            me={"x": 5e-1, "y": 0.25, "vx": 1e-17, "vy": -0.0, "ax": 0, "ay": 0, "fuel": 0},
            stations=[{"id": 0, "x": 0.5, "y": 0.75}],
        )
    ],
    "right2live": [
        {"type": "match_start", "match": "m", "seats": [], "setup": {"map": ["...", "#..", "..."]}},
        {
            "type": "observation",
            "match": "m",
            "tick": 12345,
            "missed": [1, 2],
            "me": {**PLAYER, "life": 1e2},
            "players": [{"seat": 1, **PLAYER, "x": 2, "y": 2, "team": "RED"}],
        },
    ],
}


@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("example", [one for one in ALL if one.file.endswith(("cpp", "rs", "java"))])
def test_an_own_reader_of_json_outlives_anything(example: Example, built: Builder, space: str) -> None:
    separators = (f",{space}", f":{space}")
    last = [json.dumps(line, separators=separators) for line in LAST[example.game]]
    given = "\n".join((*STRANGE, *last)).encode()
    done = subprocess.run(built(example), input=given, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    (answer,) = (json.loads(line) for line in done.stdout.splitlines())
    assert (answer["type"], answer["tick"]) == ("action", 12345)
    if example.game == "spaceballs":
        x, y = answer["thrust"]
        assert y > 0.09 > 0.01 > abs(x)
    else:  # Away from the one that comes from the south-east; the corner of the wall is closed.
        assert (answer["move"], answer["view"]) == ("NORTH", "NORTH")
    assert 'the server says: no "x" ' in done.stderr.decode()


# --- the page -------------------------------------------------------------------------------------


@EACH
def test_the_page_holds_the_example_and_its_commands(example: Example) -> None:
    blocks = re.findall(r"^```\w+\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    assert (EXAMPLES / example.file).read_text(encoding="utf-8") in blocks
    *building, running = example.commands
    bridged = f"fangnetz-bot bridge --game {example.game} -- {running}"
    assert "".join(f"{command}\n" for command in (*building, bridged)) in blocks


def test_the_page_shows_every_example() -> None:
    training = {
        "train_spaceballs.py",
        "policy.npy",
        "__pycache__",
    }  # Shown by another page, no program with lines.
    assert {path.name for path in EXAMPLES.iterdir()} - training == {example.file for example in ALL}


def test_the_links_of_the_page_lead_somewhere() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    for target, anchor in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", prose):
        file = PAGE.parent / target
        assert file.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads}

"""The bots of the how-to are real: they load, they beat `random`, and the page tells the truth."""

import asyncio
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from fangnetz.client import play
from fangnetz.loading import load_bot, seeded
from support.live_server import ThreadedServer, threaded_server
from support.node import SDK, require_node, require_tool

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot-in-javascript.md"
TEXT = PAGE.read_text(encoding="utf-8")
SCRIPTS = re.findall(r"```js\n(import .*?)```", TEXT, re.DOTALL)
MATCHES = 8
"""As many as a bot may play at the same time."""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ThreadedServer]:
    with threaded_server(tmp_path / "data") as running:
        yield running


def wins(arena: ThreadedServer, folder: Path, code: str) -> list[bool]:
    """Let a script of the page play against `random`, and tell of each match whether it won."""
    require_tool(SDK, "ws")
    name = re.findall(r"class (\w+) extends", code)[0]
    game = "right2live" if "Right2LiveBot" in code else "spaceballs"
    packages = folder / "node_modules"
    packages.mkdir()
    (packages / "fangnetz").symlink_to(SDK)
    (folder / "bot.mjs").write_text(code.replace("ws://127.0.0.1:7474", arena.server.ws))
    with subprocess.Popen(
        [require_node(least=20), folder / "bot.mjs"], stderr=subprocess.PIPE, cwd=folder, text=True
    ) as script:
        try:
            results = arena.run(compete(arena, game, name))
            script.send_signal(signal.SIGTERM)
            said = script.communicate(timeout=60)[1]
        finally:
            script.kill()
    assert script.returncode == 128 + signal.SIGTERM, said
    assert "failed" not in said
    assert "(actions:" not in said, "an action was late or missing"
    return results


async def compete(arena: ThreadedServer, game: str, name: str) -> list[bool]:
    server = arena.server
    tables = [server.create(game, name, "random", setup={}, seed=seed) for seed in range(MATCHES)]
    bot = seeded(load_bot(f"{game}:random"), 1)
    # Only one process works: a slow machine shall not decide a match.
    results = asyncio.gather(*(server.host.wait_result(table.match.id) for table in tables))
    await play(bot, server.ws, name="random", matches=MATCHES, chance=Random(1))
    return [result.points[0] > result.points[1] for result in await results]


@pytest.mark.parametrize(
    ("code", "least"), [(SCRIPTS[0], 6), (SCRIPTS[1], 5)], ids=["spaceballs", "right2live"]
)
def test_a_bot_of_the_page_beats_random(arena: ThreadedServer, tmp_path: Path, code: str, least: int) -> None:
    assert wins(arena, tmp_path, code).count(True) >= least


def test_the_methods_of_the_table_are_those_of_a_bot() -> None:
    told = set(re.findall(r"^\| `(\w+)\(", TEXT, re.MULTILINE))
    source = (SDK / "src" / "bot.js").read_text(encoding="utf-8")
    assert told == {"start", "decide", "missed", "end"}
    assert all(f"\t{name}(" in source for name in told)


def test_the_options_of_the_table_are_those_of_play() -> None:
    told = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    source = (SDK / "src" / "client.js").read_text(encoding="utf-8")
    options = re.findall(r"@property .*? \[(\w+)\]", source.partition("@typedef {object} Means")[0])
    assert set(options) - set(told) == {"backoff", "chance", "sleep"}
    assert set(told) <= set(options)


def test_the_names_of_the_page_are_exported() -> None:
    exported = (SDK / "types" / "index.d.ts").read_text(encoding="utf-8") + (
        SDK / "types" / "flight.d.ts"
    ).read_text(encoding="utf-8")
    table = re.findall(r"^\| (?:Right2Live|Spaceballs|both) \|.*", TEXT, re.MULTILINE)
    names = re.findall(r"`([A-Z]\w+|minBy|maxBy|brakingDistance|contactTime)`", "".join(table))
    assert len(names) == 9
    assert all(re.search(rf"\b{name}\b", exported) for name in names)


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (PAGE.parent / target).exists(), target

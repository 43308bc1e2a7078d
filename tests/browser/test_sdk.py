"""A bot in the browser, as the how-to has it: with the SDK that the server itself brings along."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.clients import BotClient, coast
from support.live_server import ThreadedServer, threaded_server

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot-in-javascript.md"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ThreadedServer]:
    with threaded_server(tmp_path, prefix="/arena") as running:
        yield running


async def enter(arena: ThreadedServer) -> None:
    """Make a match, with an opponent that waits in it."""
    server = arena.server
    server.create(
        "spaceballs", "Comet", "house", setup={"mines": [], "stations": [], "ruleset": {"duration": 1.0}}
    )
    house = await server.bot("house")
    arena.keep(sit(house))


async def sit(house: BotClient) -> None:
    await house.play(coast)


def test_what_is_pasted_into_the_console_plays(arena: ThreadedServer, page: Page) -> None:
    (code,) = re.findall(r"```js\n(const .*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    page.goto(f"{arena.url}/arena/?lang=en")
    arena.run(enter(arena))
    results = page.evaluate(f"async () => {{ {code} return results; }}")
    assert [result["reason"] for result in results] == ["timeout"]

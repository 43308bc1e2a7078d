"""A person plays against bots, on the real server, with keys, pointer and the same protocol as any bot."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from fangnetz_server.games.registry import load_games
from fangnetz_server.match.settings import MatchSettings
from support.clients import BotClient, Policy, coast, stand
from support.live_server import ThreadedServer, threaded_server


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ThreadedServer]:
    """An open server that brings together whoever waits; a person has time to think."""
    settings = {
        name: MatchSettings.defaults(game.info, pace="lockstep", tick_ms=20)
        for name, game in load_games().items()
    }
    setups: Any = lambda info, seats: (  # noqa: E731
        {"map": ["....#....."] * 3, "seats": [{"x": 1, "y": 1}, {"x": 7, "y": 1}]}
        if info.id == "right2live"
        else {"stations": [[0.5, 0.5]], "mines": []}
    )
    with threaded_server(tmp_path, matchmaking=True, settings=settings, setups=setups) as running:
        yield running


def keep_bot(arena: ThreadedServer, game: str, policy: Policy) -> None:
    """Connect a bot that plays whatever it is seated for."""

    async def run() -> None:
        bot = await arena.server.bot("house", games=[game])
        arena.keep(_play(bot, policy))

    arena.run(run())


async def _play(bot: BotClient, policy: Policy) -> None:
    await bot.play(policy)


def take_seat(page: Page, arena: ThreadedServer, game: str) -> None:
    """Come in as a person does."""
    page.goto(f"{arena.url}/")
    page.get_by_role("link", name=f"Play yourself: {game}").click()
    page.get_by_label("Your name").fill("Grace")
    page.get_by_role("button", name="Take a seat").click()


def own(page: Page) -> Any:
    """Return the own player or ball as it is drawn."""
    return page.evaluate("fangnetz.snapshot().drawn.find(one => one.seat === fangnetz.snapshot().selected)")


def test_keys_walk_and_the_eyes_follow(arena: ThreadedServer, page: Page) -> None:
    take_seat(page, arena, "Right2Live")
    expect(page.get_by_test_id("play")).to_contain_text("Waiting for an opponent")
    keep_bot(arena, "right2live", stand)
    page.wait_for_function("() => fangnetz.snapshot().tick > 0")
    start = own(page)
    page.keyboard.down("ArrowDown")
    page.wait_for_function(
        """y => {
            const { drawn, selected } = fangnetz.snapshot();
            const me = drawn?.find(one => one.seat === selected);
            return me?.y > y && me.view === "SOUTH";
        }""",
        arg=start["y"],
    )
    page.keyboard.up("ArrowDown")
    # What no bot knows is not on the page of a person that plays: the points of the others (R8.1).
    assert (
        page.evaluate("fangnetz.snapshot().frame.players.filter(one => Number.isNaN(one.points)).length") == 1
    )


def test_a_pointer_steers_a_ball_to_its_end(arena: ThreadedServer, page: Page) -> None:
    take_seat(page, arena, "Spaceballs")
    keep_bot(arena, "spaceballs", coast)
    page.wait_for_function("() => fangnetz.snapshot().tick > 0")
    box = page.get_by_test_id("field").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3)
    page.mouse.down()
    page.wait_for_function("() => fangnetz.snapshot().drawn?.some(ball => ball.y > 0.2)")
    expect(page.get_by_test_id("result")).to_be_visible(timeout=30_000)


def test_a_finger_walks_on_a_phone(arena: ThreadedServer, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    take_seat(page, arena, "Right2Live")
    keep_bot(arena, "right2live", stand)
    page.wait_for_function("() => fangnetz.snapshot().tick > 0")
    start = own(page)
    field = page.get_by_test_id("field")
    box = field.bounding_box()
    assert box is not None
    for kind in ("pointermove", "pointerdown"):
        field.dispatch_event(
            kind, {"clientX": box["x"] + 2, "clientY": box["y"] + 2, "pointerType": "touch", "bubbles": True}
        )
    page.wait_for_function(
        "([x, y]) => fangnetz.snapshot().drawn?.some(one => one.x !== x || one.y !== y)",
        arg=[start["x"], start["y"]],
    )
    context.close()


PAD = """
window.axes = [0, 0, 0, 0];
navigator.getGamepads = () => [null, { connected: true, axes: window.axes }];
"""


def test_a_gamepad_walks_with_one_stick_and_looks_with_the_other(arena: ThreadedServer, page: Page) -> None:
    page.add_init_script(PAD)  # A headless browser has no gamepad; this is all of one that the page reads.
    take_seat(page, arena, "Right2Live")
    keep_bot(arena, "right2live", stand)
    page.wait_for_function("() => fangnetz.snapshot().tick > 0")
    start = own(page)
    page.evaluate("window.axes = [-0.9, 0.1, 0.7, 0.7]")
    page.wait_for_function(
        """x => {
            const { drawn, selected } = fangnetz.snapshot();
            const me = drawn?.find(one => one.seat === selected);
            return me?.x < x && me.view === "SOUTH_EAST";
        }""",
        arg=start["x"],
    )


def test_a_taken_name_is_refused_in_words(arena: ThreadedServer, page: Page) -> None:
    keep_bot(arena, "right2live", stand)
    page.goto(f"{arena.url}/?play=right2live")
    page.get_by_label("Your name").fill("house")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_role("alert").last).not_to_be_empty()
    expect(page.get_by_label("Your name")).to_have_value("house")

"""The longest possible match on the page: there at once, and every moment of it within reach."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.live_server import ThreadedServer, threaded_server
from support.longest import LONGEST, ROUNDS, store_longest


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server that has just been started, with the longest match in its store."""
    with ThreadPoolExecutor(1) as pool:  # The browser's driver has a loop in this thread.
        pool.submit(asyncio.run, store_longest(tmp_path)).result()
    with threaded_server(tmp_path) as running:
        yield running


def test_it_opens_at_once_and_can_be_scrubbed(archive: ThreadedServer, page: Page) -> None:
    page.goto(f"{archive.url}/?match={LONGEST}")
    viewer = page.get_by_test_id("viewer")
    expect(viewer).to_have_attribute("data-tick", str(ROUNDS))
    expect(page.get_by_test_id("result")).to_be_visible()
    for tick in (5000, 117, 9999, 0):
        page.get_by_label("Moment shown").fill(str(tick))
        page.wait_for_function("tick => fangnetz.snapshot().frame?.tick === tick", arg=tick)
    # A picture a tick at 16 times the pace: the film is never behind.
    page.keyboard.press("Home")
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => fangnetz.snapshot().frame?.tick > 100")

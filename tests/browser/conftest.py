"""Chromium and a stand-in for the server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.mock_server import MockServer, mock_server

CHROMIUM = Path("/usr/bin/chromium")
MISSING = "Chromium is not installed: apt-get install chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

_EXPECTED = ("WebSocket connection to", "404 (Not Found)", "422 (", "ERR_INTERNET_DISCONNECTED")

expect.set_options(timeout=10_000)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless browser for one test module; without Chromium skip, or fail where nothing may be skipped."""
    if not CHROMIUM.exists() and os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(MISSING)
    if not CHROMIUM.exists():
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def mock() -> Iterator[MockServer]:
    """A server with an empty lobby."""
    with mock_server() as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A laptop's window. The test fails if the page logs an error or asks another host for anything."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("console", lambda line: faults.append(line.text) if _is_fault(line.type, line.text) else None)
    page.on(
        "request", lambda request: faults.append(request.url) if "//127.0.0.1:" not in request.url else None
    )
    yield page
    context.close()
    assert faults == []


def _is_fault(kind: str, text: str) -> bool:
    # The browser itself logs a cut line and a refused request; the tests that provoke them expect that.
    return kind in ("error", "warning") and not any(known in text for known in _EXPECTED)

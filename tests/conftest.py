"""Fixtures for all tests."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from support.live_server import LiveServer, ThreadedServer, live_server, threaded_server


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[LiveServer]:
    """The real server in the test's loop; the test makes the matches."""
    async with live_server(tmp_path) as running:
        yield running


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ThreadedServer]:
    """The real server in a thread, for tests that block."""
    with threaded_server(tmp_path) as running:
        yield running

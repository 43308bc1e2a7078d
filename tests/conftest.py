"""Fixtures for all tests."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from support.live_server import LiveServer, ThreadedServer, live_server, threaded_server

# The same examples in every run, and no clock: a test that fails now and then tells nobody anything.
# To search further: pytest --hypothesis-profile=search
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("steady")

# As the server's: a test that sends a hundred thousand bad frames does not want a line for each.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="record golden replays anew (tests/golden)")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files may be written."""
    return bool(request.config.getoption("--update-golden"))


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

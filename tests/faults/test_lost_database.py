"""PostgreSQL is killed under running tournaments: they go on, and end as if nothing had happened."""

import asyncio
import random
from pathlib import Path
from typing import Any, Final

import pytest

from support.postgres import postgres_or_skip
from support.tournament_process import CAPACITY, check_sums, outcome, play, wait_over
from support.tournament_server import tournament_server

KILLS: Final = 6


@pytest.fixture
async def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How the tournaments end with SQLite and nothing that breaks."""
    async with tournament_server(
        tmp_path_factory.mktemp("undisturbed"), scheduler={"capacity": CAPACITY}
    ) as server:
        await play(server)
        await wait_over(server)
        return await outcome(server)


async def test_the_database_server_is_killed(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    instants = random.Random(2010)
    with postgres_or_skip() as database:
        async with tournament_server(
            tmp_path, database=database.url, scheduler={"capacity": CAPACITY}
        ) as server:
            await play(server)
            for _ in range(KILLS):
                await asyncio.sleep(instants.uniform(0.0, 0.5))
                await asyncio.to_thread(database.kill)
                await asyncio.to_thread(database.start)
            await wait_over(server)
            found = await outcome(server)
            assert found == undisturbed
            await check_sums(server.host.store, found)

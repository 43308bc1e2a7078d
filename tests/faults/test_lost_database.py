"""PostgreSQL is killed under running tournaments: they go on, and end as if nothing had happened."""

import asyncio
import random
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosed

from support.host_api import http_client, json_of
from support.postgres import postgres_or_skip
from support.tournament_process import CAPACITY, check_sums, outcome, play, wait_over
from support.tournament_server import league, tournament_server

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


async def test_while_the_database_is_away_everybody_is_told_and_may_try_again(tmp_path: Path) -> None:
    with postgres_or_skip() as database:
        async with (
            tournament_server(tmp_path, database=database.url) as server,
            http_client(server, "host") as host,
        ):
            await server.make(league("ann", "bob"))
            await server.enter("ann")
            token = (await server.host.store.bots.add("cid"))[1]
            await asyncio.to_thread(database.kill)
            for answer in (
                await host.get("/api/tournaments/cup"),
                await host.get("/api/matches"),
                await host.post("/api/host/tournaments/cup/start"),
            ):
                assert answer.status_code == 503
                assert "cannot be reached" in answer.json()["detail"]
            with pytest.raises(ConnectionClosed):
                await (await server.raw_bot()).hello("cid", token=token)
            await asyncio.to_thread(database.start)
            assert json_of(await host.post("/api/host/tournaments/cup/start"))["state"] == "running"
            assert (await (await server.raw_bot()).hello("cid", token=token))["bot"]["name"] == "cid"
            await server.enter("bob")
            await server.finished()

"""With 10,000 matches and 200 bots the tables answer quickly, and the server starts quickly."""

import sqlite3
import time
from pathlib import Path

import httpx
import orjson

from fangnetz_server.store.store import DATABASE
from support.host_api import http_client
from support.stored_many import BOTS, MATCHES, fill
from support.tournament_server import tournament_server

ANSWER_S = 0.1
START_S = 2.0


async def test_a_large_store(tmp_path: Path) -> None:
    await fill(tmp_path)
    _give_file(tmp_path, "running")
    start = time.process_time()
    async with tournament_server(tmp_path) as server, http_client(server) as anybody:
        assert time.process_time() - start < START_S
        run = server.scheduler.run("cup")
        assert run is not None
        assert run.done == MATCHES
        for path in (
            "/api/tournaments/cup",
            "/api/tournaments",
            "/api/ratings?game=spaceballs",
            "/api/matches",
        ):
            await anybody.get(path)  # What takes a while is computed once, then kept.
            assert await _best(anybody, path) < ANSWER_S


async def _best(anybody: httpx.AsyncClient, path: str) -> float:
    """Return the computing time of an answer; the best of a few, as others use the processor too."""
    times = []
    for _ in range(5):
        start = time.process_time()
        assert (await anybody.get(path)).status_code == 200
        times.append(time.process_time() - start)
    return min(times)


def _give_file(folder: Path, state: str) -> None:
    spec = {
        "name": "The Cup",
        "game": "spaceballs",
        "format": {"kind": "swiss", "rounds": 199, "legs": 1},
        "entries": [{"bot": f"BOT{number}"} for number in range(BOTS)],
        "bots": [],
    }
    connection = sqlite3.connect(folder / DATABASE)
    with connection:
        connection.execute(
            "UPDATE tournaments SET spec = ?, state = ? WHERE id = 'cup'",
            (orjson.dumps(spec).decode(), state),
        )
    connection.close()

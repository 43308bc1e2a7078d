"""The HTTP API over a real socket: health, matches, results, replays, and its description."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from fangnetz_protocol.version import PROTOCOL_VERSION, __version__
from fangnetz_server.games.registry import load_games
from fangnetz_server.match.replay import Replay
from support.clients import coast
from support.live_server import LiveServer


@pytest.fixture
async def http(server: LiveServer) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the server."""
    async with httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=20) as client:
        yield client


async def get(http: httpx.AsyncClient, path: str, **query: Any) -> Any:
    """Return the JSON of a good answer."""
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


async def test_health_counts_matches_and_bots(server: LiveServer, http: httpx.AsyncClient) -> None:
    facts = {"status": "ok", "version": __version__, "protocol": PROTOCOL_VERSION}
    assert await get(http, "/healthz") == {**facts, "running": 0, "bots": 0}

    server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.bot("bob")
    await ann.ready()
    await bob.ready()
    await ann.next("observation")

    assert await get(http, "/healthz") == {**facts, "running": 1, "bots": 2}


async def test_a_running_match_in_detail(server: LiveServer, http: httpx.AsyncClient) -> None:
    match = server.create("spaceballs", "ann", "bob", deadline_ms=60_000).match.id
    await server.bot("ann")
    spectator = await server.spectator(match)
    await spectator.next("frame")

    assert await get(http, f"/api/matches/{match}") == {
        "match": match,
        "game": "spaceballs",
        "phase": "waiting",
        "tick": 0,
        "ticks": 10,
        "seats": [
            {"seat": 0, "name": "ann", "connected": True},
            {"seat": 1, "name": "bob", "connected": False},
        ],
        "spectators": 1,
        "reason": None,
        "points": None,
        "places": None,
        "replay": None,
        "result": None,
    }


async def test_a_finished_match_in_detail(server: LiveServer, http: httpx.AsyncClient) -> None:
    played = await server.play("right2live", "ann", "bob")

    details = await get(http, f"/api/matches/{played.match}")

    assert (details["phase"], details["tick"], details["reason"]) == ("over", 10, "max_rounds")
    assert details["points"] == played.points
    assert details["places"] == played.places
    assert details["replay"] == f"api/matches/{played.match}/replay"
    result = details["result"]
    assert (result["seed"], result["digest"], result["detail"]) == (7, played.digest, None)
    assert [seat["presence"] for seat in result["seats"]] == ["played", "played"]
    stats = result["seats"][0]["stats"]
    assert stats["applied"] + stats["blocked"] == 10
    assert stats["latency_median_ms"] <= stats["latency_p99_ms"]


async def test_the_list_is_filtered_and_cut_into_pages(server: LiveServer, http: httpx.AsyncClient) -> None:
    over = [
        (await server.play(game, "ann", "bob")).match for game in ("right2live", "spaceballs", "spaceballs")
    ]
    live = [server.create(game, "cid", "dan").match.id for game in ("spaceballs", "right2live")]
    newest_first = [*reversed(live), *reversed(over)]

    async def found(**query: Any) -> tuple[list[str], int]:
        answer = await get(http, "/api/matches", **query)
        return [entry["match"] for entry in answer["matches"]], answer["total"]

    assert await found() == (newest_first, 5)
    assert await found(limit=2) == (newest_first[:2], 5)
    assert await found(limit=2, offset=3) == (newest_first[3:], 5)
    assert await found(offset=5) == ([], 5)
    assert await found(game="right2live") == ([live[1], over[0]], 2)
    assert await found(phase="over") == (list(reversed(over)), 3)
    assert await found(phase="waiting", game="spaceballs") == ([live[0]], 1)
    assert await found(game="chess") == ([], 0)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 1001}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"limit": "1e400"}, "limit"),
        ({"offset": -1}, "offset"),
        ({"offset": 10**10}, "offset"),
        ({"game": "g" * 65}, "game"),
        ({"phase": "p" * 17}, "phase"),
    ],
    ids=str,
)
async def test_a_wrong_parameter_is_named(http: httpx.AsyncClient, query: dict[str, Any], field: str) -> None:
    answer = await http.get("/api/matches", params=query)

    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", field]


@pytest.mark.parametrize("path", ["/api/matches/nothing", "/api/matches/nothing/replay"])
async def test_an_unknown_match(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)

    assert answer.status_code == 404
    assert "'nothing'" in answer.json()["detail"]


@pytest.mark.parametrize(
    "match", ["..%2Fresults.ndjson", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "x" * 65, "%00", "%ff"]
)
async def test_no_path_leads_out_of_the_archive(http: httpx.AsyncClient, match: str) -> None:
    answer = await http.get(f"/api/matches/{match}/replay")

    assert answer.status_code in (404, 422)


async def test_the_replay_proves_the_result(server: LiveServer, http: httpx.AsyncClient) -> None:
    match = server.create("spaceballs", "ann", "bob").match.id
    result = asyncio.create_task(server.host.wait_result(match))
    ann, bob = await server.bot("ann"), await server.bot("bob")
    too_early = await http.get(f"/api/matches/{match}/replay")
    end, _ = await asyncio.gather(ann.play(coast), bob.play(coast))
    await result
    answer = await http.get(f"/{end['replay']}")

    assert too_early.status_code == 409
    assert "not over" in too_early.json()["detail"]
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zstd"
    assert f'filename="{match}.ndjson.zst"' in answer.headers["content-disposition"]
    proved = Replay(answer.content, load_games()).verify()
    assert (proved["reason"], proved["ticks"]) == (end["reason"], end["ticks"])


async def test_the_description_describes_what_is_there(server: LiveServer, http: httpx.AsyncClient) -> None:
    match = (await server.play("spaceballs", "ann", "bob")).match
    document = await get(http, "/openapi.json")

    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == __version__
    assert {"/healthz", "/api/matches", "/api/matches/{match}", "/api/matches/{match}/replay"} <= set(
        document["paths"]
    )
    for path, query in (("/healthz", {}), ("/api/matches", {"limit": 5}), ("/api/matches/{match}", {})):
        operation = document["paths"][path]["get"]
        assert operation["summary"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        Draft202012Validator.check_schema(whole)
        Draft202012Validator(whole).validate(await get(http, path.format(match=match), **query))


async def test_what_is_not_there_is_not_found(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/nothing")).status_code == 404
    assert (await http.post("/api/matches")).status_code == 405
    assert (await http.get("/play")).status_code == 404

"""Stretches of matches over a real socket: what was shown live is what the history shows."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fangnetz_server.games.registry import load_games
from fangnetz_server.match.replay import Replay
from fangnetz_server.web.history import MAX_LINES
from support.clients import stroll
from support.live_server import LiveServer, live_server

MAP: dict[str, Any] = {
    # Two rooms: nobody is ever caught, one has to change in round 28 (R5.4).
    "map": ["....#.....", "....#.....", "....#....."],
    "seats": [{"x": 1, "y": 1}, {"x": 7, "y": 1}],
    "ruleset": {"max_rounds": 300},
}


@pytest.fixture
async def http(server: LiveServer) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the server."""
    async with httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=20) as client:
        yield client


async def frames(http: httpx.AsyncClient, match: str, **query: Any) -> list[dict[str, Any]]:
    """Return the lines of a good answer."""
    answer = await http.get(f"/api/matches/{match}/history", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


async def played(server: LiveServer) -> str:
    """Play a match of 300 rounds and return its id."""
    return (await server.play("right2live", "ann", "bob", setup=MAP)).match


async def half_played(server: LiveServer, ticks: int) -> str:
    """Play a match up to a tick and leave it there."""
    match = server.create("right2live", "ann", "bob", setup=MAP, deadline_ms=3_600_000).match.id
    bots = [await server.bot(name) for name in ("ann", "bob")]
    await asyncio.gather(*(bot.ready() for bot in bots))
    for tick in range(ticks):
        for bot in bots:
            observation = await bot.next("observation", tick=tick)
            await bot.act(observation, stroll(observation))
    await bots[0].next("observation", tick=ticks)
    return match


async def test_a_finished_match_is_the_same_as_its_replay(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    match = await played(server)
    replay = (await http.get(f"/api/matches/{match}/replay")).content
    expected = [frame for frame in Replay(replay, load_games()).frames() if frame["type"] == "frame"]
    assert await frames(http, match) == json.loads(json.dumps(expected))


async def test_a_stretch_has_its_first_and_its_last_tick(server: LiveServer, http: httpx.AsyncClient) -> None:
    match = await played(server)
    shown = await frames(http, match, **{"from": 125, "to": 260})
    assert [frame["tick"] for frame in shown] == list(range(125, 261))


async def test_a_thinned_match_keeps_its_last_tick_and_the_events_between(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    match = await played(server)
    whole, thin = await frames(http, match), await frames(http, match, every=70)
    assert [frame["tick"] for frame in thin] == [*range(0, whole[-1]["tick"], 70), whole[-1]["tick"]]
    told = [
        event["kind"]
        for frame in thin
        for event in frame["passed"] + [one for one in frame["events"] if one["kind"] != "blocked"]
    ]
    assert told == [
        event["kind"] for frame in whole for event in frame["events"] if event["kind"] != "blocked"
    ]
    assert told, "nobody was caught or forced in this match"


async def test_a_live_match_is_shown_up_to_now_and_goes_on(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    match = await half_played(server, 20)
    shown = await frames(http, match)
    assert [frame["tick"] for frame in shown] == list(range(21))
    assert await frames(http, match, **{"from": 7, "to": 9}) == shown[7:10]


async def test_asking_in_between_leaves_the_replay_intact(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    match = server.create("right2live", "ann", "bob", setup=MAP).match.id
    ending = asyncio.create_task(server.host.wait_result(match))
    bots = [await server.bot(name) for name in ("ann", "bob")]
    playing = asyncio.gather(*(bot.play(stroll) for bot in bots))
    asked = 0
    while not ending.done():
        asked += len(await frames(http, match, every=50)) > 0
    await playing
    assert asked > 1
    replay = (await http.get(f"/api/matches/{match}/replay")).content
    assert Replay(replay, load_games()).verify()["ticks"] == (await ending).ticks


async def test_nothing_is_shown_that_a_delayed_match_holds_back(tmp_path: Path) -> None:
    async with (
        live_server(tmp_path, delay_s=3600) as server,
        httpx.AsyncClient(base_url=server.http, trust_env=False) as http,
    ):
        match = await half_played(server, 20)
        assert await frames(http, match) == []


async def test_a_seat_sees_what_its_bot_sees(server: LiveServer, http: httpx.AsyncClient) -> None:
    match = await half_played(server, 140)
    shown = await frames(http, match, view="seat:1", **{"from": 120, "to": 135})
    assert [frame["tick"] for frame in shown] == list(range(120, 136))
    assert "toxicity" in shown[0]["me"]
    whole = await frames(http, match, **{"from": 120, "to": 135})
    assert [frame["me"]["x"] for frame in shown] == [frame["players"][1]["x"] for frame in whole]


async def test_an_answer_is_bounded(server: LiveServer, http: httpx.AsyncClient) -> None:
    setup = MAP | {"ruleset": {"max_rounds": MAX_LINES + 500}}
    match = (await server.play("right2live", "ann", "bob", setup=setup)).match
    replay = (await http.get(f"/api/matches/{match}")).json()
    shown = await frames(http, match)
    assert len(shown) == min(MAX_LINES, replay["tick"] + 1)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing/history", 404),
        ("{match}/history?every=0", 422),
        ("{match}/history?view=seat:x", 422),
        ("{match}/history?view=seat:7", 404),
        ("{match}/history?from=-1", 422),
    ],
)
async def test_what_cannot_be_shown(
    server: LiveServer, http: httpx.AsyncClient, path: str, status: int
) -> None:
    match = await half_played(server, 1)
    assert (await http.get(f"/api/matches/{path.format(match=match)}")).status_code == status


async def test_a_host_may_refuse_seat_views(tmp_path: Path) -> None:
    async with (
        live_server(tmp_path, seat_views=False) as server,
        httpx.AsyncClient(base_url=server.http, trust_env=False) as http,
    ):
        match = await half_played(server, 1)
        answer = await http.get(f"/api/matches/{match}/history", params={"view": "seat:0"})
        assert answer.status_code == 403

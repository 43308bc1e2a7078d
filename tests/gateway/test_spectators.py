"""What spectators get: the lobby, one match from any moment on, and a finished one (P3)."""

import asyncio
from typing import Any

import pytest

from fangnetz_protocol.codes import CloseCode
from support.clients import Client, Policy, coast, stroll
from support.live_server import LiveServer

GAMES = [("spaceballs", coast, "balls"), ("right2live", stroll, "players")]


async def lobby_entry(lobby: Client, match: str, **fields: Any) -> dict[str, Any]:
    """Wait until the lobby says this of a match."""
    while True:
        news = await lobby.next("matches")
        for entry in news["matches"]:
            if entry["match"] == match and all(entry[key] == value for key, value in fields.items()):
                return dict(entry)


@pytest.mark.parametrize(("game", "policy", "roster"), GAMES)
async def test_a_spectator_from_the_start_sees_every_tick(
    server: LiveServer, game: str, policy: Policy, roster: str
) -> None:
    match = server.create(game, "ann", "bob").match.id
    spectator = await server.spectator(match)
    start = await spectator.next("match_start")
    bots = [await server.bot(name) for name in ("ann", "bob")]
    ends = await asyncio.gather(*(bot.play(policy) for bot in bots))
    await spectator.drain()

    frames = spectator.received("frame")
    assert "seat" not in start
    assert [frame["tick"] for frame in frames if frame["tick"]] == list(range(1, 11))
    assert {len(frame[roster]) for frame in frames} == {2}
    assert spectator.received("match_end") == [ends[0]] == [ends[1]]
    assert spectator.socket.close_code == CloseCode.NORMAL


@pytest.mark.parametrize(("game", "policy", "roster"), GAMES)
async def test_a_late_spectator_is_right_at_once(
    server: LiveServer, game: str, policy: Policy, roster: str
) -> None:
    table = server.create(game, "ann", "bob", deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.bot("bob")
    early = await server.spectator(table.match.id)
    await ann.ready()
    await bob.ready()
    for tick in range(6):
        for bot in (ann, bob):
            await bot.act(observation := await bot.next("observation", tick=tick), policy(observation))
    newest = await early.next("frame", tick=6)

    late = await server.spectator(table.match.id)
    first, second = await late.receive(), await late.receive()

    assert first == early.received("match_start")[0]
    assert second == newest
    assert [player["connected"] for player in second[roster]] == [True, True]


async def test_a_spectator_comes_in_every_phase(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.raw_bot()
    seen = []
    for act in (None, bob.hello("bob"), ann.ready(), bob.ready()):
        if act is not None:
            await act
        spectator = await server.spectator(table.match.id)
        seen.append([(await spectator.receive())["type"] for _ in "12"])

    assert seen == [["match_start", "frame"]] * 4


@pytest.mark.parametrize(("game", "policy", "roster"), GAMES)
async def test_a_finished_match_shows_its_last_picture_and_its_end(
    server: LiveServer, game: str, policy: Policy, roster: str
) -> None:
    result = await server.play(game, "ann", "bob", policy=policy)

    spectator = await server.spectator(result.match)
    start, frame, end = await spectator.drain()

    assert (start["type"], frame["type"], end["type"]) == ("match_start", "frame", "match_end")
    assert (frame["tick"], end["ticks"]) == (10, 10)
    assert end["reason"] == result.reason
    assert spectator.socket.close_code == CloseCode.NORMAL
    await server.gone()


@pytest.mark.parametrize(
    "match", ["nothing", "", "%2e%2e%2fresults.ndjson", "..%2f..%2fetc%2fpasswd", "%C3%A4" * 40, "%00"]
)
async def test_an_unknown_match_is_said_to_be_unknown(server: LiveServer, match: str) -> None:
    spectator = await server.spectator(match)

    (error,) = await spectator.drain()
    assert (error["type"], error["code"]) == ("error", "unknown_match")
    assert spectator.socket.close_code == CloseCode.UNKNOWN_MATCH
    await server.gone()


async def test_a_spectator_may_say_nothing(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob")
    spectator = await server.spectator(table.match.id)

    await spectator.send({"type": "action", "match": table.match.id, "tick": 0, "thrust": [1, 0]})
    assert (await spectator.next("error"))["code"] == "forbidden"
    await spectator.send({"type": "hello", "protocol": "1.0", "name": "ann"})
    assert (await spectator.next("error"))["code"] == "forbidden"
    await spectator.send_raw(b"\x00")
    assert (await spectator.next("error"))["code"] == "binary_frame"


async def test_a_spectator_who_keeps_talking_is_sent_away(server: LiveServer) -> None:
    lobby = await server.lobby()
    for _ in range(server.host.limits.strikes + 1):
        await lobby.send_raw("let me play")

    assert await lobby.closed() == CloseCode.POLICY
    await server.gone()


async def test_a_lost_bot_is_shown_as_such(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", bank_ms=0, deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.bot("bob")
    lobby = await server.lobby()
    await lobby_entry(lobby, table.match.id, phase="ready")
    spectator = await server.spectator(table.match.id)
    await ann.ready()
    await bob.ready()
    await spectator.next("frame", tick=0)
    ann.cut()
    entry = await lobby_entry(lobby, table.match.id, phase="running", spectators=1)
    while entry["seats"][0]["connected"]:
        entry = await lobby_entry(lobby, table.match.id)
    await bob.act(await bob.next("observation", tick=0), {"thrust": [0, 0]})

    frame = await spectator.next("frame", tick=1)
    assert [ball["connected"] for ball in frame["balls"]] == [False, True]


async def test_the_lobby_lists_all_matches_then_what_changes(server: LiveServer) -> None:
    over = await server.play("right2live", "ann", "bob")
    waiting = server.create("spaceballs", "cid", "dan")

    lobby = await server.lobby()
    full = await lobby.receive()

    assert (full["type"], full["full"]) == ("matches", True)
    assert [(entry["match"], entry["phase"]) for entry in full["matches"]] == [
        (waiting.match.id, "waiting"),
        (over.match, "over"),
    ]
    assert full["matches"][1]["reason"] == "max_rounds"
    assert len(full["matches"][1]["points"]) == len(full["matches"][1]["places"]) == 2

    later = server.create("spaceballs", "eve", "fay")
    news = await lobby.next("matches", full=False)
    assert [entry["match"] for entry in news["matches"]] == [later.match.id]
    bots = [await server.bot(name) for name in ("cid", "dan")]
    await asyncio.gather(*(bot.play(coast) for bot in bots))
    entry = await lobby_entry(lobby, waiting.match.id, phase="over")
    assert (entry["reason"], entry["tick"], entry["points"]) == ("timeout", 10, [0.0, 0.0])


async def test_the_lobby_shows_the_ticks_of_running_matches(server: LiveServer) -> None:
    lobby = await server.lobby()
    setup = {"ruleset": {"duration": 60.0}}
    table = server.create("spaceballs", "ann", "bob", pace="realtime", tick_ms=20, setup=setup)
    bots = [await server.bot(name) for name in ("ann", "bob")]
    for bot in bots:
        await bot.ready()
    ticks: list[int] = []
    while len(set(ticks)) < 3:
        ticks.append((await lobby_entry(lobby, table.match.id, phase="running"))["tick"])

    assert ticks == sorted(ticks)

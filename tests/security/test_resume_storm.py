"""Resume under stress: at any time exactly one connection owns the seat, and everybody is told (P2.4)."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosed

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.match.phases import Phase
from support.clients import BotClient, coast
from support.live_server import LiveServer, eventually, live_server

SOCKETS: Final = 50
LONG: Final = {"ruleset": {"duration": 60}}


def link_of(server: LiveServer, name: str) -> BotLink:
    (link,) = (link for link in server.host.gateway.links if link.entrant.name == name)
    return link


async def storm(server: LiveServer, secret: str) -> list[BotClient]:
    """Resume on many sockets at once."""
    bots = [await server.raw_bot() for _ in range(SOCKETS)]
    for bot in bots:
        await bot.send({"type": "hello", "protocol": "1.0", "resume": secret})
    return bots


async def survivor(bots: list[BotClient]) -> BotClient:
    """Return the one that is left after all others were told that they are replaced."""
    ends = {bot: asyncio.create_task(bot.closed()) for bot in bots}
    done: set[asyncio.Task[int]] = set()
    async with asyncio.timeout(20):
        while len(done) < len(bots) - 1:
            done, _ = await asyncio.wait(ends.values(), return_when=asyncio.FIRST_COMPLETED, timeout=0.05)
    (left,) = (bot for bot, end in ends.items() if not end.done())
    assert {end.result() for end in done} == {CloseCode.REPLACED}
    ends[left].cancel()
    await asyncio.gather(ends[left], return_exceptions=True)
    return left


async def test_of_fifty_at_once_one_has_the_seat_and_plays_on(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", setup=LONG, deadline_ms=60_000)
    ann, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await ann.hello("ann"))["resume"]
    await ann.ready()
    await bob.ready()
    for tick in range(3):
        for bot in (ann, bob):
            await bot.act(await bot.next("observation", tick=tick), {"thrust": [0, 0]})

    owner = await survivor(await storm(server, secret))

    assert await ann.closed() == CloseCode.REPLACED
    kinds = [message["type"] for way, message in owner.log if way == "in"]
    assert kinds[:3] == ["welcome", "match_start", "observation"]
    (seen,) = owner.received("observation")
    assert (seen["tick"], "missed" in seen) == (3, False)
    await owner.act(seen, {"thrust": [0, 1]})
    await bob.act(await bob.next("observation", tick=3), {"thrust": [0, 0]})
    assert (await owner.next("observation"))["last_action"]["status"] == "applied"
    assert table.match.seats[0].stats().duplicate == 0
    assert [link.is_connected for link in table.links()] == [True, True]
    assert len(list(server.host.gateway.links)) == 2


@pytest.mark.parametrize(
    "moment", ["the match is made", "the last tick", "the end is stored", "the seat is left"]
)
async def test_a_storm_at_a_turning_point(server: LiveServer, moment: str) -> None:
    ann, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await ann.hello("ann"))["resume"]
    if moment == "the match is made":
        bots = await storm(server, secret)
        table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
        owner = await survivor(bots)
        assert owner.received("match_start")
        await owner.send({"type": "ready", "match": table.match.id})
        ends = list(await asyncio.gather(owner.play_on(coast), bob.play(coast)))
    else:
        table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
        over = asyncio.create_task(server.host.wait_result(table.match.id))
        await ann.ready()
        await bob.ready()
        for tick in range(9):
            for bot in (ann, bob):
                await bot.act(await bot.next("observation", tick=tick), {"thrust": [0, 0]})
        for bot in (ann, bob):
            await bot.next("observation", tick=9)
        bots = await storm(server, secret)
        if moment == "the seat is left":
            link_of(server, "bob")
            await bob.send({"type": "leave", "match": table.match.id})
        else:
            await bob.act({"match": table.match.id, "tick": 9}, {"thrust": [0, 0]})
            table.match.act(table.match.seats[0].number, table.match.tick, {"thrust": [0, 0]})
        if moment == "the end is stored":
            await over
        owner = await survivor(bots)
        if moment == "the seat is left":
            await owner.act(await heard(owner, "observation"), {"thrust": [0, 0]})
        ends = [await heard(owner, "match_end")]
        await over
    assert all(end["ticks"] == 10 for end in ends)
    assert all(end["match"] == table.match.id for end in ends)
    await eventually(lambda: not server.host.tables, "nothing of the match is left")


async def heard(bot: BotClient, type_: str) -> dict[str, Any]:
    """Return the newest message of a type, or the next one if none has come yet."""
    received = bot.received(type_)
    return received[-1] if received else await bot.next(type_)


async def test_drops_and_returns_in_quick_succession_lose_no_tick(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", setup=LONG, pace="realtime", tick_ms=10)
    ann, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await ann.hello("ann"))["resume"]
    await ann.ready()
    await bob.ready()
    await ann.next("observation")
    told: int | None = None
    for _ in range(20):
        ann.cut()
        ann = await server.raw_bot()
        assert (await ann.hello(resume=secret))["resumed"]
        seen = await ann.next("observation")
        missed = seen.get("missed", [])
        assert missed == list(range(seen["tick"] - len(missed), seen["tick"]))
        assert told is None or seen["tick"] >= told
        assert (await ann.next("observation"))["tick"] == seen["tick"] + 1
        told = seen["tick"] + 1
        await ann.act({"match": table.match.id, "tick": told}, {"thrust": [0, 0]})
    ticks = [message["tick"] for message in bob.received("observation")]
    assert ticks == list(range(len(ticks)))


async def test_spectators_and_opponents_are_told_who_is_there(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", setup=LONG, pace="realtime", tick_ms=20)
    spectator, lobby = await server.spectator(table.match.id), await server.lobby()
    ann, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await ann.hello("ann"))["resume"]
    await ann.ready()
    await bob.ready()

    async def shown(connected: bool) -> None:
        async with asyncio.timeout(20):
            while (await spectator.next("frame"))["balls"][0]["connected"] is not connected:
                pass
            while True:
                for entry in (await lobby.next("matches"))["matches"]:
                    if entry["seats"][0]["connected"] is connected:
                        return

    await shown(True)
    ann.cut()
    await shown(False)
    await (await server.raw_bot()).hello(resume=secret)
    await shown(True)
    ticks = [frame["tick"] for frame in spectator.received("frame")]
    first = ticks.index(0) if 0 in ticks else 0
    assert len(set(ticks[first:])) >= ticks[-1], "the frames go on without a gap"


async def test_a_restarted_server_tells_a_lost_session_from_a_wrong_token(tmp_path: Path) -> None:
    async with live_server(tmp_path, is_open=False) as before:
        bot, token = await before.host.store.bots.add("Ann")
        ann = await before.raw_bot()
        secret = (await ann.hello(token=token))["resume"]
    async with live_server(tmp_path, is_open=False) as after:

        async def refused(**hello: str) -> str:
            again = await after.raw_bot()
            await again.send({"type": "hello", "protocol": "1.0", **hello})
            code: str = (await again.next("error"))["code"]
            assert await again.closed() == CloseCode.REFUSED
            return code

        assert await refused(resume=secret, token=token) == "unknown_resume"
        assert await refused(token="guessed") == "bad_token"
        again = await after.raw_bot()
        welcome = await again.hello(token=token)
        assert (welcome["bot"]["id"], welcome["resumed"]) == (bot.id, False)


async def test_a_kicked_out_owner_cannot_speak_for_the_seat(server: LiveServer) -> None:
    """Two clients with the same secret that resume by turns: what the older one says is void."""
    table = server.create("spaceballs", "ann", "bob", setup=LONG, deadline_ms=60_000)
    ann, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await ann.hello("ann"))["resume"]
    await ann.ready()
    await bob.ready()
    await ann.next("observation")
    for _ in range(10):
        other = await server.raw_bot()
        await other.hello(resume=secret)
        with suppress(ConnectionClosed):
            await ann.send({"type": "leave", "match": table.match.id})
        assert await ann.closed() == CloseCode.REPLACED
        ann = other
    assert not table.match.seats[0].left
    assert table.match.phase is Phase.RUNNING


async def test_an_end_that_a_dead_line_swallowed_is_told_again(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", setup=LONG, deadline_ms=60_000)
    over = asyncio.create_task(server.host.wait_result(table.match.id))
    dead, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await dead.hello("ann"))["resume"]
    await dead.ready()
    await bob.ready()
    await dead.next("observation")
    dead.socket.transport.pause_reading()  # Nobody has noticed yet that the line is dead.
    table.match.abort("seen enough")
    await over

    ann = await server.raw_bot()
    assert (await ann.hello(resume=secret))["resumed"]

    assert (await ann.receive())["type"] == "match_end"
    dead.cut()

"""A bot over several connections: names, resume, lost lines (P2.4, P2.5, P2.6)."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.phases import Phase
from support.clients import BotClient, Policy, coast, stroll
from support.live_server import LiveServer, eventually, live_server

GAMES = [("spaceballs", coast), ("right2live", stroll)]


async def resume(server: LiveServer, secret: str) -> BotClient:
    """Connect with the secret of an earlier welcome."""
    bot = await server.raw_bot()
    welcome = await bot.hello(resume=secret)
    assert welcome["resumed"] is True
    return bot


async def test_a_second_bot_with_the_same_name_is_refused(server: LiveServer) -> None:
    first = await server.bot("ann")
    second = await server.raw_bot()
    await second.send({"type": "hello", "protocol": "1.0", "name": "ann"})

    error = await second.next("error")
    assert error["code"] == "name_taken"
    assert error["ref"]["field"] == "name"
    assert await second.closed() == CloseCode.ALREADY_CONNECTED
    await first.send_raw("still there?")
    assert (await first.next("error"))["code"] == "not_json"


async def test_a_name_is_free_again_after_a_goodbye(server: LiveServer) -> None:
    first = await server.bot("ann")
    await first.socket.close()
    await server.gone()

    second = await server.raw_bot()
    assert (await second.hello("ann"))["resumed"] is False


@pytest.mark.parametrize(("game", "policy"), GAMES)
async def test_resume_takes_over_from_an_open_connection(
    server: LiveServer, game: str, policy: Policy
) -> None:
    table = server.create(game, "ann", "bob", deadline_ms=60_000)
    first, bob = await server.raw_bot(), await server.bot("bob")
    welcome = await first.hello("ann")
    start, bobs_match = await first.ready(), asyncio.create_task(bob.play(policy))
    observation = await first.next("observation", tick=0)
    await first.act(observation, policy(observation))
    await first.next("observation", tick=1)

    second = await server.raw_bot()
    again = await second.hello(resume=welcome["resume"])

    assert again["resumed"] is True
    assert again["bot"] == welcome["bot"]
    assert again["session"] == welcome["session"]
    assert await first.closed() == CloseCode.REPLACED
    assert await second.receive() == start
    observation = await second.receive()
    assert observation["type"] == "observation"
    assert observation["tick"] == 1
    assert "missed" not in observation
    assert table.match.seats[0].connected
    await second.act(observation, policy(observation))
    end = await second.play_on(policy)
    assert end == await bobs_match


async def test_what_the_replaced_connection_still_says_is_void(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    first, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await first.hello("ann"))["resume"]
    await first.ready()
    await bob.ready()
    observation = await first.next("observation")

    second = await server.raw_bot()
    await second.hello(resume=secret)
    with suppress(ConnectionClosed):  # The goodbye may have been quicker.
        await first.act(observation, {"thrust": [1, 0]})
    await first.closed()
    await second.act(await second.next("observation"), {"thrust": [0, 1]})
    await bob.act(await bob.next("observation"), {"thrust": [0, 0]})

    assert (await bob.next("observation", tick=1))["opponent"]["ay"] > 0
    assert table.match.seats[0].stats().duplicate == 0


async def test_a_lost_line_is_told_and_made_good_by_resume(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server:
        table = server.create("spaceballs", "ann", "bob", bank_ms=0, deadline_ms=60_000)
        first, bob = await server.raw_bot(), await server.bot("bob")
        secret = (await first.hello("ann"))["resume"]
        await first.ready()
        await bob.ready()
        for tick in range(2):
            await first.act(await first.next("observation", tick=tick), {"thrust": [0, 0]})
            await bob.act(await bob.next("observation", tick=tick), {"thrust": [0, 0]})
        await first.next("observation", tick=2)

        first.cut()
        # Without a connection and a bank nobody waits for the seat, so the ticks go on at bob's pace.
        await eventually(lambda: not table.match.seats[0].connected, "the lost line is noticed")
        for tick in range(2, 5):
            await bob.act(await bob.next("observation", tick=tick), {"thrust": [0, 0]})
        await bob.next("observation", tick=5)
        second = await resume(server, secret)

        start = await second.receive()
        assert (start["type"], start["seat"]) == ("match_start", 0)
        observation = await second.receive()
        assert (observation["type"], observation["tick"]) == ("observation", 5)
        assert observation["missed"] == [2, 3, 4]
        assert observation["last_action"] == {"tick": 4, "status": "missing", "latency_ms": None}
        await second.act(observation, {"thrust": [0, 1]})
        await bob.act({"match": table.match.id, "tick": 5}, {"thrust": [0, 0]})
        assert (await second.next("observation", tick=6))["last_action"]["status"] == "applied"
        assert "missed" not in second.received("observation")[-1]


async def test_a_bot_that_proves_its_name_again_needs_no_secret(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    first, bob = await server.bot("ann"), await server.bot("bob")
    await first.ready()
    await bob.ready()
    await first.next("observation")
    first.cut()
    await eventually(lambda: not table.match.seats[0].connected, "the lost line is noticed")

    second = await server.raw_bot()
    assert (await second.hello("ann"))["resumed"] is True
    assert (await second.receive())["type"] == "match_start"
    assert (await second.receive())["tick"] == 0


async def test_resume_after_the_end_gets_the_end(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", bank_ms=0)
    over = asyncio.create_task(server.host.wait_result(table.match.id))
    first, bob = await server.raw_bot(), await server.bot("bob")
    secret = (await first.hello("ann"))["resume"]
    await first.ready()
    await bob.ready()
    await first.next("observation")
    first.cut()
    end = await bob.play_on(coast)
    await over

    second = await resume(server, secret)

    assert await second.receive() == end
    assert end["reason"] == "timeout"


async def test_a_secret_is_forgotten_with_its_session(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(resume_s=0.01)) as server:
        bot = await server.raw_bot()
        secret = (await bot.hello("ann"))["resume"]
        bot.cut()
        await server.gone()

        late = await server.raw_bot()
        await late.send({"type": "hello", "protocol": "1.0", "resume": secret})

        error = await late.next("error")
        assert error["code"] == "unknown_resume"
        assert secret not in error["message"]
        assert await late.closed() == CloseCode.REFUSED


async def test_a_seat_is_kept_past_the_time_to_resume_while_its_match_goes_on(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(resume_s=0.01)) as server:
        table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
        ann, bob = await server.raw_bot(), await server.bot("bob")
        secret = (await ann.hello("ann"))["resume"]
        await ann.ready()
        await bob.ready()
        await ann.next("observation")
        ann.cut()
        await eventually(lambda: not table.match.seats[0].connected, "the lost line is noticed")
        idle = await server.bot("cid")
        idle.cut()
        await eventually(lambda: len(list(server.host.gateway.links)) == 2, "a later lost bot is forgotten")

        second = await resume(server, secret)
        assert (await second.receive())["type"] == "match_start"


@pytest.mark.parametrize("phase", [Phase.WAITING, Phase.READY, Phase.RUNNING])
async def test_a_bot_that_is_lost_in_any_phase_gets_its_seat_back(server: LiveServer, phase: Phase) -> None:
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    ann = await server.raw_bot()
    secret = (await ann.hello("ann"))["resume"]
    bob = await server.raw_bot()
    if phase is not Phase.WAITING:
        await bob.hello("bob")
        await ann.next("match_start")
    if phase is Phase.RUNNING:
        await ann.send({"type": "ready", "match": table.match.id})
        await bob.ready()
        await ann.next("observation")
    assert table.match.phase is phase

    ann.cut()
    await eventually(lambda: not table.match.seats[0].connected, "the lost line is noticed")
    ann = await resume(server, secret)
    assert table.match.phase is phase
    if phase is Phase.WAITING:
        await bob.hello("bob")
    ended = [ann.play(coast), bob.play(coast) if phase is not Phase.RUNNING else bob.play_on(coast)]

    assert {end["reason"] for end in await asyncio.gather(*ended)} == {"timeout"}


async def test_a_bot_may_sit_in_several_matches(server: LiveServer) -> None:
    matches = {server.create("spaceballs", "ann", other).match.id for other in ("bob", "cid")}
    ann, bob, cid = [await server.bot(name) for name in ("ann", "bob", "cid")]
    others = asyncio.gather(bob.play(coast), cid.play(coast))
    ends: set[str] = set()
    while ends != matches:
        message = await ann.receive()
        if message["type"] == "match_start":
            await ann.send({"type": "ready", "match": message["match"]})
        elif message["type"] == "observation":
            await ann.act(message, {"thrust": [0, 0]})
        elif message["type"] == "match_end":
            ends.add(message["match"])

    assert {end["match"] for end in await others} == matches


async def test_a_bot_that_leaves_is_not_waited_for(server: LiveServer) -> None:
    table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
    ann, bob = await server.bot("ann"), await server.bot("bob")
    await ann.ready()
    await bob.ready()
    # Two sockets have no order, and a bot that leaves before the other is ready brings about a walkover.
    await ann.next("observation")
    await ann.send({"type": "leave", "match": table.match.id})

    assert (await bob.play_on(coast))["ticks"] == 10
    await ann.send({"type": "ready", "match": table.match.id})
    assert (await ann.next("error"))["code"] in ("not_seated", "match_over")
    assert not ann.received("match_end")


async def test_who_never_shows_up_loses_by_walkover(server: LiveServer) -> None:
    bob = await server.bot("bob")
    server.create("spaceballs", "ann", "bob", ready_ms=300)
    await bob.ready()

    end = await bob.next("match_end")
    assert (end["reason"], end["points"], end["places"]) == ("walkover", [0.0, 1.0], [2, 1])


async def test_friendly_matches_come_one_after_the_other(tmp_path: Path) -> None:
    async with live_server(tmp_path, matchmaking=True) as server:
        ann, bob = await server.raw_bot(), await server.raw_bot()
        await ann.hello("ann", games=["spaceballs"])
        assert (await ann.next("notice"))["code"] == "waiting_for_opponents"
        await bob.hello("bob", games=["spaceballs"])

        start = await ann.ready()
        assert [seat["name"] for seat in start["seats"]] == ["ann", "bob"]
        server.host.tables[start["match"]].match.abort("enough seen")
        assert (await ann.next("match_end"))["reason"] == "aborted"

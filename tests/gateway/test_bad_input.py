"""Bad input over real sockets: each kind has its documented effect and nothing else (P1.4, P1.8, P2.1)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import MatchId
from fangnetz_server.gateway.limits import Limits
from support.clients import BotClient, coast, stand
from support.live_server import LiveServer, live_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

MATCH = "<match>"
"""Stands for the id of the match that is played."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveServer]:
    """One server for all cases of this module: what one of them leaves behind, the next one finds."""
    folder: Path = tmp_path_factory.mktemp("data")
    async with live_server(folder, limits=Limits(resume_s=0.02, fault_pause_s=0)) as running:
        yield running


@dataclass(frozen=True)
class Case:
    """What a bot sends while tick 0 is open, and what it is told."""

    name: str
    data: str | bytes
    code: str
    field: str | None = None
    says: str = ""
    """Part of the sentence."""
    game: str = "spaceballs"
    status: str = "applied"
    """What becomes of tick 0 if a good action follows: an invalid one has used it up (P2.1)."""

    def __str__(self) -> str:
        return self.name


def action(**fields: Any) -> str:
    """Return a good action with other fields; None leaves one out."""
    whole = {"type": "action", "match": MATCH, "tick": 0, "thrust": [0, 1], **fields}
    return json.dumps({key: value for key, value in whole.items() if value is not None})


def raw_action(tick: str = "0", thrust: str = "[0,1]") -> str:
    """Return an action whose numbers are written as given, JSON or not."""
    return f'{{"type":"action","match":"{MATCH}","tick":{tick},"thrust":{thrust}}}'


def move(**fields: Any) -> str:
    """Return an action of Right2Live."""
    return json.dumps({"type": "action", "match": MATCH, "tick": 0, **fields})


UNREADABLE = [
    Case("empty text", "", "not_json"),
    Case("a word", "hello", "not_json", says="character 0"),
    Case("half an object", '{"type": "action", "match": ', "not_json"),
    Case("two objects", '{"type":"ready"} {"type":"ready"}', "not_json"),
    Case("single quotes", "{'type': 'ready'}", "not_json"),
    Case("a trailing comma", '{"type":"ready","match":"m",}', "not_json"),
    Case("nested deeply", "[" * 30_000, "not_json"),
    Case("half a surrogate pair", '{"type":"ready","match":"\\ud800"}', "not_json"),
    Case("NaN", raw_action(thrust="[NaN,0]"), "not_json"),
    Case("Infinity", raw_action(thrust="[0,-Infinity]"), "not_json"),
    Case("1e400", raw_action(thrust="[1e400,0]"), "not_json"),
    Case("1e400 as tick", raw_action(tick="1e400"), "not_json"),
    Case("binary frame", b'{"type":"ready","match":"m"}', "binary_frame", says="text"),
    Case("40 kB", action(padding="x" * 40_000), "too_large", says="at most 32768"),
    Case("40 kB of wide characters", action(padding="ä" * 20_000), "too_large"),
]
MISSHAPEN = [
    Case("null", "null", "bad_message", says="a JSON object, not null"),
    Case("a list", "[1, 2]", "bad_message", says="a JSON object, not a list"),
    Case("a number", "7", "bad_message", says="a JSON object, not a number"),
    Case("a text", '"ready"', "bad_message", says="a JSON object, not a text"),
    Case("no type", '{"match": "m"}', "bad_message", "type", says="type"),
    Case("a number as type", '{"type": 5}', "bad_message", "type"),
    Case("a list as type", '{"type": ["action"]}', "bad_message", "type"),
    Case("an unknown type", '{"type": "dance"}', "unknown_type", "type", says="'dance'"),
    Case("the server's type", '{"type": "observation"}', "forbidden", says="observation"),
    Case("the spectator's type", '{"type": "frame"}', "forbidden"),
    Case("hello again", '{"type": "hello", "protocol": "1.0"}', "unexpected_message", says="hello"),
    Case("no match", action(match=None), "bad_message", "match"),
    Case("a number as match", action(match=17), "bad_message", "match"),
    Case("a long match", action(match="m" * 65), "bad_message", "match"),
    Case("no tick", action(tick=None), "bad_message", "tick"),
    Case("a text as tick", action(tick="0"), "bad_message", "tick"),
    Case("a fraction as tick", action(tick=0.5), "bad_message", "tick"),
    Case("true as tick", action(tick=False), "bad_message", "tick"),
    Case("a negative tick", action(tick=-1), "bad_message", "tick"),
    Case("null as tick", raw_action(tick="null"), "bad_message", "tick"),
]
OUT_OF_PLACE = [
    Case("the next tick", action(tick=1), "wrong_tick", "tick", says="newest observation is of tick 0"),
    Case("a far tick", action(tick=10**15), "wrong_tick", "tick"),
    Case("an unknown match", action(match="nothing"), "unknown_match", says="'nothing'"),
    Case("ready for an unknown match", '{"type":"ready","match":"x"}', "unknown_match"),
    Case("leave an unknown match", '{"type":"leave","match":"x"}', "unknown_match"),
]
INVALID = [
    Case("no thrust", action(thrust=None), "invalid_action", "thrust", status="duplicate"),
    Case("a text as thrust", action(thrust="up"), "invalid_action", "thrust", status="duplicate"),
    Case("one number", action(thrust=[1]), "invalid_action", "thrust", status="duplicate"),
    Case("three numbers", action(thrust=[1, 2, 3]), "invalid_action", "thrust", status="duplicate"),
    Case("an object", action(thrust={"x": 1, "y": 0}), "invalid_action", "thrust", status="duplicate"),
    Case("a text in it", action(thrust=[1, "0"]), "invalid_action", "thrust.1", status="duplicate"),
    Case("null in it", action(thrust=[None, 0]), "invalid_action", "thrust.0", status="duplicate"),
    Case("true in it", action(thrust=[True, 0]), "invalid_action", "thrust.0", status="duplicate"),
    Case("too far", action(thrust=[0, 1e7]), "invalid_action", "thrust.1", status="duplicate"),
    Case("no direction", move(move="UP"), "invalid_action", "move", "NORTH", "right2live", "duplicate"),
    Case("lower case", move(move="north"), "invalid_action", "move", "NORTH", "right2live", "duplicate"),
    Case("a list", move(move=["NORTH"]), "invalid_action", "move", "", "right2live", "duplicate"),
    Case("no view", move(view="NONE"), "invalid_action", "view", "NONE", "right2live", "duplicate"),
    Case("a number as view", move(view=3), "invalid_action", "view", "", "right2live", "duplicate"),
]


@dataclass(frozen=True)
class Play:
    """Two bots in a match that has begun."""

    ann: BotClient
    bob: BotClient
    match: MatchId


@asynccontextmanager
async def playing(server: LiveServer, game: str = "spaceballs", **options: Any) -> AsyncIterator[Play]:
    """Begin a short match with tick 0 before both bots; afterwards nothing of it is left."""
    options = {"deadline_ms": 60_000, **options}
    match = server.create(game, "ann", "bob", **options).match.id
    ann, bob = await server.bot("ann"), await server.bot("bob")
    try:
        await ann.ready()
        await bob.ready()
        await ann.next("observation", tick=0)
        yield Play(ann, bob, match)
    finally:
        if match in server.host.tables:
            server.host.tables[match].match.abort("seen enough")
        await server.hang_up()
    await server.gone()


@pytest.mark.parametrize("case", [*UNREADABLE, *MISSHAPEN, *OUT_OF_PLACE, *INVALID], ids=str)
async def test_a_fault_is_answered_and_the_bot_plays_on(server: LiveServer, case: Case) -> None:
    async with playing(server, case.game) as play:
        good = {"match": play.match, "tick": 0}
        policy = coast if case.game == "spaceballs" else stand
        data = case.data if isinstance(case.data, bytes) else case.data.replace(MATCH, play.match)

        await play.ann.send_raw(data)

        error = await play.ann.next("error")
        assert error["code"] == case.code
        assert error.get("ref", {}).get("field") == case.field
        assert case.says in error["message"]
        assert error["message"].isascii()
        await play.ann.act(good, policy(good))
        if case.status == "duplicate":
            assert (await play.ann.next("error"))["code"] == "duplicate"
        await play.bob.act(good, policy(good))
        last = (await play.ann.next("observation", tick=1))["last_action"]
        assert last["status"] == ("invalid" if case.status == "duplicate" else "applied")
    seats = server.result(play.match)["seats"]
    assert [seats[0]["stats"]["invalid"], seats[1]["stats"]["invalid"]] == [case.status == "duplicate", 0]


async def test_unknown_fields_are_ignored(server: LiveServer) -> None:
    async with playing(server) as play:
        await play.ann.act(
            {"match": play.match, "tick": 0}, {"thrust": [0, 1], "mood": {"good": [True]}, "move": "NORTH"}
        )
        await play.bob.act({"match": play.match, "tick": 0}, {"thrust": [0, 0]})

        assert (await play.ann.next("observation", tick=1))["last_action"]["status"] == "applied"
        assert not play.ann.received("error")


async def test_the_first_of_two_actions_counts(server: LiveServer) -> None:
    async with playing(server) as play:
        await play.ann.act({"match": play.match, "tick": 0}, {"thrust": [0, 1]})
        await play.ann.act({"match": play.match, "tick": 0}, {"thrust": [1, 0]})
        assert (error := await play.ann.next("error"))["code"] == "duplicate"
        assert error["ref"] == {"match": play.match, "tick": 0}
        await play.bob.act({"match": play.match, "tick": 0}, {"thrust": [0, 0]})

        me = (await play.ann.next("observation", tick=1))["me"]
        assert (me["ax"], me["ay"] > 0) == (0.0, True)


async def test_an_action_for_somebody_elses_match(server: LiveServer) -> None:
    async with playing(server) as play:
        other = server.create("spaceballs", "cid", "dan").match

        await play.ann.act({"match": other.id, "tick": 0}, {"thrust": [0, 1]})

        assert (await play.ann.next("error"))["code"] == "not_seated"
        other.abort("not needed")


async def test_an_action_before_the_start_and_after_the_end(server: LiveServer) -> None:
    ann = await server.bot("ann")
    match = server.create("spaceballs", "ann", "bob").match.id
    await ann.act({"match": match, "tick": 0}, {"thrust": [0, 1]})
    assert (await ann.next("error"))["code"] == "not_ready"
    await server.bot("bob")
    await ann.next("match_start")
    await ann.act({"match": match, "tick": 0}, {"thrust": [0, 1]})
    assert (await ann.next("error"))["code"] == "not_ready"
    server.host.tables[match].match.abort("seen enough")
    await ann.next("match_end")
    await ann.act({"match": match, "tick": 0}, {"thrust": [0, 1]})
    assert (await ann.next("error"))["code"] == "match_over"

    await server.hang_up()
    await server.gone()


async def test_a_late_action_is_told_and_never_applies_to_a_later_tick(server: LiveServer) -> None:
    async with playing(server, pace="realtime", tick_ms=300) as play:
        await play.ann.next("observation", tick=1)

        await play.ann.act({"match": play.match, "tick": 0}, {"thrust": [0, 1]})

        error = await play.ann.next("error")
        assert (error["code"], error["ref"]["tick"]) == ("late", 0)
        observation = await play.ann.next("observation", tick=2)
        assert observation["last_action"] == {"tick": 1, "status": "missing", "latency_ms": None}
        assert (observation["me"]["vx"], observation["me"]["vy"]) == (0.0, 0.0)
    assert server.result(play.match)["seats"][0]["stats"]["late"] == 1


async def test_who_never_answers_costs_his_deadline_and_his_bank_once(server: LiveServer) -> None:
    setup = {"ruleset": {"duration": 0.25}}
    async with playing(server, setup=setup, deadline_ms=100, bank_ms=200) as play:
        end = await play.bob.play_on(coast)

        assert (end["reason"], end["ticks"]) == ("timeout", 5)
        assert play.bob.received("observation")[-1]["last_action"]["status"] == "applied"
        banks = [observation["bank_ms"] for observation in play.ann.received("observation")]
        assert banks[0] == 200
        await play.ann.next("match_end")
        assert {observation["bank_ms"] for observation in play.ann.received("observation")[1:]} == {0}
        seats = server.result(play.match)["seats"]
        assert (seats[0]["stats"]["missing"], seats[1]["stats"]["applied"]) == (5, 5)


async def test_a_thousand_answers_to_one_tick_end_the_connection(server: LiveServer) -> None:
    async with playing(server, deadline_ms=500, bank_ms=0) as play:
        good = action().replace(MATCH, play.match)

        with suppress(ConnectionClosed):
            for _ in range(1_000):
                await play.ann.send_raw(good)

        assert await play.ann.closed() == CloseCode.POLICY
        assert [error["code"] for error in play.ann.received("error")] == ["duplicate"] * 101
        assert (await play.bob.play_on(coast))["ticks"] == 10


async def test_who_was_struck_out_may_come_back_to_its_seat(server: LiveServer) -> None:
    async with playing(server) as play:
        for _ in range(101):
            await play.ann.send_raw("nonsense")
        assert await play.ann.closed() == CloseCode.POLICY

        again = await server.bot("ann")
        assert (await again.next("observation"))["tick"] == 0


async def test_a_frame_over_the_limit_ends_the_connection_but_not_the_seat(server: LiveServer) -> None:
    async with playing(server) as play:
        await play.ann.send_raw("x" * 1_000_000)

        assert await play.ann.closed() == CloseCode.TOO_BIG
        again = await server.bot("ann")
        assert (await again.next("match_start"))["match"] == play.match


async def test_text_that_is_no_utf8_ends_the_connection(server: LiveServer) -> None:
    async with playing(server) as play:
        await play.ann.socket.send(b'{"type": "\xff"}', text=True)

        assert await play.ann.closed() == 1007


async def test_a_frame_that_is_no_websocket_frame_ends_the_connection(server: LiveServer) -> None:
    async with playing(server) as play:
        play.ann.socket.transport.write(b"GET / HTTP/1.1\r\n\r\n")

        assert await play.ann.closed() == 1002

"""Matches of the SDK over real sockets, against a server that plays a script."""

import json
import logging
from typing import Any

import pytest

from fangnetz import Bot, Thrust, play
from fangnetz.problems import ConnectionLost, Refused
from fangnetz_protocol import spaceballs
from fangnetz_protocol.codes import CloseCode, ErrorCode
from support.scripted import Peer, ScriptedServer, observation, start
from support.sdk import Diary, Waits, one_match, patient


async def test_a_match_from_hello_to_the_result() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert hello["client"]["name"] == "fangnetz"
        assert {key: hello.get(key) for key in ("protocol", "token", "name", "games", "resume")} == {
            "protocol": "1.0",
            "token": "t0ken",
            "name": "Diary",
            "games": ["spaceballs"],
            "resume": None,
        }
        await peer.start()
        assert await peer.ask(0) == {"type": "action", "match": "m-1", "tick": 0, "thrust": [1.0, 0.0]}
        assert (await peer.ask(1))["tick"] == 1
        await peer.end()
        assert await peer.until_closed() == CloseCode.NORMAL

    bot = Diary()
    async with ScriptedServer(script) as server:
        results = await play(bot, server.url, "t0ken", matches=1)
    assert [(result.match, result.reason) for result in results] == [("m-1", "catch")]
    assert bot.lines == [("start", "m-1", 6000), 0, 1, ("end", 1.0)]


async def test_the_bot_knows_deadline_and_last_action() -> None:
    facts: list[object] = []

    class Curious(Diary):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            facts.append((self.seat, self.deadline_ms, self.last_action and self.last_action.status))
            return super().decide(observation)

    async with ScriptedServer(one_match(0, 1)) as server:
        await play(Curious, server.url, matches=1)
    assert facts == [(0, 250, None), (0, 250, "applied")]


async def test_several_matches_at_once_have_a_bot_each() -> None:
    bots: list[Diary] = []

    def factory() -> Diary:
        bots.append(Diary())
        return bots[-1]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.start("m-2", seat=1)
        await peer.send(observation(0, "m-1"), observation(0, "m-2"))
        assert [(await peer.receive())["match"] for _ in range(2)] == ["m-1", "m-2"]
        await peer.end("m-2")
        assert (await peer.ask(1, "m-1"))["match"] == "m-1"
        await peer.end("m-1")
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        results = await play(factory, server.url, matches=2)
    assert [result.match for result in results] == ["m-2", "m-1"]
    assert [bot.lines for bot in bots] == [
        [("start", "m-1", 6000), 0, 1, ("end", 1.0)],
        [("start", "m-2", 6000), 0, ("end", 0.0)],
    ]


@pytest.mark.parametrize(
    ("playable", "matches", "second"),
    [
        pytest.param(Diary(), None, {}, id="one bot is at play already"),
        pytest.param(Diary, 1, {}, id="no more were asked for"),
        pytest.param(Diary, None, {"game": "right2live"}, id="it is another game"),
    ],
)
async def test_a_match_that_cannot_be_played_is_left(
    playable: Any, matches: int | None, second: dict[str, Any]
) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.send(start("m-2", **second))
        assert await peer.receive() == {"type": "leave", "match": "m-2"}
        await peer.send(observation(0, "m-2"))
        assert (await peer.ask(0, "m-1"))["match"] == "m-1"
        await peer.end("m-2")
        await peer.end("m-1")

    async with ScriptedServer(script) as server:
        assert [result.match for result in await play(playable, server.url, matches=matches)] == ["m-1"]


async def test_one_bot_plays_one_match_after_the_other() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for match in ("m-1", "m-2"):
            await peer.start(match)
            await peer.ask(0, match)
            await peer.end(match)
        await peer.until_closed()

    bot = Diary()
    async with ScriptedServer(script) as server:
        await play(bot, server.url, matches=2)
    assert [line for line in bot.lines if isinstance(line, tuple)] == [
        ("start", "m-1", 6000),
        ("end", 1.0),
        ("start", "m-2", 6000),
        ("end", 1.0),
    ]


async def test_a_server_that_says_goodbye_after_the_match_ends_the_play() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Diary, server.url)) == 1


async def test_a_goodbye_in_the_middle_of_a_match_is_none() -> None:
    async def before(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.socket.close(CloseCode.NORMAL)

    async def after(peer: Peer) -> None:
        await peer.welcome(resumed=True)
        await peer.start()
        await peer.end()

    async with ScriptedServer(before, after) as server:
        assert len(await play(Diary, server.url, **patient(Waits()))) == 1


async def test_a_plug_in_game_is_played_with_dictionaries() -> None:
    class Plain(Bot[dict[str, Any], dict[str, Any]]):
        game = "nim"

        def decide(self, observation: dict[str, Any]) -> dict[str, Any]:
            return {"take": observation["heap"] % 4}

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start(game="nim", setup={})
        await peer.send(
            {
                **{"type": "observation", "match": "m-1", "tick": 0, "deadline_ms": 5, "bank_ms": 0},
                **{"last_action": None, "heap": 7},
            }
        )
        assert await peer.receive() == {"type": "action", "match": "m-1", "tick": 0, "take": 3}
        await peer.end()

    async with ScriptedServer(script) as server:
        await play(Plain, server.url, matches=1)


async def test_unknown_messages_are_ignored_and_errors_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send({"type": "weather", "sun": True}, {"type": "weather", "sun": False})
        await peer.socket.send(b"bytes")
        for _ in range(3):
            await peer.send({"type": "error", "code": "late", "message": "too late"})
        await peer.send({"type": "notice", "code": "announcement", "message": "Finals at noon."})
        await peer.start()
        await peer.ask(0)
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Diary, server.url, matches=1)) == 1
    for text in ("type 'weather' is unknown", "binary frame", "error late: too late", "Finals at noon."):
        assert caplog.text.count(text) == 1, text


@pytest.mark.parametrize("code", ["bad_token", "bad_name", "server_full", "unsupported_protocol"])
async def test_a_refused_hello_is_told(code: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.receive()
        await peer.send({"type": "error", "code": code, "message": "the reason"})
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        with pytest.raises(Refused, match=rf"refused by the server \({code}\): the reason") as caught:
            await play(Diary, server.url)
    assert caught.value.code is ErrorCode(code)


async def test_messages_are_plain_json_texts() -> None:
    seen: list[Any] = []

    async def script(peer: Peer) -> None:
        seen.append(await peer.socket.recv())

    async with ScriptedServer(script) as server:
        with pytest.raises(ConnectionLost):
            await play(Diary, server.url)
    assert isinstance(seen[0], str)
    assert json.loads(seen[0])["type"] == "hello"

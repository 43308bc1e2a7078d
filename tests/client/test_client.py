"""The SDK over real sockets, against a server that plays a script."""

import asyncio
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from fangnetz import Bot, LeaveMatch, MatchEnd, MatchStart, SpaceballsBot, Thrust, play
from fangnetz.backoff import Backoff
from fangnetz.problems import ConnectionLost, NotFangnetz, Refused, Unreachable
from fangnetz_protocol import spaceballs
from fangnetz_protocol.codes import CloseCode, ErrorCode
from support.scripted import Peer, ScriptedServer, observation, start

COAST = {"type": "action", "match": "m-1", "thrust": [0.0, 0.0]}


class Diary(SpaceballsBot):
    """Thrusts to the right and writes down what happens."""

    def __init__(self) -> None:
        self.lines: list[object] = []

    def start(self, match: MatchStart) -> None:
        self.lines.append(("start", match.match, self.setup.steps))

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        self.lines.append(self.tick)
        return Thrust(thrust=(1.0, 0.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.lines.append(("missed", *ticks))

    def end(self, result: MatchEnd) -> None:
        self.lines.append(("end", result.points[self.seat]))


class Waits:
    """Takes the place of asyncio.sleep."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


def patient(waits: Waits, **changes: float) -> dict[str, Any]:
    """Return the options of `play` for tests of coming back."""
    return {
        "sleep": waits,
        "backoff": Backoff(first_s=1.0, longest_s=4.0, jitter=0.0, **changes),
        "chance": random.Random(1),
    }


def one_match(*ticks: int) -> Callable[[Peer], Awaitable[None]]:
    """Return the script of a whole match."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        for tick in ticks:
            await peer.ask(tick)
        await peer.end()
        assert await peer.until_closed() == CloseCode.NORMAL

    return script


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


# --- coming back --------------------------------------------------------------------------------


@pytest.mark.parametrize("close_code", [CloseCode.RESTART, CloseCode.GOING_AWAY, CloseCode.TOO_SLOW, None])
async def test_a_broken_connection_is_resumed(close_code: CloseCode | None) -> None:
    async def before(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.ask(0)
        if close_code is None:
            peer.socket.transport.abort()
        else:
            await peer.socket.close(close_code)

    async def after(peer: Peer) -> None:
        assert (await peer.welcome(resumed=True))["resume"] == "secret-1"
        await peer.start()
        assert (await peer.ask(4, missed=[1, 2, 3]))["tick"] == 4
        await peer.end()

    bot, waits = Diary(), Waits()
    async with ScriptedServer(before, after) as server:
        results = await play(bot, server.url, matches=1, **patient(waits))
    assert bot.lines == [("start", "m-1", 6000), 0, ("missed", 1, 2, 3), 4, ("end", 1.0)]
    assert (len(results), waits.seconds) == (1, [1.0])


async def test_a_tick_that_comes_again_gets_the_same_answer() -> None:
    async def before(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.ask(0)
        await peer.socket.close(CloseCode.RESTART)

    async def after(peer: Peer) -> None:
        await peer.welcome(resumed=True)
        await peer.start()
        assert (await peer.ask(0))["thrust"] == [1.0, 0.0]
        await peer.end()

    bot = Diary()
    async with ScriptedServer(before, after) as server:
        await play(bot, server.url, matches=1, **patient(Waits()))
    assert bot.lines.count(0) == 1


async def test_a_forgotten_session_is_started_anew() -> None:
    async def before(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.socket.close(CloseCode.RESTART)

    async def refuse(peer: Peer) -> None:
        assert (await peer.receive())["resume"] == "secret-1"
        await peer.send({"type": "error", "code": "unknown_resume", "message": "gone"})
        await peer.socket.close(CloseCode.REFUSED)

    async def after(peer: Peer) -> None:
        assert "resume" not in await peer.welcome()
        await peer.start("m-2")
        await peer.end("m-2")

    async with ScriptedServer(before, refuse, after) as server:
        results = await play(Diary(), server.url, matches=1, **patient(Waits()))
    assert [result.match for result in results] == ["m-2"]


async def hang_up(peer: Peer) -> None:
    await peer.socket.close(CloseCode.RESTART)


async def welcome_and_hang_up(peer: Peer) -> None:
    await peer.welcome()
    await peer.socket.close(CloseCode.RESTART)


async def test_the_waits_grow_and_start_anew_after_a_welcome() -> None:
    waits = Waits()
    scripts = [welcome_and_hang_up, *[hang_up] * 4, welcome_and_hang_up, one_match(0)]
    async with ScriptedServer(*scripts) as server:
        await play(Diary, server.url, matches=1, **patient(waits))
    assert waits.seconds == [1.0, 2.0, 4.0, 4.0, 4.0, 1.0]


async def test_it_gives_up_after_a_while() -> None:
    waits = Waits()
    async with ScriptedServer(welcome_and_hang_up, *[hang_up] * 3) as server:
        with pytest.raises(ConnectionLost, match="1012, The server restarts"):
            await play(Diary, server.url, **patient(waits, give_up_s=7.0))
    assert waits.seconds == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("code", [CloseCode.REPLACED, CloseCode.ALREADY_CONNECTED, CloseCode.POLICY])
async def test_some_goodbyes_are_final(code: CloseCode) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.socket.close(code, "so it is")

    waits = Waits()
    async with ScriptedServer(script) as server:
        with pytest.raises(ConnectionLost, match=r"so it is") as caught:
            await play(Diary, server.url, **patient(waits))
    assert (caught.value.code, waits.seconds) == (code, [])


# --- what the bot's code does wrong -------------------------------------------------------------


async def test_an_exception_costs_a_tick_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(SpaceballsBot):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            if self.tick < 3:
                raise KeyError("no such plan")
            return Thrust(thrust=(float("inf"), 0.0)) if self.tick == 3 else Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        for tick in range(4):
            assert await peer.ask(tick) == COAST | {"tick": tick}
        assert (await peer.ask(4))["thrust"] == [0.0, 1.0]
        await peer.end()

    async with ScriptedServer(script) as server:
        await play(Broken, server.url, matches=1)
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage().partition("()")[0] for record in logged] == ["decide", "decide"]
    assert logged[0].exc_info is not None
    assert isinstance(logged[0].exc_info[1], KeyError)


@pytest.mark.parametrize("answer", [None, (1.0, 0.0), {"thrust": [1, 0]}, "left"])
async def test_what_is_no_action_costs_a_tick(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    class Odd(SpaceballsBot):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            return answer  # type: ignore[no-any-return]

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == COAST | {"tick": 0}
        await peer.end()

    async with ScriptedServer(script) as server:
        await play(Odd, server.url, matches=1)
    assert "decide() has to return a Thrust, not" in caplog.text


async def test_exceptions_in_the_other_methods_do_not_matter(caplog: pytest.LogCaptureFixture) -> None:
    class Clumsy(SpaceballsBot):
        def start(self, match: MatchStart) -> None:
            raise RuntimeError("at the start")

        def missed(self, ticks: Sequence[int]) -> None:
            raise RuntimeError("at missed")

        def end(self, result: MatchEnd) -> None:
            raise RuntimeError("at the end")

        def decide(self, observation: spaceballs.Observation) -> Thrust:
            return Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert (await peer.ask(2, missed=[0, 1]))["thrust"] == [0.0, 1.0]
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Clumsy, server.url, matches=1)) == 1
    assert [text in caplog.text for text in ("at the start", "at missed", "at the end")] == [True] * 3


# --- slow bots ----------------------------------------------------------------------------------


async def test_a_slow_bot_answers_the_newest_observation_and_learns_what_it_missed() -> None:
    class Slow(Diary):
        def decide(self, observation: spaceballs.Observation) -> Thrust:
            until = time.perf_counter() + 0.003
            while time.perf_counter() < until:
                pass
            return super().decide(observation)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(*[observation(tick) for tick in range(5)])
        assert [(await peer.receive())["tick"] for _ in range(2)] == [0, 4]
        assert (await peer.ask(5))["tick"] == 5
        await peer.end()

    bot = Slow()
    async with ScriptedServer(script) as server:
        await play(bot, server.url, matches=1)
    assert bot.lines == [("start", "m-1", 6000), 0, ("missed", 1, 2, 3), 4, 5, ("end", 1.0)]


async def test_an_async_bot_does_not_hold_up_other_matches() -> None:
    class Thinker(SpaceballsBot):
        gate = asyncio.Event()
        missing: Sequence[int] = ()

        def missed(self, ticks: Sequence[int]) -> None:
            type(self).missing = ticks

        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            if self.match.match == "m-1" and self.tick == 0:
                await self.gate.wait()
            return Thrust(thrust=(0.0, 1.0))

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start("m-1")
        await peer.start("m-2")
        await peer.send(*[observation(tick, "m-1") for tick in range(4)])
        assert (await peer.ask(0, "m-2"))["match"] == "m-2"
        Thinker.gate.set()
        assert [(await peer.receive())["tick"] for _ in range(2)] == [0, 3]
        await peer.end("m-1")
        await peer.end("m-2")

    async with ScriptedServer(script) as server:
        assert len(await play(Thinker, server.url, matches=2)) == 2
    assert Thinker.missing == [1, 2]


async def test_an_async_bot_that_never_answers_is_given_up_at_the_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Sphinx(SpaceballsBot):
        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            await asyncio.Event().wait()
            raise AssertionError

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        await peer.send(observation(0))
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Sphinx, server.url, matches=1)) == 1
    assert "failed" not in caplog.text


async def test_an_exception_in_an_async_bot_costs_a_tick() -> None:
    class Broken(SpaceballsBot):
        async def decide(self, observation: spaceballs.Observation) -> Thrust:
            raise RuntimeError("no idea")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        assert await peer.ask(0) == COAST | {"tick": 0}
        await peer.end()

    async with ScriptedServer(script) as server:
        assert len(await play(Broken, server.url, matches=1)) == 1


# --- what the server says -----------------------------------------------------------------------


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


# --- no connection ------------------------------------------------------------------------------


async def test_nobody_listens() -> None:
    async with ScriptedServer() as server:
        url = server.url
    waits = Waits()
    with pytest.raises(Unreachable, match=r"nobody listens at 127.0.0.1:") as caught:
        await play(Diary, url, **patient(waits))
    assert (caught.value.exit_status, waits.seconds) == (3, [])


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (401, Refused, "HTTP 401: who are you?; check the token"),
        (403, Refused, "HTTP 403: who are you?"),
        (404, NotFangnetz, "/play: HTTP 404: who are you?; check host, port and path"),
        (503, Refused, "HTTP 503: who are you?"),
    ],
)
async def test_http_answers_are_told_with_the_servers_text(
    status: int, kind: type[Exception], says: str
) -> None:
    def answer(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(status, "who are\nyou?\n")

    async with ScriptedServer(process_request=answer) as server:
        with pytest.raises(kind) as caught:
            await play(Diary, server.url)
    assert says in str(caught.value)


async def test_a_busy_server_is_tried_again_once_the_bot_was_in() -> None:
    answers = iter([None, 503, 502, None])

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        status = next(answers)
        return connection.respond(status, "busy") if status else None

    waits = Waits()
    async with ScriptedServer(welcome_and_hang_up, one_match(0), process_request=answer) as server:
        assert len(await play(Diary, server.url, matches=1, **patient(waits))) == 1
    assert waits.seconds == [1.0, 2.0, 4.0]


async def test_a_websocket_server_of_another_kind() -> None:
    async def script(peer: Peer) -> None:
        await peer.until_closed()

    async with ScriptedServer(script, subprotocol=None) as server:
        with pytest.raises(NotFangnetz, match=r"but not fangnetz.v1"):
            await play(Diary, server.url)


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH_9.2\r\n", b"", b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"]
)
async def test_something_else_listens(answer: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotFangnetz):
            await play(Diary, f"ws://127.0.0.1:{port}")


async def test_tls_where_there_is_none() -> None:
    async with ScriptedServer() as server:
        with pytest.raises(Unreachable, match=r"is it ws:// instead of wss://"):
            await play(Diary, server.url.replace("ws://", "wss://"))


async def test_http_addresses_and_prefixes_are_understood() -> None:
    paths: list[str] = []

    def note(connection: ServerConnection, request: Request) -> None:
        paths.append(request.path)

    for form in ("http://{}", "{}", "ws://{}/", "ws://{}/arena/", "ws://{}/arena/play"):
        async with ScriptedServer(one_match(0), process_request=note) as server:
            await play(Diary, form.format(server.url.removeprefix("ws://")), matches=1)
    assert paths == ["/play", "/play", "/play", "/arena/play", "/arena/play"]


async def test_messages_are_plain_json_texts() -> None:
    seen: list[Any] = []

    async def script(peer: Peer) -> None:
        seen.append(await peer.socket.recv())

    async with ScriptedServer(script) as server:
        with pytest.raises(ConnectionLost):
            await play(Diary, server.url)
    assert isinstance(seen[0], str)
    assert json.loads(seen[0])["type"] == "hello"


# --- bots that take their time, and bots that give up ---------------------------------------------


class Slow(SpaceballsBot):
    """Prepares itself until it is told to begin."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self.may_begin = asyncio.Event()
        self.begun = asyncio.Event()

    async def start(self, match: MatchStart) -> None:
        self.lines.append("start")
        self.begun.set()
        await self.may_begin.wait()

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        self.lines.append(self.tick)
        return Thrust(thrust=(1.0, 0.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.lines.append(("missed", *ticks))


async def test_an_async_start_holds_back_ready_but_not_the_match() -> None:
    bot = Slow()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start(), observation(0), observation(1))
        await bot.begun.wait()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await peer.socket.recv()
        bot.may_begin.set()
        assert await peer.receive() == {"type": "ready", "match": "m-1"}
        assert (await peer.receive())["tick"] == 1
        await peer.end()
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        await play(bot, server.url, matches=1)
    assert bot.lines == ["start", ("missed", 0), 1]


async def test_an_async_start_that_is_cut_short_is_called_again() -> None:
    bot = Slow()

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start())
        await bot.begun.wait()
        await peer.socket.close(CloseCode.RESTART)

    async def second(peer: Peer) -> None:
        bot.may_begin.set()
        await peer.welcome(resumed=True)
        await peer.start()
        await peer.ask(0)
        await peer.end()
        await peer.until_closed()

    async with ScriptedServer(first, second) as server:
        await play(bot, server.url, matches=1, **patient(Waits()))
    assert bot.lines == ["start", "start", 0]


class Quitter(Diary):
    """Gives up when it is told to: at the start, or in a tick."""

    def __init__(self, when: object) -> None:
        super().__init__()
        self._when = when

    def start(self, match: MatchStart) -> None:
        if self._when == "start":
            raise LeaveMatch
        super().start(match)

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        if self._when == self.tick:
            raise LeaveMatch
        return super().decide(observation)


class SlowQuitter(Bot[Any, Any]):
    """Gives up after a moment of thought."""

    game = "spaceballs"

    def __init__(self, when: object) -> None:
        self._when = when

    async def start(self, match: MatchStart) -> None:
        await asyncio.sleep(0)
        if self._when == "start":
            raise LeaveMatch

    async def decide(self, observation: Any) -> Any:
        await asyncio.sleep(0)
        if self._when == self.tick:
            raise LeaveMatch
        return {"thrust": [1.0, 0.0]}


@pytest.mark.parametrize("when", ["start", 0, 2])
@pytest.mark.parametrize("kind", [Quitter, SlowQuitter])
async def test_a_bot_may_give_up_its_seat(
    kind: type[Quitter | SlowQuitter], when: object, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fangnetz")

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start())
        tick = 0
        while (answer := await peer.receive())["type"] != "leave":
            assert answer["type"] in ("ready", "action")
            await peer.send(observation(tick))
            tick += 1
        assert answer == {"type": "leave", "match": "m-1"}
        assert tick == (0 if when == "start" else int(str(when)) + 1)
        assert await peer.until_closed() == CloseCode.NORMAL

    async with ScriptedServer(script) as server:
        assert await play(kind(when), server.url, matches=1) == []
    assert "match m-1 is given up by the bot" in caplog.text


async def test_a_seat_that_was_given_up_makes_room_for_the_next_match() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(start("m-1"))
        assert await peer.receive() == {"type": "ready", "match": "m-1"}
        assert (await peer.ask(0, "m-1"))["type"] == "leave"
        await peer.start("m-2")
        assert (await peer.ask(1, "m-2"))["type"] == "action"
        await peer.end("m-2")
        await peer.until_closed()

    async with ScriptedServer(script) as server:
        results = await play(Quitter(0), server.url, matches=2)
    assert [result.match for result in results] == ["m-2"]

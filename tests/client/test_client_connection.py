"""How the SDK comes back after a lost connection, and what it tells when there is none."""

import asyncio

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from fangnetz import play
from fangnetz.problems import ConnectionLost, NotFangnetz, Refused, Unreachable
from fangnetz_protocol.codes import CloseCode
from support.scripted import Peer, ScriptedServer
from support.sdk import Diary, Waits, one_match, patient

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

    waits = Waits()
    async with ScriptedServer(before, refuse, after) as server:
        results = await play(Diary(), server.url, matches=1, **patient(waits))
    assert [result.match for result in results] == ["m-2"]
    assert waits.seconds == [1.0], "a server that answers is not waited for"


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
    ("answer", "problem"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", NotFangnetz),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", NotFangnetz),
        # So does a tunnel or a proxy while the server restarts.
        (b"", Unreachable),
    ],
)
async def test_something_else_listens(answer: bytes, problem: type[Exception]) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(problem):
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

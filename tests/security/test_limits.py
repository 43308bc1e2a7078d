"""Each limit is hit once over real sockets; meanwhile /healthz answers and a match goes on."""

import asyncio
import gc
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import uvloop
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from websockets.exceptions import InvalidStatus
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.gateway import Entrance
from fangnetz_server.gateway.limits import Limits
from support.clients import coast, open_socket
from support.host_api import http_client, json_of
from support.live_server import LiveServer, eventually, live_server

LONG: Final = {"ruleset": {"duration": 60}}
ENDLESS: Final = {"ruleset": {"duration": 3_600}}


@asynccontextmanager
async def busy_server(folder: Path, *, limits: Limits, **options: Any) -> AsyncIterator[LiveServer]:
    """Run a server with a match; at the end /healthz has to answer and the match to go on."""
    async with live_server(folder, limits=limits, **options) as server:
        table = server.create("spaceballs", "ann", "bob", setup=ENDLESS, pace="realtime", tick_ms=20)
        ann, bob = [await server.bot(name) for name in ("ann", "bob")]
        playing = [asyncio.create_task(bot.play(coast)) for bot in (ann, bob)]
        try:
            await eventually(lambda: table.match.tick > 0, "the match runs")
            yield server
            async with http_client(server) as http:
                if limits.connections_per_address > 8:  # Else this client would be one of too many.
                    assert json_of(await http.get("/healthz"))["running"] == 1
            before = [seat.stats().applied for seat in table.match.seats]
            await eventually(
                lambda: all(
                    seat.stats().applied > applied
                    for seat, applied in zip(table.match.seats, before, strict=True)
                ),
                "the bots of the match play on",
            )
            assert all(seat.connected for seat in table.match.seats)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def refusal(url: str, **options: Any) -> httpx.Response:
    """Return the answer to an upgrade that is refused."""
    with pytest.raises(InvalidStatus) as caught:
        async with open_socket(url, **options):
            pass
    found = caught.value.response
    return httpx.Response(
        found.status_code, headers=dict(found.headers.raw_items()), content=bytes(found.body or b"")
    )


# --- at the upgrade ---------------------------------------------------------------------------

AT_THE_UPGRADE: Final = [
    ("connections_per_address", {"connections_per_address": 4}, "/play", 429, "127.0.0.1 has 4 connections"),
    ("connections_per_address", {"connections_per_address": 4}, "/watch", 429, "127.0.0.1 has 4 connections"),
    ("connections", {"connections": 4}, "/play", 503, "the server is full"),
    ("unauthenticated", {"unauthenticated": 2}, "/play", 503, "wait for their hello"),
    ("spectators", {"spectators": 2}, "/watch", 503, "no place for more spectators"),
    ("spectators", {"spectators": 2}, "/watch/MATCH", 503, "no place for more spectators"),
    ("spectators_per_match", {"spectators_per_match": 2}, "/watch/MATCH", 503, "spectators of this match"),
]


@pytest.mark.parametrize(("limit", "values", "path", "status", "says"), AT_THE_UPGRADE, ids=str)
async def test_a_full_place_is_refused_with_a_reason(
    tmp_path: Path, limit: str, values: dict[str, int], path: str, status: int, says: str
) -> None:
    async with busy_server(tmp_path, limits=Limits(**values)) as server, AsyncExitStack() as guests:
        url = server.ws + path.replace("MATCH", next(iter(server.host.tables)))
        inside = [await guests.enter_async_context(open_socket(url)) for _ in range(2)]

        refused = await refusal(url)

        assert refused.status_code == status
        assert says in refused.text
        assert int(refused.headers["Retry-After"]) > 0
        assert server.host.metrics.refusals.labels(limit)._value.get() == 1
        await inside[0].close()
        await eventually(lambda: len(server.host.gateway.sockets) == 3, "one has left")
        async with open_socket(url):
            pass


async def test_who_has_said_hello_waits_no_more(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(unauthenticated=1)) as server:
        for name in "abcde":
            await server.bot(name)
        assert server.host.gateway.doorman.waiting == 0
        await server.raw_bot()
        assert (await refusal(f"{server.ws}/play")).status_code == 503


async def test_without_a_token_nobody_watches_where_the_host_says_so(tmp_path: Path) -> None:
    async with live_server(tmp_path, spectators=False) as server:
        match = server.create("spaceballs", "ann", "bob").match.id
        for path in ("/watch", f"/watch/{match}"):
            refused = await refusal(server.ws + path)
            assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
            wrong = {"Authorization": "Bearer guessed"}
            assert (await refusal(server.ws + path, additional_headers=wrong)).status_code == 401
        assert server.host.keys is not None
        key = {"Authorization": f"Bearer {server.host.keys.watch_token('match', match)}"}
        spectator = await server.spectator(match, additional_headers=key)
        assert (await spectator.receive())["type"] == "match_start"


@pytest.mark.parametrize(
    ("origin", "enters"),
    [
        (None, True),
        ("http://127.0.0.1:PORT", True),
        ("https://friend.example.org", True),
        ("https://friend.example.org/", True),
        ("https://evil.example.org", False),
        ("http://127.0.0.1:1", False),
        ("https://friend.example.org.evil.org", False),
        ("https://friend.example.org:8443", False),
        ("null", False),
        ("http://[", False),
        ("\xff", False),
        ("//", False),
        ("http://127.0.0.1:PORT, https://evil.example.org", False),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/play", "/watch"])
async def test_pages_of_strangers_may_not_connect(
    tmp_path: Path, path: str, origin: str | None, enters: bool
) -> None:
    entrance = Entrance(origins=("https://friend.example.org",))
    async with live_server(tmp_path, entrance=entrance) as server:
        given = None if origin is None else origin.replace("PORT", str(server.port))
        answer = await upgrade(server, path, *([f"Origin: {given}"] if given else []))

        assert answer.startswith(b"HTTP/1.1 101" if enters else b"HTTP/1.1 403")
        if not enters:
            assert b"access.origins" in answer


async def upgrade(server: LiveServer, path: str, *headers: str) -> bytes:
    """Ask for an upgrade with headers as they are given, good or bad, and return the start of the answer."""
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol: fangnetz.v1",
        *headers,
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write("\r\n".join((*lines, "", "")).encode("latin-1"))
        return await asyncio.wait_for(reader.read(65_536), 20)
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    "headers",
    [
        ("Authorization: Bearer a", "Authorization: Bearer b"),
        ("Authorization: Bearer \xff\xfe",),
        ("Authorization: Bearer",),
        ("Cookie: fangnetz_token=\xe4; =; ;;",),
        ("X-Forwarded-For: \xff, ,,::::",),
        ("X-Forwarded-For: 1.2.3.4", "X-Forwarded-For: nonsense"),
        ("Sec-WebSocket-Extensions: permessage-deflate",),
        ("Sec-WebSocket-Extensions: nonsense; a=b; c",),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/play", "/watch", "/watch/none", "/watch/%00%ff%ed%a0%80", "/watch/\xff"])
async def test_strange_headers_and_paths_break_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, headers: tuple[str, ...], path: str
) -> None:
    async with live_server(tmp_path, entrance=Entrance(proxies=("127.0.0.0/8",))) as server:
        answer = await upgrade(server, path, *headers)

        assert answer.split(b" ")[1] in (b"101", b"400", b"403", b"404")
        assert "Traceback" not in caplog.text


# --- behind a proxy ---------------------------------------------------------------------------


@pytest.mark.parametrize(("trusted", "inside"), [((), 2), (("10.0.0.0/8",), 2), (("127.0.0.1",), 5)])
async def test_addresses_are_believed_of_trusted_proxies_only(
    tmp_path: Path, trusted: tuple[str, ...], inside: int
) -> None:
    limits = Limits(connections_per_address=2)
    async with live_server(tmp_path, limits=limits, entrance=Entrance(proxies=trusted)) as server:
        for number in range(5):
            headers = {"X-Forwarded-For": f"6.6.6.6, 9.9.9.{number}"}
            if number < inside:
                await server.raw_bot(additional_headers=headers)
            else:
                refused = await refusal(f"{server.ws}/play", additional_headers=headers)
                assert "127.0.0.1 has 2" in refused.text


async def test_a_client_cannot_hide_behind_addresses_of_its_own_making(tmp_path: Path) -> None:
    entrance = Entrance(proxies=("127.0.0.1",))
    async with live_server(tmp_path, limits=Limits(connections_per_address=2), entrance=entrance) as server:
        for number in range(2):
            await server.raw_bot(additional_headers={"X-Forwarded-For": f"9.9.9.{number}, 7.7.7.7"})

        made_up = {"X-Forwarded-For": "127.0.0.1, 8.8.8.8, 7.7.7.7"}
        assert "7.7.7.7" in (await refusal(f"{server.ws}/play", additional_headers=made_up)).text


async def test_a_client_behind_a_proxy_may_come_so_often(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=3, connections_per_second=1)
    async with live_server(tmp_path, limits=limits, entrance=Entrance(proxies=("127.0.0.1",))) as server:
        nuisance = {"X-Forwarded-For": "7.7.7.7"}
        for _ in range(3):
            async with open_socket(f"{server.ws}/watch", additional_headers=nuisance):
                pass
        refused = await refusal(f"{server.ws}/watch", additional_headers=nuisance)
        assert (refused.status_code, "7.7.7.7 connects too often" in refused.text) == (429, True)
        assert int(refused.headers["Retry-After"]) > 0
        async with open_socket(f"{server.ws}/watch", additional_headers={"X-Forwarded-For": "8.8.8.8"}):
            pass


# --- mute and slow peers ----------------------------------------------------------------------


async def end_of(server: LiveServer, sends: bytes) -> bytes:
    """Open a TCP connection, send this, say no more, and return what comes until the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(sends)
        return await asyncio.wait_for(reader.read(), 20)
    finally:
        writer.close()


POST: Final = b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("sends", "answer"),
    [
        (b"", b""),
        (b"GET / HT", b""),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b""),
        (b"GET /play HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", b""),
        (POST + b"Content-Length: 100\r\n\r\n{", b" 408 "),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", b" 408 "),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /he", b'"status":"ok"'),
    ],
    ids=[
        "mute",
        "half a line",
        "half a head",
        "half an upgrade",
        "half a body",
        "half a chunk",
        "half a second",
    ],
)
async def test_who_does_not_finish_his_request_is_sent_away(
    tmp_path: Path, sends: bytes, answer: bytes
) -> None:
    async with busy_server(tmp_path, limits=Limits(handshake_s=0.2)) as server:
        assert answer in await end_of(server, sends)


@pytest.mark.parametrize(
    ("sends", "answer"),
    [
        (b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * 1_000_000, b" 431 "),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200_000, b" 431 "),
        (b"GET /" + b"x" * 1_000_000, b" 431 "),
        (POST + b"Content-Length: 1000000\r\n\r\n" + b" " * 300_000, b" 413 "),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1000\r\n" + b" " * 4096 + b"\r\n", b" 413 "),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b" 400 "),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", b" 400 "),
    ],
    ids=[
        "a long header",
        "many headers",
        "a long path",
        "a long body",
        "many chunks",
        "TLS",
        "a strange path",
    ],
)
async def test_what_is_no_decent_request_is_refused(tmp_path: Path, sends: bytes, answer: bytes) -> None:
    async with busy_server(tmp_path, limits=Limits()) as server:
        if b"chunked" in sends:
            head, _, chunk = sends.partition(b"\r\n\r\n")
            sends = head + b"\r\n\r\n" + chunk * 100
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(sends)
        try:
            got = await asyncio.wait_for(reader.read(200), 20)
        except ConnectionResetError:  # The rest of what was sent met a closed door.
            got = answer
        writer.close()
        assert answer in got


async def test_one_address_has_so_many_plain_connections(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(connections_per_address=3)) as server:
        mute = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        refused = await end_of(server, b"")
        assert b" 429 " in refused
        assert b"too many connections from your address (connections_per_address)" in refused
        mute[0][1].close()
        async with http_client(server) as http:
            answer = await http.get("/healthz")
            while answer.status_code == 429:
                answer = await http.get("/healthz")
        assert answer.status_code == 200
        for _, writer in mute:
            writer.close()


async def test_one_address_may_come_so_often(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=5, connections_per_second=5)
    async with live_server(tmp_path, limits=limits) as server:
        request, start = b"GET /healthz HTTP/1.0\r\n\r\n", asyncio.get_running_loop().time()
        answers = []
        for _ in range(4):
            answers += await asyncio.gather(*(end_of(server, request) for _ in range(5)))
        refused = sum(b"(connections_per_second)" in answer for answer in answers)
        assert sum(b" 200 OK" in answer for answer in answers) == 20 - refused
        assert 1 <= refused <= 15
        assert asyncio.get_running_loop().time() - start >= 1, "a refusal comes a second later"
        assert server.host.metrics.refusals.labels("connections_per_second")._value.get() == refused


async def test_one_address_may_ask_so_often(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(requests_per_second=20)) as server:
        asked = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        start = asyncio.get_running_loop().time()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(asked * 209 + asked.replace(b"Host", b"Connection: close\r\nHost"))
        answers = await reader.read()
        writer.close()
        assert answers.count(b" 200 OK") == 210, "nobody is refused, but whoever asks too often waits"
        assert asyncio.get_running_loop().time() - start > 0.4


async def test_who_asks_for_much_work_waits_for_more_and_nobody_else_does(tmp_path: Path) -> None:
    limits = Limits(requests_work=0.001)
    async with live_server(tmp_path, limits=limits) as server, http_client(server) as guest:
        clock = asyncio.get_running_loop().time
        begin = clock()
        while clock() - begin < 20:
            await guest.get("/api/matches")
            start = clock()
            waiting = asyncio.create_task(guest.get("/api/matches"))
            await asyncio.wait([waiting], timeout=0.5)
            if not waiting.done():
                break
            await waiting
        assert not waiting.done(), "a few milliseconds of work are all that an address may cause"
        async with http_client(server, "host") as host:
            assert json_of(await host.get("/api/matches"))["total"] == 0
        assert json_of(await guest.get("/healthz"))["status"] == "ok"
        assert json_of(await waiting)["total"] == 0
        assert clock() - start > 0.5


async def test_no_more_requests_are_taken_in_than_can_be_answered_soon(tmp_path: Path) -> None:
    async with busy_server(tmp_path, limits=Limits(requests_per_second=50)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /readyz HTTP/1.1\r\n\r\n" * 50_000)
        (table,) = server.host.tables.values()
        tick = table.match.tick
        await eventually(lambda: table.match.tick > tick + 20, "the match goes on")

        taken_in = sum(type(thing) is RequestResponseCycle for thing in gc.get_objects())
        assert taken_in < 200
        writer.transport.abort()


def test_answers_to_lines_that_break_are_no_errors(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with live_server(tmp_path) as server:
            for number in range(60):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET /static/main.js HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
                await asyncio.sleep(number / 10_000)
                writer.transport.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )
                writer.transport.abort()
            async with http_client(server) as http:
                assert (await http.get("/healthz")).status_code == 200

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
    assert [line.getMessage() for line in caplog.records if line.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:9.9.9.9", "9.9.9.9", True),
        ("9.9.9.8", "9.9.9.9", False),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
async def test_a_network_of_one_customer_counts_as_one_address(
    tmp_path: Path, first: str, second: str, are_one: bool
) -> None:
    entrance = Entrance(proxies=("127.0.0.1",))
    async with live_server(tmp_path, limits=Limits(connections_per_address=1), entrance=entrance) as server:
        await server.raw_bot(additional_headers={"X-Forwarded-For": first})
        other = {"X-Forwarded-For": second}
        if are_one:
            assert (await refusal(f"{server.ws}/play", additional_headers=other)).status_code == 429
        else:
            await server.raw_bot(additional_headers=other)


async def test_who_takes_no_refusedholds_up_nobody(tmp_path: Path) -> None:
    limits = Limits(spectator_patience_s=0.3)
    async with live_server(tmp_path, limits=limits) as server:
        match = (await server.play("spaceballs", "ann", "bob", setup=LONG, deadline_ms=60_000)).match
        request = f"GET /api/matches/{match}/history HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        greedy = []
        for _ in range(40):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", server.port))
            await asyncio.get_running_loop().sock_sendall(client, request)
            greedy.append(client)
        async with http_client(server) as http:
            assert json_of(await http.get("/healthz"))["status"] == "ok"
            answer = await http.get(f"/api/matches/{match}/history", params={"from": 1190})
            while answer.status_code == 503:  # Until those before have got their first lines.
                answer = await http.get(f"/api/matches/{match}/history", params={"from": 1190})
            assert len(answer.text.splitlines()) == 11
        for client in greedy:
            client.close()


async def test_a_bot_that_stays_mute_or_idle_is_sent_away(tmp_path: Path) -> None:
    async with busy_server(tmp_path, limits=Limits(hello_s=0.2, idle_s=0.3)) as server:
        mute, idle = await server.raw_bot(), await server.bot("cid")

        assert await mute.closed() == CloseCode.HELLO_EXPECTED
        assert await idle.closed() == CloseCode.IDLE


# --- messages ---------------------------------------------------------------------------------


async def test_the_rate_is_told_and_then_enforced(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=20, strikes=5)
    async with busy_server(tmp_path, limits=limits) as server:
        bot = await server.raw_bot()
        welcome = await bot.hello("cid")
        assert welcome["limits"]["messages_per_second"] == 20
        for _ in range(40):
            await bot.send({"type": "leave", "match": "none"})

        errors = [message for message in await bot.drain() if message["type"] == "error"]
        limited = [error for error in errors if error["code"] == "rate_limited"]
        assert bot.socket.close_code == CloseCode.POLICY
        assert all(0 < error["retry_after_ms"] <= 50 for error in limited)
        assert all("retry_after_ms" not in error for error in errors if error not in limited)


async def test_who_waits_as_told_may_go_on(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(messages_per_second=10, strikes=100)) as server:
        bot = await server.bot("cid")
        for _ in range(11):
            await bot.send({"type": "leave", "match": "none"})
        limited = await bot.next("error", code="rate_limited")
        await asyncio.sleep(limited["retry_after_ms"] / 1000)
        await bot.send({"type": "leave", "match": "none"})

        assert (await bot.next("error"))["code"] == "unknown_match"


async def test_sizes_before_and_beyond_what_is_read(tmp_path: Path) -> None:
    limits = Limits(message_bytes=1024, frame_bytes=4096)
    async with busy_server(tmp_path, limits=limits) as server:
        bot = await server.bot("cid")
        whole = json.dumps({"type": "leave", "match": ""})

        for size, code in ((1024, "unknown_match"), (1025, "too_large"), (4096, "too_large")):
            await bot.send_raw(whole.replace('""', '"' + "m" * 60 + '"').ljust(size))
            assert (await bot.next("error"))["code"] == code
        await bot.send_raw("ä" * 600)
        assert (await bot.next("error"))["code"] == "too_large"
        await bot.send_raw("x" * 4097)
        assert await bot.closed() == CloseCode.TOO_BIG


async def test_nothing_is_ever_unpacked(tmp_path: Path) -> None:
    """Compression is not offered, so a small frame cannot become a large message."""
    async with busy_server(tmp_path, limits=Limits()) as server:
        bot = await server.raw_bot(extensions=[ClientPerMessageDeflateFactory()])
        assert bot.socket.protocol.extensions == []
        await bot.hello("cid")
        packed, masked_by = b"\xc1\x82", b"\0\0\0\0"  # The bit RSV1 says that it is packed.
        bot.socket.transport.write(packed + masked_by + b"ab")

        assert await bot.closed() == 1002


async def test_a_flood_of_pings_is_no_conversation(tmp_path: Path) -> None:
    async with busy_server(tmp_path, limits=Limits()) as server:
        bot = await server.bot("cid")
        bot.socket.transport.write(b"\x89\x80\0\0\0\0" * 1_000)

        assert await bot.closed() == CloseCode.POLICY


async def test_a_long_series_of_faults_is_read_slowly(tmp_path: Path) -> None:
    async with busy_server(tmp_path, limits=Limits(strikes=30)) as server:
        bot = await server.bot("cid")
        start = asyncio.get_running_loop().time()
        for _ in range(40):
            await bot.send_raw("nonsense")

        assert await bot.closed() == CloseCode.POLICY
        assert len(bot.received("error")) == 31
        assert asyncio.get_running_loop().time() - start > 0.3


async def test_what_a_flood_sends_ahead_stays_with_whoever_sends_it(tmp_path: Path) -> None:
    async with busy_server(tmp_path, limits=Limits()) as server:
        bot = await server.bot("cid")
        line = bot.socket.transport.get_extra_info("socket").dup()
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        flood, sent, full = b"\x81\x80\0\0\0\0" * 100, 0, 0
        while full < 20:
            try:
                sent += line.send(flood)
                full = 0
            except BlockingIOError:
                full += 1
                await asyncio.sleep(0.005)
        assert sent < 110_000
        line.close()
        bot.socket.transport.abort()


# --- buffers ----------------------------------------------------------------------------------


async def test_beyond_all_buffers_the_fullest_goes(tmp_path: Path) -> None:
    limits = Limits(buffer_bytes=200_000, bot_buffer_bytes=10_000_000)
    async with busy_server(tmp_path, limits=limits) as server:
        full, little = await server.bot("full"), await server.bot("little")
        for bot in (full, little):
            bot.socket.transport.pause_reading()
        links = {link.entrant.name: link for link in server.host.gateway.links}
        await stuff(links["little"].send, lambda: unsent(links["little"]) > 20_000)
        await stuff(links["full"].send, lambda: unsent(links["full"]) > 300_000)

        await eventually(lambda: not links["full"].is_connected, "the fullest is dropped")
        assert links["little"].is_connected
        for bot in (full, little):
            bot.cut()


def unsent(link: Any) -> int:
    return 0 if link.socket is None else link.socket.unsent_bytes


async def stuff(send: Callable[[bytes], None], enough: Callable[[], bool]) -> None:
    """Send until the kernel takes no more and the server's own buffer fills."""
    for _ in range(5_000):
        if enough():
            return
        send(b'{"type":"notice","code":"announcement","message":"' + b"x" * 8_000 + b'"}')
        await asyncio.sleep(0)
    raise AssertionError("the buffer does not fill")


async def test_a_bot_that_does_not_read_is_dropped_and_may_resume(tmp_path: Path) -> None:
    limits = Limits(bot_buffer_bytes=50_000, close_s=0.1)
    async with busy_server(tmp_path, limits=limits) as server:
        deaf = await server.raw_bot()
        secret = (await deaf.hello("deaf"))["resume"]
        deaf.socket.transport.pause_reading()
        (link,) = (link for link in server.host.gateway.links if link.entrant.name == "deaf")
        await stuff(link.send, lambda: link.socket is None or not link.socket.is_open)
        await eventually(lambda: not link.is_connected, "it is dropped")
        deaf.cut()

        assert (await (await server.raw_bot()).hello(resume=secret))["resumed"]


async def test_a_dead_bot_is_missed_in_time(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(ping_s=0.2, close_s=0.1)) as server:
        table = server.create("spaceballs", "ann", "dead", setup=LONG, deadline_ms=60_000)
        ann, dead = await server.bot("ann"), await server.bot("dead")
        await ann.ready()
        await dead.ready()
        await ann.next("observation")
        dead.socket.transport.pause_reading()

        await eventually(lambda: not table.match.seats[1].connected, "the dead bot is missed")
        assert table.match.seats[0].connected
        dead.cut()

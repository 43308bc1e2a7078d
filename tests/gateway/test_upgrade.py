"""The way in: the upgrade, the credentials and the first message."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import Event
from websockets.typing import Subprotocol

from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.words import BotId
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.match.seats import Entrant
from support.clients import PATIENCE_S, BotClient, Client, open_socket
from support.live_server import LiveServer, eventually, live_server


async def refusal(url: str, **options: Any) -> tuple[int, str]:
    """Return status and text of a refused upgrade."""
    with pytest.raises(InvalidStatus) as caught:
        async with open_socket(url, **options):
            pass
    return caught.value.response.status_code, (caught.value.response.body or b"").decode()


@pytest.mark.parametrize("path", ["/play", "/watch", "/watch/abc"])
@pytest.mark.parametrize("offered", [None, [Subprotocol("fangnetz.v2"), Subprotocol("chat")]])
async def test_without_our_subprotocol_the_upgrade_is_refused(
    server: LiveServer, path: str, offered: list[Subprotocol] | None
) -> None:
    status, text = await refusal(server.ws + path, subprotocols=offered)

    assert status == 400
    assert "subprotocol" in text
    await server.gone()


async def test_ours_is_chosen_among_several(server: LiveServer) -> None:
    offered = [Subprotocol("chat"), Subprotocol("fangnetz.v1")]

    async with open_socket(server.ws + "/play", subprotocols=offered) as socket:
        assert socket.subprotocol == "fangnetz.v1"


@pytest.mark.parametrize("path", ["/", "/plays", "/play/x", "/watching", "/watch/a/b", "/api/matches"])
async def test_an_upgrade_elsewhere_is_not_found(server: LiveServer, path: str) -> None:
    status, text = await refusal(server.ws + path)

    assert status == 404
    assert "/play" in text
    assert "/watch" in text
    await server.gone()


async def test_a_bot_that_says_nothing_is_sent_away(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(hello_s=0.05)) as server:
        bot = await server.raw_bot()

        assert await bot.closed() == CloseCode.HELLO_EXPECTED
        await server.gone()


async def test_faults_do_not_prolong_the_time_for_the_hello(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(hello_s=0.2)) as server:
        bot = await server.raw_bot()
        await bot.send({"type": "ready", "match": "m"})

        assert (await bot.next("error"))["code"] == "unexpected_message"
        assert await bot.closed() == CloseCode.HELLO_EXPECTED


async def test_faults_before_the_hello_are_counted_too(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(strikes=3)) as server:
        bot = await server.raw_bot()
        for _ in range(4):
            await bot.send_raw("nonsense")

        assert await bot.closed() == CloseCode.POLICY
        assert len(bot.received("error")) == 4


@pytest.mark.parametrize("spoken", ["2.0", "0.9", "11.0"])
async def test_another_protocol_is_refused(server: LiveServer, spoken: str) -> None:
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": spoken, "name": "ann"})

    error = await bot.next("error")
    assert error["code"] == "unsupported_protocol"
    assert spoken in error["message"]
    assert "1.0" in error["message"]
    assert await bot.closed() == CloseCode.REFUSED
    await server.gone()


async def test_a_later_minor_version_is_welcome(server: LiveServer) -> None:
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": "1.7", "name": "ann"})

    assert (await bot.next("welcome"))["protocol"] == "1.0"


async def test_the_token_may_stand_in_the_header(tmp_path: Path) -> None:
    async with live_server(tmp_path, is_open=False) as server:
        token = server.host.admission.reserve(Entrant(BotId("b-1"), "Ann"))
        bot = await server.raw_bot(additional_headers={"Authorization": f"Bearer {token}"})

        assert (await bot.hello("somebody else"))["bot"] == {"id": "b-1", "name": "Ann"}


async def test_the_token_may_stand_in_the_hello(tmp_path: Path) -> None:
    async with live_server(tmp_path, is_open=False) as server:
        token = server.host.admission.reserve(Entrant(BotId("b-1"), "Ann"))
        bot = await server.raw_bot()

        assert (await bot.hello(token=token))["bot"] == {"id": "b-1", "name": "Ann"}


@pytest.mark.parametrize("credentials", [{}, {"token": "guessed"}], ids=["none", "wrong"])
async def test_a_closed_server_wants_a_token_that_it_knows(
    tmp_path: Path, credentials: dict[str, str]
) -> None:
    async with live_server(tmp_path, is_open=False) as server:
        bot = await server.raw_bot()
        await bot.send({"type": "hello", "protocol": "1.0", "name": "ann", **credentials})

        error = await bot.next("error")
        assert error["code"] == "bad_token"
        assert "guessed" not in error["message"]
        assert await bot.closed() == CloseCode.REFUSED


@pytest.mark.parametrize("name", ["", "   ", "a" * 33, "x\u202ey", "a\nb", "z\u200bz"])
async def test_a_name_that_cannot_be_shown_is_refused(server: LiveServer, name: str) -> None:
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": "1.0", "name": name})

    error = await bot.next("error")
    assert error["code"] in ("bad_name", "bad_message")
    assert error["ref"]["field"] == "name"


async def test_a_bot_without_a_game_of_this_server_is_refused(server: LiveServer) -> None:
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": "1.0", "name": "ann", "games": ["chess"]})

    error = await bot.next("error")
    assert (error["code"], error["ref"]["field"]) == ("bad_message", "games")
    assert "spaceballs" in error["message"]
    assert await bot.closed() == CloseCode.REFUSED


async def test_a_bot_without_a_name_gets_one(server: LiveServer) -> None:
    first, second = [(await bot.hello())["bot"]["name"] for bot in [await server.raw_bot() for _ in "ab"]]

    assert first != second


async def test_a_peer_that_answers_no_ping_is_dropped(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(ping_s=0.05, close_s=0.05, resume_s=0.05)) as server:
        bot = await server.bot("ann")
        bot.socket.transport.pause_reading()  # It reads, so it answers, no more.

        link = next(iter(server.host.gateway.links))
        await eventually(lambda: not link.is_connected, "the dead peer is noticed")
        bot.cut()
        await server.gone()


async def test_a_peer_that_answers_pings_stays(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(ping_s=0.5)) as server:
        bot = await server.raw_bot(create_connection=Pinged)
        await bot.hello("ann")
        assert isinstance(bot.socket, Pinged)
        await asyncio.wait_for(bot.socket.pinged_enough.wait(), PATIENCE_S)

        assert next(iter(server.host.gateway.links)).is_connected


class Pinged(ClientConnection):
    """A connection that counts the pings that it answers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pinged_enough = asyncio.Event()
        self._pings = 0

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.opcode is Opcode.PING:
            self._pings += 1
            if self._pings > 1:
                self.pinged_enough.set()
        super().process_event(event)


async def test_a_server_that_goes_down_says_so(tmp_path: Path) -> None:
    async with AsyncExitStack() as clients:
        async with live_server(tmp_path) as server:
            bot = BotClient(await clients.enter_async_context(open_socket(f"{server.ws}/play")))
            lobby = Client(await clients.enter_async_context(open_socket(f"{server.ws}/watch")))
            await bot.hello("ann")
            await lobby.next("matches")
            codes = asyncio.gather(bot.closed(), lobby.closed())

        assert list(await codes) == [CloseCode.RESTART, CloseCode.RESTART]

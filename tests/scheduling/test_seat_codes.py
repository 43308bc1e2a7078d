"""Seat codes of a tournament: somebody without the bot's token plays as it, until the tournament is over."""

import asyncio
from pathlib import Path

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from support.clients import BotClient, coast
from support.host_api import audit_trail, http_client, json_of
from support.live_server import LiveServer, eventually
from support.tournament_server import Arena, league, tournament_server

CODES = "/api/host/tournaments/cup/codes"


async def refusal(server: LiveServer, token: str) -> tuple[str, int]:
    """Return the error and the close code of a bot that may not come in."""
    bot = await server.raw_bot()
    await bot.send({"type": "hello", "protocol": "1.0", "token": token})
    return (await bot.next("error"))["code"], await bot.closed()


async def new_code(server: Arena, bot: str, **more: float) -> str:
    async with http_client(server, "host") as host:
        made = json_of(await host.post(CODES, json={"bot": bot, **more}), 201)
    assert made["bot"] == bot
    code: str = made["seat_code"]
    return code


async def test_a_guest_plays_the_tournament_over_several_connections(tmp_path: Path) -> None:
    async with tournament_server(tmp_path, limits=Limits(resume_s=0.01)) as server:
        await server.enter("ann")
        await server.make(league("ann", "gus", options={"legs": 2}))
        code = await new_code(server, "gus")
        early = await server.raw_bot()
        welcome = await early.hello(token=code)
        assert welcome["bot"]["name"] == "gus"
        assert await refusal(server, code) == ("name_taken", CloseCode.ALREADY_CONNECTED)
        early.cut()
        await eventually(lambda: len(list(server.host.gateway.links)) == 1, "the session is forgotten")

        gus = await server.raw_bot()
        again = await gus.hello(token=code.lower())
        assert (again["bot"], again["resumed"]) == (welcome["bot"], False)
        async with http_client(server, "host") as host:
            json_of(await host.post("/api/host/tournaments/cup/start"))
            playing = asyncio.create_task(play_two(gus))
            await server.finished()
            await playing
            assert (await host.post(CODES, json={"bot": "gus"})).status_code == 409
            assert ("seat code", "cup") in await audit_trail(host)
        assert await server.reasons() == ["timeout", "timeout"]
        gus.cut()
        await eventually(lambda: len(list(server.host.gateway.links)) == 1, "the session is forgotten")
        assert await refusal(server, code) == ("bad_token", CloseCode.REFUSED)


async def play_two(bot: BotClient) -> None:
    for _ in range(2):
        await bot.play(coast)


async def test_a_code_outlives_the_server_but_not_its_bot(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.make(league("ann", "gus"))
        code, late = await new_code(server, "gus"), await new_code(server, "ann", hours=1e-9)
        await (await server.raw_bot()).hello(token=code)
        assert await refusal(server, late) == ("bad_token", CloseCode.REFUSED)
    async with tournament_server(tmp_path) as server:
        gus = await server.raw_bot()
        bot = (await gus.hello(token=code))["bot"]["id"]
        async with http_client(server, "host") as host:
            json_of(await host.post(f"/api/host/bots/{bot}/disable"))
        await gus.closed()
        assert (await refusal(server, code))[0] == "bad_token"


async def test_there_are_codes_for_bots_of_the_tournament_only(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server, http_client(server, "host") as host:
        await server.make(league("ann", "gus"))
        await server.register("eve")
        for body, status in (({"bot": "eve"}, 404), ({"bot": ""}, 422), ({"bot": "gus", "hours": 0}, 422)):
            assert (await host.post(CODES, json=body)).status_code == status
        assert (await host.post(CODES.replace("cup", "none"), json={"bot": "gus"})).status_code == 404
        code = await new_code(server, "gus")
        assert json_of(await host.delete("/api/host/tournaments/cup"))["deleted"]
        assert (await refusal(server, code))[0] == "bad_token"
    async with tournament_server(tmp_path) as server, http_client(server) as anybody:
        assert (await anybody.post(CODES, json={"bot": "gus"})).status_code == 401

"""Clients of 2010 against the real server: a strict one, hasty and slow ones, and some that misbehave."""

import asyncio
import logging
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from fangnetz.contest2010.adapter import serve_contest
from fangnetz.contest2010.bot import Times
from fangnetz.contest2010.maps import MapFolder
from fangnetz.problems import WrongUse
from support.clients import PATIENCE_S, stroll
from support.contest2010 import (
    QUICK,
    ContestServer,
    Send,
    StrictClient,
    contest_server,
    send_at_once,
    send_bytewise,
)
from support.live_server import LiveServer, eventually, live_server

MAP = ["......", ".#..#.", "......"]
GAME: dict[str, Any] = {"map": MAP, "seats": 2, "ruleset": {"max_rounds": 30}}
SHORT = {**GAME, "ruleset": {"max_rounds": 4}}
_CIRCLE = ("EAST", "SOUTH", "WEST", "NORTH")


def walk(number: int) -> str:
    direction = _CIRCLE[number % 4]
    return f"MOVE {direction} {direction}|"


async def play(server: LiveServer, contest: ContestServer, *clients: StrictClient, **options: Any) -> Any:
    """Let clients that are already there play a match with each other, and return its result."""
    names = ["veteran", "veteran-2"][: len(clients)]
    table = server.create("right2live", *names, **{"setup": SHORT, **options})
    await asyncio.gather(*(client.play(walk) for client in clients))
    return await server.host.wait_result(table.match.id)


@pytest.mark.parametrize("send", [send_at_once, send_bytewise], ids=["joined", "bytewise"])
async def test_two_clients_play_a_whole_match(tmp_path: Path, send: Send) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        clients = [await contest.client(send), await contest.client(send)]
        result = await play(server, contest, *clients, setup=GAME)
        await server.gone()
    assert (result.reason, result.ticks) == ("max_rounds", 30)
    assert [seat.stats.missing + seat.stats.late + seat.stats.invalid for seat in result.seats] == [0, 0]
    for number, client in enumerate(clients):
        assert (client.id, client.others, client.gone) == (number, {1 - number}, set())
        assert client.map == [row.replace(".", " ") for row in MAP]
        assert client.rounds == list(range(1, 31))
        assert sorted(client.teams.values()) == ["RED"], "round 28 forces one of them (R5.4)"


async def test_several_commands_can_come_in_one_packet(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        client = await contest.client()
        table = server.create("right2live", "veteran", "Otto", setup=SHORT)
        other = await server.bot("Otto")
        playing = asyncio.create_task(other.play(stroll))
        await client.take_id("PING|ID_OKAY|PING|")
        await client.take_map()
        while await client.take_round():
            await client.say("PING|MOVE EAST EAST|PING|")
        result = await server.host.wait_result(table.match.id)
        await playing
    assert [seat.stats.missing + seat.stats.late + seat.stats.invalid for seat in result.seats] == [0, 0]


async def test_a_client_that_does_not_take_its_id_gives_up_its_seat(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        client = await contest.client()
        table = server.create("right2live", "veteran", "Otto", setup=SHORT)
        other = await server.bot("Otto")
        playing = asyncio.create_task(other.play(stroll))
        await client.take_id("ID_NOT_OKAY|")
        assert await client.next() == ("", ())
        result = await server.host.wait_result(table.match.id)
        await playing
    assert (result.reason, list(result.places)) == ("walkover", [2, 1])


async def test_without_an_answer_to_the_id_there_is_no_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    times = Times(id_s=0.05, map_s=0.0)
    async with live_server(tmp_path) as server, contest_server(server.ws, times=times) as contest:
        client = await contest.client()
        server.create("right2live", "veteran", "Otto", setup=SHORT)
        await server.bot("Otto")
        await client.take_id("")
        assert await client.next() == ("", ())
    assert "veteran is hung up on: no ID_OKAY in 0.1 s" in caplog.text


async def test_who_goes_in_the_middle_is_told_to_the_other_and_gives_up_his_seat(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        stays, goes = await contest.client(), await contest.client()
        await eventually(lambda: len(list(server.host.gateway.links)) == 2, "both bots")
        table = server.create("right2live", "veteran", "veteran-2", setup=GAME)
        staying = asyncio.create_task(stays.play(walk))
        await goes.take_id()
        await goes.take_map()
        await goes.take_round()
        goes.close()
        result = await server.host.wait_result(table.match.id)
        await staying
    assert stays.gone == {1}
    assert result.ticks == 30
    assert [seat.left for seat in table.match.seats] == [False, True]


async def test_who_goes_before_a_match_is_gone_from_the_server(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        client = await contest.client()
        await eventually(lambda: bool(list(server.host.gateway.links)), "the bot")
        client.close()
        await eventually(lambda: not list(server.host.gateway.links), "its end")


@pytest.mark.parametrize(
    ("rubbish", "problem"),
    [
        (b"\x00\xff" * 1_000_000, "1000 characters without a '|'"),
        (b"HELLO|" * 50, "too many commands without effect"),
    ],
    ids=["binary", "commands"],
)
async def test_a_client_that_sends_rubbish_is_hung_up_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rubbish: bytes, problem: str
) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        bad = await contest.client(lambda writer, text: _write(writer, rubbish))
        good = await contest.client()
        table = server.create("right2live", "veteran", "veteran-2", setup=SHORT)
        playing = asyncio.create_task(good.play(walk))
        await bad.take_id("rubbish")
        await _until_hung_up_on(bad)
        await playing
        result = await server.host.wait_result(table.match.id)
    assert result.seats[1].presence == "played"
    assert problem in caplog.text


async def _until_hung_up_on(client: StrictClient) -> None:
    with suppress(ConnectionError):  # The rest of the rubbish was not read.
        while await client.next() != ("", ()):
            pass


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)


async def test_a_silent_client_stands_still_and_its_late_move_moves_nothing(tmp_path: Path) -> None:
    times = Times(round_s=0.05, map_s=0.0)
    async with live_server(tmp_path) as server, contest_server(server.ws, times=times) as contest:
        silent = await contest.client()
        table = server.create("right2live", "veteran", "Otto", setup=SHORT)
        other = await server.bot("Otto")
        playing = asyncio.create_task(other.play(stroll))
        await silent.take_id()
        await silent.take_map()
        places = []
        while await silent.take_round():
            places.append(next(text for text in reversed(silent.heard) if text.startswith("SET")))
            if silent.rounds[-1] == 2:
                await silent.say("MOVE SOUTH EAST|")  # The answer to round 1.
        result = await server.host.wait_result(table.match.id)
        await playing
    assert len(places) == 4
    assert len(set(places)) == 1
    assert result.seats[0].stats.missing == 0, "standing still is an answer"


async def test_the_servers_deadline_comes_before_the_five_seconds(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server, contest_server(server.ws) as contest:
        silent = await contest.client()
        table = server.create("right2live", "veteran", "Otto", setup=SHORT, deadline_ms=100, bank_ms=0)
        other = await server.bot("Otto")
        playing = asyncio.create_task(other.play(stroll))
        await silent.play(lambda number: "")
        result = await server.host.wait_result(table.match.id)
        await playing
    assert result.ticks == 4
    assert result.seats[0].presence == "played"


async def test_a_client_gets_time_for_the_map(tmp_path: Path) -> None:
    times = Times(map_s=0.2)
    loop = asyncio.get_running_loop()
    async with live_server(tmp_path) as server, contest_server(server.ws, times=times) as contest:
        client = await contest.client()
        server.create("right2live", "veteran", "Otto", setup=SHORT)
        other = await server.bot("Otto")
        playing = asyncio.create_task(other.play(stroll))
        await client.take_id()
        await client.take_map()
        before = loop.time()
        assert await client.take_round()
        assert loop.time() - before >= 0.15
        await client.say("MOVE EAST EAST|")
        while await client.take_round():
            await client.say("MOVE EAST EAST|")
        await playing


async def test_each_client_has_a_token_of_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with live_server(tmp_path, is_open=False) as server:
        _, token = await server.host.store.bots.add("Ada")
        async with contest_server(server.ws, tokens=[token]) as contest:
            first = await contest.client()
            await eventually(lambda: bool(list(server.host.gateway.links)), "the bot")
            second = await contest.client()
            assert await second.next() == ("", ())
            (link,) = server.host.gateway.links
            assert link.entrant.name == "Ada"
            first.close()
            await eventually(lambda: not list(server.host.gateway.links), "its end")
            await contest.client()
            await eventually(lambda: bool(list(server.host.gateway.links)), "the next bot")
    assert "a client is refused: 1 are here, no more names or tokens" in caplog.text


async def test_a_server_that_is_not_there_ends_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    async with contest_server("ws://127.0.0.1:9") as contest:
        client = await contest.client()
        assert await client.next() == ("", ())
    assert "veteran: cannot reach ws://127.0.0.1:9/play: nobody listens" in caplog.text


# --- maps and the command -----------------------------------------------------------------------


def test_a_map_lies_where_a_command_can_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with pytest.raises(WrongUse, match="need a temporary folder without blanks and commas in its path"):
        MapFolder()
    assert not list(folder.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    maps = MapFolder()
    path = maps.path(["#.#", "..."])
    assert path.read_text() == "# #\n   \n"
    assert maps.path(["#.#", "..."]) == path
    assert maps.path(["...", "..."]) != path
    maps.remove()
    assert not path.parent.exists()


@pytest.mark.parametrize("listen", ["15000", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x"])
async def test_a_wrong_address_to_listen_on(listen: str) -> None:
    with pytest.raises(WrongUse, match="has to be HOST:PORT, such as"):
        await serve_contest(listen, "ws://127.0.0.1:9", name="veteran")


async def test_a_port_that_is_taken() -> None:
    async with contest_server("ws://127.0.0.1:9") as contest:
        with pytest.raises(WrongUse, match="cannot listen on"):
            await serve_contest(f"127.0.0.1:{contest.port}", "ws://127.0.0.1:9", name="veteran", times=QUICK)


async def test_the_command_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    maps = tmp_path / "tmp"
    maps.mkdir()
    async with live_server(tmp_path / "data") as server:
        process = await create_subprocess_exec(
            *(sys.executable, "-W", "error", "-m", "fangnetz", "right2live-2010"),
            *("--server", server.ws, "--listen", "127.0.0.1:0", "--name", "Ada", "--map-time", "0"),
            stderr=PIPE,
            env={**os.environ, "TMPDIR": str(maps)},
        )
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            line = (await process.stderr.readline()).decode()
            found = re.search(r"clients of 2010 may connect to 127\.0\.0\.1:(\d+)", line)
            assert found, line
            reader, writer = await asyncio.open_connection("127.0.0.1", int(found[1]))
            client = StrictClient(reader, writer, send_at_once)
            server.create("right2live", "Ada", "Otto", setup=GAME)
            await server.bot("Otto")
            await client.take_id()
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 143
        writer.close()
    assert not list(maps.iterdir()), "the maps are gone"


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "fangnetz")

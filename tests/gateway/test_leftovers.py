"""Connections that have ended are gone at once; in a storm of them the collector would stop every match."""

import gc
from collections import Counter
from pathlib import Path

from fangnetz_server.gateway.intake import Intake
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.host.http import HttpConnection
from support.clients import open_socket
from support.host_api import http_client, json_of
from support.live_server import LiveServer, eventually, live_server


def left() -> Counter[str]:
    """Count what connections consist of."""
    kinds = (Socket, HttpConnection, Intake)
    return Counter(type(thing).__name__ for thing in gc.get_objects() if issubclass(type(thing), kinds))


async def come_and_go(server: LiveServer) -> None:
    async with http_client(server) as http:
        assert json_of(await http.get("/api/matches"))["total"] == 0
    async with open_socket(f"{server.ws}/watch") as lobby:
        await lobby.recv()
    bot = await server.bot("ann")
    await bot.socket.close()
    await eventually(lambda: not server.host.gateway.sockets, "all are gone")


async def test_a_connection_that_has_ended_leaves_nothing_to_the_collector(tmp_path: Path) -> None:
    async with live_server(tmp_path) as server:
        await come_and_go(server)
        gc.collect()
        before = left()
        gc.disable()
        try:
            for _ in range(5):
                await come_and_go(server)
            await eventually(lambda: left() <= before, "nothing is left")
        finally:
            gc.enable()

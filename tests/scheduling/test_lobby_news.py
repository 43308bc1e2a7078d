"""The lobby hears how the tournaments stand: at first, at every change, and only what is public."""

from pathlib import Path
from typing import Any

import pytest

from support.clients import Client
from support.live_server import eventually
from support.tournament_server import WHO, league, tournament_server


async def hear(lobby: Client, **wanted: Any) -> dict[str, Any]:
    """Return the first entry of the one tournament that says all of this."""
    while True:
        (entry,) = (await lobby.next("tournaments"))["tournaments"]
        if wanted.items() <= entry.items():
            return dict(entry)


async def test_the_lobby_follows_a_tournament_to_its_end(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        lobby = await server.lobby()
        await server.enter("ann", "bob")
        await server.make(league("ann", "bob", options={"legs": 2}))
        made = await hear(lobby, state="created")
        assert (made["id"], made["name"], made["game"]) == ("cup", "League", "spaceballs")
        assert (made["done"], made["total"]) == (0, 2)
        await server.commands.start("cup", WHO)
        over = await hear(lobby, state="finished", done=2)
        assert over["standings"] == [
            {"rank": 1, "name": "ann", "points": 1.0},
            {"rank": 1, "name": "bob", "points": 1.0},
        ]
        assert await hear(await server.lobby()) == over, "who comes later hears the same"
        await server.commands.delete("cup", WHO, and_results=True)
        assert (await lobby.next("tournaments"))["tournaments"] == []


async def test_the_lobby_hears_of_results_only_when_they_are_released(tmp_path: Path) -> None:
    async with tournament_server(tmp_path) as server:
        await server.enter("ann", "bob")
        await server.start(league("ann", "bob", options={"legs": 1}, staged_release=True))
        await server.finished()
        lobby = await server.lobby()
        hidden = await hear(lobby, state="finished")
        assert [line["points"] for line in hidden["standings"]] == [0.0, 0.0]
        await server.commands.release("cup", 1, WHO)
        shown = await hear(lobby, state="finished")
        assert [line["points"] for line in shown["standings"]] == [0.5, 0.5]


async def test_nothing_is_computed_while_nobody_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tournament_server(tmp_path) as server:
        told: list[bytes] = []
        await eventually(lambda: not server.scheduler._tasks, "the end of the start")
        monkeypatch.setattr(server.host.feed, "show_tournaments", told.append)
        await server.enter("ann", "bob")
        await server.start(league("ann", "bob", options={"legs": 2}))
        await server.finished()
        assert told == []
        await server.lobby()
        await eventually(lambda: len(told) == 1, "the news")

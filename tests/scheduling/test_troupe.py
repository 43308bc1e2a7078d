"""Confined programs in a tournament: they play, what they break is told, and nothing is left of them."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from fangnetz.confine.cage import user_of
from fangnetz_server.tournament.spec import SpecError
from support.live_server import eventually
from support.programs import system_program
from support.tournament_server import Arena, league, tournament_server

COAST = "for message in observations(): act(message, thrust=[0, 0])"
GLUTTON = """
for message in observations():
    food = [b"x" * 1_000_000 for _ in range(100)]
    time.sleep(600)
"""


@pytest.fixture
def homes() -> Iterator[Path]:
    """A place for the folders of bots that other users can reach."""
    with tempfile.TemporaryDirectory(prefix="fangnetz-test-") as place:
        Path(place).chmod(0o755)
        yield Path(place)


def own(name: str, code: str, homes: Path, **more: Any) -> dict[str, Any]:
    """Return the table of a bot with a folder of its own."""
    folder = homes / name
    folder.mkdir(mode=0o755)
    return {"name": name, "program": system_program(code), "folder": str(folder), **more}


async def progress(server: Arena) -> dict[str, Any]:
    known = await server.host.store.tournaments.get("cup")
    return (await server.scheduler.progress(known)).to_json()


async def test_confined_programs_play_a_tournament(tmp_path: Path, homes: Path) -> None:
    data = league("ann", options={"legs": 2})
    data["bots"] = [own("Cid", COAST, homes), own("Dan", f"note('hello')\n{COAST}", homes)]
    async with tournament_server(tmp_path) as server:
        await server.enter("ann")
        await server.start(data)
        crew = server.scheduler._crews["cup"]
        await eventually(lambda: len(crew.confined) == 2, "the news of what is in force")
        told = (await progress(server))["confined"]
        assert list(told) == ["Cid", "Dan"]
        assert told["Cid"].startswith("confined by ")
        assert "512 MB of memory" in told["Cid"]
        await server.finished()
        assert await server.reasons() == ["timeout"] * 6
        assert crew.troubles == {}
    logs = tmp_path / "logs" / "cup"
    assert sorted(file.name for file in logs.iterdir()) == [
        *("Cid.log", "Cid.stderr.log", "Dan.log", "Dan.stderr.log", "troupe.log")
    ]
    assert "is over: place 1 of 2" in (logs / "Cid.log").read_text()
    assert "hello" in (logs / "Dan.stderr.log").read_text()
    assert "hello" not in (logs / "Cid.stderr.log").read_text()
    assert (logs / "troupe.log").read_text() == ""
    assert nobody_is_left("Cid", "Dan")


async def test_a_bot_that_breaks_a_limit_is_told_of_and_the_others_play_on(
    tmp_path: Path, homes: Path
) -> None:
    data = league("ann", options={"legs": 2})
    data["bots"] = [
        own("Cid", COAST, homes),
        own("Glutton", GLUTTON, homes, limits={"memory_mb": 50}),
    ]
    async with tournament_server(tmp_path) as server:
        await server.enter("ann")
        await server.start(data)
        crew = server.scheduler._crews["cup"]
        await server.finished()
        assert crew.troubles.keys() == {"Glutton"}
        points = {bot: points for _, bot, points in await server.table()}
        assert len(await server.reasons()) == 6
    why = "the program has used more than 50 MB of memory (memory_mb); it was ended"
    assert why in crew.troubles["Glutton"]
    assert f"is left: {why}" in (tmp_path / "logs" / "cup" / "Glutton.log").read_text()
    assert points.keys() == {"ann", "Cid", "Glutton"}
    assert nobody_is_left("Cid", "Glutton")


async def test_a_program_that_is_not_there_is_a_problem_that_the_host_sees(
    tmp_path: Path, homes: Path
) -> None:
    data = league("ann")
    data["bots"] = [{**own("Cid", COAST, homes), "program": ["./nowhere"]}]
    async with tournament_server(tmp_path) as server:
        await server.start(data)
        crew = server.scheduler._crews["cup"]
        await eventually(lambda: bool(crew.troubles), "the report")
        assert (await progress(server))["problems"] == [
            "Cid: there is no program './nowhere' that can be run"
        ]


async def test_what_programs_have_started_ends_with_the_server(tmp_path: Path, homes: Path) -> None:
    code = "if os.fork() == 0: os.setsid()\nnote('here')\ntime.sleep(600)"
    data = league("ann")
    data["bots"] = [own("Cid", code, homes)]
    log = tmp_path / "logs" / "cup" / "Cid.stderr.log"
    others = set(psutil.Process().children(recursive=True))  # Of tests before, such as a browser.
    async with tournament_server(tmp_path) as server:
        await server.start(data)
        await eventually(lambda: log.exists() and log.read_text().count("here") == 2, "the fork")
        family = set(psutil.Process().children(recursive=True)) - others
        assert any(one.pid for one in family)
    assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in family)


async def test_a_folder_with_the_servers_data_is_refused(tmp_path: Path, homes: Path) -> None:
    data = league("ann")
    data["bots"] = [{**own("Cid", COAST, homes), "folder": str(tmp_path)}]
    async with tournament_server(tmp_path / "data") as server:
        with pytest.raises(SpecError, match="holds the server's own data") as caught:
            await server.make(data)
        assert caught.value.where == "bots.0.folder"


def nobody_is_left(*bots: str) -> bool:
    """Tell whether no process is left of programs that had a user of their own."""
    users = {user_of(bot) for bot in bots} - {None}
    return not any(one.info["uids"].real in users for one in psutil.process_iter(["uids"]))

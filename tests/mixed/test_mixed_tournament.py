"""One contest for all: bots in five languages and of 2010 play two tournaments to their end on one server."""

import asyncio
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from fangnetz_server.match.seats import Presence
from support.contest2010 import StrictClient, send_at_once
from support.node import SDK, miss, require_node, require_tool
from support.octave import MATLAB, require_octave
from support.tournament_server import Arena, league, tournament_server

ROOT: Final = Path(__file__).parents[2]
BRIDGE: Final = (sys.executable, "-m", "fangnetz", "bridge", "--server", "{server}", "--game", "spaceballs")
MOVES: Final = ("EAST", "SOUTH_EAST", "SOUTH", "WEST", "NORTH_WEST", "NORTH")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def javascript(folder: Path, game: str) -> list[str]:
    """Return the command line of the how-to's bot for a game, which finds server and token by itself."""
    node = require_node(least=20)
    require_tool(SDK, "ws")
    page = (ROOT / "docs" / "how-to" / "write-a-bot-in-javascript.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```js\n(import .*?)```", page, re.DOTALL) if game in block)
    file = folder / f"{game}.mjs"
    code = code.replace('"fangnetz"', f'"{(SDK / "src" / "node.js").as_uri()}"')
    file.write_text(code.replace(', "ws://127.0.0.1:7474"', ""), encoding="utf-8")
    return [node, str(file)]


def cplusplus(folder: Path) -> list[str]:
    """Return the command line of the example in C++ behind the bridge."""
    compiler = shutil.which("g++")
    if compiler is None:
        miss("g++ is not installed: apt-get install g++")
    source = ROOT / "clients" / "examples" / "falcon.cpp"
    command = [compiler, "-O2", "-std=c++17", "-o", str(folder / "falcon"), str(source)]
    subprocess.run(command, check=True, timeout=120)
    return [*BRIDGE, "--name", "C++", "--log", str(folder / "c++.log"), "--", str(folder / "falcon")]


def octave(folder: Path) -> list[str]:
    """Return the command line of a bot of the Bremen course behind the bridge."""
    program = (require_octave(), "-qf", str(MATLAB / "play_stdio.m"), str(MATLAB / "bots" / "angriff"))
    return [*BRIDGE, "--name", "Octave", "--says-ready", "--log", str(folder / "octave.log"), "--", *program]


def adapter(port: int) -> list[str]:
    """Return the command line of what lets a client of 2010 play."""
    options = ("--server", "{server}", "--listen", f"127.0.0.1:{port}", "--map-time", "0")
    return [sys.executable, "-m", "fangnetz", "right2live-2010", "--name", "Veteran", *options]


async def veteran(port: int, matches: int) -> None:
    """Be a client of 2010, started again for each match."""
    for _ in range(matches):
        reader, writer = await connected(port)
        try:
            client = StrictClient(reader, writer, send_at_once)
            await client.play(lambda number: f"MOVE {MOVES[number % 6]} {MOVES[number % 6]}|")
        finally:
            writer.close()


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except OSError:  # The adapter is not up yet.
            await asyncio.sleep(0.05)


def own(bots: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, **({"bot": bot} if isinstance(bot, str) else {"command": bot})}
        for name, bot in bots.items()
    ]


def faults(arena: Arena) -> dict[str, Any]:
    """Return what the results hold against the bots."""
    found: dict[str, Any] = {}
    for record in arena.host.results.newest():
        for seat in record.result.seats:
            stats = asdict(seat.stats)
            held = {name: stats[name] for name in ("late", "missing", "invalid", "duplicate") if stats[name]}
            if held or seat.presence is not Presence.PLAYED:
                found[f"{seat.name} in {record.match}"] = (held, seat.presence)
    return found


def complaints(folder: Path) -> dict[str, str]:
    """Return the logs of bots and bridges that tell of any trouble."""
    said = {log.name: log.read_text(encoding="utf-8") for log in folder.rglob("*.log")}
    assert len(said) == 9  # A log each, and two of the programs behind bridges.
    return {name: text for name, text in said.items() if re.search("WARNING|ERROR|failed|coasts", text)}


async def test_a_mixed_tournament_is_played_to_its_end_without_a_fault(tmp_path: Path) -> None:
    port = free_port()
    duels = {
        "Python": "strong",
        "JavaScript": javascript(tmp_path, "Spaceballs"),
        "C++": cplusplus(tmp_path),
        "Octave": octave(tmp_path),
    }
    tag = {"Runner": "strong", "Hound": javascript(tmp_path, "Right2Live"), "Veteran": adapter(port)}
    seats = {"seats": 3, "repetitions": 2}
    async with tournament_server(tmp_path / "data", scheduler={"capacity": 2}) as arena:
        async with asyncio.timeout(150), asyncio.TaskGroup() as tasks:
            tasks.create_task(veteran(port, matches=2))
            await arena.start(league(ruleset={"duration": 5.0}, bots=own(duels)), "duels")
            rules: dict[str, Any] = {"game": "right2live", "ruleset": {"max_rounds": 25}}
            await arena.start(league(kind="free_for_all", options=seats, bots=own(tag), **rules), "tag")
            while any(arena.scheduler.run(name) for name in ("duels", "tag")):  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # Nobody announces the end of both.
        for name, matches in (("duels", 12), ("tag", 2)):
            assert await arena.state(name) == "finished"
            assert len(await arena.reasons(name)) == matches
        assert faults(arena) == {}
    assert complaints(tmp_path) == {}

"""The JavaScript SDK: node's own test runner, against the Python SDK, a script, and the real server."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from javascript.cases import flights, grids
from support.live_server import ThreadedServer, threaded_server
from support.node import SDK, require_node, require_tool, run_node

HERE = Path(__file__).parent
SOCKETS = pytest.mark.parametrize("own_sockets", [False, True], ids=["ws", "own WebSocket"])


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ThreadedServer]:
    """An open server that brings together whoever waits."""
    with threaded_server(tmp_path / "open", matchmaking=True) as running:
        yield running


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server that wants tokens."""
    with threaded_server(tmp_path / "locked", is_open=False) as running:
        yield running


def test_the_helpers_say_the_same_as_those_of_python(tmp_path: Path) -> None:
    chance = Random(7)
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"grids": grids(chance), "flights": flights(chance)}), encoding="utf-8")
    run_node("--test", HERE / "helpers.test.mjs", FANGNETZ_CASES=str(cases))


@SOCKETS
def test_the_client_against_a_script(own_sockets: bool) -> None:
    require_tool(SDK, "ws")
    run_node("--test", HERE / "client.test.mjs", own_sockets=own_sockets)


@SOCKETS
def test_bots_on_the_real_server(arena: ThreadedServer, locked: ThreadedServer, own_sockets: bool) -> None:
    require_tool(SDK, "ws")
    servers = {"FANGNETZ_SERVER": arena.server.ws, "FANGNETZ_LOCKED": locked.server.ws}
    run_node("--test", HERE / "live.test.mjs", own_sockets=own_sockets, **servers)
    records = list(arena.server.host.results.newest())
    assert len(records) == (4 if own_sockets else 3)
    assert all(record.result.reason != "walkover" for record in records)


# --- types --------------------------------------------------------------------------------------


def compile_types(*options: object) -> "subprocess.CompletedProcess[str]":
    node, compiler = require_node(least=20), require_tool(SDK, "typescript") / "bin" / "tsc"
    command = [node, str(compiler), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=SDK)


def test_the_sources_are_typed() -> None:
    done = compile_types()
    assert done.returncode == 0, done.stdout


def test_the_declarations_are_those_of_the_sources(tmp_path: Path) -> None:
    done = compile_types("--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", tmp_path)
    assert done.returncode == 0, done.stdout
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    shipped = {path.name: path.read_text(encoding="utf-8") for path in (SDK / "types").iterdir()}
    del shipped["messages.d.ts"]
    assert shipped == written, "run: (cd clients/javascript && npm run types)"


def test_a_bot_in_typescript_is_typed() -> None:
    done = compile_types("--project", HERE / "typescript")
    assert done.returncode == 0, done.stdout

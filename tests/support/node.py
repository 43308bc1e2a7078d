"""Node for tests of JavaScript: found, or the test is skipped with the reason."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final, NoReturn

import pytest

__all__ = ["SDK", "require_node", "require_tool", "run_node"]

SDK: Final = Path(__file__).parents[2] / "clients" / "javascript"
"""The folder of the npm package."""
_OWN_SOCKETS: Final = 22
"""The first version with a WebSocket of its own; before, a flag switches it on."""


def require_node(least: int = 18) -> str:
    """Return the path of node; without it skip, or fail where nothing may be skipped."""
    node = shutil.which("node")
    if node is None:
        miss("node is not installed: apt-get install nodejs")
    if node_version(node) < least:
        miss(
            f"node {least} or newer is needed, this is {node_version(node)}; Debian has it from version 13 on"
        )
    return node


def require_tool(folder: Path, tool: str) -> Path:
    """Return the path of an installed npm package."""
    path = folder / "node_modules" / tool
    if not path.exists():
        miss(f"the npm package {tool} is not installed: (cd {folder} && npm ci)")
    return path


def run_node(*arguments: object, own_sockets: bool = False, **environment: str) -> str:
    """Run node to its end, and return its output.

    Args:
        arguments: of node.
        own_sockets: whether Node's own WebSocket is used even where that is an experiment.
        environment: variables to set.
    """
    node = require_node(least=20)
    flags = ["--experimental-websocket"] if own_sockets and node_version(node) < _OWN_SOCKETS else []
    done = subprocess.run(
        [node, *flags, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def node_version(node: str) -> int:
    """Return the major version of node."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout
    found = re.match(r"v(\d+)\.", said)
    return int(found[1]) if found else 0


def miss(reason: str) -> NoReturn:
    """Skip the test, or fail where nothing may be skipped."""
    if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)

"""The pure modules of the spectator page, run by node's own test runner."""

import subprocess
from pathlib import Path

import pytest

from support.node import require_node, require_tool

HERE = Path(__file__).parent


@pytest.mark.parametrize("module", sorted(file.name for file in HERE.glob("*.test.mjs")))
def test_module(module: str) -> None:
    command = [require_node(), "--test", str(HERE / module)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types() -> None:
    compiler = require_tool(HERE, "typescript") / "bin" / "tsc"
    command = [require_node(), str(compiler), "--project", str(HERE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout

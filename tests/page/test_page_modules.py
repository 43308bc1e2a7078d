"""The pure modules of the spectator page, run by node's own test runner."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MISSING = "node is not installed: apt-get install nodejs"


def require_node() -> str:
    """Return the path of node; without it skip, or fail where nothing may be skipped."""
    node = shutil.which("node")
    if node is None and os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(MISSING)
    if node is None:
        pytest.skip(MISSING)
    return node


@pytest.mark.parametrize("module", sorted(file.name for file in HERE.glob("*.test.mjs")))
def test_module(module: str) -> None:
    command = [require_node(), "--test", str(HERE / module)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


TYPESCRIPT = HERE / "node_modules" / "typescript" / "bin" / "tsc"
NO_TYPESCRIPT = "TypeScript is not installed: (cd tests/page && npm ci)"


def test_types() -> None:
    node = require_node()
    if not TYPESCRIPT.exists() and os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(NO_TYPESCRIPT)
    if not TYPESCRIPT.exists():
        pytest.skip(NO_TYPESCRIPT)
    command = [node, str(TYPESCRIPT), "--project", str(HERE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout

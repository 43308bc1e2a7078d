"""The SDK as it is delivered: one version, one place for its modules, and all of it in both packages."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fangnetz_protocol.version import __version__
from support.node import SDK, miss, require_node, run_node

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "server" / "fangnetz_server" / "web" / "static"
SOURCES = {path.name: path.read_bytes() for path in (SDK / "src").glob("*.js")}
PACKAGE = json.loads((SDK / "package.json").read_text())
BOT = """
import { Grid, SpaceballsBot, run } from "fangnetz";
class Falcon extends SpaceballsBot {}
console.log(new Falcon().game, new Grid(["..", ".#"]).fields.length, typeof run);
"""


def test_the_version_is_that_of_all_distributions() -> None:
    assert PACKAGE["version"] == __version__


def test_nothing_is_needed_at_run_time() -> None:
    assert "dependencies" not in PACKAGE
    assert PACKAGE["peerDependenciesMeta"] == {"ws": {"optional": True}}


def test_the_page_has_the_modules_of_the_sdk_and_no_copy() -> None:
    assert (PAGE / "sdk").is_symlink()
    assert (PAGE / "sdk").resolve() == SDK / "src"


def test_the_servers_wheel_holds_the_sdk(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT / "server", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        inside = "fangnetz_server/web/static/sdk/"
        held = {name.removeprefix(inside): files.read(name) for name in files.namelist() if inside in name}
    assert held == SOURCES


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of a user in which the packed SDK is installed."""
    require_node(least=20)
    npm = shutil.which("npm")
    if npm is None:
        miss("npm is not installed: apt-get install npm")
    packing = [npm, "pack", "--silent", "--pack-destination", str(tmp_path), str(SDK)]
    packed = subprocess.run(packing, capture_output=True, text=True, timeout=120, check=True).stdout.strip()
    home = tmp_path / "node_modules" / "fangnetz"
    home.mkdir(parents=True)
    unpacking = [
        "tar",
        "--extract",
        "--file",
        str(tmp_path / packed),
        "--strip-components=1",
        "--directory",
        str(home),
    ]
    subprocess.run(unpacking, timeout=60, check=True)
    (tmp_path / "bot.mjs").write_text(BOT)
    return tmp_path


def test_the_packed_sdk_runs_in_a_project_of_its_own(project: Path) -> None:
    assert run_node(project / "bot.mjs") == "spaceballs 3 function\n"
    home = project / "node_modules" / "fangnetz"
    assert {path.name: path.read_bytes() for path in (home / "src").iterdir()} == SOURCES
    assert (home / "types" / "messages.d.ts").is_file()
    assert not (home / "node_modules").exists()


def test_without_a_websocket_it_says_what_to_do(project: Path) -> None:
    text = BOT + "delete globalThis.WebSocket; await run(Falcon);"
    (project / "bot.mjs").write_text(text)
    done = subprocess.run(
        [require_node(least=20), project / "bot.mjs"], capture_output=True, text=True, timeout=60, cwd=project
    )
    assert done.returncode == 2
    assert "has no WebSocket of its own: npm install ws, or take Node 22\n" in done.stderr

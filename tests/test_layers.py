"""Who may import whom (docs/design/architecture.md), read from the source; and some rules for all modules."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

import fangnetz
import fangnetz_protocol
import fangnetz_server

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = (ROOT / "protocol", ROOT / "server", ROOT / "clients" / "python")
OURS: Final = ("fangnetz", "fangnetz_protocol", "fangnetz_server")
LONGEST: Final = 500

CHANCE_AND_TIME: Final = "asyncio time random socket os uuid secrets datetime threading subprocess"
SERVERS: Final = "websockets fastapi starlette uvicorn"


@dataclass(frozen=True)
class Layer:
    """A part of the code: the modules below `name`, unless another layer lies closer to them.

    `may` names what it may import of ours, itself aside; `never` what it must not import of others.
    Both go by whole modules: "games" does not allow "games_of_chance".
    """

    name: str
    may: str = ""
    never: str = ""

    def allows(self, module: str) -> bool:
        return any(is_below(module, name) for name in (self.name, *self.may.split()))


PROTOCOL: Final = "fangnetz_protocol"
RULES: Final = (
    "fangnetz_protocol.words fangnetz_server.games.contract fangnetz_server.games.draw "
    "fangnetz_server.games.faults"
)
CONTRACT: Final = "fangnetz_server.games.contract fangnetz_server.games.registry"
RESULTS: Final = "fangnetz_server.match.result fangnetz_server.match.seats fangnetz_server.match.settings"
HOSTED: Final = (
    "fangnetz_server.host fangnetz_server.gateway fangnetz_server.store fangnetz_server.metrics "
    f"{PROTOCOL} {CONTRACT} {RESULTS}"
)
EVERYTHING: Final = "fangnetz_protocol fangnetz_server"

LAYERS: Final = (
    Layer("fangnetz_protocol", never=f"{CHANCE_AND_TIME} {SERVERS}"),
    # The rules know neither the wire nor each other, no clock, and no chance but their own draw.
    Layer("fangnetz_server.games.contract", "fangnetz_protocol.words", CHANCE_AND_TIME),
    Layer("fangnetz_server.games.draw", "", CHANCE_AND_TIME),
    Layer("fangnetz_server.games.faults", "", CHANCE_AND_TIME),
    Layer("fangnetz_server.games.registry", "fangnetz_server.games.contract", CHANCE_AND_TIME),
    Layer("fangnetz_server.games.scenario", f"{RULES} {CONTRACT}", f"{CHANCE_AND_TIME} {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.games.right2live", RULES, f"{CHANCE_AND_TIME} {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.games.spaceballs", RULES, f"{CHANCE_AND_TIME} {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.games", "", CHANCE_AND_TIME),
    Layer(
        "fangnetz_server.maps",
        "fangnetz_server.games.contract fangnetz_server.games.right2live",
        CHANCE_AND_TIME,
    ),
    Layer(
        "fangnetz_server.testing",
        f"fangnetz_protocol.words {CONTRACT}",
        f"asyncio time socket os {SERVERS} sqlalchemy",
    ),
    # A match is a machine: time, chance and sockets are handed in.
    Layer("fangnetz_server.match", f"{PROTOCOL} {CONTRACT}", f"{CHANCE_AND_TIME} {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.match.clock", "", f"asyncio random socket os {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.match.timer", "fangnetz_server.match", f"time random socket os {SERVERS}"),
    Layer("fangnetz_server.tournament", "", f"{CHANCE_AND_TIME} {SERVERS} sqlalchemy"),
    Layer(
        "fangnetz_server.store",
        f"fangnetz_protocol.words {RESULTS} fangnetz_server.tournament",
        f"{SERVERS} random",
    ),
    Layer("fangnetz_server.tallies", "", f"asyncio time random {SERVERS} sqlalchemy"),
    Layer("fangnetz_server.metrics", "fangnetz_server.tallies", f"asyncio time random {SERVERS} sqlalchemy"),
    # The only place that knows a socket.
    Layer(
        "fangnetz_server.gateway",
        f"{PROTOCOL} {CONTRACT} fangnetz_server.match fangnetz_server.metrics",
        "fastapi starlette uvicorn sqlalchemy random",
    ),
    Layer("fangnetz_server.host", f"{HOSTED} fangnetz_server.match", "fastapi websockets sqlalchemy random"),
    Layer(
        "fangnetz_server.reports",
        "fangnetz_server.store.values fangnetz_server.tournament",
        f"{CHANCE_AND_TIME.replace('datetime ', '')} {SERVERS} sqlalchemy",
    ),
    Layer(
        "fangnetz_server.scheduling",
        f"{HOSTED} fangnetz_server.tournament fangnetz_server.maps fangnetz_server.reports",
        f"{SERVERS} sqlalchemy random",
    ),
    # Of a match the page and the API know its values and its replay, not its machine.
    Layer(
        "fangnetz_server.web",
        f"{HOSTED} fangnetz_server.scheduling fangnetz_server.reports fangnetz_server.tournament "
        "fangnetz_server.maps fangnetz_server.match.replay fangnetz_server.match.recorder",
        "websockets uvicorn sqlalchemy random",
    ),
    Layer(
        "fangnetz_server.config",
        "fangnetz_protocol.words fangnetz_server.gateway.limits",
        f"{SERVERS} sqlalchemy",
    ),
    # Training: the rules as environments; its opponents are bots of the SDK.
    Layer("fangnetz_server.envs", f"{PROTOCOL}.words fangnetz_server.games", f"{CHANCE_AND_TIME} {SERVERS}"),
    Layer(
        "fangnetz_server.envs.opponents",
        f"fangnetz {PROTOCOL}.words {CONTRACT}",
        f"{CHANCE_AND_TIME} {SERVERS}",
    ),
    Layer(
        "fangnetz_server.envs.single",
        f"fangnetz.local {PROTOCOL}.words fangnetz_server.envs",
        f"{CHANCE_AND_TIME} {SERVERS}",
    ),
    Layer("fangnetz_server.cli", EVERYTHING, "fastapi websockets sqlalchemy random"),
    Layer("fangnetz_server.__main__", "fangnetz_server.cli"),
    Layer("fangnetz_server", "fangnetz_protocol.version"),
    # The client knows the wire alone; playing on one's own machine is an extra.
    Layer("fangnetz", PROTOCOL, "fastapi starlette uvicorn sqlalchemy pydantic orjson"),
    Layer("fangnetz.bots", f"{PROTOCOL} fangnetz", f"asyncio socket os {SERVERS}"),
    Layer("fangnetz.local", f"{PROTOCOL} fangnetz {CONTRACT}", SERVERS),
    Layer("fangnetz.strength", f"{PROTOCOL} fangnetz fangnetz_server.maps", SERVERS),
)


def is_below(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def layer_of(module: str) -> Layer:
    """Return the layer that lies closest above a module."""
    fitting = [layer for layer in LAYERS if is_below(module, layer.name)]
    return max(fitting, key=lambda layer: len(layer.name))


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield our modules below a folder: name and file."""
    for package in OURS:
        for file in sorted((root / package).rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Yield what a file imports, wherever in it: the line and the module, with the names taken from it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def violations(root: Path) -> list[str]:
    """Return every import below a folder that the table does not allow."""
    return [
        f"{module} line {line}: imports {imported}"
        for module, file in modules(root)
        for line, imported in imports(file)
        if not is_allowed(module, imported)
    ]


def is_allowed(module: str, imported: str) -> bool:
    layer = layer_of(module)
    if imported.startswith("."):
        return False  # Relative imports would hide from this test.
    if imported.split(".")[0] in OURS:
        return layer.allows(imported) or layer.allows(imported.rpartition(".")[0])
    return not any(is_below(imported, name) for name in layer.never.split())


ALL: Final = tuple(chain.from_iterable(modules(root) for root in SOURCES))
EACH = pytest.mark.parametrize(("module", "file"), ALL, ids=[module for module, _ in ALL])


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", SOURCES, ids=lambda root: root.name)
def test_everybody_imports_only_what_he_may(root: Path) -> None:
    assert violations(root) == []


def test_every_package_has_a_layer_of_its_own() -> None:
    packages = {module for module, file in ALL if file.name == "__init__.py" and module.count(".") == 1}
    below_server = {module for module in packages if module.startswith("fangnetz_server.")}
    assert below_server == {name for name in below_server if layer_of(name).name == name}


def test_every_layer_has_modules() -> None:
    used = {layer_of(module).name for module, _ in ALL}
    assert used == {layer.name for layer in LAYERS}


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("fangnetz_protocol.spy", "import asyncio"),
        ("fangnetz_protocol.spy", "from os.path import join"),
        ("fangnetz_protocol.spy", "from fangnetz_server.games import draw"),
        ("fangnetz_server.games.right2live.spy", "import random"),
        ("fangnetz_server.games.right2live.spy", "from time import monotonic"),
        ("fangnetz_server.games.right2live.spy", "from fangnetz_server.games.spaceballs import GAME"),
        ("fangnetz_server.games.right2live.spy", "import fangnetz_protocol.messages"),
        ("fangnetz_server.games.spaceballs.spy", "def f():\n    import datetime"),
        ("fangnetz_server.match.spy", "import websockets"),
        ("fangnetz_server.match.spy", "from fangnetz_server.games.right2live import GAME"),
        ("fangnetz_server.match.spy", "import time"),
        ("fangnetz_server.match.spy", "from fangnetz_server import gateway"),
        ("fangnetz_server.tournament.spy", "from fangnetz_server.match.result import MatchResult"),
        ("fangnetz_server.store.spy", "from fangnetz_server.match.runner import Match"),
        ("fangnetz_server.gateway.spy", "from fangnetz_server.store.store import Store"),
        ("fangnetz_server.gateway.spy", "from fangnetz_server.host import host"),
        ("fangnetz_server.host.spy", "import fastapi.responses"),
        ("fangnetz_server.host.spy", "from fangnetz_server.web.app import make_app"),
        ("fangnetz_server.web.spy", "from fangnetz_server.match.runner import Match"),
        ("fangnetz_server.cli.spy", "import fangnetz"),
        ("fangnetz_server.envs.spy", "from fangnetz.loading import load_bot"),
        ("fangnetz.spy", "from fangnetz_server.maps import load_map"),
        ("fangnetz.bots.spy", "from fangnetz_server.games.contract import Game"),
        ("fangnetz.spy", "from . import client"),
    ],
)
def test_a_planted_import_is_found(tmp_path: Path, module: str, line: str) -> None:
    file = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
    file.parent.mkdir(parents=True)
    file.write_text(f'"""A spy."""\n\nimport typing\n{line}\n')
    (found,) = violations(tmp_path)
    assert found.startswith(f"{module} line {line.count(chr(10)) + 4}: imports ")


def test_a_good_import_is_not_found(tmp_path: Path) -> None:
    file = tmp_path / "fangnetz_server" / "match" / "friend.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "import hashlib\n"
        "from fangnetz_server.games.contract import Game\n"
        "from fangnetz_protocol import errors\n"
    )
    assert violations(tmp_path) == []


# --- every module ---------------------------------------------------------------------------------


def names_of(file: Path) -> list[str] | None:
    """Return what a module lists as public."""
    for node in ast.parse(file.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            assert isinstance(node, ast.Assign)
            return list(ast.literal_eval(node.value))
    return None


def is_public(module: str, file: Path) -> bool:
    """Tell whether others import from a module: not from programs, migrations and empty packages."""
    text = file.read_text()
    code = [node for node in ast.parse(text).body if not isinstance(node, ast.Expr)]
    is_program = '\nif __name__ == "__main__":' in text and "__all__" not in text
    return bool(code) and not is_program and ".migrations" not in module


@EACH
def test_a_public_module_lists_its_names_in_order(module: str, file: Path) -> None:
    if is_public(module, file):
        names = names_of(file)
        assert names is not None, "a public module has __all__"
        assert len(set(names)) == len(names)
        assert not [name for name in names if name.startswith("_") and not name.startswith("__")]


@EACH
def test_a_module_says_what_it_is(module: str, file: Path) -> None:
    text = ast.get_docstring(ast.parse(file.read_text()))
    assert text
    first = text.partition("\n\n")[0]
    assert first.endswith((".", ":")), "its first sentence stands alone"


@pytest.mark.parametrize("folder", ["protocol", "server", "clients", "bench"])
def test_no_module_is_too_long_to_read_at_a_sitting(folder: str) -> None:
    lengths = {
        file.relative_to(ROOT): file.read_text().count("\n")
        for file in (ROOT / folder).rglob("*.py")
        if "node_modules" not in file.parts
    }
    assert {file: length for file, length in lengths.items() if length > LONGEST} == {}


def test_there_is_one_version() -> None:
    assert fangnetz.__version__ == fangnetz_server.__version__ == fangnetz_protocol.__version__
    for folder in SOURCES:
        project = tomllib.loads((folder / "pyproject.toml").read_text())
        path = folder / project["tool"]["hatch"]["version"]["path"]
        assert path.resolve() == ROOT / "protocol" / "fangnetz_protocol" / "version.py"
        assert "version" in project["project"]["dynamic"]
    written = [module for module, file in ALL if "\n__version__" in file.read_text()]
    assert written == ["fangnetz_protocol.version"]

"""`fangnetz map`: list, draw and check maps of Right2Live."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fangnetz_server.cli import CommandError
from fangnetz_server.games.contract import SetupError
from fangnetz_server.maps import check_map, load_map, map_names

__all__ = ["check", "show", "show_list"]

_SHADES = {"0": 10, "#": 10}
"""Signs of the poison layer that are no digit from 1 to 9, as strengths from 0 to 10 (R1.3)."""


def check(file: Path) -> None:
    """Print every fault of a map.

    Raises:
        CommandError: with status 1 if there is one, with 2 if there is no such file.
    """
    try:
        file.open("rb").close()
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}") from error
    faults = check_map(file)
    for fault in faults:
        print(fault)
    if faults:
        raise CommandError(f"{len(faults)} fault{'s' if len(faults) > 1 else ''} in {file}", 1)
    rows = load_map(file).rows
    print(f"{file}: a good map of {len(rows[0])}x{len(rows)} fields")


def show_list() -> None:
    """Print name, size and free fields of each map."""
    table = Table("map", "size", "free fields", box=None, header_style="bold")
    for name in map_names():
        rows = load_map(name).rows
        walls = sum(row.count("#") for row in rows)
        table.add_row(name, f"{len(rows[0])}x{len(rows)}", str(len(rows[0]) * len(rows) - walls))
    Console().print(table)


def show(name: str) -> None:
    """Draw a map: walls grey, poison the greener the stronger.

    Raises:
        CommandError: there is no such map, or it has a fault.
    """
    try:
        found = load_map(name)
    except SetupError as error:
        raise CommandError(str(error)) from error
    layer = found.toxicity or tuple("." * len(row) for row in found.rows)
    console = Console()
    for row, poison in zip(found.rows, layer, strict=True):
        line = Text()
        for sign, strength in zip(row, poison, strict=True):
            line.append(*_cell(sign, strength))
        console.print(line, soft_wrap=True)


def _cell(sign: str, strength: str) -> tuple[str, str]:
    if sign == "#":
        return "██", "grey50"
    shade = _SHADES.get(strength, int(strength) if strength.isdigit() else 0)
    return (
        f"{strength.replace('.', ' ')} " if shade else "· "
    ), f"on rgb(0,{20 + 14 * shade},{10 + 3 * shade})"

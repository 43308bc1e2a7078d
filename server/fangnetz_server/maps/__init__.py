"""Maps of Right2Live: those that come with the server, and files of one's own.

A map is a file NAME.map (R1.1); its poison is NAME.tox beside it (R1.3), which may be missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Final

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.right2live.arena import MAX_SIDE, MapFault, layer_faults, map_faults

__all__ = ["FileFault", "MapFile", "check_map", "load_map", "map_names"]

MAX_BYTES: Final = 4 * MAX_SIDE * (MAX_SIDE + 2)
"""No map is larger, even with four bytes a sign; a larger file is not read at all."""
MAX_FAULTS: Final = 100
"""Faults reported of one file; a file of another kind would have one a sign."""


@dataclass(frozen=True, slots=True)
class MapFile:
    """A map and its layer, None where there is no poison file: `map` and `toxicity` of a setup."""

    rows: tuple[str, ...]
    toxicity: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class FileFault:
    """One fault of a map or poison file; line and column count from 1."""

    file: str
    line: int
    column: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.problem}"


class _Unreadable(Exception):
    """A file that is no text, with the place of the reason."""

    def __init__(self, fault: MapFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def map_names() -> tuple[str, ...]:
    """Return the names of the maps that come with the server, in order."""
    return tuple(sorted(name for item in files(__name__).iterdir() if (name := _stem(item.name)) is not None))


def load_map(name_or_path: str | Path) -> MapFile:
    """Read a map by its name, or by the path of its file (with a suffix or a folder in it).

    Raises:
        SetupError: there is no such map, or it has a fault; the text names line and column.
    """
    source = _find(name_or_path)
    for fault in _faults(*source):
        raise SetupError(f"{fault.file} line {fault.line}, column {fault.column}", fault.problem)
    rows, layer = source
    return MapFile(_lines(rows), _lines(layer) if layer.is_file() else None)


def check_map(path: str | Path) -> list[FileFault]:
    """Find the faults of a map file and of the poison file beside it, at most MAX_FAULTS of each.

    Either of the two files may be named; an empty list means that `load_map` reads them.
    """
    return list(_faults(*_pair(Path(path))))


def _stem(file_name: str) -> str | None:
    return file_name.removesuffix(".map") if file_name.endswith(".map") else None


def _find(name_or_path: str | Path) -> tuple[Traversable, Traversable]:
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix or len(path.parts) > 1:
        return _pair(path)
    if name_or_path not in map_names():
        known = ", ".join(map_names())
        raise SetupError(
            "map", f"{name_or_path!r} is unknown; there are {known}, or give the path of a .map file"
        )
    return files(__name__) / f"{name_or_path}.map", files(__name__) / f"{name_or_path}.tox"


def _pair(path: Path) -> tuple[Path, Path]:
    """Return the map file and the poison file that belong together."""
    return (path.with_suffix(".map") if path.suffix == ".tox" else path), path.with_suffix(".tox")


def _faults(map_file: Traversable, layer_file: Traversable) -> Iterator[FileFault]:
    try:
        rows = _lines(map_file)
    except _Unreadable as error:
        yield FileFault(str(map_file), *error.fault)
        return
    yield from _in_file(map_file, _all_map_faults(rows))
    if layer_file.is_file():
        try:
            layer = _lines(layer_file)
        except _Unreadable as error:
            yield FileFault(str(layer_file), *error.fault)
        else:
            yield from _in_file(layer_file, layer_faults(layer, rows))


def _all_map_faults(rows: tuple[str, ...]) -> Iterator[MapFault]:
    yield from map_faults(rows)
    if any(rows) and sum(row.count(".") + row.count(" ") for row in rows) < 2:
        yield MapFault(1, 1, "the map has fewer than 2 free fields; each player needs one")


def _in_file(file: Traversable, faults: Iterator[MapFault]) -> Iterator[FileFault]:
    yield from (FileFault(str(file), *fault) for fault in islice(faults, MAX_FAULTS))
    for fault in faults:
        yield FileFault(str(file), fault.line, fault.column, f"and more; these are the first {MAX_FAULTS}")
        return


def _lines(file: Traversable) -> tuple[str, ...]:
    """Read the lines of a text file; the ends of lines may be those of any system.

    Raises:
        _Unreadable: it cannot be read, is too large, or is no text.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _Unreadable(MapFault(1, 1, f"cannot be read: {error.strerror or error}")) from None
    if len(data) > MAX_BYTES:
        problem = f"the file has more than {MAX_BYTES} bytes; no map of {MAX_SIDE} x {MAX_SIDE} is so large"
        raise _Unreadable(MapFault(1, 1, problem))
    lines = _decoded(data).removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def _decoded(data: bytes) -> str:
    zero = data.find(0)
    if zero >= 0:
        raise _Unreadable(_place(data, zero, "a zero byte: this is no text file"))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _Unreadable(_place(data, error.start, "this is no UTF-8 text")) from None


def _place(data: bytes, offset: int, problem: str) -> MapFault:
    before = data[:offset]
    return MapFault(before.count(b"\n") + 1, offset - before.rfind(b"\n"), problem)

"""The shipped maps, and the check of map files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol.words import COMPASS
from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.right2live import GAME
from fangnetz_server.games.right2live.arena import build_arena
from fangnetz_server.maps import check_map, load_map, map_names


def write(folder: Path, data: bytes, layer: bytes | None = None) -> Path:
    path = folder / "mine.map"
    path.write_bytes(data)
    if layer is not None:
        path.with_suffix(".tox").write_bytes(layer)
    return path


def faults(path: Path) -> list[tuple[str, int, int]]:
    return [(Path(fault.file).suffix, fault.line, fault.column) for fault in check_map(path)]


def test_there_are_maps_of_all_sizes() -> None:
    sizes = {name: (len(load_map(name).rows[0]), len(load_map(name).rows)) for name in map_names()}
    assert len(sizes) >= 7
    assert (20, 12) in sizes.values()
    assert (70, 30) in sizes.values()
    assert len(set(sizes.values())) == len(sizes)


@pytest.mark.parametrize("name", map_names())
def test_a_shipped_map_is_one_connected_place_with_different_poison(name: str) -> None:
    file = load_map(name)
    assert file.toxicity is not None
    arena = build_arena(file.rows, file.toxicity)
    free = arena.free_fields()
    reached, left = {free[0]}, [free[0]]
    while left:
        field = left.pop()
        near = {field + arena.steps[way] for way in COMPASS if arena.can_step(field, way)}
        left += near - reached
        reached |= near
    assert len(reached) == len(free)
    assert len({arena.toxicity[field] for field in free}) >= 4
    assert GAME.prepare(1, {"map": file.rows, "toxicity": file.toxicity, "seats": 20}).seat_count == 20


def test_one_map_has_no_border() -> None:
    rows = load_map("archipelago").rows
    edge = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
    assert "#" not in edge


def test_the_default_map_is_the_courtyard() -> None:
    courtyard = load_map("courtyard")
    assert GAME.prepare(1, {}) == GAME.prepare(1, {"map": courtyard.rows, "toxicity": courtyard.toxicity})


def test_a_map_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path, b"#..\n. .\n", b"123\n...\n")
    for given_path in (path, str(path)):
        file = load_map(given_path)
        assert (file.rows, file.toxicity) == (("#..", ". ."), ("123", "..."))
    path.with_suffix(".tox").unlink()
    assert load_map(path).toxicity is None
    assert check_map(path) == []


@pytest.mark.parametrize("name", ["nowhere", "", "courtyard.tox.", "../pocket", "/", "a/b.map"])
def test_a_map_that_is_not_there(name: str) -> None:
    with pytest.raises(SetupError) as caught:
        load_map(name)
    assert "courtyard" in str(caught.value) or "cannot be read" in str(caught.value)


def test_all_faults_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, b"....\n.x.\n..\t.\n.....\n", b"....\n..a.\n....\n")
    assert faults(path) == [
        (".map", 2, 2),
        (".map", 2, 4),
        (".map", 3, 3),
        (".map", 4, 5),
        (".tox", 4, 1),
        (".tox", 2, 3),
    ]
    assert faults(path.with_suffix(".tox")) == faults(path)
    assert str(check_map(path)[0]).startswith(f"{path}:2:2: 'x' has no meaning here")
    with pytest.raises(SetupError, match="line 2, column 2"):
        load_map(path)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"...\r\n..#\r\n", [], id="crlf"),
        pytest.param(b"...\n..#", [], id="no_newline_at_the_end"),
        pytest.param(b"\xef\xbb\xbf...\n..#\n", [], id="byte_order_mark"),
        pytest.param(b"", [(".map", 1, 1)], id="empty"),
        pytest.param(b"\n\n", [(".map", 1, 1)], id="only_empty_lines"),
        pytest.param(b"...\n\n...\n", [(".map", 2, 1)], id="empty_line"),
        pytest.param(b"##\n#.\n", [(".map", 1, 1)], id="one_free_field"),
        pytest.param(b"...\n.\x00.\n", [(".map", 2, 2)], id="binary"),
        pytest.param(b"...\n...\n.\xff.\n", [(".map", 3, 2)], id="no_utf_8"),
        pytest.param("..\n.ö\n".encode(), [(".map", 2, 2)], id="umlaut"),
        pytest.param(b"..\r..\r", [(".map", 1, 3), (".map", 1, 6)], id="lone_carriage_returns"),
        pytest.param(b"." * 2_000_000, [(".map", 1, 1)], id="huge"),
        pytest.param(b"." * 501, [(".map", 1, 501)], id="too_wide"),
    ],
)
def test_odd_files(tmp_path: Path, data: bytes, expected: list[tuple[str, int, int]]) -> None:
    assert faults(write(tmp_path, data)) == expected


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in check_map(tmp_path / "missing.map")[0].problem
    assert "directory" in check_map(tmp_path)[0].problem


def test_a_broken_layer_is_found_beside_a_good_map(tmp_path: Path) -> None:
    assert faults(write(tmp_path, b"..\n", b"\x00")) == [(".tox", 1, 1)]
    assert faults(write(tmp_path, b"", b"..\n")) == [(".map", 1, 1), (".tox", 1, 1), (".tox", 1, 1)]


def test_a_file_of_another_kind_gives_a_bounded_list(tmp_path: Path) -> None:
    found = check_map(write(tmp_path, b"x" * 300 + b"\n"))
    assert len(found) == 101
    assert "these are the first 100" in found[-1].problem


@given(st.binary(max_size=300), st.binary(max_size=50))
def test_any_bytes_give_faults_or_a_map(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, layer: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("maps"), data, layer)
    if check_map(path):
        with pytest.raises(SetupError):
            load_map(path)
    else:
        assert load_map(path).rows

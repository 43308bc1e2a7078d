"""What a store says that cannot be opened, and that it leaves everything as it was."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import (
    NewerStore,
    NotAStore,
    StoreError,
    StoreLocked,
    StoreNotWritable,
    StoreUnavailable,
)
from fangnetz_server.store.migrate import HEAD
from support.privileges import unprivileged
from support.stored import replay_of, result_of, start_of

FILE = "fangnetz.sqlite3"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def set_modes(folder: Path, mode: int) -> None:
    """Set what one may do with a folder and everything in it."""
    for path in (*folder.rglob("*"), folder):
        path.chmod(mode)


async def fill(folder: Path, database: str | None) -> None:
    async with opened_store(folder, database=database) as store:
        await store.bots.add("Ada")


def execute(file: Path, *statements: str) -> None:
    """Run statements in a file of SQLite, as another program would."""
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


# --- what goes well ---------------------------------------------------------------------------


async def test_a_new_folder_is_made(tmp_path: Path, database: str | None) -> None:
    folder = tmp_path / "data" / "here"
    await fill(folder, database)
    async with opened_store(folder, database=database) as store:
        assert [bot.name for bot in await store.bots.all()] == ["Ada"]


async def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    await fill(tmp_path, None)


async def test_names_of_folders_may_hold_anything(tmp_path: Path) -> None:
    await fill(tmp_path / "50 % of ?x=1&y#z ä", None)
    assert (tmp_path / "50 % of ?x=1&y#z ä" / FILE).is_file()


async def test_a_closed_store_says_so(tmp_path: Path, database: str | None) -> None:
    store = await Store.open(tmp_path, database=database)
    await store.close()
    for call in (store.bots.add("Ada"), store.bots.all()):
        with pytest.raises(StoreUnavailable, match="is closed"):
            await call


async def test_sqlite_is_set_to_lose_nothing(tmp_path: Path) -> None:
    async with opened_store(tmp_path) as store:

        def settings(name: str) -> object:
            return store._database.read(lambda tx: tx.exec_driver_sql(f"PRAGMA {name}").scalar())

        names = ("journal_mode", "synchronous", "foreign_keys")
        assert [await settings(name) for name in names] == ["wal", 2, 1]  # type: ignore[misc]


# --- locked -----------------------------------------------------------------------------------


async def test_two_servers_never_share_a_store(tmp_path: Path, database: str | None) -> None:
    async with opened_store(tmp_path, database=database) as store:
        with pytest.raises(StoreLocked, match=f"in use by process {os.getpid()} on ") as locked:
            await Store.open(tmp_path, database=database)
        assert locked.value.place == str(tmp_path)
        await store.bots.add("Ada")
    async with opened_store(tmp_path, database=database) as store:
        assert len(await store.bots.all()) == 1


async def test_two_servers_with_folders_of_their_own_never_share_a_database(
    tmp_path: Path, schema: str
) -> None:
    async with opened_store(tmp_path / "one", database=schema):
        with pytest.raises(StoreLocked, match=r"server behind database process \d+, from "):
            await Store.open(tmp_path / "two", database=schema, busy_timeout_s=0.05)
    await fill(tmp_path / "two", schema)


async def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    program = (
        "import asyncio, os, signal, sys; from pathlib import Path; from fangnetz_server.store import Store\n"
        "asyncio.run(Store.open(Path(sys.argv[1]))); print('open', flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, tmp_path, stdout=subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert (process.returncode, said) == (-9, b"open\n")
    await fill(tmp_path, None)


async def test_a_file_that_another_program_has_locked(tmp_path: Path) -> None:
    await fill(tmp_path, None)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    async with opened_store(tmp_path, busy_timeout_s=0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match=rf"{FILE}: another program keeps it locked"):
            await store.bots.add("Bert")
        assert len(await store.bots.all()) == 1
        other.execute("ROLLBACK")
        await store.bots.add("Bert")
        assert len(await store.bots.all()) == 2
    other.close()


# --- not a store ------------------------------------------------------------------------------


async def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    await fill(tmp_path, None)
    execute(tmp_path / FILE, "UPDATE fangnetz_schema SET version_num = '0999'")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(NewerStore, match=f"schema version 0999, made by a newer Fangnetz.* up to {HEAD}"):
        await Store.open(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"something else entirely\n" * 100, b"SQLite format 3\x00" + b"\xff" * 99]
)
async def test_a_foreign_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(NotAStore, match=rf"{FILE}: is no database of Fangnetz"):
        await Store.open(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


async def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    tables = [f"CREATE TABLE {name} (x)" for name in ("a", "b", "c", "d")]
    execute(tmp_path / FILE, *tables)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(NotAStore, match=r"holds other tables \(a, b, c, \.\.\.\)"):
        await Store.open(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


async def test_a_database_of_another_program_that_counts_its_schema(tmp_path: Path) -> None:
    statements = (
        "CREATE TABLE fangnetz_schema (version_num TEXT)",
        "INSERT INTO fangnetz_schema VALUES ('e3b0c442')",
    )
    execute(tmp_path / FILE, *statements)
    with pytest.raises(NotAStore, match="schema version 'e3b0c442', which is none of Fangnetz's"):
        await Store.open(tmp_path)


async def test_a_damaged_database(tmp_path: Path) -> None:
    await fill(tmp_path, None)
    content = bytearray((tmp_path / FILE).read_bytes())
    content[4096:] = b"\x55" * (len(content) - 4096)
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreError, match="is damaged; restore it from a backup"):
        await fill(tmp_path, None)


# --- may not be written to --------------------------------------------------------------------


async def test_a_folder_that_may_not_be_written_to(open_folder: Path) -> None:
    set_modes(open_folder, 0o555)
    with unprivileged(), pytest.raises(StoreNotWritable, match="cannot be written to"):
        await Store.open(open_folder)
    with unprivileged(), pytest.raises(StoreNotWritable, match="cannot be made"):
        await Store.open(open_folder / "data")
    assert os.listdir(open_folder) == []
    set_modes(open_folder, 0o755)


async def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    for folder in (tmp_path / "data", tmp_path / "data" / "inside"):
        with pytest.raises(StoreNotWritable, match="cannot be made"):
            await Store.open(folder)


async def test_a_file_that_may_not_be_written_to(open_folder: Path) -> None:
    await fill(open_folder, None)
    set_modes(open_folder, 0o777)
    (open_folder / FILE).chmod(0o444)
    with unprivileged(), pytest.raises(StoreNotWritable, match=rf"{FILE}: may not be written to"):
        await Store.open(open_folder)
    (open_folder / FILE).chmod(0o644)
    async with opened_store(open_folder) as store:
        assert [bot.name for bot in await store.bots.all()] == ["Ada"]


# --- PostgreSQL -------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["", "sqlite:///x", "mysql://u:secret@h/d", "postgres:x"])
async def test_a_url_of_another_kind(tmp_path: Path, url: str) -> None:
    with pytest.raises(StoreError, match="is no URL of PostgreSQL") as refused:
        await Store.open(tmp_path, database=url)
    assert "secret" not in str(refused.value)


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    url = "postgresql://ada:secret@127.0.0.1:1/fangnetz"
    with pytest.raises(StoreUnavailable, match=r"ada:\*\*\*@127\.0\.0\.1:1/fangnetz: cannot be reached"):
        await Store.open(tmp_path, database=url)
    await fill(tmp_path, None)


async def test_a_database_that_is_not_there(tmp_path: Path, schema: str) -> None:
    with pytest.raises(StoreError, match="is not there; create it first"):
        await Store.open(tmp_path, database=urlsplit(schema)._replace(path="/no_such_database").geturl())


async def test_a_schema_that_is_not_there(tmp_path: Path, schema: str) -> None:
    with pytest.raises(StoreError, match="has no such schema; create it first"):
        await Store.open(tmp_path, database=schema.replace("search_path=", "search_path=no_such_"))


async def test_a_database_that_may_not_be_written_to(tmp_path: Path, schema: str) -> None:
    with pytest.raises(StoreNotWritable, match="may not be written to"):
        await Store.open(tmp_path, database=f"{schema}&default_transaction_read_only=on")
    await fill(tmp_path, schema)


async def test_a_store_that_turns_read_only_meanwhile(tmp_path: Path, schema: str) -> None:
    await fill(tmp_path, schema)
    start = start_of("m1")
    async with opened_store(tmp_path, database=f"{schema}&default_transaction_read_only=on") as store:
        with pytest.raises(StoreNotWritable, match="may not be written to"):
            await store.matches.finish(start, result_of(start), replay=replay_of("m1"))
        assert await store.matches.find(start.match) is None

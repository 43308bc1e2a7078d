"""The migrations build the tables that the program works with."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

import fangnetz_server.store.migrate
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.migrate import HEAD, VERSION_TABLE, upgrade
from fangnetz_server.store.tables import METADATA


async def test_they_build_what_the_tables_say(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, METADATA))

    assert await store._database.read(differences) == []


def test_the_newest_is_the_one_that_the_program_knows() -> None:
    config = Config()
    folder = Path(fangnetz_server.store.migrate.__file__).with_name("migrations")
    config.set_main_option("script_location", str(folder))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


async def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, database: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(connection: Connection) -> None:
        upgrade(connection)
        raise RuntimeError("the power is off")

    with monkeypatch.context() as patch:
        patch.setattr("fangnetz_server.store.store.upgrade", break_off)
        with pytest.raises(RuntimeError, match="power"):
            await Store.open(tmp_path, database=database)
    async with opened_store(tmp_path, database=database) as store:
        assert await store.bots.all() == ()

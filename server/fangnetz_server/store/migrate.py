"""Brings a database to the tables of this program: `migrations/versions`, oldest first, in one transaction.

To change a table: change `tables.py`, write the next file in `migrations/versions`, raise `HEAD`.
A test compares what the migrations build with `tables.py`.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from fangnetz_server.store.errors import NewerStore, NotAStore

__all__ = ["HEAD", "VERSION_TABLE", "check", "upgrade"]

HEAD: Final = "0001"
"""The newest version; versions are counted."""
VERSION_TABLE: Final = "fangnetz_schema"
_SHOWN: Final = 3


def check(connection: Connection, place: str) -> None:
    """See whether a database is empty or a store; it is not changed.

    Raises:
        NotAStore: it holds something else.
        NewerStore: a newer program made it.
    """
    version = _version(connection, place)
    if version is None:
        return
    if not version.isdigit():
        raise NotAStore(place, f"has schema version {version!r}, which is none of Fangnetz's")
    if int(version) > int(HEAD):
        raise NewerStore(place, version, HEAD)


def upgrade(connection: Connection) -> None:
    """Run the migrations that a checked database lacks, inside the transaction of the caller."""
    if _version(connection, "") == HEAD:
        return
    from alembic import command  # Only here: it takes longer to import than the rest to open.
    from alembic.config import Config

    config = Config()
    folder = str(Path(__file__).with_name("migrations"))
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version(connection: Connection, place: str) -> str | None:
    """Return the version of a store, None of an empty database."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
        return None if found is None else str(found)
    if tables:
        shown = ", ".join(tables[:_SHOWN]) + (", ..." if len(tables) > _SHOWN else "")
        raise NotAStore(
            place,
            f"holds other tables ({shown}); it was left as it is: "
            "Fangnetz needs a database or a schema of its own",
        )
    return None

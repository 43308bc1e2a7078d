"""The same tests on both databases: SQLite always, PostgreSQL where there is one."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from fangnetz_server.store import Store, opened_store
from support.postgres import URL_VARIABLE, postgres_or_skip


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server on which the tests may do what they want."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    with postgres_or_skip() as server:
        yield server.url


@pytest.fixture
def schema(postgres: str) -> Iterator[str]:
    """The URL of an empty schema; its connections have its name, so that a test can find them."""
    name = f"test_{uuid.uuid4().hex}"
    asyncio.run(_execute(postgres, f"CREATE SCHEMA {name}"))
    yield f"{postgres}{'&' if '?' in postgres else '?'}search_path={name}&application_name={name}"
    asyncio.run(_execute(postgres, f"DROP SCHEMA {name} CASCADE"))


async def _execute(url: str, statement: str) -> None:
    import asyncpg  # type: ignore[import-untyped]

    connection: Any = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """What `Store.open` takes as `database`: both in turn."""
    return None if request.param == "sqlite" else str(request.getfixturevalue("schema"))


@pytest.fixture
async def store(tmp_path: Path, database: str | None) -> AsyncIterator[Store]:
    """An empty store on each database."""
    async with opened_store(tmp_path, database=database) as opened:
        yield opened

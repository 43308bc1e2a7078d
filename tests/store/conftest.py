"""The same tests on both databases: SQLite always, PostgreSQL where there is one."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from fangnetz_server.store import Store, opened_store
from support.postgres import URL_VARIABLE, PostgresMissing, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server on which the tests may do what they want."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    try:
        server = postgres_server()
        url = server.__enter__()
    except PostgresMissing as error:
        if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
            pytest.fail(str(error))
        pytest.skip(str(error))
    try:
        yield url
    finally:
        server.__exit__(None, None, None)


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

"""HTTP clients of a live server: one with the host's token, one without any."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from support.live_server import LiveServer

__all__ = ["audit_trail", "http_client", "json_of"]


@asynccontextmanager
async def http_client(server: LiveServer, token: str | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """Open a client that shows a token, or none; `token="host"` stands for the host's own."""
    headers = {} if token is None else {"Authorization": f"Bearer {_real(server, token)}"}
    async with httpx.AsyncClient(
        base_url=server.http, headers=headers, trust_env=False, timeout=20
    ) as client:
        yield client


def json_of(answer: httpx.Response, status: int = 200) -> Any:
    """Return the JSON of an answer that has to have this status."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    return answer.json()


async def audit_trail(host: httpx.AsyncClient) -> list[tuple[str, str]]:
    """Return command and target of each line of the audit log, oldest first."""
    lines = json_of(await host.get("/api/host/audit", params={"limit": 1000}))
    return [(line["command"], line["target"]) for line in reversed(lines)]


def _real(server: LiveServer, token: str) -> str:
    if token != "host":
        return token
    assert server.host.keys is not None, "the server has keys"
    return server.host.keys.token_file.read_text(encoding="utf-8").strip()

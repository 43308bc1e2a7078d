"""The pages: served whole, asking nobody else for anything, and under any path prefix."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from support.live_server import LiveServer, live_server

PREFIX = "/arena"


@pytest.fixture
async def http(server: LiveServer) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the server."""
    async with httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=20) as client:
        yield client


def references(page: httpx.Response) -> list[str]:
    """Return all addresses that a page loads or links to."""
    return re.findall(r'(?:src|href)="([^"]+)"', page.text)


def imports(script: httpx.Response) -> list[str]:
    """Return all modules that a module loads."""
    return re.findall(r'(?:\bfrom |\bawait import\()"([^"]+)"', script.text)


async def load_all(http: httpx.AsyncClient, path: str) -> dict[str, httpx.Response]:
    """Load a page and everything that it needs; all of it has to be there and on the same host."""
    loaded: dict[str, httpx.Response] = {}
    wanted = [urljoin(str(http.base_url), path)]
    while wanted:
        url = wanted.pop()
        if url in loaded:
            continue
        assert urlsplit(url).netloc == urlsplit(str(http.base_url)).netloc, f"{url} is somebody else's"
        answer = loaded[url] = await http.get(url)
        assert answer.status_code == 200, f"{url}: {answer.status_code}"
        kind = answer.headers["content-type"]
        found = references(answer) if "html" in kind else imports(answer) if "javascript" in kind else []
        wanted += [urljoin(url, reference).partition("#")[0] for reference in found]
    return loaded


async def test_the_page_and_all_that_it_loads_is_served(http: httpx.AsyncClient) -> None:
    loaded = await load_all(http, "/")

    kinds = {answer.headers["content-type"].partition(";")[0] for answer in loaded.values()}
    assert {"text/html", "text/css", "text/javascript", "image/svg+xml"} <= kinds
    assert any(url.endswith("/static/games/spaceballs.js") for url in loaded)


async def test_the_docs_load_nothing_from_elsewhere(http: httpx.AsyncClient) -> None:
    loaded = await load_all(http, "/docs")

    assert any("swagger-ui-bundle.js" in url for url in loaded)
    page = (await http.get("/docs")).text
    assert "://" not in page
    assert "openapi.json" in page + "".join(answer.text for url, answer in loaded.items() if "docs.js" in url)


@pytest.mark.parametrize("path", ["/", "/docs"])
async def test_pages_use_relative_addresses_only(http: httpx.AsyncClient, path: str) -> None:
    # P1.1: behind a proxy that serves us under a prefix an address that starts with / leads elsewhere.
    page = await http.get(path)

    assert references(page)
    assert not [reference for reference in references(page) if reference.startswith("/")]


@pytest.mark.parametrize("keeps", [True, False], ids=["proxy keeps the prefix", "proxy strips the prefix"])
async def test_everything_works_under_a_prefix(tmp_path: Path, keeps: bool) -> None:
    async with live_server(tmp_path, prefix=PREFIX) as server:
        base = server.http + (PREFIX if keeps else "") + "/"
        match = (await server.play("spaceballs", "ann", "bob")).match
        async with httpx.AsyncClient(base_url=base, trust_env=False) as http:
            await load_all(http, "")
            await load_all(http, "docs")
            assert (await http.get("healthz")).json()["status"] == "ok"
            details = (await http.get(f"api/matches/{match}")).json()
            assert (await http.get(details["replay"])).status_code == 200
            assert (await http.get("openapi.json")).json()["servers"] == [{"url": PREFIX}]
        server.ws = base.replace("http", "ws").rstrip("/")
        spectator = await server.spectator(match)
        assert (await spectator.drain())[-1]["type"] == "match_end"

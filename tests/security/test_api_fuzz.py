"""Schemathesis asks the HTTP API everything that its own description allows, and more."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from structlog.testing import capture_logs
from structlog.typing import EventDict

from support.live_server import ThreadedServer, threaded_server

EXAMPLES = {"host": 8, "anybody": 3}
"""Requests an operation; most are refused to anybody, in the same way."""


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with a finished match and one that runs; nothing that is asked may make it log an error."""
    with capture_logs() as logs, threaded_server(tmp_path_factory.mktemp("data")) as server:
        server.wait_over(server.play("spaceballs", ["ann", "bob"]))
        live = server.play(
            "spaceballs", ["cid", "dan"], setup={"ruleset": {"duration": 3_600}}, pace="realtime", tick_ms=50
        )
        yield server
        tick = server.server.host.tables[live].match.tick
        assert tick > 0, "the match has gone on"
        assert errors(logs) == []


def errors(logs: list[EventDict]) -> list[EventDict]:
    return [line for line in logs if line["log_level"] in ("error", "critical")]


def operations(server: ThreadedServer) -> list[Any]:
    """Return all operations that the server describes."""
    schema: Any = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    return [found.ok() for found in schema.get_all_operations()]


@pytest.mark.parametrize("who", ["host", "anybody"])
def test_no_request_breaks_the_server(
    fuzzed: ThreadedServer, caplog: pytest.LogCaptureFixture, who: str
) -> None:
    keys = fuzzed.server.host.keys
    assert keys is not None
    headers = {"Authorization": f"Bearer {keys.token_file.read_text().strip()}"} if who == "host" else {}
    statuses = set()
    with requests.Session() as session:
        session.trust_env = False
        for operation in operations(fuzzed):

            @settings(
                max_examples=EXAMPLES[who],
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def ask(case: Any) -> None:
                answer = case.call(headers=headers, session=session)
                case.validate_response(answer, checks=[not_a_server_error])
                statuses.add(answer.status_code)

            ask()
    assert "Traceback" not in caplog.text
    assert {200, 404, 422} <= statuses


def test_it_is_still_well(fuzzed: ThreadedServer) -> None:
    assert httpx.get(f"{fuzzed.url}/healthz", trust_env=False).json()["running"] >= 1

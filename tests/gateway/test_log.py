"""What the log says of a match and its seats: enough to tell afterwards what happened to whom."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs
from structlog.typing import EventDict

from fangnetz_server.gateway.limits import Limits
from support.clients import coast
from support.live_server import LiveServer, eventually, live_server

SEATED = ("match", "seat", "bot", "phase", "tick")


def told(logs: list[EventDict], event: str, *fields: str) -> list[tuple[object, ...]]:
    """Return these fields of all lines about an event."""
    return [tuple(line[field] for field in fields) for line in logs if line["event"] == event]


async def test_each_line_about_a_seat_names_match_seat_and_bot(server: LiveServer) -> None:
    with capture_logs() as logs:
        table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
        match = table.match.id
        ann, bob = await server.raw_bot(), await server.bot("bob")
        secret = (await ann.hello("ann"))["resume"]
        await ann.ready()
        await bob.ready()
        await ann.next("observation")
        ann.cut()
        await eventually(lambda: not table.match.seats[0].connected, "the lost line is noticed")
        again = await server.raw_bot()
        await again.hello(resume=secret)
        await again.next("observation")
        await again.send({"type": "leave", "match": match})
        over = server.host.wait_result(match)
        await bob.play_on(coast)
        await over

    assert told(logs, "match_created", "match", "game", "seats") == [(match, "spaceballs", ["ann", "bob"])]
    taken = told(logs, "seat_taken", *SEATED)
    assert sorted(taken) == [(match, 0, "ann", "waiting", 0), (match, 1, "bob", "waiting", 0)]
    assert told(logs, "seat_lost", *SEATED) == [(match, 0, "ann", "running", 0)]
    assert told(logs, "seat_resumed", *SEATED) == [(match, 0, "ann", "running", 0)]
    assert told(logs, "seat_left", *SEATED) == [(match, 0, "ann", "running", 0)]
    assert told(logs, "match_over", "match", "reason", "ticks") == [(match, "timeout", 10)]
    assert [bot for bot, _ in told(logs, "bot_connected", "bot", "address")] == ["bob", "ann", "ann"]
    assert all(line["address"] == "127.0.0.1" for line in logs if line["event"] == "bot_connected")


@pytest.fixture
def all_levels() -> Iterator[None]:
    """Log what the tests else leave out."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("all_levels")
async def test_each_fault_is_told_to_a_host_who_wants_to_know(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=Limits(strikes=2)) as server:
        table = server.create("spaceballs", "ann", "bob", deadline_ms=60_000)
        ann, bob = await server.bot("ann"), await server.bot("bob")
        await ann.ready()
        await bob.ready()
        observation = await ann.next("observation")
        with capture_logs() as logs:
            await ann.act(observation, {"thrust": "up"})
            await ann.send({"type": "ready", "match": "none"})
            await ann.send_raw("nonsense")
            await ann.closed()

    faults = [(line["code"], line.get("seat")) for line in logs if line["event"] == "bot_fault"]
    assert faults == [("invalid_action", 0), ("unknown_match", None), ("not_json", None)]
    assert told(logs, "bot_fault", "bot") == [("ann",)] * 3
    assert next(line["match"] for line in logs if "match" in line) == table.match.id
    assert told(logs, "bot_struck_out", "bot", "code", "log_level") == [("ann", "not_json", "warning")]

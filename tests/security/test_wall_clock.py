"""The wall clock jumps about, as after a wrong time server: nobody is dropped or charged (P1.3)."""

import time
from datetime import datetime, timedelta, tzinfo
from itertools import cycle
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

import fangnetz_server.host.host
import fangnetz_server.store.store
from fangnetz_server.gateway.limits import Limits
from support.clients import coast
from support.live_server import eventually, live_server

HOUR_S = 3600.0


class Jumping(datetime):
    """A clock that is an hour fast, right, a year slow, and so on."""

    jumps: ClassVar = cycle((timedelta(hours=1), timedelta(0), timedelta(days=-365), timedelta(days=40)))

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + next(cls.jumps)


@pytest.mark.parametrize(
    "settings",
    [{"pace": "realtime", "tick_ms": 50}, {"pace": "lockstep", "deadline_ms": 5_000, "bank_ms": 0}],
    ids=lambda settings: settings["pace"],
)
async def test_it_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    true_time, jumps = time.time, cycle((HOUR_S, 0.0, -24 * HOUR_S, 1.0))
    monkeypatch.setattr(time, "time", lambda: true_time() + next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: round((true_time() + next(jumps)) * 1e9))
    for module in (fangnetz_server.host.host, fangnetz_server.store.store):
        monkeypatch.setattr(module, "datetime", Jumping)
    limits = Limits(ping_s=1.0, hello_s=5.0, idle_s=60.0, messages_per_second=1_000)
    async with live_server(tmp_path, limits=limits) as server:
        idle, lobby = await server.bot("cid"), await server.lobby()
        token = (await server.host.store.bots.add("Dan"))[1]
        result = await server.play("spaceballs", "ann", "bob", policy=coast, **settings)
        assert (result.reason, result.ticks) == ("timeout", 10)
        assert [(seat.stats.applied, seat.stats.late) for seat in result.seats] == [(10, 0)] * 2
        assert server.result(result.match)["reason"] == "timeout"
        assert (await (await server.raw_bot()).hello(token=token))["bot"]["name"] == "Dan"
        (socket,) = (link.socket for link in server.host.gateway.links if link.entrant.name == "cid")
        assert socket is not None
        await eventually(lambda: socket.latency > 0, "a ping was answered")
        for client in (idle, lobby):
            await client.send_raw("still there?")
            assert (await client.next("error"))["code"] in ("not_json", "forbidden")

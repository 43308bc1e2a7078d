"""How much a bot may say: answers are never too many, everything else is counted."""

import asyncio
from pathlib import Path

from fangnetz_protocol.codes import CloseCode
from fangnetz_server.gateway.limits import Limits
from support.clients import coast
from support.live_server import live_server

FEW = Limits(messages_per_second=5, strikes=10)


async def test_a_fast_match_in_lockstep_is_not_too_fast(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=FEW) as server:
        setup = {"ruleset": {"duration": 5.0}}
        server.create("spaceballs", "ann", "bob", setup=setup, deadline_ms=60_000)
        ann, bob = await server.bot("ann"), await server.bot("bob")
        ends = await asyncio.gather(ann.play(coast), bob.play(coast))

        assert ends[0]["ticks"] == 100
        assert not ann.received("error")
        assert not bob.received("error")


async def test_one_who_talks_too_much_is_told_and_then_sent_away(tmp_path: Path) -> None:
    async with live_server(tmp_path, limits=FEW) as server:
        match = server.create("spaceballs", "ann", "bob").match.id
        ann = await server.bot("ann")
        await server.bot("bob")
        await ann.next("match_start")
        for _ in range(40):
            await ann.send({"type": "ready", "match": match})

        assert await ann.closed() == CloseCode.POLICY
        assert {error["code"] for error in ann.received("error")} == {"rate_limited"}
        assert len(ann.received("error")) == 11
        assert "5 messages a second" in ann.received("error")[0]["message"]

"""Codes that are good for a seat of a match, once, or for a place in a tournament."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store import Store
from fangnetz_server.store.errors import SeatCodeUsed, Unknown
from fangnetz_server.store.values import SeatGrant
from support.stored import NOON, later

GRANT = SeatGrant(BotId("guest"), "Guest", MatchId("m1"), 1)


async def test_a_code_gives_its_seat(store: Store) -> None:
    code = await store.seat_codes.issue(GRANT)
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", code)
    assert await store.seat_codes.use(code, "10.0.0.7") == GRANT
    assert GRANT.entrant.name == "Guest"


async def test_a_code_may_be_typed_carelessly(store: Store) -> None:
    grant = SeatGrant(BotId("guest"), "Guest", tournament="cup")
    code = await store.seat_codes.issue(grant)
    assert await store.seat_codes.use(f" {code.lower().replace('-', ' ')} ", "x") == grant


async def test_a_code_works_once(store: Store) -> None:
    code = await store.seat_codes.issue(GRANT)
    uses = [store.seat_codes.use(code, f"socket {number}") for number in range(20)]
    found = await asyncio.gather(*uses, return_exceptions=True)
    assert found.count(GRANT) == 1
    assert sum(isinstance(result, SeatCodeUsed) for result in found) == len(uses) - 1


async def test_a_code_of_a_tournament_works_until_it_is_revoked(store: Store) -> None:
    grant = SeatGrant(BotId("guest"), "Guest", tournament="cup")
    code = await store.seat_codes.issue(grant)
    assert [await store.seat_codes.use(code, "x") for _ in range(3)] == [grant] * 3
    assert await store.seat_codes.revoke(tournament="cup") == 1
    with pytest.raises(Unknown):
        await store.seat_codes.use(code, "x")


@pytest.mark.parametrize("code", ["", "AAAA-AAAA-AAAA-AAAA", "\ud800"])
async def test_an_unknown_code_is_refused_without_repeating_it(store: Store, code: str) -> None:
    with pytest.raises(Unknown, match=r"seat code '\*\*\*\*'"):
        await store.seat_codes.use(code, "x")


async def test_a_code_can_have_an_end(tmp_path: Path, database: str | None) -> None:
    time = [NOON]
    store = await Store.open(tmp_path, database=database, now=lambda: time[0])
    code, other = [await store.seat_codes.issue(GRANT, lifetime=timedelta(hours=1)) for _ in range(2)]
    time[0] = later(3599)
    assert await store.seat_codes.use(code, "x") == GRANT
    time[0] = later(3600)
    with pytest.raises(SeatCodeUsed, match="time of this seat code is over"):
        await store.seat_codes.use(other, "x")
    await store.close()


async def test_unused_codes_can_be_revoked(store: Store) -> None:
    used, unused = [await store.seat_codes.issue(GRANT) for _ in range(2)]
    of_cup = await store.seat_codes.issue(SeatGrant(BotId("g"), "G", tournament="cup"))
    await store.seat_codes.use(used, "x")
    assert await store.seat_codes.revoke(match=MatchId("m1")) == 1
    with pytest.raises(Unknown):
        await store.seat_codes.use(unused, "x")
    assert await store.seat_codes.revoke(tournament="cup") == 1
    with pytest.raises(Unknown):
        await store.seat_codes.use(of_cup, "x")

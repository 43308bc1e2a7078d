"""Whole matches over real sockets."""

import pytest

from support.live_server import LiveServer, ThreadedServer


@pytest.mark.parametrize("game", ["spaceballs", "right2live"])
async def test_two_bots_play_to_the_end(server: LiveServer, game: str) -> None:
    result = await server.play(game, "ann", "bob")

    assert result.ticks == 10
    assert [seat.stats.applied + seat.stats.blocked for seat in result.seats] == [10, 10]


def test_a_match_runs_while_the_test_blocks(served: ThreadedServer) -> None:
    match = served.play("spaceballs", ["ann", "bob"], pace="realtime", tick_ms=5)

    assert served.wait_over(match)["reason"] == "timeout"

"""Programs that play Spaceballs against `random` through `fangnetz-bot bridge`, on the real server."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Final

from fangnetz.client import play
from fangnetz.loading import load_bot, seeded
from fangnetz_server.match.result import MatchResult
from support.live_server import LiveServer

__all__ = ["MATCHES", "bridged", "check_clean"]

MATCHES: Final = 3


async def _nothing() -> None:
    pass


async def bridged(
    server: LiveServer, name: str, *options: object, beside: Callable[[], Awaitable[object]] = _nothing
) -> tuple[list[MatchResult], str]:
    """Let a program play a few matches, one after the other.

    Args:
        server: the real one.
        name: of the bot.
        options: of the bridge, besides those that this function gives.
        beside: what happens meanwhile.

    Returns:
        the results, with the program on seat 0, and the log of the bridge.
    """
    words = ("--game", "spaceballs", "--server", server.ws, "--name", name, "--matches", MATCHES, *options)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fangnetz", "bridge", *map(str, words)), stderr=asyncio.subprocess.PIPE
    )
    try:
        results, (_, errors), _ = await asyncio.gather(_series(server, name), process.communicate(), beside())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, errors.decode()
    return results, errors.decode()


async def _series(server: LiveServer, name: str) -> list[MatchResult]:
    rival = f"{name}-random"
    bot = seeded(load_bot("spaceballs:random"), 1)
    playing = asyncio.create_task(play(bot, server.ws, name=rival, matches=MATCHES))
    results = []
    for seed in range(MATCHES):
        table = server.create("spaceballs", name, rival, setup={}, seed=seed)
        results.append(await server.host.wait_result(table.match.id))
    await playing
    return results


def check_clean(results: list[MatchResult], log: str) -> None:
    """Check that all matches were played to their end, and that nothing was held against the program."""
    assert len(results) == MATCHES
    for result in results:
        assert result.reason not in ("walkover", "infra_error", "forfeit")
        own = result.seats[0].stats
        assert (own.missing, own.late, own.invalid, own.duplicate) == (0, 0, 0, 0), own
    assert "WARNING" not in log, log

"""A full disk stops a tournament, and room on it lets it go on; nothing is lost, nothing counts twice."""

import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from support.live_server import eventually
from support.small_disk import small_disk
from support.tournament_process import BOTS, check_sums, drive, outcome
from support.tournament_server import WHO, Arena, league, tournament_server

PADDING: Final = "padding"
_LEFT: Final = 200_000
GAMES: Final = 180
LEAGUE: Final = league(*BOTS, options={"legs": GAMES // 6}, ruleset={"duration": 1.0})


async def test_a_tournament_waits_for_room_on_the_disk(tmp_path: Path) -> None:
    undisturbed = await _play_undisturbed(tmp_path / "undisturbed")
    folder = tmp_path / "small"
    folder.mkdir()
    with small_disk(folder) as disk:
        async with tournament_server(folder) as server:
            await server.make(LEAGUE)
            _fill(folder / PADDING)
            await _start(server)
            run = server.scheduler.run("cup")
            assert run is not None
            await eventually(
                lambda: run.problem is not None or bool(server.host.results.refused), "the full disk"
            )
            assert len((await server.host.store.tournaments.history("cup")).results) < GAMES
            disk.make_room()
            (folder / PADDING).unlink()
            await server.finished()
            found = await outcome(server)
            assert found == undisturbed
            assert len(found["cup"]["matches"]) == GAMES
            await check_sums(server.host.store, found)


async def _play_undisturbed(folder: Path) -> dict[str, Any]:
    async with tournament_server(folder) as server:
        await server.make(LEAGUE)
        await _start(server)
        await server.finished()
        return await outcome(server)


async def _start(server: Arena) -> None:
    for bot in BOTS:
        await server.enter(bot, policy=drive(bot))
    await server.commands.start("cup", WHO)


def _fill(file: Path) -> None:
    """Take nearly all the room that is left, so that the rest is used up soon."""
    limit, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit != resource.RLIM_INFINITY:  # No file system of its own: let no file grow much more.
        largest = max(path.stat().st_size for path in file.parent.iterdir() if path.is_file())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + _LEFT, hard))
        file.touch()
        return
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    try:
        with suppress(OSError):
            while True:
                os.write(descriptor, bytes(4096))
        os.truncate(file, max(0, file.stat().st_size - _LEFT))
    finally:
        os.close(descriptor)

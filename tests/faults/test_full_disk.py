"""A full disk stops a tournament, and room on it lets it go on; nothing is lost, nothing counts twice."""

import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import Final

from support.live_server import eventually
from support.small_disk import small_disk
from support.tournament_server import league, tournament_server

PADDING: Final = "padding"
_LEFT: Final = 200_000


async def test_a_tournament_waits_for_room_on_the_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path) as disk:
        async with tournament_server(tmp_path) as server:
            await server.make(league("ann", "bob", "cid", options={"legs": 60}))
            _fill(tmp_path / PADDING)
            await server.enter("ann", "bob", "cid")
            await server.commands.start("cup", "host@test")
            run = server.scheduler.run("cup")
            assert run is not None
            await eventually(
                lambda: run.problem is not None or bool(server.host.results.refused), "the full disk"
            )
            stored = len((await server.host.store.tournaments.history("cup")).results)
            assert stored < 180
            disk.make_room()
            (tmp_path / PADDING).unlink()
            await server.finished()
            records = await server.host.store.tournaments.pairings("cup")
            deciding = [record.decided_by for record in records if not record.pairing.is_bye]
            assert len(set(deciding)) == len(deciding) == 180
            picture = await server.scheduler.views.picture("cup", for_host=True)
            assert sum(row.played for row in picture.rows) == 360


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

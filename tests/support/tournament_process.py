"""Three tournaments whose outcome follows from the seeds alone, and a process to be killed at any instant.

`python -m support.tournament_process FOLDER` makes the tournaments if they are not there yet, goes on
with them, says "ready" once they are played and "finished" once they are over.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Final

from fangnetz_server.store import Store
from support.live_server import eventually
from support.tournament_server import Arena, league, tournament_server

__all__ = ["BOTS", "CAPACITY", "check_sums", "drive", "files", "outcome", "play", "wait_over"]

Outcome = dict[str, Any]
BOTS: Final = ("ann", "bob", "cid", "dan")
CAPACITY: Final = 2
_PUSH: Final = {"ann": 1.0, "bob": -1.0, "cid": 0.5, "dan": 0.0}


def files() -> dict[str, dict[str, Any]]:
    """Return the tournaments: one that is drawn at once, one in rounds, one by results."""
    short = {"duration": 1.5}
    return {
        "all": league(*BOTS, options={"legs": 4}, ruleset=short, name="All"),
        "swiss": league(*BOTS, kind="swiss", options={"rounds": 3, "legs": 2}, ruleset=short, name="Swiss"),
        "cup": league(*BOTS, kind="double_elimination", options={"best_of": 3}, ruleset=short, name="Cup"),
    }


async def play(server: Arena) -> None:
    """Let the bots come in, and begin or go on."""
    for name, file in files().items():
        await server.start(file, name)
    for bot in BOTS:
        await server.enter(bot, policy=drive(bot))


async def wait_over(server: Arena) -> None:
    """Wait until all tournaments are over."""
    await eventually(lambda: not server.scheduler.runs(), "the end")


def drive(bot: str) -> Any:
    """Every bot pushes in a way of its own, by the tick alone: the same match ends the same every time."""
    push = _PUSH[bot]

    def policy(observation: dict[str, Any]) -> dict[str, Any]:
        turn = 1 if observation["tick"] % 20 < 10 else -1
        return {"thrust": [push, push * turn]}

    return policy


async def outcome(server: Arena) -> Outcome:
    """Return all that must not depend on what has broken on the way, by tournament."""
    found = {}
    for name in sorted(known.id for known in await server.host.store.tournaments.all()):
        picture = await server.scheduler.views.whole(name, for_host=True)
        lines = [
            [line.pairing, list(line.bots), list(line.points), list(line.places), line.reason]
            for line in picture.matches
        ]
        table = [[row.place, row.bot, row.points] for row in picture.rows]
        found[name] = {"table": table, "matches": lines}
    return found


async def check_sums(store: Store, found: Outcome) -> None:
    """No match is lost and none is counted twice: exports = store, sums of outcomes = matches."""
    assert not await store.matches.unfinished()
    for name in found:
        records = await store.tournaments.pairings(name)
        deciding = [record.decided_by for record in records if not record.pairing.is_bye]
        assert None not in deciding
        assert len(set(deciding)) == len(deciding) == len(found[name]["matches"])
        finished = await store.matches.page(tournament=name, limit=1000)
        counted = {record.match for record in finished.records if record.places}
        assert counted == set(deciding)
        for match in counted:
            assert await store.matches.replay(match)


async def _main(folder: Path) -> None:
    async with tournament_server(folder, scheduler={"capacity": CAPACITY}) as server:
        await play(server)
        print("ready", flush=True)
        await wait_over(server)
        print(json.dumps(await outcome(server)), flush=True)
        print("finished", flush=True)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))

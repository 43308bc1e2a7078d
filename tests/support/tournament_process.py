"""A server with a tournament and its bots in one process, to be killed at any instant.

`python -m support.tournament_process FOLDER [FORMAT ...]` makes the tournament if it is not there yet,
goes on with it, says "ready" once it plays and "finished" once it is over.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Final

from support.live_server import eventually
from support.tournament_server import Arena, league, tournament_server

__all__ = ["BOTS", "files"]

BOTS: Final = ("ann", "bob", "cid", "dan")
_PUSH: Final = {"ann": 1.0, "bob": -1.0, "cid": 0.5, "dan": 0.0}


def files() -> dict[str, dict[str, Any]]:
    """Return the tournaments: one that is drawn at once, one in rounds, one by results."""
    short = {"duration": 1.5}
    return {
        "all": league(*BOTS, options={"legs": 4}, ruleset=short, name="All"),
        "swiss": league(*BOTS, kind="swiss", options={"rounds": 3, "legs": 2}, ruleset=short, name="Swiss"),
        "cup": league(*BOTS, kind="double_elimination", options={"best_of": 3}, ruleset=short, name="Cup"),
    }


async def _main(folder: Path) -> None:
    async with tournament_server(folder, scheduler={"capacity": 2}) as server:
        for name, file in files().items():
            await server.start(file, name)
        for bot in BOTS:
            await server.enter(bot, policy=_drive(bot))
        print("ready", flush=True)
        await eventually(lambda: all(server.scheduler.run(name) is None for name in files()), "the end")
        print(json.dumps(await _outcome(server)), flush=True)
        print("finished", flush=True)


def _drive(bot: str) -> Any:
    """Every bot pushes in a way of its own, by the tick alone: the same match ends the same every time."""
    push = _PUSH[bot]

    def policy(observation: dict[str, Any]) -> dict[str, Any]:
        turn = 1 if observation["tick"] % 20 < 10 else -1
        return {"thrust": [push, push * turn]}

    return policy


async def _outcome(server: Arena) -> dict[str, Any]:
    """Return all that must not depend on how often the server was killed."""
    outcome = {}
    for name in files():
        picture = await server.scheduler.views.whole(name, for_host=True)
        lines = [
            [line.pairing, list(line.bots), list(line.points), list(line.places), line.reason]
            for line in picture.matches
        ]
        outcome[name] = {"table": await server.table(name), "matches": lines}
    return outcome


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))

"""How soon twenty bots that the host runs, confined, are ready to play.

From the start of their tournament's crew until each has its program running, in a sandbox where this
machine has one, and is known to the server.
"""

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.arena import arena, entrants, run, until
from bench.report import Verdict, note
from fangnetz_server.scheduling.crew import Crew, Hand
from fangnetz_server.scheduling.own_bots import OwnBot

__all__ = ["confined"]

BOTS: Final = 20
START_S: Final = 5.0
PROGRAM: Final = "import sys\nprint('up', file=sys.stderr, flush=True)\nfor line in sys.stdin: pass"


def confined() -> Iterable[Verdict]:
    """Seconds until 20 confined bots of the host are ready to play."""
    took_s, how = run(_measure())
    note(how)
    yield Verdict(f"start of {BOTS} confined bots", took_s, "<=", START_S, "s")


async def _measure() -> tuple[float, str]:
    """Return the seconds and what confined the bots."""
    with tempfile.TemporaryDirectory(prefix="fangnetz-bench-") as place:
        folder = Path(place)
        os.chmod(place, 0o755)
        async with arena(matchmaking=False) as (host, port):
            names = [f"bot-{number}" for number in range(BOTS)]
            hands = [
                Hand(_bot(folder, name), host.admission.reserve(entrant))
                for name, entrant in zip(names, entrants(*names), strict=True)
            ]
            crew = Crew(f"ws://127.0.0.1:{port}", hands, folder / "logs")
            start = time.monotonic()
            crew.start()
            try:
                await until(lambda: _are_up(folder / "logs"))
                await until(lambda: sum(link.is_connected for link in host.gateway.links) == BOTS)
                took_s = time.monotonic() - start
            finally:
                await crew.stop()
            assert crew.troubles == {}, crew.troubles
            return took_s, crew.confined[names[0]]


def _are_up(logs: Path) -> bool:
    """Tell whether each program has written its first word."""
    return sum(log.stat().st_size > 0 for log in logs.glob("*.stderr.log")) == BOTS


def _bot(place: Path, name: str) -> OwnBot:
    folder = place / name
    folder.mkdir(mode=0o755)
    words = ("/usr/bin/python3", "-I", "-S", "-c", PROGRAM)
    return OwnBot(name=name, program=words, folder=str(folder))

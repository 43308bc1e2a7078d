"""Bots and scripts for the tests of the SDK's client."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from fangnetz import MatchEnd, MatchStart, SpaceballsBot, Thrust
from fangnetz.backoff import Backoff
from fangnetz_protocol import spaceballs
from fangnetz_protocol.codes import CloseCode
from support.scripted import Peer

__all__ = ["COAST", "Diary", "Waits", "one_match", "patient"]


COAST: Final = {"type": "action", "match": "m-1", "thrust": [0.0, 0.0]}


class Diary(SpaceballsBot):
    """Thrusts to the right and writes down what happens."""

    def __init__(self) -> None:
        self.lines: list[object] = []

    def start(self, match: MatchStart) -> None:
        self.lines.append(("start", match.match, self.setup.steps))

    def decide(self, observation: spaceballs.Observation) -> Thrust:
        self.lines.append(self.tick)
        return Thrust(thrust=(1.0, 0.0))

    def missed(self, ticks: Sequence[int]) -> None:
        self.lines.append(("missed", *ticks))

    def end(self, result: MatchEnd) -> None:
        self.lines.append(("end", result.points[self.seat]))


class Waits:
    """Takes the place of asyncio.sleep."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


def patient(waits: Waits, **changes: float) -> dict[str, Any]:
    """Return the options of `play` for tests of coming back."""
    return {
        "sleep": waits,
        "backoff": Backoff(first_s=1.0, longest_s=4.0, jitter=0.0, **changes),
        "chance": random.Random(1),
    }


def one_match(*ticks: int) -> Callable[[Peer], Awaitable[None]]:
    """Return the script of a whole match."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.start()
        for tick in ticks:
            await peer.ask(tick)
        await peer.end()
        assert await peer.until_closed() == CloseCode.NORMAL

    return script

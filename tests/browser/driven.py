"""Real matches that go on when a test tells them to."""

import asyncio
from typing import Any

from fangnetz_protocol.words import MatchId
from support.clients import BotClient, Policy
from support.live_server import ThreadedServer

__all__ = ["DUEL", "NAMES", "ROOMS", "TAG", "DrivenMatch", "rise"]

NAMES = ("ann", "bob")
HOUR_MS = 3_600_000
TAG: dict[str, Any] = {
    "seats": 2,
    "map": ["..........", "....##....", ".........."],
    "ruleset": {"max_rounds": 60},
}
ROOMS: dict[str, Any] = {
    # Two rooms: nobody is ever caught; one has to change in round 28 (R5.4).
    "map": ["....#.....", "....#.....", "....#....."],
    "seats": [{"x": 1, "y": 1}, {"x": 7, "y": 1}],
    "ruleset": {"max_rounds": 300},
}
DUEL: dict[str, Any] = {"stations": [[0.5, 0.5]], "mines": []}


def rise(_observation: dict[str, Any]) -> dict[str, Any]:
    """Spaceballs: straight up, into the upper wall."""
    return {"thrust": [0, 1]}


class DrivenMatch:
    """A match that goes on when it is told to."""

    def __init__(self, served: ThreadedServer, game: str, setup: dict[str, Any], policy: Policy) -> None:
        self._served = served
        self._policy = policy
        self._bots: tuple[BotClient, ...] = ()
        self._next = 0
        self.id = served.run(self._begin(game, setup))
        self.url = f"{served.url}/?match={self.id}"

    def go_to(self, tick: int) -> None:
        """Play on until this tick is the state of the match."""
        self._served.run(self._answer_until(tick))

    def finish(self) -> dict[str, Any]:
        """Play to the end, and return the stored result."""
        self._served.run(self._play_on())
        return self._served.wait_over(self.id)

    async def _begin(self, game: str, setup: dict[str, Any]) -> MatchId:
        server = self._served.server
        table = server.create(game, *NAMES, setup=setup, deadline_ms=HOUR_MS)
        self._bots = tuple([await server.bot(name) for name in NAMES])
        await asyncio.gather(*(bot.ready() for bot in self._bots))
        return table.match.id

    async def _answer_until(self, tick: int) -> None:
        for number in range(self._next, tick):
            for bot in self._bots:
                observation = await bot.next("observation", tick=number)
                await bot.act(observation, self._policy(observation))
        self._next = tick

    async def _play_on(self) -> None:
        await asyncio.gather(*(bot.play_on(self._policy) for bot in self._bots))

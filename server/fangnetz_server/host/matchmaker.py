"""Brings waiting bots together: whoever is free and plays the same game gets the next match."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from fangnetz_protocol import messages as m
from fangnetz_protocol.codec import encode
from fangnetz_protocol.codes import NoticeCode
from fangnetz_server.games.contract import GameInfo, SetupError
from fangnetz_server.gateway.links import BotLink

__all__ = ["GATHER_S", "REST_S", "Matchmaker"]

_log = structlog.get_logger(__name__)

GATHER_S: Final = 2.0
"""Time in which more bots may join a match of a game for many, counted from the second bot."""
REST_S: Final = 3.0
"""Pause of a bot between two matches: time to read the result, and no thousands of matches an hour."""
_FOR_OPPONENTS: Final = encode(
    m.Notice(code=NoticeCode.WAITING_FOR_OPPONENTS, message="You get a seat as soon as an opponent is there.")
)
_FOR_MATCH: Final = encode(
    m.Notice(code=NoticeCode.WAITING_FOR_MATCH, message="You get a seat in one of the host's next matches.")
)


class Matchmaker:
    """The queue of bots that wait for a friendly match.

    Args:
        games: the games of the server, none if the host makes all matches; a bot that plays several
            gets the first that can start.
        start: makes a match of a game with these bots; raises SetupError if there is none for so many.
        gather_s, rest_s: times in seconds.
    """

    def __init__(
        self,
        games: Sequence[GameInfo],
        start: Callable[[GameInfo, Sequence[BotLink]], None],
        *,
        gather_s: float = GATHER_S,
        rest_s: float = REST_S,
    ) -> None:
        self._games = tuple(games)
        self._start = start
        self._gather_s = gather_s
        self._rest_s = rest_s
        self._waiting: dict[BotLink, None] = {}
        self._gathering: dict[str, asyncio.TimerHandle] = {}
        self._resting: dict[BotLink, asyncio.TimerHandle] = {}
        self._is_open = True

    def join(self, link: BotLink) -> None:
        """A bot is free for a match."""
        if not self._is_open or link.tables or link in self._waiting or not link.is_connected:
            return
        self._waiting[link] = None
        link.send(_FOR_OPPONENTS if self._games else _FOR_MATCH)
        self._look()

    def rejoin(self, link: BotLink) -> None:
        """A bot has finished a match and is free again after a rest."""
        if self._is_open and link.is_connected and link not in self._resting:
            loop = asyncio.get_running_loop()
            self._resting[link] = loop.call_later(self._rest_s, self._rested, link)

    def leave(self, link: BotLink) -> None:
        """A bot is gone or has got a seat elsewhere."""
        self._waiting.pop(link, None)
        timer = self._resting.pop(link, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Make no more matches."""
        self._is_open = False
        for timer in (*self._gathering.values(), *self._resting.values()):
            timer.cancel()

    def _rested(self, link: BotLink) -> None:
        del self._resting[link]
        self.join(link)

    def _look(self) -> None:
        for info in self._games:
            ready = len(self._candidates(info))
            if ready >= info.max_seats:
                self._deal(info)
            elif ready >= info.min_seats and info.id not in self._gathering:
                timer = asyncio.get_running_loop().call_later(self._gather_s, self._gathered, info)
                self._gathering[info.id] = timer

    def _gathered(self, info: GameInfo) -> None:
        del self._gathering[info.id]
        if len(self._candidates(info)) >= info.min_seats:
            self._deal(info)

    def _candidates(self, info: GameInfo) -> list[BotLink]:
        return [link for link in self._waiting if info.id in link.games]

    def _deal(self, info: GameInfo) -> None:
        timer = self._gathering.pop(info.id, None)
        if timer is not None:
            timer.cancel()
        players = self._candidates(info)[: info.max_seats]
        while len(players) >= info.min_seats:
            try:
                self._start(info, players)
            except SetupError as error:  # Such as a map with fewer free fields than players.
                _log.warning("friendly_match_refused", game=info.id, seats=len(players), problem=str(error))
                players = players[:-1]
            else:
                for link in players:
                    self._waiting.pop(link, None)
                self._look()
                return

"""A bot of Right2Live whose mind is a client of 2010."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fangnetz.bot import LeaveMatch, Right2LiveBot
from fangnetz.contest2010.client import Client, ClientGone
from fangnetz.contest2010.commands import disconnected
from fangnetz.contest2010.conversation import Conversation, Identity
from fangnetz_protocol.messages import MatchEnd, MatchStart
from fangnetz_protocol.right2live import Move, Observation
from fangnetz_protocol.words import Direction, MatchId

__all__ = ["ContestBot", "Times"]

log: Final = logging.getLogger("fangnetz")
_LINE_S: Final = 0.1
"""Part of the server's time that is kept for the line, if it is no longer than ..."""
_LINE_SHARE: Final = 0.1
"""... this share of it."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that a client has, as in 2010; the server's deadlines may be shorter."""

    round_s: float = 5.0
    """For a MOVE."""
    map_s: float = 5.0
    """Between MAP and the first round."""
    id_s: float = 5.0
    """For ID_OKAY."""


class ContestBot(Right2LiveBot):
    """Plays one match with one client.

    Args:
        client: its connection.
        maps: gives the path of a map's file.
        times: what the client is given.
    """

    def __init__(self, client: Client, maps: Callable[[tuple[str, ...]], Path], times: Times) -> None:
        self._client = client
        self._maps = maps
        self._times = times
        self.is_seated = False
        """True once there is a seat to give up."""
        self.playing: MatchId | None = None
        """The match, once the client has taken its id."""
        self.is_over = False

    async def start(self, match: MatchStart) -> None:
        """Give the client its id, name the others and the map, and let it prepare."""
        client, conversation = self._client, self._client.conversation
        self.is_seated = True
        if self.playing not in (None, match.match):
            raise LeaveMatch  # The server has forgotten the match; a client knows only one.
        try:
            if self.playing is None:
                await client.say(conversation.introduce(match))
                await self._wait_identity()
                self.playing = match.match
                await client.say(conversation.open(match, str(self._maps(self.setup.map))))
        except ClientGone:
            raise LeaveMatch from None
        # Nothing tells when a client is done with its map; a client that goes meanwhile is no reason to wait.
        await self._pause(self._times.map_s)

    async def decide(self, observation: Observation) -> Move:
        """Tell the client of the round and return its move; without one in time it stands still (R2.2)."""
        client, conversation = self._client, self._client.conversation
        try:
            await self._ask(observation)
        except ClientGone:
            raise LeaveMatch from None
        except TimeoutError:
            conversation.give_up_round()
            log.warning("%s: no MOVE in round %d in %.1f s", client.name, self.tick + 1, self._limit_s())
        return conversation.move or Move(move=Direction.NONE)

    def end(self, result: MatchEnd) -> None:
        """Remember that the client may be told good-bye."""
        self.is_over = True

    async def tell_gone(self, seat: int) -> None:
        """Tell the client that another player has left the match."""
        with suppress(ClientGone):
            await self._client.say(disconnected(seat))

    async def _ask(self, observation: Observation) -> None:
        client = self._client
        async with asyncio.timeout(self._limit_s()):
            await client.say(client.conversation.begin_round(self.tick, self.seat, observation))
            await client.wait(_has_moved)

    async def _wait_identity(self) -> None:
        client = self._client
        try:
            async with asyncio.timeout(self._times.id_s):
                await client.wait(_has_identity)
        except TimeoutError:
            log.warning("%s is hung up on: no ID_OKAY in %.1f s", client.name, self._times.id_s)
            raise ClientGone from None
        if client.conversation.identity is Identity.REFUSED:
            log.info("%s does not take its id", client.name)
            raise ClientGone

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._client.wait(_never)
        except TimeoutError:
            pass
        except ClientGone:
            raise LeaveMatch from None

    def _limit_s(self) -> float:
        """Return the seconds for this round: those of 2010, or what the server gives."""
        given_s = (self.deadline_ms + self.bank_ms) / 1000
        return min(self._times.round_s, given_s - min(_LINE_S, _LINE_SHARE * given_s))


def _has_moved(conversation: Conversation) -> bool:
    return conversation.move is not None


def _has_identity(conversation: Conversation) -> bool:
    return conversation.identity is not Identity.OPEN


def _never(conversation: Conversation) -> bool:
    return False

"""All matches that are played through one bridge, and the programs at their other end."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from fangnetz.bridge.partner import End, News, NoNews, NoPartner, Partners, ProgramFailed
from fangnetz.bridge.seat import Seat
from fangnetz_protocol.messages import BotMessage, Error, Leave, MatchEnd, MatchStart, Notice, Observation
from fangnetz_protocol.words import MatchId

__all__ = ["Bridge"]

log: Final = logging.getLogger("fangnetz")
_RUNS: Final = 2
"""A program that dies is started once more in a match; one that dies twice would do so again."""
_FAILURES: Final = 3
"""Matches in a row that a program may fail in; one that always dies is only in the way of the others."""


class Bridge:
    """The running matches and the results of the finished ones; it outlasts connections.

    Args:
        name: name to show.
        partners: where programs come from.
        games: the games to play; None: all.
        language: what the programs are written in, for the host's eyes.
        matches: number of matches to play; None: no end.
        says_ready: the program says itself that it is ready.
        news: hears when the program fails.
    """

    def __init__(
        self,
        name: str,
        partners: Partners,
        *,
        games: tuple[str, ...] | None = None,
        language: str = "any",
        matches: int | None = None,
        says_ready: bool = False,
        news: News | None = None,
    ) -> None:
        self.name: Final = name
        self.games: Final = games
        self.language: Final = language
        self.results: list[MatchEnd] = []
        self.over: Final = asyncio.Event()
        """Set once there is nothing more to play."""
        self.problem: ProgramFailed | None = None
        """Why there is nothing more to play, if the program is the reason."""
        self._send: Callable[[BotMessage], None] | None = None
        """Sends to the server while there is a connection."""
        self._left: set[MatchId] = set()
        self._failures = 0
        """Matches in a row that were left because the program failed."""
        self._partners = partners
        self._news: News = news or NoNews()
        self._tasks: set[asyncio.Task[None]] = set()
        self._matches = matches
        self._says_ready = says_ready
        self._seats: dict[MatchId, Seat] = {}

    @property
    def done(self) -> bool:
        """True once there is nothing more to play."""
        return self.over.is_set()

    @property
    def is_playing(self) -> bool:
        """True while a match is running."""
        return bool(self._seats)

    def connected(self, send: Callable[[BotMessage], None]) -> None:
        """There is a connection: `send` sends a message over it."""
        self._send = send

    def disconnected(self) -> None:
        """There is no connection for a while."""
        self._send = None

    async def close(self) -> None:
        """End the programs and what is still on its way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._partners.close()

    # --- from the server ------------------------------------------------------------------------

    def start(self, message: MatchStart) -> None:
        """Seat a program at a match, if more are to be played."""
        match = message.match
        if match in self._seats:
            self._seats[match].again()
        elif match in self._left or self._has_enough:
            self.post(Leave(match=match))
        else:
            log.info(
                "match %s begins: %s, seat %d of %d", match, message.game, message.seat, len(message.seats)
            )
            seat = Seat(message, self, says_ready=self._says_ready)
            self._seats[match] = seat
            self._seek(seat)

    def observe(self, message: Observation) -> None:
        """Give an observation to the program whose match it is."""
        if message.match in self._seats:
            self._seats[message.match].observe(message)

    def end(self, message: MatchEnd) -> None:
        """Take the result of a match; one without a seat of ours changes nothing."""
        seat = self._seats.pop(message.match, None)
        if seat is not None:
            seat.end(message)
            if seat.partner is not None:
                seat.partner.has_played = True
            self.results.append(message)
            self._failures = 0
            self._count()
            self._release(seat)

    def tell(self, message: Error | Notice) -> None:
        """Pass on an error or a notice: to the program whose match it is about, or to all."""
        match = message.ref.match if isinstance(message, Error) and message.ref is not None else None
        for seat in [self._seats.get(match)] if match is not None else list(self._seats.values()):
            if seat is not None:
                seat.tell(message)

    def forget_all(self) -> None:
        """Drop all running matches: the server could not give the seats back."""
        for match, seat in self._seats.items():
            log.warning("match %s is lost: the server knows nothing of this bot any more", match)
            self._release(seat)
        self._seats.clear()

    # --- from the seats -------------------------------------------------------------------------

    def post(self, message: BotMessage) -> None:
        """Send to the server; without a connection nothing is sent: after the resume it asks again (P2.4)."""
        if self._send is not None:
            self._send(message)

    def leave(self, seat: Seat) -> None:
        """Give a seat up for good; the match counts as played."""
        match = seat.start.match
        self._seats.pop(match, None)
        self._left.add(match)
        self.post(Leave(match=match))
        self._count()
        self._release(seat)

    def bereaved(self, seat: Seat, end: End) -> None:
        """The partner of a seat is gone."""
        if end.is_final:
            self._fail(seat, f"the program {end.how}")
        elif self._partners.renews or seat.runs < _RUNS:
            if seat.runs:
                log.warning("match %s: the program %s; another one takes over", seat.start.match, end.how)
            self._seek(seat)
        else:
            self._fail(seat, f"the program {end.how}, for the second time in this match")

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _has_enough(self) -> bool:
        played = len(self.results) + len(self._left) + len(self._seats)
        return self._matches is not None and played >= self._matches

    def _seek(self, seat: Seat) -> None:
        """Look for a program for a seat; meanwhile the other matches go on."""
        task = asyncio.create_task(self._fill(seat))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fill(self, seat: Seat) -> None:
        """Give a seat a program, when there is one."""
        try:
            partner = await self._partners.take()
        except NoPartner as problem:
            self._fail(seat, str(problem))
            return
        if self._seats.get(seat.start.match) is seat:
            seat.sit(partner)
        else:
            self._partners.give_back(partner)  # The match is over meanwhile.

    def _fail(self, seat: Seat, why: str) -> None:
        told = f"match {seat.start.match} is left: {why}"
        log.error("%s", told)
        self._news.failed(told)
        self.leave(seat)
        self._failures += 1
        if self._failures >= _FAILURES:
            self.problem = ProgramFailed(why, self._failures)
            self._finish()

    def _count(self) -> None:
        if self._matches is not None and len(self.results) + len(self._left) >= self._matches:
            self._finish()

    def _finish(self) -> None:
        self.over.set()
        self._partners.retire()

    def _release(self, seat: Seat) -> None:
        partner = seat.rise()
        if partner is not None:
            self._partners.give_back(partner)

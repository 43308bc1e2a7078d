"""A match and the program that plays it: messages one way, answers the other."""

import logging
from collections import Counter
from typing import Final, Protocol, assert_never

from fangnetz.bridge.answers import BadLine, read_answer
from fangnetz.bridge.complaints import Complaints
from fangnetz.bridge.partner import End, Partner
from fangnetz.bridge.turns import Turns
from fangnetz_protocol.codec import encode
from fangnetz_protocol.messages import (
    Action,
    BotMessage,
    Error,
    Leave,
    MatchEnd,
    MatchStart,
    Message,
    Notice,
    Observation,
    Ready,
)
from fangnetz_protocol.words import ActionStatus, Tick

__all__ = ["Desk", "Seat"]

log: Final = logging.getLogger("fangnetz")
_TROUBLES: Final = (ActionStatus.LATE, ActionStatus.MISSING, ActionStatus.INVALID)
_KEPT: Final = 8
"""Answers that are kept, to tell with an error of the server which line it is about."""


class Desk(Protocol):
    """What a seat needs of the bridge."""

    def post(self, message: BotMessage) -> None:
        """Send a message to the server, if there is a connection at the moment."""

    def leave(self, seat: "Seat") -> None:
        """The program gives the match up."""

    def bereaved(self, seat: "Seat", end: End) -> None:
        """The partner of the seat is gone."""


class Seat:
    """One match, from its start to its end. It is the listener of its partner.

    Args:
        start: what is known about the match.
        desk: carries what comes of it.
        says_ready: the program says itself that it is ready; False: it is as soon as it knows the match.
    """

    def __init__(
        self,
        start: MatchStart,
        desk: Desk,
        *,
        says_ready: bool = False,
    ) -> None:
        self.start: Final = start
        self.partner: Partner | None = None
        self.runs = 0
        """How many partners have played this match."""
        self._heard = False
        """Whether the partner has said anything in this match."""
        self.statuses: Counter[ActionStatus] = Counter()
        self._desk = desk
        self._says_ready = says_ready
        self._ready = False
        self._turns = Turns()
        self._complaints = Complaints()
        self._lines: dict[Tick, bytes] = {}
        """The newest answers as the program wrote them."""

    def sit(self, partner: Partner) -> None:
        """Give the match to a partner: the first one, or one that takes over."""
        self.runs += 1
        self.partner = partner
        partner.listener = self
        self._heard = False
        self._send(self.start)
        if not (self._ready or self._says_ready):
            self._get_ready()
        owed = self._turns.restart()
        if owed is not None:
            self._ask(owed)

    def rise(self) -> Partner | None:
        """Take the partner away, if there is one."""
        partner, self.partner = self.partner, None
        if partner is not None:
            partner.listener = None
            partner.question = None
        return partner

    # --- from the server ------------------------------------------------------------------------

    def again(self) -> None:
        """The server told the start again, over a new connection."""
        if self._ready:
            self._get_ready()

    def observe(self, observation: Observation) -> None:
        """Show an observation to the partner, at once or when it is free."""
        if observation.last_action is not None:
            self.statuses[observation.last_action.status] += 1
        partner = self.partner
        now = self._turns.observe(observation, can_read=partner is not None and partner.can_read)
        if isinstance(now, Action):
            self._desk.post(now)
        elif now is not None:
            self._ask(now)

    def tell(self, message: Error | Notice) -> None:
        """Pass on what the server says beside the play."""
        if isinstance(message, Error):
            tick = message.ref.tick if message.ref is not None else None
            line = None if tick is None else self._lines.get(tick)
            self._complaints.error(self._name, message.code, message.message, line)
        self._send(message)

    def end(self, result: MatchEnd) -> None:
        """Tell the partner how the match ended."""
        self._send(result)
        log.info("match %s is over: %s", self.start.match, self._summary(result))

    # --- from the partner -----------------------------------------------------------------------

    def line(self, number: int, line: bytes) -> None:
        self._heard = True
        try:
            self._hear(line)
        except BadLine as bad:
            self._complaints.bad_line(self._name, number, line, bad)

    def ended(self, end: End) -> None:
        partner = self.rise()
        if partner is not None and partner.has_played and not self._heard:
            self.runs -= 1  # It was on its way out after its last match, as some are.
        self._desk.bereaved(self, end)

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return self.partner.name if self.partner is not None else "program"

    def _hear(self, line: bytes) -> None:
        """Give a line its effect.

        Raises:
            BadLine: it has none.
        """
        match = self.start.match
        message = read_answer(line, match)
        if message.match != match:
            raise BadLine("match", f"is about match {message.match}, but {match} is played")
        match message:
            case Action():
                self._answer(message, line)
            case Ready():
                self._get_ready()
            case Leave():
                log.warning("match %s: the program leaves it", match)
                self._desk.leave(self)
            case _:
                assert_never(message)

    def _answer(self, action: Action, line: bytes) -> None:
        self._turns.answer(action)
        self._lines[action.tick] = line
        if len(self._lines) > _KEPT:
            del self._lines[next(iter(self._lines))]
        self._desk.post(action)
        if self.partner is not None and self.partner.question == action.tick:
            self.partner.question = None
        waiting = self._turns.next()
        if waiting is not None:
            self._ask(waiting)

    def _get_ready(self) -> None:
        self._ready = True
        self._desk.post(Ready(match=self.start.match))

    def _ask(self, observation: Observation) -> None:
        if self.partner is not None:
            self.partner.question = observation.tick
        self._send(observation)

    def _send(self, message: Message) -> None:
        if self.partner is not None:
            self.partner.send(encode(message))

    def _summary(self, result: MatchEnd) -> str:
        seat = self.start.seat
        place, points = result.places[seat], result.points[seat]
        text = f"place {place} of {len(result.places)} with {points:g} points, "
        text += f"{result.reason}, {result.ticks} ticks"
        troubles = [f"{self.statuses[status]} {status}" for status in _TROUBLES if self.statuses[status]]
        notes = [*(["actions: " + ", ".join(troubles)] if troubles else []), self._complaints.summary()]
        told = "; ".join(filter(None, notes))
        return f"{text} ({told})" if told else text

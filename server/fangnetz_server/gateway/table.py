"""One match with its bots and its spectators: the outlet of `Match`, made of links and sockets."""

from collections.abc import Callable, Sequence

from fangnetz_protocol.words import BotId, MatchId, SeatId
from fangnetz_server.games.contract import GameState
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.match.clock import Clock
from fangnetz_server.match.recorder import MatchHeader, Recorder
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.runner import Match
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.match.timer import MatchTimer

__all__ = ["Table"]


class Table:
    """A match in the world: seats have links, an audience watches, a timer wakes it.

    Args:
        match, game, state, seed, entrants, settings: what `Match` wants.
        limits, clock: of the whole server.
        on_change: the lobby's news; called with the table.
        on_finished: gets the table once its match is over; it stores the result and then calls `announce`.
    """

    def __init__(
        self,
        match: MatchId,
        game: AnyGame,
        state: GameState,
        *,
        seed: int,
        entrants: Sequence[Entrant],
        settings: MatchSettings,
        limits: Limits,
        clock: Clock,
        on_change: Callable[["Table"], None],
        on_finished: Callable[["Table", MatchResult], None],
    ) -> None:
        self.audience = Audience(limits, clock)
        self._links: list[BotLink | None] = [None] * len(entrants)
        self._on_change = on_change
        self._on_finished = on_finished
        self.recorder = Recorder(MatchHeader(match, game, seed, entrants, settings), state)
        self.match = Match(
            match,
            game,
            state,
            seed=seed,
            entrants=entrants,
            settings=settings,
            clock=clock,
            outlet=self,
            recorder=self.recorder,
        )
        self._timer = MatchTimer(self.match, clock)
        self._timer.moved()

    # --- seats --------------------------------------------------------------------------------

    def seat_of(self, bot: BotId) -> SeatId | None:
        """Return the seat that is kept for a bot, taken or not."""
        for place in self.match.seats:
            if place.entrant.bot == bot and not place.left:
                return place.number
        return None

    def seat(self, link: BotLink, seat: SeatId) -> None:
        """Give a connected bot its seat, for the first time or again."""
        self._links[seat] = link
        link.sit_down(self, seat)
        self.match.connect(seat)

    def reconnect(self, seat: SeatId) -> None:
        """The seat's link has a new connection."""
        self.match.connect(seat)

    def disconnect(self, seat: SeatId) -> None:
        """The seat's link has lost its connection."""
        self.match.disconnect(seat)

    def leave(self, link: BotLink, seat: SeatId) -> None:
        """The bot gives up its seat for good."""
        link.stand_up(self.match.id)
        self.match.leave(seat)
        self._links[seat] = None

    def links(self) -> list[BotLink]:
        """Return the bots that have taken their seat."""
        return [link for link in self._links if link is not None]

    # --- spectators ---------------------------------------------------------------------------

    def join(self, socket: Socket) -> None:
        self.audience.add(socket)
        self._on_change(self)

    def part(self, socket: Socket) -> None:
        self.audience.remove(socket)
        self._on_change(self)

    # --- the end ------------------------------------------------------------------------------

    def announce(self, message: bytes) -> None:
        """Tell everybody how it ended, now that the result is stored (decision 3).

        Args:
            message: the `match_end`.
        """
        self.audience.publish_all(message)
        self.audience.close()
        for link in self.links():
            link.stand_up(self.match.id)
            link.deliver(message)
        self._links = [None] * len(self._links)
        self._on_change(self)

    # --- outlet of the match ------------------------------------------------------------------

    def to_seat(self, seat: SeatId, message: bytes) -> None:
        link = self._links[seat]
        if link is not None:
            link.send(message)

    def wants_frames(self) -> bool:
        return len(self.audience) > 0

    def to_spectators(self, message: bytes, *, final: bool) -> None:
        if final:
            self.audience.publish_all(message)
        else:
            self.audience.publish(message)

    def moved(self) -> None:
        self._timer.moved()

    def changed(self) -> None:
        self._on_change(self)

    def finished(self, result: MatchResult) -> None:
        self._timer.cancel()
        self._on_finished(self, result)

"""One match with its bots and its spectators: the outlet of `Match`, made of links and sockets."""

from collections.abc import Callable, Sequence

import structlog

from fangnetz_protocol.words import BotId, MatchId, MatchPhase, SeatId
from fangnetz_server.games.contract import GameState
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.gateway.limits import Limits
from fangnetz_server.gateway.links import BotLink
from fangnetz_server.gateway.socket import Socket
from fangnetz_server.gateway.stage import Stage, View
from fangnetz_server.match.clock import Clock
from fangnetz_server.match.recorder import MatchHeader, Recorder
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.runner import Match
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.match.timer import MatchTimer
from fangnetz_server.metrics import Metrics

__all__ = ["Table"]

_log = structlog.get_logger(__name__)


class Table:
    """A match in the world: seats have links, an audience watches, a timer wakes it.

    Args:
        match, game, state, seed, entrants, settings: what `Match` wants.
        limits, clock: of the whole server.
        metrics: of the whole server.
        delay_s: time by which spectators see everything later (P3.6).
        is_private: only those with its watch token, or the host, may know of it.
        on_change: the lobby's news; called with the table.
        on_finished: gets the table once its match is over; it stores the result and then calls `announce`.
        on_shown: gets the table once the spectators have seen all of it.
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
        metrics: Metrics,
        delay_s: float = 0.0,
        is_private: bool = False,
        on_change: Callable[["Table"], None],
        on_finished: Callable[["Table", MatchResult], None],
        on_shown: Callable[["Table"], None],
    ) -> None:
        self.stage = Stage(limits, clock, delay_s=delay_s, on_close=self._shown)
        self._on_shown = on_shown
        self._is_shown = False
        self.is_private = is_private
        self._metrics = metrics
        self._counted = metrics.of_game(game.info.id)
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

    def has_entrant(self, bot: BotId) -> bool:
        """Tell whether a seat is or was a bot's."""
        return any(place.entrant.bot == bot for place in self.match.seats)

    def seat(self, link: BotLink, seat: SeatId) -> None:
        """Give a connected bot its seat, for the first time or again."""
        self._links[seat] = link
        link.sit_down(self, seat)
        self._note("seat_taken", seat)
        self.match.connect(seat)

    def reconnect(self, seat: SeatId) -> None:
        """The seat's link has a new connection."""
        self._note("seat_resumed", seat)
        self.match.connect(seat)

    def disconnect(self, seat: SeatId) -> None:
        """The seat's link has lost its connection."""
        self._note("seat_lost", seat)
        self.match.disconnect(seat)

    def leave(self, link: BotLink, seat: SeatId) -> None:
        """The bot gives up its seat for good."""
        link.stand_up(self.match.id)
        self._note("seat_left", seat)
        self.match.leave(seat)
        self._links[seat] = None

    def give_up(self, bot: BotId) -> None:
        """A bot will never come, or never come back."""
        seat = self.seat_of(bot)
        if seat is not None:
            self._note("seat_left", seat)
            self.match.leave(seat)

    def links(self) -> list[BotLink]:
        """Return the bots that have taken their seat."""
        return [link for link in self._links if link is not None]

    def _note(self, event: str, seat: SeatId) -> None:
        match = self.match
        bot = match.seats[seat].entrant.bot
        _log.info(event, match=match.id, seat=seat, bot=bot, phase=str(match.phase), tick=match.tick)

    # --- spectators ---------------------------------------------------------------------------

    @property
    def spectator_count(self) -> int:
        return len(self.stage)

    def join(self, socket: Socket, view: View) -> None:
        """Show a spectator the start, the newest picture and from then on every frame (P3.2)."""
        socket.push(self.match.watch_start(view))
        self.stage.join(socket, view, lambda: self._frame(view))
        self._on_change(self)

    def part(self, socket: Socket, view: View) -> None:
        self.stage.part(socket, view)
        self._on_change(self)

    @property
    def shown_phase(self) -> MatchPhase:
        """The phase as outsiders may know it: a match is over once its result is stored and was shown."""
        phase = self.match.phase
        return MatchPhase.RUNNING if phase is MatchPhase.OVER and not self._is_shown else phase

    @property
    def shown_tick(self) -> int:
        """The newest tick that spectators were shown; with a delay an older one, at first -1 (P3.6)."""
        return self.stage.shown_tick if self.stage.is_delayed else self.match.tick

    @property
    def shown_result(self) -> MatchResult | None:
        """The result, once outsiders may know it."""
        return self.match.result if self._is_shown else None

    def _shown(self) -> None:
        self._is_shown = True
        self._on_change(self)
        self._on_shown(self)

    def _frame(self, view: View) -> bytes:
        return self.match.frame() if view is None else self.match.seat_frame(view)

    # --- the end ------------------------------------------------------------------------------

    def announce(self, message: bytes) -> None:
        """Tell everybody how it ended, now that the result is stored (decision 3).

        Args:
            message: the `match_end`.
        """
        for link in self.links():
            link.stand_up(self.match.id)
            link.deliver(message)
        self._links = [None] * len(self._links)
        self.stage.finish(message)

    def forgive(self, lost_ns: int) -> None:
        """The server has lost this time; the match goes on as if it had not passed."""
        self.match.forgive(lost_ns)
        self._timer.moved()

    # --- outlet of the match ------------------------------------------------------------------

    def to_seat(self, seat: SeatId, message: bytes) -> None:
        link = self._links[seat]
        if link is not None:
            link.send(message)

    def wants_frames(self) -> bool:
        return self.stage.wants_frames()

    def to_spectators(self, message: bytes, *, final: bool) -> None:
        self.stage.show(None, message, final=final)
        for seat in self.stage.views():
            self.stage.show(seat, self.match.seat_frame(seat), final=final)

    def ticked(self, late_ns: int | None, took_ns: int) -> None:
        self._counted.ticked(late_ns, took_ns)

    def answered(self, latency_ms: float) -> None:
        self._counted.answered(latency_ms)

    def moved(self) -> None:
        self._timer.moved()

    def changed(self) -> None:
        self._on_change(self)

    def finished(self, result: MatchResult) -> None:
        self._timer.cancel()
        self._on_finished(self, result)

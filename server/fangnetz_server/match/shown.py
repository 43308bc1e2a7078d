"""What a match shows of itself: every message that bots and spectators get of it, as bytes."""

from collections.abc import Sequence

import structlog

from fangnetz_protocol.words import MatchId, Pace, SeatId, Tick
from fangnetz_server.games.contract import GameState
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match import wire
from fangnetz_server.match.clock import MS
from fangnetz_server.match.pacing import pacing_for
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.seats import Entrant, Seat
from fangnetz_server.match.settings import MatchSettings

__all__ = ["Shown"]

_log = structlog.get_logger(__name__)


class Shown:
    """The side of a match that others see. `Match` moves it on.

    Args:
        match: its id.
        game: the rules.
        state: the start position.
        entrants: who sits on each seat.
        settings: pace and times.
    """

    def __init__(
        self,
        match: MatchId,
        game: AnyGame,
        state: GameState,
        entrants: Sequence[Entrant],
        settings: MatchSettings,
    ) -> None:
        assert len(entrants) == state.seat_count, "one entrant a seat"
        self.id = match
        self.game = game
        self.settings = settings
        self.result: MatchResult | None = None
        bank_ns = settings.bank_ms * MS if settings.pace is Pace.LOCKSTEP else 0
        self.seats = tuple(
            Seat(SeatId(number), entrant, bank_ns, first_tick=state.tick)
            for number, entrant in enumerate(entrants)
        )
        self._state = state
        self._pacing = pacing_for(settings)

    @property
    def tick(self) -> Tick:
        """Number of the newest state."""
        return Tick(self._state.tick)

    def start_message(self, seat: SeatId | None) -> bytes:
        """Return `match_start` for a seat, or for spectators (None); the seed is never in it."""
        return wire.match_start(
            self.id, self.game, self._state, self.seats, self.settings, self._pacing.answer_ms, seat
        )

    def observation(self, place: Seat, now: int, missed: Sequence[Tick]) -> bytes:
        """Return the newest `observation` of a seat.

        Args:
            place: the seat.
            now: time in nanoseconds of the match's clock.
            missed: ticks to list in it (P2.4).
        """
        left_ms, bank_ms = self._pacing.left_ms(place, now)
        part = self.game.observe(self._state, place.number)
        return wire.observation(self.id, self._state.tick, left_ms, bank_ms, place, part, missed)

    def watch_start(self, view: SeatId | None = None) -> bytes:
        """Return the `match_start` for spectators of everything, or of one seat's view (P3.2, P3.6)."""
        return self.start_message(view)

    def frame(self) -> bytes:
        """Return the newest `frame` for spectators (P3.3)."""
        return wire.frame(self.id, self.game, self._state, self.seats)

    def seat_frame(self, seat: SeatId) -> bytes:
        """Return the newest frame of one seat's view: exactly what its bot gets (R8.4, P3.6)."""
        return wire.seat_frame(self.id, self.game, self._state, seat)

    def end_message(self, replay: str | None) -> bytes:
        """Return the `match_end` for bots and spectators, to be sent once the result is durable.

        Args:
            replay: path of the stored replay on this server, or None.
        """
        assert self.result is not None, "only a finished match has an end"
        return wire.match_end(self.result, replay)

    def last_messages(self, replay: str | None) -> tuple[bytes, ...]:
        """Return what a later spectator gets: the start, the last frame, the end (P3.2).

        Of a match that its game has failed, without what the game cannot show any more.
        """
        shown = []
        for part in (self.watch_start, self.frame):
            try:
                shown.append(part())
            except Exception as error:
                _log.error("not_shown", match=self.id, game=self.game.info.id, exc_info=error)
        return (*shown, self.end_message(replay))

"""One match as a machine without input or output: calls come in, messages go out through an outlet.

Nothing here waits. `Match.due_ns` says when `wake` wants to be called next; a call in between (an
action that was the last one missing) may already have done the work. Tests drive it with a clock
of their own, the server with timers (`timer.py`).
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import structlog

from fangnetz_protocol import errors
from fangnetz_protocol.words import ActionStatus, MatchId, MatchReason, Pace, SeatId, Tick
from fangnetz_server.games.contract import GameState, InvalidAction, Outcome
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.clock import MS, Clock
from fangnetz_server.match.outlet import Outlet
from fangnetz_server.match.pacing import pacing_for
from fangnetz_server.match.phases import MatchEvent, Phase, next_phase
from fangnetz_server.match.recorder import Recorder
from fangnetz_server.match.result import MatchResult, SeatResult
from fangnetz_server.match.seats import Answer, Entrant, Seat
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.match.shown import Shown

__all__ = ["Match"]

_log = structlog.get_logger(__name__)


class Match(Shown):
    """A match of any game.

    Args:
        match: its id.
        game: the rules.
        state: the start position, from `game.prepare`.
        seed: the match seed; it goes nowhere but into the recorder and the result.
        entrants: who sits on each seat.
        settings: pace and times.
        clock: counts the time.
        outlet: where the messages go.
        recorder: writes the replay.
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
        clock: Clock,
        outlet: Outlet,
        recorder: Recorder,
    ) -> None:
        super().__init__(match, game, state, entrants, settings)
        self.phase = Phase.WAITING
        self._seed = seed
        self._clock = clock
        self._outlet = outlet
        self._recorder = recorder
        self._first_tick = state.tick
        self._arrivals: dict[Tick, list[SeatId]] = {}
        self._sent_at = array("q")
        """When each tick's observation was sent, from the first tick on."""
        self.due_ns: int | None = clock.now_ns() + settings.ready_ms * MS
        """When `wake` wants to be called; None while the host holds the match and once it is over."""
        self._last_tick = game.last_tick(state)
        self._wants_order = game.wants_order(state)
        self._paused = False

    @property
    def is_paused(self) -> bool:
        """Tell whether the host holds the match."""
        return self._paused

    @property
    def last_tick(self) -> int | None:
        """Number of the last possible tick; None where the rules set none."""
        return self._last_tick

    # --- what comes in ------------------------------------------------------------------------

    def connect(self, seat: SeatId) -> None:
        """A connection of the seat's bot is there, for the first time or again (P2.4)."""
        place = self.seats[seat]
        place.connected = place.seated = True
        place.absent_since_ns = None
        if self.phase is Phase.OVER:
            return
        self._outlet.changed()
        with self._guarded():
            if self.phase is not Phase.WAITING:
                self._show_current(place)
            self._go_on()

    def disconnect(self, seat: SeatId) -> None:
        """The seat has no connection any more; it goes on with neutral actions (P2.5)."""
        place = self.seats[seat]
        place.connected = False
        if self.phase is Phase.OVER:
            return
        place.absent_since_ns = self._clock.now_ns()
        self._outlet.changed()
        if self.phase is Phase.RUNNING:
            self._set_due()

    def ready(self, seat: SeatId) -> None:
        """The bot has prepared itself.

        Raises:
            errors.PeerError: MatchOver, or NotReady before the `match_start`.
        """
        if self.phase is Phase.OVER:
            raise errors.MatchOver(self.id)
        if self.phase is Phase.WAITING:
            raise errors.NotReady(self.id)
        self.seats[seat].ready = True
        with self._guarded():
            self._go_on()

    def act(self, seat: SeatId, tick: Tick, part: Mapping[str, Any]) -> None:
        """Take an action that answers the observation of `tick`.

        Raises:
            errors.PeerError: MatchOver, NotReady, WrongTick, Duplicate, Late or InvalidAction: the
                action has no effect (P2.1); an invalid one still counts as the seat's answer.
        """
        now = self._clock.now_ns()
        place = self.seats[seat]
        self._check_tick(place, tick, now)
        latency_ms = (now - self._sent_at[tick - self._first_tick]) / MS
        if not self._paused and self._pacing.is_out_of_time(place, now):
            place.post(tick, Answer(None, ActionStatus.LATE, latency_ms))
            raise errors.Late(self.id, tick)
        self._outlet.answered(latency_ms)
        fault = self._post(place, tick, part, latency_ms)
        if self.phase is Phase.RUNNING and not self._paused:  # The game's code may have failed just now.
            self._pacing.answered(place, now)
            self._look_again(now)
        if fault is not None:
            raise errors.InvalidAction(self.id, tick, fault.field, fault.problem)

    def leave(self, seat: SeatId) -> None:
        """The bot gives up its seat for good: neutral actions from now on, or a forfeit (P2.5).

        Before the first tick it counts as absent, and nobody waits for it any more.
        """
        place = self.seats[seat]
        place.left = True
        place.ready = place.ready and self.phase is Phase.RUNNING
        place.bank_ns = 0
        self.disconnect(seat)
        with self._guarded():
            self._go_on()

    def abort(self, why: str) -> None:
        """End the match without a result, at the host's word."""
        if self.phase is not Phase.OVER:
            self._finish(MatchEvent.CANCELLED, MatchReason.ABORTED, detail=why)

    def pause(self) -> bool:
        """Hold a running match, at the host's word: no tick comes and no time is charged.

        Returns:
            False where there is nothing to hold.
        """
        if self.phase is not Phase.RUNNING or self._paused:
            return False
        self._paused = True
        self._set_due()
        self._outlet.changed()
        return True

    def resume(self) -> bool:
        """Let a held match go on; the time for the newest observation begins anew."""
        if not self._paused:
            return False
        self._paused = False
        now = self._clock.now_ns()
        self._pacing.sent(now)
        for place in self.seats:
            if place.absent_since_ns is not None:
                place.absent_since_ns = now
        self._set_due()
        self._outlet.changed()
        return True

    def step(self) -> bool:
        """Play one tick of a held match with the answers that are there."""
        if not self._paused or self.phase is not Phase.RUNNING:
            return False
        self._advance()
        return True

    def change_pace(self, settings: MatchSettings) -> None:
        """Go on under another pace; all are told by a new `match_start`. For friendly matches only.

        Raises:
            ValueError: actions in flight are bound to the old `action_delay`, so that cannot change.
        """
        if settings.action_delay != self.settings.action_delay:
            raise ValueError("action_delay cannot change while a match runs")
        self.settings = settings
        self._pacing = pacing_for(settings)
        bank_ns = settings.bank_ms * MS if settings.pace is Pace.LOCKSTEP else 0
        for place in self.seats:
            place.bank_ns = 0 if place.left else bank_ns
        if self.phase is Phase.RUNNING:
            self._pacing.sent(self._clock.now_ns())
            self._set_due()
        self._outlet.changed()
        if self.phase in (Phase.READY, Phase.RUNNING):
            with self._guarded():
                self._send_starts()

    def forgive(self, lost_ns: int) -> None:
        """The server was busy elsewhere for this time: no bot is charged for it, nothing ends sooner."""
        if self.due_ns is None:
            return
        now = self._clock.now_ns()
        running = self.phase is Phase.RUNNING
        # What was sent only after the server was back is not late.
        began = self._sent_at[-1] if running else self.due_ns - self.settings.ready_ms * MS
        lost_ns = min(lost_ns, now - began)
        self.due_ns += lost_ns
        if running:
            self._pacing.forgive(lost_ns)
            self._sent_at[-1] += lost_ns
            for place in self.seats:
                if place.absent_since_ns is not None:
                    place.absent_since_ns = min(now, place.absent_since_ns + lost_ns)

    def wake(self) -> None:
        """Do what is due at this time; too early a call does nothing."""
        now = self._clock.now_ns()
        if self.due_ns is None or now < self.due_ns:
            return
        with self._guarded():
            if self.phase is Phase.WAITING:
                self._end_waiting()
            elif self.phase is Phase.READY:
                self._end_preparing()
            elif self.phase is Phase.RUNNING:
                self._advance()

    # --- the phases ---------------------------------------------------------------------------

    def _enter(self, event: MatchEvent) -> None:
        self.phase = next_phase(self.phase, event)
        self._outlet.changed()

    def _go_on(self) -> None:
        """Enter the next phase as soon as nobody is waited for; who has left will not come."""
        if self.phase is Phase.WAITING and all(place.seated or place.left for place in self.seats):
            self._end_waiting()
        if self.phase is Phase.READY and all(place.ready or place.left for place in self.seats):
            self._end_preparing()

    def _end_waiting(self) -> None:
        if any(place.seated for place in self.seats):
            self._start_preparing()
        else:
            self._finish(MatchEvent.CANCELLED, MatchReason.ABORTED, detail="no bot connected in time")

    def _start_preparing(self) -> None:
        self._enter(MatchEvent.SEATED)
        self.due_ns = self._clock.now_ns() + self.settings.ready_ms * MS
        self._outlet.moved()
        self._send_starts()

    def _end_preparing(self) -> None:
        absent = frozenset(place.number for place in self.seats if not place.ready)
        present = len(self.seats) - len(absent)
        if present >= self.game.info.min_seats:
            self._start_running()
        elif present:
            outcome = self.game.walkover(self._state, absent, MatchReason.WALKOVER)
            self._finish(MatchEvent.WALKOVER, MatchReason.WALKOVER, outcome=outcome)
        else:
            self._finish(MatchEvent.CANCELLED, MatchReason.ABORTED, detail="no bot was ready in time")

    def _start_running(self) -> None:
        self._enter(MatchEvent.STARTED)
        with self._guarded():
            self._broadcast()

    # --- a tick -------------------------------------------------------------------------------

    def _check_tick(self, place: Seat, tick: Tick, now: int) -> None:
        """Refuse an answer to anything but an open tick that has none yet."""
        if self.phase is Phase.OVER:
            raise errors.MatchOver(self.id)
        if self.phase is not Phase.RUNNING:
            raise errors.NotReady(self.id)
        if not self._first_tick <= tick <= self.tick:
            raise errors.WrongTick(self.id, tick, self.tick)
        place.ready = True  # It plays, so it is there, even if it is late and never said so.
        if place.has_answered(tick):
            place.note_duplicate()
            raise errors.Duplicate(self.id, tick)
        if not place.is_open(tick):
            latency_ms = (now - self._sent_at[tick - self._first_tick]) / MS
            place.note_late(tick, latency_ms)
            raise errors.Late(self.id, tick)

    def _post(
        self, place: Seat, tick: Tick, part: Mapping[str, Any], latency_ms: float
    ) -> InvalidAction | None:
        try:
            answer = Answer(self.game.parse_action(part), ActionStatus.APPLIED, latency_ms)
        except InvalidAction as fault:
            place.post(tick, Answer(None, ActionStatus.INVALID, latency_ms))
            return fault
        except Exception as error:
            self._fail(error)
            return None
        place.post(tick, answer)
        if self._wants_order:
            self._arrivals.setdefault(tick, []).append(place.number)
        return None

    def _look_again(self, now: int) -> None:
        """After an answer: the tick may come at once, or sooner because a seat with more time is done."""
        assert self.due_ns is not None, "the match is running"
        due = self._pacing.due_ns(self.seats, self.tick, now)
        if due <= now:
            self._advance()
        elif due < self.due_ns:
            self.due_ns = due
            self._outlet.moved()

    def _advance(self) -> None:
        """Take the actions whose time is over, apply the rules and show the new state to all."""
        start = self._clock.now_ns()
        late_ns = start - self.due_ns if self.settings.pace is Pace.REALTIME and self.due_ns else None
        with self._guarded():
            self._step()
            outcome = self.game.outcome(self._state) or self._judge_absence()
            if outcome is None:
                self._broadcast()
            else:
                self._show_frame(final=True)
                self._finish(MatchEvent.ENDED, outcome.reason, outcome=outcome)
        self._outlet.ticked(late_ns, self._clock.now_ns() - start)

    def _step(self) -> None:
        answered = Tick(self.tick - self.settings.action_delay)
        actions: list[Any] = [None] * len(self.seats)
        order: list[SeatId] | None = None
        if asked := answered >= self._first_tick:
            if not self._paused:
                self._pacing.closed(self.seats, answered)
            for place in self.seats:
                actions[place.number] = place.settle(answered)
            if self._wants_order:
                order = self._complete_order(self._arrivals.pop(answered, []))
        state = self.game.step(self._state, actions, order)
        if asked:
            for place in self.seats:
                if actions[place.number] is not None and self.game.was_blocked(state, place.number):
                    place.note_blocked()
        self._recorder.tick(state, actions, [place.last_action for place in self.seats], order)
        self._state = state

    def _complete_order(self, arrivals: list[SeatId]) -> list[SeatId]:
        """Seats without an action follow in seat order; they do not move, so it is no advantage."""
        return arrivals + [place.number for place in self.seats if place.number not in arrivals]

    def _broadcast(self) -> None:
        now = self._clock.now_ns()
        self._pacing.sent(now)
        self._sent_at.append(now)
        for place in self.seats:
            if place.connected:
                self._send_observation(place, now)
        self._show_frame()
        self._set_due()

    def _show_frame(self, *, final: bool = False) -> None:
        if self._outlet.wants_frames():
            self._outlet.to_spectators(self.frame(), final=final)

    def _set_due(self) -> None:
        now = self._clock.now_ns()
        self.due_ns = None if self._paused else self._pacing.due_ns(self.seats, self.tick, now)
        self._outlet.moved()

    # --- the end ------------------------------------------------------------------------------

    def _judge_absence(self) -> Outcome | None:
        """Return the outcome where the host lets absent bots forfeit and too few are left (P2.5)."""
        if self.settings.on_disconnect != "forfeit":
            return None
        now = self._clock.now_ns()
        for place in self.seats:
            place.forfeited = place.forfeited or place.left or self._pacing.is_gone(place, now)
        # Who never came has nothing to forfeit, but does not win by the others' forfeit either.
        gone = frozenset(place.number for place in self.seats if place.forfeited or not place.ready)
        if not gone or len(self.seats) - len(gone) >= self.game.info.min_seats:
            return None
        return self.game.walkover(self._state, gone, MatchReason.FORFEIT)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Run the game's code; it may be anybody's, and its crash ends its match alone (decision 7)."""
        try:
            yield
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        _log.error("match_failed", match=self.id, game=self.game.info.id, exc_info=error)
        if self.phase is not Phase.OVER:
            detail = f"{type(error).__name__} in the game's code"
            self._finish(MatchEvent.FAILED, MatchReason.INFRA_ERROR, detail=detail)

    def _finish(
        self, event: MatchEvent, reason: str, *, outcome: Outcome | None = None, detail: str | None = None
    ) -> None:
        self.due_ns = None
        self._paused = False
        seats = tuple(SeatResult.of(place, outcome) for place in self.seats)
        self.result = MatchResult(
            match=self.id,
            game=self.game.info.id,
            rules_version=self.game.info.rules_version,
            seed=self._seed,
            reason=reason,
            detail=detail,
            ticks=self.tick,
            seats=seats,
            digest=self._recorder.finish(reason, outcome, [seat.presence for seat in seats]),
        )
        self._enter(event)
        self._outlet.finished(self.result)

    def _send_starts(self) -> None:
        for place in self.seats:
            if place.connected:
                self._send_start(place)

    def _send_start(self, place: Seat) -> None:
        self._outlet.to_seat(place.number, self.start_message(place.number))

    def _show_current(self, place: Seat) -> None:
        """Bring a bot that comes late or again up to date (P2.4)."""
        self._send_start(place)
        if self.phase is Phase.RUNNING:
            self._send_observation(place, self._clock.now_ns(), missed=place.missed_before(self.tick))

    def _send_observation(self, place: Seat, now: int, *, missed: Sequence[Tick] = ()) -> None:
        self._outlet.to_seat(place.number, self.observation(place, now, missed))

"""A match on a table of glass: a clock that the test moves and an outlet that remembers everything."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from fangnetz_protocol import errors
from fangnetz_protocol.words import BotId, MatchId, Pace, SeatId, Tick
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.match.clock import MS
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.recorder import MatchHeader, Recorder
from fangnetz_server.match.replay import Replay
from fangnetz_server.match.result import MatchResult
from fangnetz_server.match.runner import Match
from fangnetz_server.match.seats import Entrant
from fangnetz_server.match.settings import MatchSettings
from support import tiny_game

__all__ = ["MATCH", "Arena", "HandClock", "Outbox"]

MATCH = MatchId("m-arena")


def _setup(game: AnyGame, seats: int) -> dict[str, Any]:
    """Return a setup for so many seats; on the ring they start so far apart that nobody is caught soon."""
    if game.info.id == tiny_game.GAME.info.id:
        return {"ruleset": {"fields": 4 * seats}, "places": [4 * seat for seat in range(seats)]}
    return {"seats": seats} if game.info.max_seats > game.info.min_seats else {}


@dataclass
class HandClock:
    """A clock that stands still until somebody moves it."""

    now: int = 1_000_000 * MS

    def now_ns(self) -> int:
        return self.now


class Outbox:
    """Keeps all that a match sends.

    `watched` decides whether frames are wanted; `on_move` and `on_frame` are called after what they say.
    """

    def __init__(self) -> None:
        self.sent: list[tuple[SeatId, bytes]] = []
        self.frames: list[tuple[bytes, bool]] = []
        self.results: list[MatchResult] = []
        self.ticks: list[tuple[int | None, int]] = []
        self.latencies: list[float] = []
        self.changes = 0
        self.moves = 0
        self.watched = True
        self.on_move: Callable[[], None] = lambda: None
        self.on_frame: Callable[[], None] = lambda: None

    def to_seat(self, seat: SeatId, message: bytes) -> None:
        self.sent.append((seat, message))

    def wants_frames(self) -> bool:
        return self.watched

    def to_spectators(self, message: bytes, *, final: bool) -> None:
        self.frames.append((message, final))
        self.on_frame()

    def ticked(self, late_ns: int | None, took_ns: int) -> None:
        assert took_ns >= 0
        self.ticks.append((late_ns, took_ns))

    def answered(self, latency_ms: float) -> None:
        assert latency_ms >= 0
        self.latencies.append(latency_ms)

    def moved(self) -> None:
        self.moves += 1
        self.on_move()

    def changed(self) -> None:
        self.changes += 1

    def finished(self, result: MatchResult) -> None:
        self.results.append(result)


class Arena:
    """One match with hand-driven time.

    Args:
        game: the rules; the tiny game where a test is about the match alone.
        seats: how many, for games that leave it open.
        setup, seed: of the start position.
        clock: another one than that of the hand, which `wait` and `stall` move.
        **settings: what a host may choose (`MatchSettings`); realtime by `pace="realtime"`.
    """

    def __init__(
        self,
        game: AnyGame = tiny_game.GAME,
        seats: int = 2,
        *,
        setup: Mapping[str, Any] | None = None,
        seed: int = 7,
        clock: Any = None,
        **settings: Any,
    ) -> None:
        self.game = game
        self.clock = clock or HandClock()
        self.outbox = Outbox()
        self.settings = MatchSettings.defaults(game.info, **settings)
        state = game.prepare(seed, _setup(game, seats) if setup is None else setup)
        entrants = tuple(Entrant(BotId(f"bot-{seat}"), f"Bot {seat}") for seat in range(state.seat_count))
        self.recorder = Recorder(MatchHeader(MATCH, game, seed, entrants, self.settings), state)
        self.match = Match(
            MATCH,
            game,
            state,
            seed=seed,
            entrants=entrants,
            settings=self.settings,
            clock=self.clock,
            outlet=self.outbox,
            recorder=self.recorder,
        )
        self._opened_ns = self.clock.now_ns()

    # --- time ---------------------------------------------------------------------------------

    @property
    def ms(self) -> float:
        """Milliseconds since the match was made."""
        return (self.clock.now_ns() - self._opened_ns) / MS

    @property
    def due_ms(self) -> float:
        """When the match wants to be woken, in milliseconds since it was made."""
        assert self.match.due_ns is not None
        return (self.match.due_ns - self._opened_ns) / MS

    def wait(self, ms: float) -> None:
        """Let time pass; the match is woken exactly when it wants to be."""
        end = self.clock.now + round(ms * MS)
        while self.match.due_ns is not None and self.match.due_ns <= end:
            self.clock.now = max(self.clock.now, self.match.due_ns)
            self.match.wake()
        self.clock.now = end

    def stall(self, ms: float) -> None:
        """Let time pass in which nobody can wake the match, then wake it once."""
        self.clock.now += round(ms * MS)
        self.match.wake()

    # --- what bots do -------------------------------------------------------------------------

    def start(self) -> "Arena":
        """Connect every seat and say ready for it."""
        for place in self.match.seats:
            self.match.connect(place.number)
        for place in self.match.seats:
            self.match.ready(place.number)
        assert self.match.phase is Phase.RUNNING
        return self

    def act(self, seat: int, tick: int | None = None, **part: Any) -> None:
        """Answer the newest observation, or that of `tick`; without a part: stand still."""
        self.match.act(SeatId(seat), Tick(self.match.tick if tick is None else tick), part or {"step": 0})

    def try_act(self, seat: int, tick: int, part: Mapping[str, Any]) -> None:
        """Answer, whatever the match says to it."""
        with suppress(errors.PeerError):
            self.match.act(SeatId(seat), Tick(tick), part)

    def fault(self, call: Callable[..., None], *args: Any, **part: Any) -> errors.PeerError:
        """Return the fault that a call is answered with."""
        try:
            call(*args, **part)
        except errors.PeerError as error:
            return error
        raise AssertionError(f"{call} was not refused")

    def connect(self, *seats: int) -> None:
        for seat in seats:
            self.match.connect(SeatId(seat))

    def disconnect(self, *seats: int) -> None:
        for seat in seats:
            self.match.disconnect(SeatId(seat))

    def ready(self, *seats: int) -> None:
        for seat in seats:
            self.match.ready(SeatId(seat))

    def leave(self, *seats: int) -> None:
        for seat in seats:
            self.match.leave(SeatId(seat))

    def run_out(self) -> MatchResult:
        """Let time pass, with nobody saying anything any more, until the match is over."""
        while self.match.due_ns is not None:
            self.wait(max(0.0, self.due_ms - self.ms))
        return self.result

    # --- what came of it ----------------------------------------------------------------------

    @property
    def result(self) -> MatchResult:
        """The result that was announced; exactly one."""
        (result,) = self.outbox.results
        assert result is self.match.result
        return result

    def is_in(self, phase: Phase) -> bool:
        return self.match.phase is phase

    def owes(self, seat: int) -> bool:
        """Tell whether a seat has not answered the newest observation."""
        return not self.match.seats[seat].has_answered(self.match.tick)

    def heard(self, seat: int, type_: str | None = None) -> list[dict[str, Any]]:
        """Return the messages to a seat, all or those of a type."""
        all_ = [orjson.loads(message) for number, message in self.outbox.sent if number == seat]
        return [message for message in all_ if type_ in (None, message["type"])]

    def seen(self, seat: int) -> dict[str, Any]:
        """Return the newest observation of a seat."""
        for number, data in reversed(self.outbox.sent):
            if number == seat and b'"type":"observation"' in data:
                message: dict[str, Any] = orjson.loads(data)
                return message
        raise AssertionError(f"seat {seat} has seen nothing yet")

    def last_status(self, seat: int) -> tuple[int, str] | None:
        """Return tick and status of the action that the newest observation reports."""
        last = self.seen(seat)["last_action"]
        return None if last is None else (last["tick"], last["status"])

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines of the replay of a match that is over."""
        return [{**step.record} for step in self.replay().steps()]

    def replay(self) -> Replay:
        """Return the replay of a match that is over."""
        return Replay(self.recorder.data, {self.game.info.id: self.game})

    @property
    def pace(self) -> Pace:
        return self.settings.pace

"""A match to which anything may happen at any time, and what holds all the same.

`Chaos` does one thing after another to a match and checks after each: whatever bots, lines, the host
and the time do, a match sends every connected bot each tick once and in order, answers faults with
`PeerError` alone, and ends with one result that its replay proves.
"""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from fangnetz_protocol import errors
from fangnetz_protocol.codec import TO_BOT, TO_SPECTATOR
from fangnetz_protocol.words import MatchReason, SeatId, Tick
from fangnetz_server.games.right2live import GAME as RIGHT2LIVE
from fangnetz_server.games.spaceballs import GAME as SPACEBALLS
from fangnetz_server.match.phases import Phase
from fangnetz_server.match.seats import Presence
from support import tiny_game
from support.arena import Arena

__all__ = ["ANSWERS", "GARBAGE", "TABLES", "Chaos"]

TABLES: Final[Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "ring": (tiny_game.GAME, {"ruleset": {"fields": 9, "ticks": 12}, "places": [0, 3, 6]}),
    "duel": (SPACEBALLS, {"ruleset": {"duration": 0.6}}),
    "arrival": (
        RIGHT2LIVE,
        {"map": ["....", ".#.."], "seats": 3, "ruleset": {"max_rounds": 12, "move_order": "arrival"}},
    ),
    "later": (
        RIGHT2LIVE,
        {"map": ["....", "...."], "seats": [{"x": 0, "y": 0}, {"x": 3, "y": 1}], "tick": 20}
        | {"last_change": 20, "ruleset": {"max_rounds": 30}},
    ),
}
"""Short matches: a game and a setup."""

ANSWERS: Final[tuple[Mapping[str, Any], ...]] = (
    {"step": 1, "move": "EAST", "view": "SOUTH", "thrust": [1, 0.5]},
    {"step": -1, "move": "NORTH_WEST", "thrust": [-3, 1e-12]},
    {"step": 0, "move": "NONE", "thrust": [0, 0]},
)
GARBAGE: Final[tuple[Mapping[str, Any], ...]] = (
    {"move": "UP", "thrust": "left", "step": "far"},
    {"move": None, "view": [], "thrust": {}, "step": 1.0},
    {"move": {"x": 1}, "thrust": [[1], [2]], "step": True},
    {"view": "NONE", "thrust": [1e7, 0], "step": 10**30},
    {"move": "\ud800", "thrust": [None, float("nan")], "step": None},
    {"move": "EAST" * 1000, "thrust": [1] * 1000, "step": [0]},
    {"move": ["EAST"], "thrust": [True, "1"], "step": -0.0},
)
"""Game parts that no game reads."""
_LARGEST: Final = 1 << 20


class Chaos:
    """One match and a model of what each of its seats has been told."""

    def __init__(self, table: str, **settings: Any) -> None:
        game, setup = TABLES[table]
        times = {"tick_ms": 50, "deadline_ms": 40, "bank_ms": 60, "ready_ms": 200}
        self.arena = Arena(game, setup=setup, **{**times, **settings})
        self.match = self.arena.match
        self.seats = len(self.match.seats)
        self._told: list[int | None] = [None] * self.seats
        """For each seat the tick of the newest observation on its present connection."""
        self._read = 0
        self._left: set[int] = set()

    # --- what may happen ----------------------------------------------------------------------

    def connect(self, seat: int) -> None:
        """A bot comes, or takes over from its older connection."""
        if seat in self._left:
            return  # The table gives a seat that was given up to nobody.
        self.match.connect(SeatId(seat))
        self._hear(fresh=seat)

    def disconnect(self, seat: int) -> None:
        if self.match.seats[seat].connected:
            self.match.disconnect(SeatId(seat))
            self._told[seat] = None
            self._hear()

    def leave(self, seat: int) -> None:
        if seat not in self._left:
            self._left.add(seat)
            self.match.leave(SeatId(seat))
            self._told[seat] = None
            self._hear()

    def ready(self, seat: int) -> None:
        if self.match.seats[seat].connected:
            self._try(self.match.ready, SeatId(seat))

    def act(self, seat: int, back: int, part: Mapping[str, Any]) -> None:
        """Answer the tick that lies so many ticks back; a negative number is the future."""
        if self.match.seats[seat].connected:
            self._try(self.match.act, SeatId(seat), Tick(self.match.tick - back), part)

    def all_act(self, part: Mapping[str, Any]) -> None:
        """Everybody who is there answers the newest tick."""
        tick = self.match.tick
        for place in self.match.seats:
            if place.connected:
                self._try(self.match.act, place.number, tick, part)

    def wait(self, ms: float) -> None:
        self.arena.wait(ms)
        self._hear()

    def stall(self, ms: float) -> None:
        self.arena.stall(ms)
        self._hear()

    def abort(self) -> None:
        self.match.abort("chaos")
        self._hear()

    def hold(self) -> None:
        """Hold the match, or let it go on."""
        assert self.match.pause() or self.match.resume() or not self.arena.is_in(Phase.RUNNING)
        self._hear()

    def step(self) -> None:
        held, before = self.match.is_paused, self.match.tick
        assert self.match.step() is held
        assert self.match.tick == before + held
        self._hear()

    # --- what holds ---------------------------------------------------------------------------

    def check(self) -> None:
        """What holds at any time."""
        over = self.arena.is_in(Phase.OVER)
        assert (self.match.due_ns is None) == (over or self.match.is_paused)
        assert len(self.arena.outbox.results) == over
        assert (self.match.result is not None) == over

    def finish(self) -> None:
        """Let time pass to the end of the match, and look at all that is left of it."""
        self.match.resume()
        for _ in range(2000):
            if self.match.due_ns is None:
                break
            self.wait(max(0.0, self.arena.due_ms - self.arena.ms))
        self.check()
        assert self.arena.is_in(Phase.OVER), "every match ends"
        self._check_result()
        self._check_spectators()
        end = TO_BOT.decode(self.match.end_message(None).decode(), _LARGEST)
        assert end.type == "match_end"

    def _check_result(self) -> None:
        result, seats = self.arena.result, self.seats
        assert len(result.seats) == seats
        scored = result.reason not in (MatchReason.ABORTED, MatchReason.INFRA_ERROR)
        assert len(result.points) == len(result.places) == seats * scored
        assert result.reason != MatchReason.INFRA_ERROR, result.detail
        for place in result.places:
            assert place == 1 + sum(other < place for other in result.places), "1, 1, 3"
        for own, place in zip(result.points, result.places, strict=True):
            if result.reason not in (MatchReason.WALKOVER, MatchReason.FORFEIT):
                assert place == 1 + sum(other > own for other in result.points)
        footer = self.arena.replay().verify()
        assert footer["reason"] == result.reason
        assert footer["ticks"] == result.ticks == self.match.tick
        assert (footer["points"], footer["places"]) == (result.points, result.places)
        assert footer["presence"] == [seat.presence for seat in result.seats]
        self._check_counts()

    def _check_counts(self) -> None:
        result = self.arena.result
        played = result.ticks - self.match.seats[0].first_tick
        asked = max(0, played - self.arena.settings.action_delay)
        for seat in result.seats:
            stats = seat.stats
            settled = stats.applied + stats.blocked + stats.late + stats.missing + stats.invalid
            assert settled == asked, "each tick has one status"
            assert min(stats.applied, stats.blocked, stats.late, stats.missing, stats.invalid) >= 0
            if seat.presence is Presence.ABSENT:
                assert stats.missing == asked

    def _check_spectators(self) -> None:
        frames = self.arena.outbox.frames
        for number, (message, final) in enumerate(frames):
            TO_SPECTATOR.decode(message.decode(), _LARGEST)
            assert not final or number == len(frames) - 1
        ticks = [orjson.loads(message)["tick"] for message, _ in frames]
        assert ticks == list(range(ticks[0], ticks[0] + len(ticks))) if ticks else True

    def _try(self, call: Any, *arguments: Any) -> None:
        """Do what a bot does; it may be refused, but in one way only."""
        fault = None
        try:
            call(*arguments)
        except errors.PeerError as error:
            fault = error
        assert fault is None or fault.match == self.match.id
        self._hear()

    def _hear(self, fresh: int | None = None) -> None:
        """Read what was sent since the last time; `fresh` has a new connection."""
        if fresh is not None:
            self._told[fresh] = None
        sent = self.arena.outbox.sent[self._read :]
        self._read += len(sent)
        for seat, data in sent:
            message = TO_BOT.decode(data.decode(), _LARGEST)
            if message.type == "observation":
                told = self._told[seat]
                assert told is None or message.tick == told + 1, "gap-free and in order"
                self._told[seat] = message.tick
                self._check_missed(seat, message)
        if self.arena.is_in(Phase.RUNNING):
            for place in self.match.seats:
                told = self._told[place.number]
                assert told == (self.match.tick if place.connected else None), "nobody is left out"
        self.check()

    def _check_missed(self, seat: int, message: Any) -> None:
        missed = list(message.missed or ())
        assert missed == list(range(message.tick - len(missed), message.tick))
        assert not any(self.match.seats[seat].has_answered(tick) for tick in missed)

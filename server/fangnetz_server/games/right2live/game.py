"""Right2Live behind the game contract."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from fangnetz_protocol.words import Direction, SeatId
from fangnetz_server.games.contract import GameInfo, InvalidAction, JsonObject, Outcome, SetupError
from fangnetz_server.games.draw import Draw
from fangnetz_server.games.right2live import setup as _setup
from fangnetz_server.games.right2live import view as _view
from fangnetz_server.games.right2live.points import places
from fangnetz_server.games.right2live.stages import play_round
from fangnetz_server.games.right2live.state import Action, Blocked, State, Turn

__all__ = ["GAME", "RULES_VERSION", "Right2Live"]

RULES_VERSION: Final = 1
"""Goes up when any outcome can change (R9)."""
_DIRECTIONS: Final[Mapping[object, Direction]] = {str(direction): direction for direction in Direction}
_NAMES: Final = ", ".join(Direction)


class Right2Live:
    """Tag on a poisoned grid (docs/rules/right2live.md)."""

    info: Final = GameInfo(
        id="right2live",
        title="Right2Live",
        rules_version=RULES_VERSION,
        min_seats=_setup.MIN_SEATS,
        max_seats=_setup.MAX_SEATS,
        tick_ms=250,
        deadline_ms=1000,
    )

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> State:
        """Build the start position; see `setup.prepare`."""
        return _setup.prepare(seed, setup)

    def export_setup(self, state: State) -> JsonObject:
        """Return a setup from which `prepare` builds an equal state."""
        return _setup.export_setup(state)

    def ruleset(self, state: State) -> JsonObject:
        """Return the ruleset in force, every field given (R9)."""
        return state.ruleset.model_dump()

    def last_tick(self, state: State) -> int | None:
        """Return `max_rounds`, the only end that the rules can set in advance (R7.2)."""
        return state.ruleset.max_rounds

    def parse_action(self, part: Mapping[str, Any]) -> Action:
        """Read `move` and `view`, which both may be left out (R2.2).

        Raises:
            InvalidAction: one of them is no direction, or the view is NONE.
        """
        move = _direction("move", part.get("move", "NONE"))
        if (view := part.get("view")) is None:
            return Action(move)
        if view == Direction.NONE:
            raise InvalidAction("view", "NONE is no view; leave it out to keep the view")
        return Action(move, _direction("view", view))

    def export_action(self, action: Action) -> JsonObject:
        """Return the action as `parse_action` reads it."""
        part = {"move": str(action.move)}
        return part if action.view is None else part | {"view": str(action.view)}

    def wants_order(self, state: State) -> bool:
        """Tell whether who answers first steps first (R3.3)."""
        return state.ruleset.move_order == "arrival"

    def step(
        self, state: State, actions: Sequence[Action | None], order: Sequence[SeatId] | None = None
    ) -> State:
        """Return the state after the next round; see `Game.step`.

        Raises:
            SetupError: `order` does not hold each seat once.
        """
        assert state.reason is None, "the match is over"
        assert len(actions) == state.seat_count, "one entry a seat"
        return play_round(state, Turn(tuple(actions), _order(state, order)))

    def was_blocked(self, state: State, seat: SeatId) -> bool:
        """Tell whether this seat's step failed in the last round (R3.4)."""
        return Blocked(seat) in state.events

    def outcome(self, state: State) -> Outcome | None:
        """Return points and places if the match is over (R6.5, R7)."""
        if state.reason is None:
            return None
        points = tuple(player.points for player in state.players)
        return Outcome(str(state.reason), tuple(map(_view.rounded, points)), places(points))

    def walkover(self, state: State, absent: frozenset[SeatId], reason: str) -> Outcome:
        """Return the outcome of a match without play: no points, and those present share the first place."""
        present = tuple(Fraction(seat not in absent) for seat in range(state.seat_count))
        return Outcome(reason, (0.0,) * state.seat_count, places(present))

    def briefing(self, state: State, seat: SeatId | None) -> JsonObject:
        """Return the static part; see `view.briefing`."""
        return _view.briefing(state, seat)

    def observe(self, state: State, seat: SeatId) -> JsonObject:
        """Return what the bot on this seat knows; see `view.observe`."""
        return _view.observe(state, seat)

    def frame(self, state: State) -> JsonObject:
        """Return the whole state for spectators; see `view.frame`."""
        return _view.frame(state)

    def fingerprint(self, state: State) -> bytes:
        """Return the whole state as text, map and poison as a hash."""
        players = [f"{p.field},{p.view},{p.team},{p.life},{p.standing},{p.points}" for p in state.players]
        whole = (
            state.arena.digest.hex(),
            state.ruleset.model_dump_json(),
            state.seed,
            state.tick,
            state.last_change,
            ";".join(players),
            state.events,
            state.reason,
        )
        return "|".join(map(str, whole)).encode()


def _direction(field: str, value: object) -> Direction:
    found = _DIRECTIONS.get(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidAction(field, f"{value!r:.40} is no direction; there are {_NAMES}")
    return found


def _order(state: State, order: Sequence[SeatId] | None) -> tuple[SeatId, ...]:
    """Return who steps when: as given, by arrival in seat order, or drawn for this round (R3.3)."""
    seats = tuple(map(SeatId, range(state.seat_count)))
    if order is not None:
        if sorted(order) != list(seats):
            raise SetupError(
                "order", f"must hold each seat from 0 to {len(seats) - 1} once, not {list(order)}"
            )
        return tuple(order)
    if state.ruleset.move_order == "arrival":
        return seats
    return Draw(state.seed, state.tick + 1, "move_order").shuffled(seats)


GAME: Final = Right2Live()

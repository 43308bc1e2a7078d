"""A whole third game in one small module: tag on a ring of fields.

Seat 0 catches, the others flee; in a tick each one steps -1, 0 or 1 fields. Who shares a field with
seat 0 after the steps is caught. It shows what a game needs to be played by everything here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from fangnetz_protocol.words import SeatId
from fangnetz_server.games.contract import GameInfo, InvalidAction, JsonObject, Outcome, SetupError
from fangnetz_server.games.draw import Draw


@dataclass(frozen=True, slots=True)
class Ring:
    fields: int
    ticks: int
    places: tuple[int, ...]
    caught: tuple[bool, ...]
    tick: int = 0

    @property
    def seat_count(self) -> int:
        return len(self.places)


class RingTag:
    info: Final = GameInfo("ring_tag", "Ring tag", 1, 2, 5, tick_ms=100, deadline_ms=500)

    def prepare(self, seed: int, setup: Mapping[str, Any]) -> Ring:
        if unknown := set(setup) - {"ruleset", "seats", "places"}:
            raise SetupError(min(unknown), "unknown; known are ruleset, seats, places")
        rules = setup.get("ruleset", {})
        if not isinstance(rules, Mapping) or set(rules) - {"fields", "ticks"}:
            raise SetupError("ruleset", "should be an object with fields, ticks")
        fields = _number(rules.get("fields", 12), "ruleset.fields", 5, 1000)
        ticks = _number(rules.get("ticks", 30), "ruleset.ticks", 1, 1000)
        places = setup.get("places")
        if places is None:
            seats = _number(setup.get("seats", 3), "seats", 2, 5)
            places = Draw(seed, 0, "places").shuffled(range(fields))[:seats]
        if not isinstance(places, Sequence) or not 2 <= len(places) <= 5:
            raise SetupError("places", "should be a list of 2 to 5 fields")
        taken = tuple(_number(place, f"places.{seat}", 0, fields - 1) for seat, place in enumerate(places))
        return Ring(fields, ticks, taken, (False,) * len(taken))

    def export_setup(self, state: Ring) -> JsonObject:
        return {"ruleset": self.ruleset(state), "places": list(state.places)}

    def ruleset(self, state: Ring) -> JsonObject:
        return {"fields": state.fields, "ticks": state.ticks}

    def last_tick(self, state: Ring) -> int:
        return state.ticks

    def parse_action(self, part: Mapping[str, Any]) -> int:
        match part.get("step"):
            case bool() | float():
                raise InvalidAction("step", "should be -1, 0 or 1")
            case (-1 | 0 | 1) as step:
                return int(step)
            case _:
                raise InvalidAction("step", "should be -1, 0 or 1")

    def export_action(self, action: int) -> JsonObject:
        return {"step": action}

    def wants_order(self, state: Ring) -> bool:
        return False

    def step(self, state: Ring, actions: Sequence[int | None], order: Sequence[SeatId] | None = None) -> Ring:
        moved = zip(state.places, actions, state.caught, strict=True)
        places = tuple(place if out else (place + (step or 0)) % state.fields for place, step, out in moved)
        caught = tuple(
            seat > 0 and (state.caught[seat] or place == places[0]) for seat, place in enumerate(places)
        )
        return replace(state, places=places, caught=caught, tick=state.tick + 1)

    def was_blocked(self, state: Ring, seat: SeatId) -> bool:
        return False

    def outcome(self, state: Ring) -> Outcome | None:
        if all(state.caught[1:]):
            return _outcome("all_caught", [1.0] + [0.0] * (state.seat_count - 1))
        if state.tick < state.ticks:
            return None
        return _outcome("time_over", [0.0, *(float(not out) for out in state.caught[1:])])

    def walkover(self, state: Ring, absent: frozenset[SeatId], reason: str) -> Outcome:
        return _outcome(reason, [float(seat not in absent) for seat in range(state.seat_count)])

    def briefing(self, state: Ring, seat: SeatId | None) -> JsonObject:
        return self.ruleset(state)

    def observe(self, state: Ring, seat: SeatId) -> JsonObject:
        return {"me": state.places[seat], "places": list(state.places), "caught": list(state.caught)}

    def frame(self, state: Ring) -> JsonObject:
        players = zip(state.places, state.caught, strict=True)
        return {"players": [{"place": place, "caught": out} for place, out in players]}

    def fingerprint(self, state: Ring) -> bytes:
        return repr(asdict(state)).encode()


def _number(value: object, where: str, lowest: int, highest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise SetupError(where, f"should be a whole number from {lowest} to {highest}, not {value!r:.40}")
    return value


def _outcome(reason: str, points: Sequence[float]) -> Outcome:
    places = tuple(1 + sum(other > own for other in points) for own in points)
    return Outcome(reason, tuple(points), places)


GAME: Final = RingTag()

"""How the strong player of Spaceballs plans: which stations, in which order, and how fast to pass them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import exp2, hypot
from typing import Final, NamedTuple

from fangnetz.flight import Flight, Motion, Obstacles, compass, time_to_reach
from fangnetz_protocol.spaceballs import Place

__all__ = ["Leg", "Planner"]

SPEEDS: Final = (0.08, 0.16)
"""Speeds at which stations are passed; faster ones rarely fit between the mines."""
WAYS: Final = 8
"""Directions in which stations are passed."""
DEPTH: Final = 3
"""Stations to plan ahead."""
NEAR: Final = 4
"""So many of the nearest stations are looked at each time."""
WIDTH: Final = 10
"""So many of the best plans are followed up."""
HALF_LIFE: Final = 4.0
"""Seconds after which a station is worth half as much."""
LOST: Final = 0.3
"""Worth of a station where the opponent can be first."""


class Leg(NamedTuple):
    """A flight to a station."""

    station: int
    flight: Flight


class _Draft(NamedTuple):
    """A plan so far: what it is worth, when and how it ends, and its first leg."""

    worth: float
    time: float
    motion: Motion
    taken: frozenset[int]
    first: Leg | None


class Planner:
    """Finds the next leg by a beam search over the next stations.

    Args:
        thrust: size of the acceleration.
        reach: distance at which a station is touched.
        turn: by which share of the angle between two directions to turn them all.
    """

    def __init__(self, thrust: float, reach: float, turn: float = 0.0) -> None:
        self._thrust = thrust
        self._reach = reach
        # At rest, or with each speed in each direction.
        ways = compass(WAYS, turn)
        self._passes = ((0.0, 0.0), *((speed * x, speed * y) for speed in SPEEDS for x, y in ways))

    def next_leg(
        self, me: Motion, him: Motion, stations: Sequence[Place], obstacles: Obstacles
    ) -> Leg | None:
        """Return the first leg of the best plan; None if no simple flight leads to any station."""
        his = {place.id: self._straight(him, place) for place in stations}
        drafts = [_Draft(0.0, 0.0, me, frozenset(), None)]
        first = None
        for _ in range(min(DEPTH, len(stations))):
            drafts = _clear_ones(self._longer(drafts, stations, his), obstacles)
            if not drafts:
                break
            first = drafts[0].first
        return first

    def _longer(
        self, drafts: Iterable[_Draft], stations: Sequence[Place], his: Mapping[int, float]
    ) -> list[tuple[_Draft, Flight]]:
        """Return the drafts with one station more, the best ones first, each with its last flight."""
        longer = []
        for draft in drafts:
            for place in _nearest(draft, stations):
                for vx, vy in self._passes:
                    end = Motion(place.x, place.y, vx, vy)
                    flight = Flight.between(draft.motion, end, self._thrust)
                    arrival = draft.time + flight.time
                    worth = exp2(-arrival / HALF_LIFE) * (LOST if his[place.id] < arrival else 1.0)
                    first = draft.first or Leg(place.id, flight)
                    taken = draft.taken | {place.id}
                    longer.append((_Draft(draft.worth + worth, arrival, end, taken, first), flight))
        longer.sort(key=lambda entry: entry[0].worth, reverse=True)
        return longer

    def _straight(self, motion: Motion, place: Place) -> float:
        dx, dy = place.x - motion.x, place.y - motion.y
        return time_to_reach(dx, dy, motion.vx, motion.vy, self._thrust, self._reach)


def _clear_ones(drafts: Iterable[tuple[_Draft, Flight]], obstacles: Obstacles) -> list[_Draft]:
    """Return the best drafts whose last flight meets no obstacle; checking is dear, so it comes last."""
    return list(islice((draft for draft, flight in drafts if _is_clear(flight, obstacles)), WIDTH))


def _is_clear(flight: Flight, obstacles: Obstacles) -> bool:
    """Tell whether the way is free, and whether one can stop after it."""
    (x, y), start, end = flight.middle, flight.start, flight.end
    return (
        obstacles.is_clear(start.x, start.y, x - start.x, y - start.y)
        and obstacles.is_clear(x, y, end.x - x, end.y - y)
        and obstacles.can_stop(end)
    )


def _nearest(draft: _Draft, stations: Iterable[Place]) -> list[Place]:
    """Return the nearest stations, seen from where the ball will be in half a second."""
    x, y = draft.motion.x + draft.motion.vx / 2, draft.motion.y + draft.motion.vy / 2
    free = (place for place in stations if place.id not in draft.taken)
    return sorted(free, key=lambda place: hypot(place.x - x, place.y - y))[:NEAR]

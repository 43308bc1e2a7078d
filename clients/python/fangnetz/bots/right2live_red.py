"""How the strong bot of Right2Live plays RED.

A catch is worth the more the earlier it is, and is shared by all who touch (R6.2). So RED goes for
the one whom it reaches first, and not straight after him, but to where he has the least room left,
counting what the other REDs already close.
"""

from collections import Counter
from random import Random
from typing import Final

from fangnetz.bots.right2live_floods import Floods, lowest
from fangnetz.bots.right2live_memory import Beliefs, Situation
from fangnetz.grid import Grid, Step

__all__ = ["Hunter"]

VAGUE: Final = 120
"""Somebody who may be on more fields than this has to be found before he can be cut off."""
CLOSE: Final = 5
"""So near one should be able to catch the other soon."""
AHEAD: Final = 20
"""Rounds for which the room of the hunted is counted."""


class Hunter:
    """Chooses the steps of a RED player."""

    def __init__(self, grid: Grid, floods: Floods, beliefs: Beliefs, chance: Random) -> None:
        self._grid: Final = grid
        self._floods: Final = floods
        self._beliefs: Final = beliefs
        self._chance: Final = chance
        self._chased: Counter[int] = Counter()

    def step(self, now: Situation) -> Step:
        """Return the best step."""
        goals = self._nearest_places(now)
        if not goals:
            return self._chance.choice(now.steps)
        target = min(goals, key=lambda seat: self._effort(seat, goals[seat][0]))
        self._chased[target] += goals[target][0] <= CLOSE
        places = self._beliefs[target]
        far = self._grid.distances(goals[target][1])
        if places.bit_count() > VAGUE:
            return min(now.steps, key=lambda step: (far[step.field], self._chance.random()))
        others = 0
        for field in now.mates.values():
            others |= 1 << field
        closed = self._floods.threats(others) if others else (0,) * AHEAD

        def cost(step: Step) -> float:
            room = self._room(places, step.field, closed)
            return 2 * far[step.field] + room / 60 + 0.05 * self._chance.random()

        return min(now.steps, key=cost)

    def _effort(self, seat: int, distance: int) -> float:
        """Return about how many rounds it takes to catch somebody."""
        # One whose place is uncertain takes longer, and so does one who has got away for long.
        return distance + self._beliefs[seat].bit_count() / 15 + self._chased[seat] / 2

    def _nearest_places(self, now: Situation) -> dict[int, tuple[int, int]]:
        """Return for each BLUE how far away he is at least, and the field where he would be."""
        found: dict[int, tuple[int, int]] = {}
        reached, before, distance = 1 << now.here, 0, 0
        while reached != before and len(found) < len(now.opponents):
            for seat in now.opponents:
                if seat not in found and (hit := reached & self._beliefs[seat]):
                    found[seat] = (distance, lowest(hit))
            reached, before, distance = self._grid.spread(reached), reached, distance + 1
        return found

    def _room(self, places: int, field: int, closed: tuple[int, ...]) -> int:
        """Return on how many fields BLUE can stay, round by round, if we step onto `field` now."""
        mine = (self._grid.touched(1 << field), *self._floods.touched(field))
        free, room = places, 0
        for number in range(AHEAD):
            free = self._grid.spread(free) & ~(mine[number] | closed[number])
            if not free:
                break
            room += min(free.bit_count(), 100)
        return room

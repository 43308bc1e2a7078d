"""How the strong bot of Right2Live plays BLUE.

Points come from changing late (R6.1), so BLUE has to outlive the others. Before the first change it
is the other way round: who is forced first hunts alone, five and more catches ahead, so the bot
tries to be the one and to stand beside a victim at that moment.
"""

from collections import Counter
from random import Random
from typing import Final

from fangnetz.bots.right2live_floods import ROUNDS, Floods, lowest
from fangnetz.bots.right2live_memory import Beliefs, Poison, Situation
from fangnetz.bots.right2live_pursuit import Pursuit
from fangnetz.grid import Grid, Step

__all__ = ["Fugitive"]

VAGUE: Final = 120
"""Somebody who may be on more fields than this could be anywhere."""
ALARM: Final = 12
"""Hunters this near are outrun step by step."""
DEPTH: Final = 12
"""Steps that the search for a way out looks ahead."""
BREADTH: Final = 16
"""Positions that it keeps after each step, and for each first step half as many."""
WARY: Final = 14
"""Rounds before a forced change from which on BLUE keeps away from the one who will be RED."""
RIVAL: Final = 0.4
"""With so little life more than another one can still become the first RED."""

Hunted = tuple[float, int, int, tuple[int, ...]]
"""A position of the search: its worth, the first step, the own field, the fields of the hunters."""


class Fugitive:
    """Chooses the steps of a BLUE player."""

    def __init__(
        self, grid: Grid, floods: Floods, pursuit: Pursuit, beliefs: Beliefs, poison: Poison, chance: Random
    ) -> None:
        self._grid: Final = grid
        self._floods: Final = floods
        self._pursuit: Final = pursuit
        self._beliefs: Final = beliefs
        self._poison: Final = poison
        self._chance: Final = chance
        self._before: dict[int, int] = {}
        self._tried: Counter[int] = Counter()

    def step(self, now: Situation) -> Step:
        """Return the best step."""
        step = self._stalk(now) if self._wants_to_be_first(now) else self._flee(now)
        self._before = now.mates
        return step

    # Before the first change

    def _wants_to_be_first(self, now: Situation) -> bool:
        if now.opponents or not now.mates:
            return False
        # R5.4 takes the one with the least life; a rival far below is not worth a race.
        return now.seen.me.life < min(now.seen.lives[mate] for mate in now.mates) + RIVAL

    def _stalk(self, now: Situation) -> Step:
        """Get rid of a little life by standing still (R4.1), then walk up to the next victim."""
        lives, life = now.seen.lives, now.seen.me.life
        far = self._grid.distances(now.here)

        def cost(mate: int) -> int:
            rival = now.tick > 4 and lives[mate] < life + RIVAL
            return far[now.mates[mate]] + 40 * rival + 3 * self._tried[mate]

        seat = min(now.mates, key=cost)
        # Whom one cannot get near to in a few rounds, one will not catch.
        self._tried[seat] += far[now.mates[seat]] in (2, 3)
        victim = self._expected(seat, now.mates[seat])
        left = self._rounds_left(now)
        others = min(lives[mate] for mate in now.mates)
        if life >= others - 0.1 - 0.03 * left and far[victim] < left + 2:
            return now.steps[0]
        way = self._grid.distances(victim)
        return min(now.steps, key=lambda step: (max(1, way[step.field]), self._chance.random()))

    def _expected(self, seat: int, field: int) -> int:
        """Return where a mate will be if he walks on as in the last round."""
        onward = 2 * field - self._before.get(seat, field)
        return onward if self._grid.is_free(onward) else field

    def _rounds_left(self, now: Situation) -> int:
        """Return the rounds until the next forced change (R5.4)."""
        return ROUNDS if now.seen.next_forced is None else now.seen.next_forced - now.tick

    # Flight

    def _flee(self, now: Situation) -> Step:
        reds = [self._beliefs[seat] for seat in now.opponents]
        clear = [fields for fields in reds if fields.bit_count() <= VAGUE]
        vague = [fields for fields in reds if fields.bit_count() > VAGUE]
        threats = self._threats(now, clear)
        traps = self._traps(clear)
        hunters = self._hunters(now.here, clear)
        runs = self._outrun([step.field for step in now.steps], hunters) if hunters else {}

        def worth(step: Step) -> float:
            field = step.field
            value = 100 * runs.get(field, 0.0) + self._room(field, threats)
            value -= 10 * self._price(now, field) + 2 * self._unrest(field, vague)
            # A single hunter who plays well wins from a trap, however far away he is.
            return value - 1000 * (traps >> field & 1) + 0.05 * self._chance.random()

        return max(now.steps, key=worth)

    def _threats(self, now: Situation, reds: list[int]) -> tuple[int, ...]:
        """Return which fields RED may touch after 1, 2 … rounds; empty if no RED is in the way."""
        anywhere = 0
        for fields in reds:
            anywhere |= fields
        threats = self._floods.threats(anywhere) if anywhere else ()
        left = self._rounds_left(now)
        weakest = min(now.mates, key=lambda mate: (now.seen.lives[mate], mate), default=None)
        if weakest is None or left > WARY or now.seen.lives[weakest] >= now.seen.me.life:
            return threats
        # The next who is forced walks until then like anybody, and touches from then on.
        later = (0,) * left + self._floods.touched(now.mates[weakest])[left:]
        return tuple(one | other for one, other in zip(threats, later, strict=True)) if threats else later

    def _traps(self, reds: list[int]) -> int:
        """Return the fields from which there is no way out, for any place where a RED may be."""
        traps = 0
        for fields in reds:
            while fields and fields.bit_count() <= 40:
                red = lowest(fields)
                traps |= self._pursuit.deadly(red)
                fields ^= 1 << red
        return traps

    def _room(self, field: int, threats: tuple[int, ...]) -> float:
        """Return how long and on how many fields one can stay where no RED comes first."""
        mine, room = 1 << field, 0
        for number, touched in enumerate(threats):
            mine = (self._grid.spread(mine) if number else mine) & ~touched
            if not mine:
                return 5 * number + room / 10
            room += min(mine.bit_count(), 60)
        return 5 * len(threats) + room / 10

    def _price(self, now: Situation, field: int) -> float:
        """Return what a round on a field costs (R4.1)."""
        return self._poison[field] * (now.seen.me.standing + 1 if field == now.here else 1)

    def _unrest(self, field: int, reds: list[int]) -> float:
        """Return how likely it is to meet a RED whom one has lost from sight, nearer ones counting more."""
        if not reds:
            return 0.0
        near = (*self._floods.balls(field)[1:7], self._grid.in_sight(field))
        return sum((fields & seen).bit_count() / fields.bit_count() for fields in reds for seen in near)

    def _hunters(self, here: int, reds: list[int]) -> tuple[int, ...]:
        """Return the nearest field of each RED who may be near."""
        near = self._floods.balls(here)[: ALARM + 1]
        first = (next((ball & fields for ball in near if ball & fields), 0) for fields in reds)
        return tuple(lowest(fields) for fields in first if fields)

    # The search for a way out

    def _outrun(self, starts: list[int], hunters: tuple[int, ...]) -> dict[int, float]:
        """Return for each first step how many steps one gets on, if hunters run the shortest way."""
        result = dict.fromkeys(starts, 0.0)
        positions = [(0.0, field, field, after) for field in starts if (after := self._chase(field, hunters))]
        for depth in range(1, DEPTH + 1):
            for _, first, _, _ in positions:
                result[first] = depth
            positions = self._best(self._next(positions))
        for worth, first, _, _ in positions:
            result[first] = max(result[first], DEPTH + 1 + worth / 10)
        return result

    def _next(self, positions: list[Hunted]) -> list[Hunted]:
        found: dict[tuple[int, tuple[int, ...]], Hunted] = {}
        for _, first, here, hunters in positions:
            for field in (here, *(step.field for step in self._grid.steps(here))):
                after = self._chase(field, hunters)
                if after and (field, after) not in found:
                    found[field, after] = (self._distance_worth(field, after), first, field, after)
        return list(found.values())

    def _chase(self, field: int, hunters: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return where hunters are after they ran toward a field; None: they have him for certain."""
        if any(self._pursuit.deadly(hunter) >> field & 1 for hunter in hunters):
            return None
        return tuple(self._floods.toward(hunter, field) for hunter in hunters)

    def _distance_worth(self, field: int, hunters: tuple[int, ...]) -> float:
        freedom = self._floods.balls(field)[2].bit_count() / 10
        return freedom - sum(20 / (self._floods.apart(field, hunter) ** 2 + 1) for hunter in hunters)

    @staticmethod
    def _best(positions: list[Hunted]) -> list[Hunted]:
        """Keep the best positions, but not all of one first step."""
        kept: list[Hunted] = []
        count: dict[int, int] = {}
        for position in sorted(positions, key=lambda position: -position[0]):
            first = position[1]
            if len(kept) < BREADTH and count.get(first, 0) < BREADTH // 2:
                count[first] = count.get(first, 0) + 1
                kept.append(position)
        return kept

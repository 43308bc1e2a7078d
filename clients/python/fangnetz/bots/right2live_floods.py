"""How far players can get: floods over the grid, which the strong bot of Right2Live shares and keeps.

All sets of fields are bits (see `grid`), so a whole flood takes microseconds.
"""

from typing import Final

from fangnetz.grid import Grid

__all__ = ["FAR", "ROUNDS", "Floods", "lowest"]

ROUNDS: Final = 30
"""How many rounds floods look ahead."""
FAR: Final = 12
"""Farther apart than this, two players do not matter to each other yet."""


class Floods:
    """Floods from single fields, kept once they are made."""

    def __init__(self, grid: Grid) -> None:
        self._grid: Final = grid
        self._balls: dict[int, tuple[int, ...]] = {}
        self._touched: dict[int, tuple[int, ...]] = {}
        self._toward: dict[tuple[int, int], int] = {}

    def balls(self, field: int) -> tuple[int, ...]:
        """Return the sets of fields within 0, 1, 2 … FAR steps of a field."""
        if (known := self._balls.get(field)) is None:
            sets = [1 << field]
            for _ in range(FAR):
                sets.append(self._grid.spread(sets[-1]))
            known = self._balls[field] = tuple(sets)
        return known

    def touched(self, field: int) -> tuple[int, ...]:
        """Return what one who now stands on a field can touch after 1, 2 … ROUNDS rounds."""
        if (known := self._touched.get(field)) is None:
            known = self._touched[field] = self.threats(1 << field)
        return known

    def threats(self, fields: int) -> tuple[int, ...]:
        """Return what anybody who is somewhere on `fields` can touch after 1, 2 … ROUNDS rounds."""
        sets = []
        for _ in range(ROUNDS):
            fields = self._grid.spread(fields)
            sets.append(self._grid.touched(fields))
        return tuple(sets)

    def apart(self, one: int, other: int) -> int:
        """Return how many steps two fields are apart, FAR + 1 if they are farther."""
        for distance, ball in enumerate(self.balls(one)):
            if ball >> other & 1:
                return distance
        return FAR + 1

    def toward(self, hunter: int, fugitive: int) -> int:
        """Return the field to which a step of a shortest way leads a hunter; his own if he is far."""
        way = (hunter, fugitive)
        if (known := self._toward.get(way)) is None:
            known = self._toward[way] = self._first_step(hunter, fugitive)
        return known

    def _first_step(self, hunter: int, fugitive: int) -> int:
        distance = self.apart(fugitive, hunter)
        if not 0 < distance <= FAR:
            return hunter
        closer = self.balls(hunter)[1] & self.balls(fugitive)[distance - 1]
        return lowest(closer)


def lowest(fields: int) -> int:
    """Return the first field of a set that is not empty."""
    return (fields & -fields).bit_length() - 1

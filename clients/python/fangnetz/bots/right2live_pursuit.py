"""One hunter after one fugitive on a map: who wins, solved exactly."""

from typing import Final

from fangnetz.grid import Grid

__all__ = ["Pursuit"]


class Pursuit:
    """The end of every pursuit of one by one, if both play perfectly and see each other.

    The fugitive steps first and the hunter answers, which is a bit worse for the fugitive than the
    rules are, where both step at once. Solved backwards: the fugitive is lost where he is touched
    already, and where each of his steps leads to a field on which he is lost after the hunter's
    best answer. All fields of the fugitive are one set of bits, so this is a matter of milliseconds.
    """

    def __init__(self, grid: Grid) -> None:
        self._near: Final = {
            field: (field, *(step.field for step in grid.steps(field))) for field in grid.fields
        }
        self._lost = {hunter: grid.touched(1 << hunter) for hunter in grid.fields}
        changed = set(grid.fields)
        while changed:
            changed = self._look_back(grid, changed)
        self._deadly: Final = {hunter: self._answered(hunter) for hunter in grid.fields}

    def deadly(self, hunter: int) -> int:
        """Return the set of fields onto which a fugitive must not step, or he is lost to this hunter."""
        return self._deadly[hunter]

    def _look_back(self, grid: Grid, changed: set[int]) -> set[int]:
        """Find where the fugitive is lost one round earlier; return the hunters' fields with news."""
        news = {}
        for hunter in {field for other in changed for field in self._near[other]}:
            ways_out = grid.spread(grid.free & ~self._answered(hunter))
            lost = self._lost[hunter] | grid.free & ~ways_out
            if lost != self._lost[hunter]:
                news[hunter] = lost
        self._lost |= news
        return set(news)

    def _answered(self, hunter: int) -> int:
        """Return where a fugitive is lost when it is the hunter's turn to step."""
        fields = 0
        for field in self._near[hunter]:
            fields |= self._lost[field]
        return fields

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
        self._lost = {hunter: [(0, grid.touched(1 << hunter))] for hunter in grid.fields}
        changed, rounds = set(grid.fields), 0
        while changed:
            rounds += 1
            changed = self._look_back(grid, changed, rounds)
        self._deadly = {hunter: self._answered(hunter) for hunter in grid.fields}

    def deadly(self, hunter: int) -> int:
        """Return the set of fields onto which a fugitive must not step: one round later he is lost."""
        return self._deadly[hunter]

    def rounds(self, hunter: int, fugitive: int) -> int | None:
        """Return how many rounds a hunter needs at most; None: the fugitive can get away."""
        for rounds, fields in self._lost[hunter]:
            if fields >> fugitive & 1:
                return rounds
        return None

    def _look_back(self, grid: Grid, changed: set[int], rounds: int) -> set[int]:
        """Find where the fugitive is lost one round earlier; return the hunters' fields with news."""
        news = {}
        for hunter in {field for other in changed for field in self._near[other]}:
            ways_out = grid.spread(grid.free & ~self._answered(hunter))
            lost = self._lost[hunter][-1][1] | grid.free & ~ways_out
            if lost != self._lost[hunter][-1][1]:
                news[hunter] = lost
        for hunter, lost in news.items():
            self._lost[hunter].append((rounds, lost))
        return set(news)

    def _answered(self, hunter: int) -> int:
        """Return where a fugitive is lost when it is the hunter's turn to step."""
        fields = 0
        for field in self._near[hunter]:
            fields |= self._lost[field][-1][1]
        return fields

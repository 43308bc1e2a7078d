"""What the strong bot of Right2Live knows: the position it acts in, and what it remembers of others."""

from dataclasses import dataclass
from typing import Final

from fangnetz.grid import Grid, Step
from fangnetz_protocol.right2live import Observation
from fangnetz_protocol.words import Direction

__all__ = ["USUAL_FOV", "Beliefs", "Poison", "Situation", "situation"]

USUAL_FOV: Final = 179
"""Degrees of the whole angle of view in most matches (R8.2)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """An observation in fields of the grid."""

    seen: Observation
    tick: int
    seat: int
    here: int
    steps: tuple[Step, ...]
    """What can be done: stand still, or one of the steps that neither walls nor players deny."""
    mates: dict[int, int]
    """The fields of the team mates, by seat; they are always known (R8.1)."""
    opponents: tuple[int, ...]
    """The seats of the other team, seen or not."""


def situation(grid: Grid, observation: Observation, tick: int, seat: int) -> Situation:
    """Translate an observation."""
    me = observation.me
    here = grid.at(me.x, me.y)
    fields = {player.seat: grid.at(player.x, player.y) for player in observation.players}
    taken = set(fields.values())
    steps = tuple(step for step in grid.steps(here) if step.field not in taken)
    return Situation(
        seen=observation,
        tick=tick,
        seat=seat,
        here=here,
        steps=(Step(Direction.NONE, here), *steps),
        mates={other: field for other, field in fields.items() if observation.teams[other] is me.team},
        opponents=tuple(other for other, team in enumerate(observation.teams) if team is not me.team),
    )


class Beliefs:
    """For each other seat the set of fields where its player may be, as bits (see `grid`).

    A player whom we see is on one field. One who is out of sight is up to one step farther with each
    round, and nowhere where we would see him. The places of team mates are always known (R8.1), so
    the search for one who changes the team begins where he just was.
    """

    def __init__(self, grid: Grid, seats: int, seat: int, fov_degrees: int = USUAL_FOV) -> None:
        self._grid: Final = grid
        # The half of the map ahead is what one sees at the usual angle; at a smaller one it is too much.
        self._rules_out: Final = fov_degrees >= USUAL_FOV
        self._places = {other: grid.free for other in range(seats) if other != seat}

    def __getitem__(self, seat: int) -> int:
        """Return the set of fields where a player may be; it is never empty."""
        return self._places[seat]

    def update(self, now: Situation) -> None:
        """Take in what a round has shown."""
        grid = self._grid
        known = {player.seat: 1 << grid.at(player.x, player.y) for player in now.seen.players}
        shown = 1 << now.here
        if self._rules_out:
            shown |= grid.in_sight(now.here) & grid.ahead(now.here, now.seen.me.view)
        for place in known.values():
            shown |= place
        for seat, before in self._places.items():
            possible = known.get(seat) or grid.spread(before) & ~shown
            # Nothing is left if he hid behind another player, whom `in_sight` looks through.
            self._places[seat] = possible or grid.free & ~shown or grid.free


class Poison:
    """The toxicity of fields. A bot learns only that of its own field (R8.1), so it guesses the rest."""

    GUESS: Final = 0.03

    def __init__(self) -> None:
        self._known: dict[int, float] = {}

    def learn(self, field: int, toxicity: float) -> None:
        """Note the toxicity of a field, which never changes (R1.4)."""
        self._known[field] = toxicity

    def __getitem__(self, field: int) -> float:
        """Return the toxicity of a field, or a guess."""
        return self._known.get(field, self.GUESS)

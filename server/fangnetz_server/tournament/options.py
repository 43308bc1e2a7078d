"""The parts of a tournament file: formats with their options, points, absence, entries."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = [
    "MAX_ENTRIES",
    "AbsenceOptions",
    "DoubleEliminationOptions",
    "DuelOptions",
    "EntryOptions",
    "FormatOptions",
    "FreeForAllOptions",
    "GroupsOptions",
    "KnockoutOptions",
    "LadderOptions",
    "Options",
    "PointsOptions",
    "RoundRobinOptions",
    "SwissOptions",
    "TieBreak",
]

MAX_ENTRIES: Final = 512
"""Keeps the weights of the Swiss matching inside 128 bits (see `swiss`), and tables readable."""


def _six_decimals(points: float) -> float:
    if abs(points * 1e6 - round(points * 1e6)) > 1e-3:
        raise ValueError("points have at most six decimals, so that sums stay exact")
    return points


_Legs = Annotated[int, Field(ge=1, le=1000)]
_BestOf = Annotated[int, Field(ge=1, le=99)]
_Points = Annotated[float, Field(ge=-1000, le=1000), AfterValidator(_six_decimals)]


class TieBreak(StrEnum):
    """What decides between bots with equal points (docs/reference/tournaments.md)."""

    HEAD_TO_HEAD = "head_to_head"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    WINS = "wins"
    FEWER_FAULTS = "fewer_faults"
    LOT = "lot"


class Options(BaseModel):
    """A table of the file: nothing converted silently, unknown keys refused."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )


class DuelOptions(Options):
    """What the formats for two bots a match share."""

    seats: int = 2
    """Always 2; more seats a match are what `free_for_all` is for."""


class RoundRobinOptions(DuelOptions):
    """Everybody meets everybody."""

    kind: Literal["round_robin"]
    legs: _Legs = 2
    """Games that each two bots play; two legs share a field and swap seats."""


class SwissOptions(DuelOptions):
    """A set number of rounds; equals meet equals, nobody twice."""

    kind: Literal["swiss"]
    rounds: int = Field(ge=1, le=MAX_ENTRIES)
    legs: _Legs = 2
    """Games of a meeting; two legs share a field and swap seats."""


class _EliminationOptions(DuelOptions):
    best_of: _BestOf = 3
    """Games of a meeting; it stops as soon as one bot cannot be overtaken."""
    extra_pairs: int = Field(default=1, ge=0, le=50)
    """Pairs of games that are added, one after the other, while it is level; then the better seed goes on."""


class KnockoutOptions(_EliminationOptions):
    """Who loses a meeting is out."""

    kind: Literal["knockout"]
    third_place: bool = True
    """The losers of the semifinals play for place 3."""


class DoubleEliminationOptions(_EliminationOptions):
    """Who loses a second meeting is out."""

    kind: Literal["double_elimination"]
    reset: bool = True
    """A second final if the winner of the losers' bracket wins the first."""


class GroupsOptions(DuelOptions):
    """Round robins in groups, then a knock-out of the best of each."""

    kind: Literal["groups"]
    groups: int = Field(ge=2, le=MAX_ENTRIES // 2)
    legs: _Legs = 2
    """Games that each two bots of a group play."""
    qualifiers: int = Field(default=2, ge=1, le=MAX_ENTRIES)
    """Bots of each group that go on."""
    knockout: Annotated[KnockoutOptions | DoubleEliminationOptions, Field(discriminator="kind")] = (
        KnockoutOptions(kind="knockout")
    )


class FreeForAllOptions(Options):
    """Many bots in one match; every map is played `repetitions` times by everybody."""

    kind: Literal["free_for_all"]
    seats: int | None = Field(default=None, ge=2)
    """Most bots in one match; None: all of them."""
    repetitions: int = Field(default=1, ge=1, le=10_000)


class LadderOptions(DuelOptions):
    """Goes on for ever: opponents by rating and by who has waited longest."""

    kind: Literal["ladder"]
    legs: _Legs = 2
    """Games of a meeting; two legs share a field and swap seats."""
    meetings: int | None = Field(default=None, ge=1, le=1_000_000)
    """Meetings after which a bot gets no more; None: without end."""


FormatOptions = Annotated[
    RoundRobinOptions
    | SwissOptions
    | KnockoutOptions
    | DoubleEliminationOptions
    | GroupsOptions
    | FreeForAllOptions
    | LadderOptions,
    Field(discriminator="kind"),
]


class PointsOptions(Options):
    """What a game is worth in the table."""

    source: Literal["result", "game"] = "result"
    """`result`: the three numbers below; `game`: the game's own points (always so in `free_for_all`)."""
    win: _Points = 1.0
    draw: _Points = 0.5
    loss: _Points = 0.0
    bye: _Points | None = None
    """Each game of a bye in a Swiss tournament; None: as much as a win."""


class AbsenceOptions(Options):
    """What becomes of the games of a bot that is away."""

    grace_s: float = Field(default=60.0, ge=0, le=86_400)
    """Seconds that its opponent waits for it."""
    then: Literal["walkover", "wait"] = "walkover"
    """After that: the opponent wins, or the pairing waits as long as it takes."""
    withdraw_after: int = Field(default=5, ge=0, le=1000)
    """Games in a row without showing up after which a bot counts as withdrawn; 0: never."""


class EntryOptions(Options):
    """A bot that takes part."""

    bot: str = Field(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f]+$")
    rank: int | None = Field(default=None, ge=1, le=MAX_ENTRIES)
    """Seeding, 1 is the best; bots without one come after those with one, in a drawn order."""

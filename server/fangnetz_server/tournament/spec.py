"""A whole tournament as a value: what is played, by whom, and how it is counted."""

from typing import Annotated, Any, Final

from pydantic import Field

from fangnetz_server.tournament.lots import SEED_LIMIT, by_lot
from fangnetz_server.tournament.options import (
    MAX_ENTRIES,
    AbsenceOptions,
    EntryOptions,
    FormatOptions,
    FreeForAllOptions,
    LadderOptions,
    Options,
    PointsOptions,
    SwissOptions,
    TieBreak,
)
from fangnetz_server.tournament.values import BotKey

__all__ = ["SpecError", "TournamentSpec"]

_TieBreaks = tuple[Annotated[TieBreak, Field(strict=False)], ...]

_DUELS: Final = (
    TieBreak.HEAD_TO_HEAD,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.WINS,
    TieBreak.FEWER_FAULTS,
)
_SWISS: Final = (
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.HEAD_TO_HEAD,
    TieBreak.WINS,
    TieBreak.FEWER_FAULTS,
)
_FREE_FOR_ALL: Final = (TieBreak.WINS, TieBreak.FEWER_FAULTS)


class SpecError(ValueError):
    """A tournament file that cannot be played; `where` is a path into it ("format.rounds")."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.where = where
        self.problem = problem


class TournamentSpec(Options):
    """A tournament file (docs/reference/tournaments.md); `parse_spec` reads one."""

    name: str = Field(min_length=1, max_length=200)
    game: str
    seed: int = Field(default=1, ge=0, lt=SEED_LIMIT)
    """Every field, seat and lot follows from it."""
    maps: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    """Names of maps, used in turn; None: the game's default."""
    staged_release: bool = False
    """Nobody sees the results of a round until the host releases it."""
    tie_breaks: Annotated[_TieBreaks, Field(strict=False)] | None = None
    """In this order; None: the usual ones of the format."""
    format: FormatOptions
    points: PointsOptions = PointsOptions()
    absence: AbsenceOptions = AbsenceOptions()
    settings: dict[str, Any] = Field(default_factory=dict)
    """Pace and times of every match; whoever runs the matches checks them."""
    ruleset: dict[str, Any] = Field(default_factory=dict)
    """Ruleset of every match; the game checks it."""
    setup: dict[str, Any] = Field(default_factory=dict)
    """What else the game may be told about the start; the game checks it."""
    entries: Annotated[tuple[EntryOptions, ...], Field(strict=False, max_length=MAX_ENTRIES)]

    def bots(self) -> tuple[BotKey, ...]:
        """Return all bots in the order of their seeding: by rank, then drawn."""
        ranked = sorted((entry.rank, entry.bot) for entry in self.entries if entry.rank is not None)
        drawn = by_lot(self.seed, "seeding", (BotKey(e.bot) for e in self.entries if e.rank is None))
        return (*(BotKey(bot) for _, bot in ranked), *drawn)

    def tie_break_order(self) -> tuple[TieBreak, ...]:
        """Return the tie-breaks in force."""
        if self.tie_breaks is not None:
            return self.tie_breaks
        match self.format:
            case SwissOptions():
                return _SWISS
            case FreeForAllOptions():
                return _FREE_FOR_ALL
            case _:
                return _DUELS

    def with_entry(self, bot: str, rank: int | None = None) -> "TournamentSpec":
        """Return the tournament with one bot more, who joins from the next pairings on.

        Raises:
            SpecError: the bot is in it already, or the format takes no newcomers.
        """
        if not isinstance(self.format, SwissOptions | LadderOptions):
            problem = f"a {self.format.kind} tournament takes no newcomers; swiss and ladder do"
            raise SpecError("entries", problem)
        if any(entry.bot == bot or entry.rank == rank is not None for entry in self.entries):
            raise SpecError("entries", f"{bot!r} or its rank is in the tournament already")
        entries = (*self.entries, EntryOptions(bot=bot, rank=rank))
        return self.model_copy(update={"entries": entries})

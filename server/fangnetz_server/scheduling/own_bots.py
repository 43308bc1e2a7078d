"""The bots that a tournament file tells the server to start itself."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from fangnetz_server.tournament.options import MAX_ENTRIES, Options
from fangnetz_server.tournament.spec import SpecError

__all__ = ["BOTS", "REFERENCE", "OwnBot", "OwnLimits", "read_own_bots"]

REFERENCE: Final = ("random", "simple", "strong")
"""The bots that come with Fangnetz, one of each a game."""
BOTS: Final = "bots"
"""The key in the file."""
_MOST: Final = 1_000_000


class OwnLimits(Options):
    """What a confined program may take, it and all that it starts taken together.

    The names and defaults are those of the bridge (`fangnetz.confine.limits`).
    """

    cpu_tick_ms: int = Field(default=1_000, ge=1, le=_MOST)
    """CPU time for one answer, in milliseconds."""
    cpu_match_s: int = Field(default=120, ge=1, le=_MOST)
    """CPU time for a match, the start of the program included, in seconds."""
    memory_mb: int = Field(default=512, ge=1, le=_MOST)
    """Memory, in millions of bytes."""
    processes: int = Field(default=64, ge=1, le=_MOST)
    """Processes and threads."""
    files: int = Field(default=64, ge=1, le=_MOST)
    """Open files of each process."""
    scratch_mb: int = Field(default=64, ge=1, le=_MOST)
    """What it may write to its scratch folder, in millions of bytes."""


class OwnBot(Options):
    """A bot that the server starts when the tournament starts, and ends with it."""

    name: str = Field(min_length=1, max_length=32)
    """Its name; an entry of the tournament even without a line in `entries`."""
    bot: str | None = None
    """What `fangnetz-bot run` takes: GAME:STRENGTH, FILE.py[:CLASS] or MODULE:CLASS."""
    command: tuple[str, ...] | None = Field(default=None, strict=False)
    """Any program that connects itself: its words. `{server}` and `{name}` are filled in; the token is in
    FANGNETZ_TOKEN."""
    program: tuple[str, ...] | None = Field(default=None, strict=False)
    """A program that reads and writes lines: its words. It plays through the bridge, confined."""
    folder: str | None = None
    """Folder in which it runs; left out: that of the tournament file. A `program` has to have its own."""
    limits: OwnLimits = OwnLimits()
    """What a `program` may take."""
    read: tuple[str, ...] = Field(default=(), strict=False)
    """Files and folders that a `program` may read beside its own; from the folder of the tournament file."""
    sandbox: Literal["auto", "bwrap", "rlimits"] = "auto"
    """What confines a `program` beside limits: bubblewrap where it works, nothing but it, or nothing."""
    rank: int | None = Field(default=None, ge=1, le=MAX_ENTRIES)
    """Seeding, as in `entries`."""

    @field_validator("command", "program", mode="before")
    @classmethod
    def _words(cls, given: object) -> object:
        return tuple(shlex.split(given)) if isinstance(given, str) else given

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(map(bool, (self.bot, self.command, self.program))) != 1:
            raise ValueError("needs one of bot, command and program")
        if self.program and self.folder is None:
            raise ValueError("a program needs a folder of its own; it sees nothing else")
        if not self.program and self.model_fields_set & {"limits", "read", "sandbox"}:
            raise ValueError("limits, read and sandbox are for a program")
        return self

    @property
    def is_reference(self) -> bool:
        """Tell whether it is one of the bots that come with Fangnetz: no program of anybody else's."""
        return self.bot is not None and self.bot.rpartition(":")[2] in REFERENCE


def read_own_bots(given: object) -> list[OwnBot]:
    """Read the tables `[[bots]]` of a tournament file.

    Raises:
        SpecError: one of them is wrong; the text names the place.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SpecError(BOTS, "should be a list of tables: [[bots]]")
    own: list[OwnBot] = []
    for number, table in enumerate(given):
        try:
            bot = OwnBot.model_validate(table)
        except ValidationError as error:
            raise _fault(number, error) from None
        if any(bot.name == other.name for other in own):
            raise SpecError(f"{BOTS}.{number}.name", f"{bot.name!r} stands in the list twice")
        own.append(bot)
    _check_apart(own)
    return own


def _check_apart(bots: Sequence[OwnBot]) -> None:
    """See that no confined program finds the files of another bot in its folder."""
    folders = [(number, Path(bot.folder)) for number, bot in enumerate(bots) if bot.folder is not None]
    for number, folder in folders:
        inside = [other for _, other in folders if other != folder and other.is_relative_to(folder)]
        if bots[number].program and inside:
            raise SpecError(f"{BOTS}.{number}.folder", f"holds {inside[0]}, which belongs to another bot")


def _fault(number: int, error: ValidationError) -> SpecError:
    fault = error.errors(include_url=False)[0]
    where = ".".join(map(str, (BOTS, number, *fault["loc"])))
    if fault["type"] == "extra_forbidden":
        return SpecError(where, f"unknown; known are {', '.join(OwnBot.model_fields)}")
    if fault["type"] == "missing":
        return SpecError(where, "is missing")
    return SpecError(where, fault["msg"].removeprefix("Value error, "))

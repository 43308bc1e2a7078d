"""Reads what a host hands in: a tournament file, with the bots that the server is to start itself."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from fangnetz_server.games.contract import SetupError
from fangnetz_server.games.registry import AnyGame
from fangnetz_server.maps import map_names
from fangnetz_server.match.settings import MatchSettings
from fangnetz_server.scheduling.own_bots import BOTS, REFERENCE, OwnBot, read_own_bots
from fangnetz_server.scheduling.setups import MAPPED, Setups
from fangnetz_server.tournament.checks import GameFacts
from fangnetz_server.tournament.options import FreeForAllOptions
from fangnetz_server.tournament.reading import parse_spec
from fangnetz_server.tournament.spec import SpecError, TournamentSpec

__all__ = ["Plan", "game_facts", "plan_id", "read_plan", "read_text", "stored_plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament file that can be played."""

    spec: TournamentSpec
    bots: tuple[OwnBot, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what the store keeps."""
        fields = self.spec.model_dump(mode="json", exclude_defaults=True)
        # Which format it is may not be left out, though it is the default inside its own model.
        fields["format"] = self.spec.format.model_dump(mode="json")
        return {**fields, BOTS: [bot.model_dump(mode="json", exclude_defaults=True) for bot in self.bots]}


def game_facts(games: Mapping[str, AnyGame]) -> dict[str, GameFacts]:
    """Return what tournaments need to know of the games."""
    return {
        name: GameFacts(game.info.min_seats, game.info.max_seats, map_names() if name == MAPPED else None)
        for name, game in games.items()
    }


def plan_id(name: str) -> str:
    """Return the id that a tournament gets from its name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:48] or "tournament"


def read_text(text: str) -> dict[str, Any]:
    """Return the content of a tournament file.

    Raises:
        SpecError: it is no TOML; the text names line and column.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError("file", f"no TOML ({error})") from error


def read_plan(
    data: Mapping[str, Any], games: Mapping[str, AnyGame], bots: Collection[str] | None = None
) -> Plan:
    """Read a tournament file and try whether its matches can be played.

    Args:
        data: the content of the file, with `[[bots]]`.
        games: the rules by id.
        bots: names of the registered bots; None: every name is accepted.

    Raises:
        SpecError: something is unknown, impossible or missing; the text names the place.
    """
    rest = dict(data)
    own = read_own_bots(rest.pop(BOTS, ()))
    if own:
        rest["entries"] = _with_own(rest.get("entries", []), own)
    known = None if bots is None else {*bots, *(bot.name for bot in own)}
    spec = parse_spec(rest, game_facts(games), known)
    for number, bot in enumerate(own):
        if bot.bot in REFERENCE:
            own[number] = bot.model_copy(update={"bot": f"{spec.game}:{bot.bot}"})
    _try(spec, games[spec.game])
    return Plan(spec, tuple(own))


def stored_plan(stored: Mapping[str, Any]) -> Plan:
    """Return a plan that was read before and comes from the store."""
    rest = dict(stored)
    bots = tuple(OwnBot.model_validate(bot) for bot in rest.pop(BOTS, ()))
    return Plan(TournamentSpec.model_validate(rest), bots)


def _with_own(entries: object, own: Sequence[OwnBot]) -> object:
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return entries
    named = {entry.get("bot") for entry in entries if isinstance(entry, Mapping)}
    added = [
        {"bot": bot.name} | ({} if bot.rank is None else {"rank": bot.rank})
        for bot in own
        if bot.name not in named
    ]
    return [*entries, *added]


def _try(spec: TournamentSpec, game: AnyGame) -> None:
    """See that the settings are some, and that the game can prepare a match on every map."""
    try:
        MatchSettings.defaults(game.info, **spec.settings)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, ("settings", *fault["loc"])))
        raise SpecError(where, fault["msg"].removeprefix("Value error, ")) from None
    for key in ("ruleset", "seats"):
        if key in spec.setup:
            raise SpecError(f"setup.{key}", "follows from the tournament; see [ruleset] and [format]")
    setups = Setups(spec, game.info)
    seats = len(spec.entries) if isinstance(spec.format, FreeForAllOptions) else 2
    if isinstance(spec.format, FreeForAllOptions) and spec.format.seats is not None:
        seats = spec.format.seats
    for name in spec.maps or (None,):
        try:
            game.prepare(spec.seed, setups.of(name, seats))
        except SetupError as error:
            raise SpecError("maps" if name else "setup or ruleset", str(error)) from None

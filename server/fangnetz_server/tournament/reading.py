"""From a tournament file to a `TournamentSpec`: one error, with its place and what would be right."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fangnetz_server.tournament.checks import GameFacts, check_spec
from fangnetz_server.tournament.options import (
    AbsenceOptions,
    DoubleEliminationOptions,
    EntryOptions,
    FreeForAllOptions,
    GroupsOptions,
    KnockoutOptions,
    LadderOptions,
    PointsOptions,
    RoundRobinOptions,
    SwissOptions,
)
from fangnetz_server.tournament.spec import SpecError, TournamentSpec

__all__ = ["parse_spec"]

_KINDS: Final[Mapping[str, type[BaseModel]]] = {
    "round_robin": RoundRobinOptions,
    "swiss": SwissOptions,
    "knockout": KnockoutOptions,
    "double_elimination": DoubleEliminationOptions,
    "groups": GroupsOptions,
    "free_for_all": FreeForAllOptions,
    "ladder": LadderOptions,
}
_TABLES: Final[Mapping[str, type[BaseModel]]] = {
    "points": PointsOptions,
    "absence": AbsenceOptions,
    "entries": EntryOptions,
}
_TAGGED: Final = ("format", "knockout")
"""Keys whose table names its own kind; pydantic puts the kind into the path behind them."""


def parse_spec(
    data: Mapping[str, Any], games: Mapping[str, GameFacts], bots: Collection[str] | None = None
) -> TournamentSpec:
    """Read a tournament file that TOML has turned into a mapping.

    Args:
        data: the content of the file.
        games: the games of the server, by id.
        bots: the known bots; None: every name is accepted.

    Raises:
        SpecError: something is unknown, impossible or missing; the text names the place.
    """
    try:
        spec = TournamentSpec.model_validate(dict(data))
    except ValidationError as error:
        raise _first_fault(error) from None
    check_spec(spec, games, bots)
    return spec


def _first_fault(error: ValidationError) -> SpecError:
    fault = error.errors(include_url=False)[0]
    return SpecError(".".join(_path(fault["loc"])), _problem(fault))


def _path(loc: tuple[int | str, ...]) -> Iterator[str]:
    """Yield the keys of the file, without the kinds that pydantic adds."""
    items = iter(loc)
    for item in items:
        yield str(item)
        if item in _TAGGED:
            next(items, None)


def _problem(fault: ErrorDetails) -> str:
    match fault["type"]:
        case "extra_forbidden":
            return _unknown(fault["loc"])
        case "missing":
            return "is missing"
        case "union_tag_not_found":
            return f'"kind" is missing; it is one of {", ".join(_kinds(fault["loc"]))}'
        case "union_tag_invalid":
            return (
                f'"kind" is one of {", ".join(_kinds(fault["loc"]))}, not {fault["input"].get("kind")!r:.60}'
            )
        case "model_type" | "dict_type" | "model_attributes_type":
            return f"should be a table, not {fault['input']!r:.60}"
        case "tuple_type" | "list_type":
            return f"should be a list, not {fault['input']!r:.60}"
        case _:
            text = fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
            return f"{text}, not {fault['input']!r:.60}"


def _kinds(loc: tuple[int | str, ...]) -> tuple[str, ...]:
    return ("knockout", "double_elimination") if len(loc) > 1 else tuple(_KINDS)


def _unknown(loc: tuple[int | str, ...]) -> str:
    known = tuple(_owner(loc).model_fields)
    near = get_close_matches(str(loc[-1]), known, n=1)
    guess = f'did you mean "{near[0]}"? Known' if near else "known"
    return f"unknown; {guess} are {', '.join(known)}"


def _owner(loc: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model of the table in which the last key of `loc` stands."""
    if len(loc) == 1:
        return TournamentSpec
    if loc[0] == "format":
        return _KINDS[str(loc[-2])]
    return _TABLES[str(loc[0])]

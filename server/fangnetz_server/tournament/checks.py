"""What a tournament file may not ask for, although each value alone is fine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, assert_never

from fangnetz_server.tournament.options import (
    DoubleEliminationOptions,
    DuelOptions,
    FreeForAllOptions,
    GroupsOptions,
    KnockoutOptions,
    LadderOptions,
    RoundRobinOptions,
    SwissOptions,
    TieBreak,
)
from fangnetz_server.tournament.spec import SpecError, TournamentSpec

__all__ = ["MAX_MATCHES", "GameFacts", "check_spec", "group_count", "most_matches"]

MAX_MATCHES: Final = 200_000
"""Most matches of a tournament that has an end: far more than anybody means, so a slip of the pen shows."""
_DUEL: Final = 2
_NAMED: Final = 8
"""Names in one message."""
_DUEL_ONLY: Final = (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What a tournament needs to know of a game: its seats and its maps (None: it has none)."""

    min_seats: int
    max_seats: int
    maps: tuple[str, ...] | None = None


def check_spec(spec: TournamentSpec, games: Mapping[str, GameFacts], bots: Collection[str] | None) -> None:
    """Raise a `SpecError` for the first thing that cannot be played."""
    if spec.game not in games:
        raise SpecError("game", _unknown(spec.game, sorted(games)))
    game = games[spec.game]
    _check_entries(spec, bots)
    _check_maps(spec, game)
    _check_tie_breaks(spec)
    _check_points(spec)
    _check_format(spec, game)
    most = most_matches(spec)
    if most is not None and most > MAX_MATCHES:
        raise SpecError("format", f"makes up to {most} matches; at most {MAX_MATCHES} are possible")


def most_matches(spec: TournamentSpec) -> int | None:
    """Return how many matches a tournament can have at most, byes not counted; None: no end."""
    bots = len(spec.entries)
    match spec.format:
        case RoundRobinOptions(legs=legs):
            return bots * (bots - 1) // 2 * legs
        case SwissOptions(rounds=rounds, legs=legs):
            return rounds * (bots // 2) * legs
        case KnockoutOptions() | DoubleEliminationOptions() as knockout:
            return _most_of_knockout(knockout, bots)
        case GroupsOptions(groups=groups) as options:
            sizes = [bots // groups + (number < bots % groups) for number in range(groups)]
            inside = sum(size * (size - 1) // 2 * options.legs for size in sizes)
            return inside + _most_of_knockout(options.knockout, groups * options.qualifiers)
        case FreeForAllOptions(repetitions=repetitions) as options:
            return repetitions * len(spec.maps or (None,)) * group_count(options, bots)
        case LadderOptions(meetings=meetings, legs=legs):
            return None if meetings is None else bots * meetings * legs // 2
        case never:
            assert_never(never)


def group_count(options: FreeForAllOptions, bots: int) -> int:
    """Return into how many matches one round of a free-for-all splits."""
    return -(-bots // (options.seats or bots))


def _most_of_knockout(options: KnockoutOptions | DoubleEliminationOptions, bots: int) -> int:
    games = options.best_of + 2 * options.extra_pairs
    match options:
        case KnockoutOptions(third_place=third):
            return (bots - 1 + (third and bots >= 4)) * games
        case DoubleEliminationOptions(reset=reset):
            return (2 * bots - 2 + reset) * games


def _unknown(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    guess = f'did you mean "{near[0]}"? Known' if near else "known"
    return f'"{name}" is unknown; {guess} are {", ".join(known) or "none"}'


def _check_entries(spec: TournamentSpec, bots: Collection[str] | None) -> None:
    if len(spec.entries) < _DUEL:
        raise SpecError("entries", f"a tournament needs at least 2 bots, not {len(spec.entries)}")
    if bots is not None:
        _check_registered(spec, bots)
    seen: dict[object, int] = {}
    for number, entry in enumerate(spec.entries):
        for key, value in (("bot", entry.bot), ("rank", entry.rank)):
            first = seen.setdefault((key, value), number)
            if value is not None and first != number:
                raise SpecError(f"entries.{number}.{key}", f"{value!r} stands in entries.{first} already")


def _check_registered(spec: TournamentSpec, bots: Collection[str]) -> None:
    missing = [(number, entry.bot) for number, entry in enumerate(spec.entries) if entry.bot not in bots]
    if not missing:
        return
    number, name = missing[0]
    near = get_close_matches(name, sorted(bots), n=1)
    guess = f'did you mean "{near[0]}"? Else ' if near else ""
    rest = [other for _, other in missing[1:]]
    others = f"; nor are {_some(rest)}" if rest else ""
    raise SpecError(
        f"entries.{number}.bot",
        f'"{name}" is not registered on this server; {guess}register it (fangnetz bot add "{name}"), since '
        f"guests without a token take part in friendly matches only{others}",
    )


def _some(names: Sequence[str]) -> str:
    shown = names if len(names) <= _NAMED else names[: _NAMED - 1]
    more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    return ", ".join(shown) + more


def _check_maps(spec: TournamentSpec, game: GameFacts) -> None:
    if spec.maps is None:
        return
    if game.maps is None:
        raise SpecError("maps", f"{spec.game} is played without maps; leave the key out")
    if not spec.maps:
        raise SpecError("maps", "names 0 maps; name at least one, or leave the key out for the default map")
    for number, name in enumerate(spec.maps):
        if name not in game.maps:
            raise SpecError(f"maps.{number}", _unknown(name, game.maps))
        if name in spec.maps[:number]:
            raise SpecError(f"maps.{number}", f'"{name}" stands in the list twice')


def _check_tie_breaks(spec: TournamentSpec) -> None:
    for number, name in enumerate(spec.tie_breaks or ()):
        where = f"tie_breaks.{number}"
        if name in (spec.tie_breaks or ())[:number]:
            raise SpecError(where, f'"{name}" stands in the list twice')
        if name in _DUEL_ONLY and isinstance(spec.format, FreeForAllOptions):
            raise SpecError(where, f'"{name}" needs duels; in free_for_all use head_to_head, wins or lot')


def _check_points(spec: TournamentSpec) -> None:
    points = spec.points
    if isinstance(spec.format, FreeForAllOptions):
        if points.source == "result" and "points" in spec.model_fields_set:
            raise SpecError(
                "points", 'free_for_all counts the game\'s own points; leave it out or say source = "game"'
            )
    elif not points.loss <= points.draw <= points.win or points.loss == points.win:
        raise SpecError("points", "a win must be worth more than a loss, and a draw something in between")


def _check_format(spec: TournamentSpec, game: GameFacts) -> None:
    bots = len(spec.entries)
    if isinstance(spec.format, DuelOptions):
        _check_duel(spec, game, spec.format)
    match spec.format:
        case SwissOptions(rounds=rounds):
            # With everybody met, only rematches would be left.
            most = bots - 1 if bots % 2 == 0 else bots
            if rounds > most:
                raise SpecError(
                    "format.rounds",
                    f"{bots} bots can play at most {most} rounds without a rematch, not {rounds}",
                )
        case GroupsOptions() as options:
            _check_groups(options, bots)
        case FreeForAllOptions() as options:
            _check_free_for_all(spec, game, options)
        case _:
            pass


def _check_duel(spec: TournamentSpec, game: GameFacts, options: DuelOptions) -> None:
    if options.seats != _DUEL:
        raise SpecError(
            "format.seats",
            f"{spec.format.kind} is played in duels of 2 seats, not {options.seats}; see free_for_all",
        )
    if not game.min_seats <= _DUEL <= game.max_seats:
        raise SpecError("format.kind", f"{spec.game} is no game for 2; use free_for_all")


def _check_groups(options: GroupsOptions, bots: int) -> None:
    smallest = bots // options.groups
    if smallest < _DUEL:
        raise SpecError(
            "format.groups", f"{bots} bots make at most {bots // 2} groups of 2 or more, not {options.groups}"
        )
    if options.qualifiers > smallest:
        raise SpecError(
            "format.qualifiers", f"is {options.qualifiers}, but the smallest group has {smallest} bots"
        )


def _check_free_for_all(spec: TournamentSpec, game: GameFacts, options: FreeForAllOptions) -> None:
    bots = len(spec.entries)
    seats = bots if options.seats is None else options.seats
    if seats > game.max_seats:
        problem = f"{spec.game} has at most {game.max_seats} seats, not {seats}"
        raise SpecError(
            "format.seats", problem if options.seats else f"{problem}; set seats to play in groups"
        )
    if seats > bots:
        raise SpecError("format.seats", f"is {seats}, but only {bots} bots take part")
    smallest = bots // group_count(options, bots)
    if smallest < max(game.min_seats, _DUEL):
        problem = (
            f"{bots} bots in groups of at most {seats} leave one with {smallest}, too few for {spec.game}"
        )
        raise SpecError("format.seats", f"{problem}; choose another number")

"""Makes a host from the options of a command."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fangnetz_protocol.words import Pace
from fangnetz_server.cli import CommandError
from fangnetz_server.games.contract import GameInfo, SetupError
from fangnetz_server.games.registry import AnyGame, GameLoadError, load_games
from fangnetz_server.host.host import SetupChooser
from fangnetz_server.maps import load_map, map_names
from fangnetz_server.match.settings import MatchSettings

__all__ = ["choose_games", "friendly_setups", "match_setup", "settings_for"]

_MAPPED: Final = "right2live"
"""The game that has maps."""


def choose_games(wanted: Sequence[str] = ()) -> dict[str, AnyGame]:
    """Return the installed games, or those with these ids.

    Raises:
        CommandError: one is not installed, or an installed one does not load.
    """
    try:
        games = load_games()
    except GameLoadError as error:
        raise CommandError(str(error)) from error
    for name in wanted:
        if name not in games:
            raise CommandError(f"game {name!r} is not installed; installed: {', '.join(games)}")
    return {name: games[name] for name in wanted or games}


def settings_for(games: Mapping[str, AnyGame], pace: str) -> dict[str, MatchSettings]:
    """Return the settings a game for a pace.

    Raises:
        CommandError: there is no such pace.
    """
    if pace not in tuple(Pace):
        raise CommandError(f"pace {pace!r} is none of {', '.join(Pace)}")
    return {name: MatchSettings.defaults(game.info, pace=pace) for name, game in games.items()}


def match_setup(game: GameInfo, seats: int, map_name: str | None) -> dict[str, Any]:
    """Return the setup of a match: the number of seats where it is free, and a map where there are maps.

    Raises:
        CommandError: the game has no such number of seats, or there is no such map.
    """
    if not game.min_seats <= seats <= game.max_seats:
        fits = (
            str(game.min_seats)
            if game.min_seats == game.max_seats
            else f"{game.min_seats} to {game.max_seats}"
        )
        raise CommandError(f"{game.id} is for {fits} bots, not {seats}")
    setup: dict[str, Any] = {} if game.min_seats == game.max_seats else {"seats": seats}
    if game.id != _MAPPED:
        if map_name is not None:
            raise CommandError(f"--map is for {_MAPPED}; {game.id} draws its field from the seed")
        return setup
    return setup if map_name is None else setup | _map_setup(map_name)


def friendly_setups(map_name: str | None) -> SetupChooser:
    """Return how friendly matches get their map: always this one, or any of the shipped ones.

    Raises:
        CommandError: there is no such map, or it has a fault.
    """
    if map_name is not None:
        _map_setup(map_name)

    def choose(info: GameInfo, seats: int) -> Mapping[str, Any]:
        if info.id != _MAPPED:
            return {} if info.min_seats == info.max_seats else {"seats": seats}
        return {"seats": seats} | _map_setup(map_name or secrets.choice(map_names()))

    return choose


def _map_setup(name: str) -> dict[str, Any]:
    try:
        found = load_map(name)
    except SetupError as error:
        raise CommandError(str(error)) from error
    layer = {} if found.toxicity is None else {"toxicity": list(found.toxicity)}
    return {"map": list(found.rows), **layer}

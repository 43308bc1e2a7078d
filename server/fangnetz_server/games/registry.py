"""Finds the games that are installed: everything in the entry-point group `fangnetz.games`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeAlias

from fangnetz_server.games.contract import Game

__all__ = ["GROUP", "AnyGame", "GameLoadError", "load_games"]

GROUP: Final = "fangnetz.games"

AnyGame: TypeAlias = Game[Any, Any]


class GameLoadError(RuntimeError):
    """An installed package announces a game that cannot be used; the text names the entry point."""


@cache
def load_games() -> dict[str, AnyGame]:
    """Return the installed games by their id, in the order of the ids.

    A package announces a game in its own pyproject.toml, so a new one needs no change here:

        [project.entry-points."fangnetz.games"]
        my_game = "my_package.my_game:GAME"

    Raises:
        GameLoadError: an entry point does not import, names no game or takes a taken id.
    """
    games: dict[str, AnyGame] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        game = _load(entry)
        if game.info.id in games:
            raise GameLoadError(f"entry point {entry.value}: the game id {game.info.id!r} is taken")
        games[game.info.id] = game
    return games


def _load(entry: EntryPoint) -> AnyGame:
    try:
        game = entry.load()
    except Exception as error:
        raise GameLoadError(f"entry point {entry.name} = {entry.value}: {error}") from error
    if getattr(getattr(game, "info", None), "id", None) != entry.name:
        raise GameLoadError(
            f"entry point {entry.name} = {entry.value}: not a game whose info.id is {entry.name!r}"
        )
    return game  # type: ignore[no-any-return]  # check_game proves the rest of the contract

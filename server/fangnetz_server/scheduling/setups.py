"""How the matches of a tournament begin: ruleset, map and number of seats."""

from typing import Any, Final

from fangnetz_server.games.contract import GameInfo
from fangnetz_server.maps import load_map
from fangnetz_server.tournament.spec import TournamentSpec

__all__ = ["MAPPED", "Setups"]

MAPPED: Final = "right2live"
"""The game that has maps."""


class Setups:
    """The setups of a tournament's matches; every map is read once."""

    def __init__(self, spec: TournamentSpec, info: GameInfo) -> None:
        self._common: dict[str, Any] = dict(spec.setup)
        if spec.ruleset:
            self._common["ruleset"] = dict(spec.ruleset)
        self._counts_seats = info.min_seats != info.max_seats
        self._maps: dict[str, dict[str, Any]] = {}

    def of(self, map_name: str | None, seats: int) -> dict[str, Any]:
        """Return the setup of a match on a map (None: the game's default) with so many seats.

        Raises:
            SetupError: the map has a fault.
        """
        setup = dict(self._common)
        if self._counts_seats:
            setup["seats"] = seats
        return setup if map_name is None else setup | self._map(map_name)

    def _map(self, name: str) -> dict[str, Any]:
        if name not in self._maps:
            found = load_map(name)
            layer = {} if found.toxicity is None else {"toxicity": list(found.toxicity)}
            self._maps[name] = {"map": list(found.rows), **layer}
        return self._maps[name]

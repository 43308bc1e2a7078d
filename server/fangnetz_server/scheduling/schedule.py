"""What a tournament file leads to, before anything is played."""

from typing import Any, Final

from fangnetz_server.tournament.checks import most_matches
from fangnetz_server.tournament.engine import next_pairings
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import History

__all__ = ["schedule"]

_SHOWN: Final = 1000


def schedule(spec: TournamentSpec) -> dict[str, Any]:
    """Return the pairings that are handed out at the start, and how many matches there can be.

    Seeds are left out: nobody sees them before the match.
    """
    drawn = next_pairings(spec, History())
    return {
        "bots": list(spec.bots()),
        "most_matches": most_matches(spec),
        "known": len(drawn),
        "pairings": [
            {"id": pairing.id, "round": pairing.round, "map": pairing.map, "bots": list(pairing.seats)}
            for pairing in sorted(drawn, key=lambda pairing: pairing.order)[:_SHOWN]
        ],
    }

"""The list of matches as spectators see it, and its news (protocol P3.1)."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from fangnetz_protocol.codec import encode_dict
from fangnetz_protocol.words import MatchId
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.table import Table
from fangnetz_server.host.archive import MatchRecord
from fangnetz_server.match.phases import Phase

__all__ = ["LobbyFeed", "entry_of_record", "entry_of_table", "matches_message", "page_of_matches"]

_COLLECT_S: Final = 0.25
"""Changes within this time go out as one message: a match in lockstep changes a thousand times a second."""


def entry_of_table(table: Table) -> dict[str, Any]:
    """Return a live match as an entry of `matches`."""
    match = table.match
    result = match.result
    entry: dict[str, Any] = {
        "match": match.id,
        "game": match.game.info.id,
        "phase": match.phase,
        "tick": match.tick,
        "ticks": match.last_tick,
        "seats": [
            {"seat": place.number, "name": place.entrant.name, "connected": place.connected}
            for place in match.seats
        ],
        "spectators": table.spectator_count,
    }
    if result is not None:
        entry |= {"reason": result.reason, "points": result.points, "places": result.places}
    return entry


def entry_of_record(record: MatchRecord) -> dict[str, Any]:
    """Return a finished match as an entry of `matches`."""
    result = record.result
    seats = result["seats"]
    scored = [seat for seat in seats if seat["place"] is not None]
    return {
        "match": record.match,
        "game": result["game"],
        "phase": Phase.OVER,
        "tick": result["ticks"],
        "ticks": result["ticks"],
        "seats": [{"seat": seat["seat"], "name": seat["name"], "connected": False} for seat in seats],
        "spectators": 0,
        "reason": result["reason"],
        "points": [seat["points"] for seat in scored],
        "places": [seat["place"] for seat in scored],
    }


def page_of_matches(
    tables: dict[MatchId, Table],
    records: dict[MatchId, MatchRecord],
    *,
    game: str | None,
    phase: str | None,
    limit: int,
    offset: int,
) -> tuple[list[dict[str, Any]], int]:
    """Return a part of the list of matches, live ones first, each newest first, and how many fit.

    Only what is returned is built: no tick may wait for a list of all matches that ever were.
    """
    live = [
        table
        for table in reversed(tables.values())
        if game in (None, table.match.game.info.id) and phase in (None, table.match.phase)
    ]
    over = [
        record
        for record in reversed(records.values())
        if game in (None, record.game) and phase in (None, Phase.OVER) and record.match not in tables
    ]
    entries = [entry_of_table(table) for table in live[offset : offset + limit]]
    start = max(0, offset - len(live))
    rest = over[start : start + limit - len(entries)]
    return entries + [entry_of_record(record) for record in rest], len(live) + len(over)


def matches_message(entries: Iterable[dict[str, Any]], *, full: bool) -> bytes:
    """Return a `matches` message."""
    return encode_dict({"type": "matches", "matches": list(entries), "full": full})


class LobbyFeed:
    """Collects the tables that changed and tells the lobby's audience now and then.

    Args:
        audience: who watches the lobby.
        running: gives the tables whose tick goes on by itself.
    """

    def __init__(self, audience: Audience, running: Callable[[], Iterable[Table]]) -> None:
        self._audience = audience
        self._running = running
        self._changed: dict[str, dict[str, Any]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def changed(self, table: Table) -> None:
        """Note a table that is different from before."""
        if len(self._audience):
            self._changed[table.match.id] = entry_of_table(table)
            self._arm()

    def watched(self) -> None:
        """Somebody watches now, so the ticks of the running matches are news."""
        self._arm()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_COLLECT_S, self._flush)

    def _flush(self) -> None:
        self._timer = None
        if not len(self._audience):
            self._changed.clear()
            return
        for table in self._running():
            self._changed[table.match.id] = entry_of_table(table)
            self._arm()
        if self._changed:
            self._audience.publish(matches_message(self._changed.values(), full=False))
            self._changed = {}

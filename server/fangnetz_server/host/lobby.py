"""The list of matches as spectators see it, and its news (protocol P3.1)."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from fangnetz_protocol.codec import encode_dict
from fangnetz_server.gateway.audience import Audience
from fangnetz_server.gateway.table import Table
from fangnetz_server.match.phases import Phase
from fangnetz_server.store.values import MatchRecord

__all__ = ["LobbyFeed", "entry_of_record", "entry_of_table", "matches_message"]

_COLLECT_S: Final = 0.25
"""Changes within this time go out as one message: a match in lockstep changes a thousand times a second."""


def entry_of_table(table: Table) -> dict[str, Any]:
    """Return a live match as an entry of `matches`."""
    match = table.match
    result = table.shown_result
    entry: dict[str, Any] = {
        "match": match.id,
        "game": match.game.info.id,
        "phase": table.shown_phase,
        "tick": max(0, table.shown_tick),
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
    """Return a finished match as an entry of `matches`, with the points and places that count."""
    result = record.result
    return {
        "match": record.match,
        "game": record.game,
        "phase": Phase.OVER,
        "tick": result.ticks,
        "ticks": result.ticks,
        "seats": [{"seat": seat.seat, "name": seat.name, "connected": False} for seat in result.seats],
        "spectators": 0,
        "reason": result.reason,
        "points": list(record.points),
        "places": list(record.places),
    }


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
        self._tournaments: bytes | None = None
        self.on_visit: Callable[[], None] = lambda: None
        """Called when somebody begins to watch."""

    @property
    def is_watched(self) -> bool:
        return len(self._audience) > 0

    def greeting(self, entries: Iterable[dict[str, Any]]) -> tuple[bytes, ...]:
        """Return what somebody who begins to watch gets: these matches, then the tournaments."""
        self._arm()  # The ticks of the running matches are news now.
        self.on_visit()
        matches = matches_message(entries, full=True)
        return (matches,) if self._tournaments is None else (matches, self._tournaments)

    def show_tournaments(self, message: bytes) -> None:
        """Tell those who watch, and those who come later, how the tournaments stand."""
        self._tournaments = message
        self._audience.publish(message)

    def changed(self, table: Table) -> None:
        """Note a table that is different from before."""
        if len(self._audience) and not table.is_private:
            self._changed[table.match.id] = entry_of_table(table)
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
            if table.is_private:
                continue
            self._changed[table.match.id] = entry_of_table(table)
            self._arm()
        if self._changed:
            self._audience.publish(matches_message(self._changed.values(), full=False))
            self._changed = {}

"""Tournaments as people see them; what was computed is kept until something changes."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

from fangnetz_server.reports.picture import Picture, lines_of, picture_of
from fangnetz_server.scheduling.files import stored_plan
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord, Tournament
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import History

__all__ = ["Views"]

_KEPT: Final = 32
_SHARE: Final = 0.2
"""While results come in, so much of the time may go into computing the tables of a large tournament."""
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class _Seen:
    revision: int
    at_s: float
    took_s: float
    picture: Picture


class Views:
    """Pictures of tournaments.

    With staged release the public sees only what the host has released.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: OrderedDict[tuple[str, bool], _Seen] = OrderedDict()
        self._turns: dict[str, asyncio.Lock] = {}

    async def picture(self, tournament: str, *, for_host: bool) -> Picture:
        """Return tables, crosstable and ratings.

        Raises:
            Unknown: there is no such tournament.
        """
        known = await self._store.tournaments.get(tournament)
        key = (tournament, for_host)
        async with self._turns.setdefault(tournament, asyncio.Lock()):
            seen = self._seen.get(key)
            if seen is None or not _is_good(seen, known):
                seen = await self._look(known, for_host)
                self._seen[key] = seen
                self._seen.move_to_end(key)
                if len(self._seen) > _KEPT:
                    self._seen.popitem(last=False)
        return replace(seen.picture, state=known.state)

    async def whole(self, tournament: str, *, for_host: bool) -> Picture:
        """Return a picture with all its matches and what became of the bots' actions.

        Raises:
            Unknown: there is no such tournament.
        """
        known = await self._store.tournaments.get(tournament)
        spec = stored_plan(known.spec).spec
        until = await self._until(known, spec, for_host)
        history = await self._store.tournaments.history(tournament)
        shown = history if until is None else history.until_round(until)
        records = await self._store.tournaments.pairings(tournament)
        matches = await self._matches(tournament)
        picture = await asyncio.to_thread(picture_of, known, spec, history, until)
        lines = await asyncio.to_thread(lines_of, shown, records, matches)
        if until is not None:  # The sums hold what is not released yet.
            return replace(picture, matches=lines)
        entries = {entry.bot: entry.key for entry in await self._store.tournaments.entries(tournament)}
        totals = await self._store.facts.totals(tournament=tournament)
        by_key = {entries[total.bot]: total for total in totals if total.bot in entries}
        return replace(picture, matches=lines, totals=by_key)

    async def _look(self, known: Tournament, for_host: bool) -> _Seen:
        spec = stored_plan(known.spec).spec
        until = await self._until(known, spec, for_host)
        history: History = await self._store.tournaments.history(known.id)
        begin_s = time.monotonic()
        picture = await asyncio.to_thread(picture_of, known, spec, history, until)
        end_s = time.monotonic()
        return _Seen(known.revision, end_s, end_s - begin_s, picture)

    async def _until(self, known: Tournament, spec: TournamentSpec, for_host: bool) -> int | None:
        if for_host or not spec.staged_release:
            return None
        return max((shown.round for shown in await self._store.tournaments.released(known.id)), default=0)

    async def _matches(self, tournament: str) -> dict[str, MatchRecord]:
        found: dict[str, MatchRecord] = {}
        while True:
            page = await self._store.matches.page(tournament=tournament, limit=_PAGE, offset=len(found))
            before = len(found)
            found.update({record.match: record for record in page.records})
            if len(found) == before:
                return found


def _is_good(seen: _Seen, known: Tournament) -> bool:
    if seen.revision == known.revision:
        return True
    # A result may wait for a moment; the end of the tournament may not.
    age_s = time.monotonic() - seen.at_s
    return seen.picture.state == known.state and age_s < seen.took_s / _SHARE

"""Tournaments as people see them; what was computed is kept until something changes."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import orjson

from fangnetz_server.reports.picture import Picture, lines_of, picture_of, tables_json
from fangnetz_server.scheduling.files import stored_plan
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord, Tournament
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import History

__all__ = ["Views"]

_KEPT: Final = 128
_SHARE: Final = 0.2
"""While results come in, so much of the time may go into computing the tables of a large tournament."""
_SLOW_S: Final = 0.05
"""Tables that take longer are computed beside, while those from before are shown."""
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class _Seen:
    revision: int
    at_s: float
    took_s: float
    picture: Picture
    tables: bytes
    """Tables and crosstable as JSON."""
    made_at: datetime
    """When the tournament was made: another one may get its id once it is deleted."""

    def is_of(self, known: Tournament) -> bool:
        """Tell whether this is the same tournament in the same state: its end is shown at once."""
        return (self.made_at, self.picture.state) == (known.created_at, known.state)

    @property
    def is_young(self) -> bool:
        return time.monotonic() - self.at_s < self.took_s / _SHARE


class Views:
    """Pictures of tournaments.

    With staged release the public sees only what the host has released.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: OrderedDict[tuple[str, bool], _Seen] = OrderedDict()
        self._turns: dict[str, asyncio.Lock] = {}
        self._refreshing: dict[str, asyncio.Task[_Seen]] = {}

    async def picture(self, tournament: str, *, for_host: bool) -> Picture:
        """Return tables, crosstable and ratings.

        Raises:
            Unknown: there is no such tournament.
        """
        return (await self.tables(tournament, for_host=for_host))[0]

    async def tables(self, tournament: str, *, for_host: bool) -> tuple[Picture, bytes]:
        """Return a picture, and its tables and crosstable as JSON.

        Raises:
            Unknown: there is no such tournament.
        """
        known = await self._store.tournaments.get(tournament)
        seen = self._seen.get((tournament, for_host))
        if seen is None or not seen.is_of(known) or seen.took_s < _SLOW_S:
            seen = await self._fresh(known, for_host)
        elif seen.revision != known.revision and not seen.is_young:
            self._refresh(known, for_host)
        return replace(seen.picture, state=known.state), seen.tables

    async def warm(self, tournament: str) -> None:
        """Compute the tables of a tournament before somebody asks for them."""
        await self._fresh(await self._store.tournaments.get(tournament), for_host=False)

    def _refresh(self, known: Tournament, for_host: bool) -> None:
        if known.id not in self._refreshing:
            task = asyncio.create_task(self._fresh(known, for_host))
            self._refreshing[known.id] = task
            task.add_done_callback(lambda _: self._refreshing.pop(known.id, None))

    async def _fresh(self, known: Tournament, for_host: bool) -> _Seen:
        """Return the tables as they are now; of several who ask at once, one computes."""
        key = (known.id, for_host)
        async with self._turns.setdefault(known.id, asyncio.Lock()):
            seen = self._seen.get(key)
            if seen is None or not seen.is_of(known) or seen.revision != known.revision:
                seen = await self._look(known, for_host)
                self._seen[key] = seen
                self._seen.move_to_end(key)
                if len(self._seen) > _KEPT:
                    self._seen.popitem(last=False)
        return seen

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
        picture, tables = await asyncio.to_thread(_draw, known, spec, history, until)
        end_s = time.monotonic()
        return _Seen(known.revision, end_s, end_s - begin_s, picture, tables, known.created_at)

    async def _until(self, known: Tournament, spec: TournamentSpec, for_host: bool) -> int | None:
        if for_host or not spec.staged_release:
            return None
        return await self.released_round(known.id)

    async def released_round(self, tournament: str) -> int:
        """Return the last round that the host has released; 0: none."""
        return max((shown.round for shown in await self._store.tournaments.released(tournament)), default=0)

    async def _matches(self, tournament: str) -> dict[str, MatchRecord]:
        found: dict[str, MatchRecord] = {}
        while True:
            page = await self._store.matches.page(tournament=tournament, limit=_PAGE, offset=len(found))
            before = len(found)
            found.update({record.match: record for record in page.records})
            if len(found) == before:
                return found


def _draw(
    known: Tournament, spec: TournamentSpec, history: History, until: int | None
) -> tuple[Picture, bytes]:
    picture = picture_of(known, spec, history, until)
    return picture, orjson.dumps(tables_json(picture))

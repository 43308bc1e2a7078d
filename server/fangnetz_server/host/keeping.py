"""Brings results to the store, however long it takes; only then does anybody hear of them (decision 3)."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import structlog

from fangnetz_protocol.words import MatchId, MatchReason
from fangnetz_server.gateway.table import Table
from fangnetz_server.match import wire
from fangnetz_server.match.result import MatchResult
from fangnetz_server.store.errors import Refused, StoreUnavailable
from fangnetz_server.store.store import Store
from fangnetz_server.store.values import MatchRecord, MatchStart

__all__ = ["SHOWN", "ResultKeeper", "replay_url", "retry_pauses"]

_log = structlog.get_logger(__name__)

SHOWN: Final = 200
"""Finished matches in memory, for the lobby; all of them are in the store."""
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 5.0
"""Pauses before the store is asked again. They double: a connection is back soon, room on a disk is not."""


def retry_pauses() -> Iterator[float]:
    """Give the pauses, in seconds, between tries to do something that the store does not take."""
    pause_s = _FIRST_PAUSE_S
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


class ResultKeeper:
    """Stores the results of one host.

    Args:
        store: where they go.
        announce: called with the table, its result and its `match_end` once the result is durable; or
            with one that is void, if the store refuses it for good.
    """

    def __init__(self, store: Store, announce: Callable[[Table, MatchResult, bytes], None]) -> None:
        self._store = store
        self._announce = announce
        self._storing: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._recent: OrderedDict[MatchId, MatchRecord] = OrderedDict()
        self.refused: set[MatchId] = set()
        """Matches whose result the store has not taken so far."""

    async def load(self) -> None:
        """Read the newest results."""
        for record in reversed((await self._store.matches.page(limit=SHOWN)).records):
            self._remember(record)

    def find(self, match: MatchId) -> MatchRecord | None:
        """Return a recent result."""
        return self._recent.get(match)

    def newest(self) -> Iterable[MatchRecord]:
        """Return the recent results, newest first."""
        return reversed(self._recent.values())

    def renew(self, record: MatchRecord) -> None:
        """Show a recent result as the host has changed it: corrected, or made public."""
        if record.match in self._recent:
            self._recent[record.match] = record

    def keep(self, start: MatchStart, table: Table, result: MatchResult) -> None:
        """Store the result of a match that has just ended, then announce it."""
        task = asyncio.create_task(self._keep(start, table, result))
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def close(self) -> None:
        """Wait until every result is stored; what the store does not take now is tried once more."""
        self._closing.set()
        while self._storing:
            await asyncio.wait(self._storing)

    async def _keep(self, start: MatchStart, table: Table, result: MatchResult) -> None:
        picture = table.match.last_messages(replay_url(result.match))
        for pause_s in retry_pauses():
            last_try = self._closing.is_set()
            try:
                record = await self._store.matches.finish(
                    start, result, replay=table.recorder.data, picture=picture
                )
                break
            except Refused as error:
                _log.error("result_refused", match=result.match, problem=str(error))
                self._discard(table, result, str(error))
                return
            except StoreUnavailable as error:
                self.refused.add(result.match)
                _log.error("result_not_stored", match=result.match, problem=str(error), is_lost=last_try)
                if last_try:
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), pause_s)
        self.refused.discard(result.match)
        self._remember(record)
        self._announce(table, record.result, picture[-1])

    def _discard(self, table: Table, result: MatchResult, why: str) -> None:
        """End a match whose result is not wanted, such as the second one of a pairing."""
        seats = tuple(replace(seat, points=None, place=None) for seat in result.seats)
        void = replace(result, reason=MatchReason.ABORTED, detail=why, seats=seats)
        self._announce(table, void, wire.match_end(void, None))

    def _remember(self, record: MatchRecord) -> None:
        self._recent[record.match] = record
        while len(self._recent) > SHOWN:
            self._recent.popitem(last=False)


def replay_url(match: MatchId) -> str:
    """Return the path of a replay on this server, relative to its root."""
    return f"api/matches/{match}/replay"

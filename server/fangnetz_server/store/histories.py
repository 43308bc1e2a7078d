"""The history of a tournament, read once and then only what is new.

A tournament of 10,000 matches takes a noticeable time to read, and its page asks after every result.
Pairings and results only ever get more, except for corrections, and nobody but this program writes
them, so what was read stays good.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import Unknown
from fangnetz_server.store.facts import tournament_facts
from fangnetz_server.store.pairing_rows import read_drawn
from fangnetz_server.store.tables import corrections, entries, results, tournaments
from fangnetz_server.tournament.values import BotKey, History, MatchFact, Pairing

__all__ = ["Histories"]

_KEPT: Final = 8
"""Tournaments that are remembered: those that people look at."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a tournament; `corrections` and `results` are the highest numbers among them."""

    revision: int
    corrections: int
    results: int
    drawn: tuple[Pairing, ...]
    facts: tuple[MatchFact, ...]
    history: History


class Histories:
    """Reads histories and remembers them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[str, _Read] = OrderedDict()

    async def get(self, tournament: str) -> History:
        """Return the history of a tournament as it is now.

        Raises:
            Unknown: there is no such tournament.
        """
        known = self._known.get(tournament)
        found = await self._database.read(lambda tx: _read(tx, tournament, known))
        self._known[tournament] = found
        self._known.move_to_end(tournament)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found.history

    def forget(self, tournament: str) -> None:
        """Drop what was read of a tournament that is no more."""
        self._known.pop(tournament, None)


def _read(tx: Connection, tournament: str, known: _Read | None) -> _Read:
    query = select(tournaments.c.revision).where(tournaments.c.id == tournament)
    revision = tx.execute(query).scalar()
    if revision is None:
        raise Unknown("tournament", tournament)
    if known is not None and known.revision == revision:
        return known
    return _read_on(tx, tournament, known, revision)


def _read_on(tx: Connection, tournament: str, known: _Read | None, revision: int) -> _Read:
    drawn = () if known is None else known.drawn
    drawn += read_drawn(tx, tournament, len(drawn))
    corrected = _last_correction(tx, tournament)
    last, facts = (0, ()) if known is None or known.corrections != corrected else (known.results, known.facts)
    last, new = tournament_facts(tx, tournament, last)
    facts += new
    history = History(drawn, facts, _withdrawn(tx, tournament))
    return _Read(revision, corrected, last, drawn, facts, history)


def _last_correction(tx: Connection, tournament: str) -> int:
    query = select(func.max(corrections.c.number)).join(results).where(results.c.tournament == tournament)
    return tx.execute(query).scalar() or 0


def _withdrawn(tx: Connection, tournament: str) -> frozenset[BotKey]:
    query = select(entries.c.key).where(
        entries.c.tournament == tournament, entries.c.withdrawn_at.is_not(None)
    )
    return frozenset(map(BotKey, tx.execute(query).scalars()))

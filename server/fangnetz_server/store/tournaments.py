"""Tournaments, who takes part, what was drawn and what came of it."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.store.audit import noted
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import TournamentConflict, TournamentHasResults, Unknown
from fangnetz_server.store.histories import Histories
from fangnetz_server.store.pairing_rows import insert_pairings, read_pairings
from fangnetz_server.store.pairing_state import bump
from fangnetz_server.store.ratings import outdate_ratings
from fangnetz_server.store.replays import ReplayFiles
from fangnetz_server.store.tables import (
    entries,
    matches,
    pairings,
    released_rounds,
    results,
    setups,
    tournaments,
)
from fangnetz_server.store.values import (
    AuditNote,
    Entry,
    JsonObject,
    PairingRecord,
    ReleasedRound,
    Tournament,
)
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["Tournaments"]


class Tournaments:
    """The tournaments as a part of the store. A `note` goes to the audit log with what it is about."""

    def __init__(self, database: Database, files: ReplayFiles, now: Callable[[], datetime]) -> None:
        self._database = database
        self._files = files
        self._now = now
        self._histories = Histories(database)

    # --- the tournament -----------------------------------------------------------------------

    async def create(
        self,
        tournament: str,
        name: str,
        spec: JsonObject,
        taking_part: Sequence[Entry],
        *,
        state: str = "created",
        note: AuditNote | None = None,
    ) -> Tournament:
        """Store a new tournament and its entries. The same again changes nothing.

        Raises:
            TournamentConflict: there is another one with this id.
        """
        at = self._now()

        def work(tx: Connection) -> Tournament:
            known = _find(tx, tournament)
            if known is None:
                row = {"id": tournament, "name": name, "spec": dict(spec), "state": state, "revision": 0}
                tx.execute(insert(tournaments).values(**row, created_at=at, changed_at=at))
                _insert_entries(tx, tournament, taking_part)
                return _get(tx, tournament)
            if (known.name, known.spec) != (name, dict(spec)):
                raise TournamentConflict(
                    f"there is another tournament {tournament!r}, {known.name!r}; choose another id"
                )
            return known

        return await self._database.write(noted(work, note, at))

    async def get(self, tournament: str) -> Tournament:
        """Return a tournament.

        Raises:
            Unknown: there is none with this id.
        """
        return await self._database.read(lambda tx: _get(tx, tournament))

    async def all(self, *, states: Collection[str] | None = None) -> tuple[Tournament, ...]:
        """Return the tournaments, or those in certain states, newest first."""
        query = select(tournaments).order_by(tournaments.c.created_at.desc(), tournaments.c.id)
        if states is not None:
            query = query.where(tournaments.c.state.in_(states))
        rows = await self._database.read(lambda tx: tx.execute(query).all())
        return tuple(_tournament(row) for row in rows)

    async def set_state(
        self,
        tournament: str,
        state: str,
        *,
        of: Collection[str] | None = None,
        note: AuditNote | None = None,
    ) -> Tournament:
        """Bring a tournament into another state. If it is there already, nothing changes.

        Args:
            tournament: its id.
            state: the new state.
            of: the states from which this is allowed; None: any.
            note: for the audit log.

        Raises:
            Unknown: there is no such tournament.
            TournamentConflict: its state is none of those.
        """
        at = self._now()

        def work(tx: Connection) -> Tournament:
            known = _get(tx, tournament)
            if known.state == state:
                return known
            if of is not None and known.state not in of:
                raise TournamentConflict(
                    f"tournament {tournament!r} is {known.state}; it can become {state} only when it is "
                    f"{' or '.join(of)}"
                )
            _update(tx, tournament, state=state, changed_at=at)
            return _get(tx, tournament)

        return await self._database.write(noted(work, note, at))

    async def delete(
        self, tournament: str, *, and_results: bool = False, note: AuditNote | None = None
    ) -> bool:
        """Delete a tournament with all that belongs to it; return whether it was there.

        Args:
            tournament: its id.
            and_results: its finished matches and their replays too; without it, one that has any stays.
            note: for the audit log.

        Raises:
            TournamentHasResults: see `and_results`.
        """

        def work(tx: Connection) -> list[MatchId] | None:
            return None if _find(tx, tournament) is None else _delete(tx, tournament, and_results)

        gone = await self._database.write(noted(work, note, self._now()))
        self._histories.forget(tournament)
        for match in gone or ():
            await asyncio.to_thread(self._files.remove, match)
        return gone is not None

    # --- entries ------------------------------------------------------------------------------

    async def entries(self, tournament: str) -> tuple[Entry, ...]:
        """Return who takes part, by rank, the withdrawn ones too.

        Raises:
            Unknown: there is no such tournament.
        """

        def work(tx: Connection) -> tuple[Entry, ...]:
            _get(tx, tournament)
            return _entries(tx, tournament)

        return await self._database.read(work)

    async def add_entry(
        self, tournament: str, entry: Entry, spec: JsonObject, *, note: AuditNote | None = None
    ) -> None:
        """Let a newcomer in; `spec` is the tournament with it. The same again changes nothing.

        Raises:
            Unknown: there is no such tournament.
            TournamentConflict: its name or the bot is in the tournament already.
        """

        def work(tx: Connection) -> None:
            _get(tx, tournament)
            known = _entries(tx, tournament)
            if entry in known:
                return
            if any(entry.key == other.key or entry.bot == other.bot for other in known):
                raise TournamentConflict(f"{entry.key!r} is in tournament {tournament!r} already")
            _insert_entries(tx, tournament, [entry])
            _update(tx, tournament, spec=dict(spec))

        await self._database.write(noted(work, note, self._now()))

    async def withdraw(self, tournament: str, key: BotKey, *, note: AuditNote | None = None) -> Entry:
        """Take a bot out for good: it is paired no more. Doing it again changes nothing.

        Raises:
            Unknown: there is no such tournament, or no such bot in it.
        """
        at = self._now()

        def work(tx: Connection) -> Entry:
            _get(tx, tournament)
            same = entries.c.tournament == tournament, entries.c.key == key
            active = update(entries).where(*same, entries.c.withdrawn_at.is_(None)).values(withdrawn_at=at)
            if tx.execute(active).rowcount:
                bump(tx, tournament)
            found = [entry for entry in _entries(tx, tournament) if entry.key == key]
            if not found:
                raise Unknown("bot in the tournament", key)
            return found[0]

        return await self._database.write(noted(work, note, at))

    # --- pairings -----------------------------------------------------------------------------

    async def add_pairings(self, tournament: str, drawn: Iterable[Pairing]) -> int:
        """Store what was drawn, all of it or nothing, and return how many are new; known ones are left out.

        Raises:
            Unknown: there is no such tournament.
            PairingConflict: one was drawn before with other seats, seed or map.
        """
        wanted = list(drawn)

        def work(tx: Connection) -> int:
            _get(tx, tournament)
            new = insert_pairings(tx, tournament, wanted)
            if new:
                bump(tx, tournament)
            return new

        return await self._database.write(work)

    async def pairings(self, tournament: str) -> tuple[PairingRecord, ...]:
        """Return all pairings and what became of them, in playing order.

        Raises:
            Unknown: there is no such tournament.
        """

        def work(tx: Connection) -> tuple[PairingRecord, ...]:
            _get(tx, tournament)
            return read_pairings(tx, tournament)

        return await self._database.read(work)

    async def history(self, tournament: str) -> History:
        """Return what tables and the next round are computed from, all from the same moment.

        Its facts are those that count, corrections applied, at most one of every pairing. As long as
        nothing has changed, it is the same object.

        Raises:
            Unknown: there is no such tournament.
        """
        return await self._histories.get(tournament)

    # --- staged release -----------------------------------------------------------------------

    async def release(self, tournament: str, number: int, who: str, *, note: AuditNote | None = None) -> None:
        """Show the results of a round to everybody, its matches too. Doing it again changes nothing.

        Raises:
            Unknown: there is no such tournament.
        """
        at = self._now()

        def work(tx: Connection) -> None:
            _get(tx, tournament)
            if number not in {known.round for known in _released(tx, tournament)}:
                row = {"tournament": tournament, "round": number, "who": who, "at": at}
                tx.execute(insert(released_rounds).values(**row))
                _publish(tx, tournament, number)
                bump(tx, tournament)

        await self._database.write(noted(work, note, at))

    async def released(self, tournament: str) -> tuple[ReleasedRound, ...]:
        """Return the rounds whose results everybody may see."""
        return await self._database.read(lambda tx: _released(tx, tournament))


def _find(tx: Connection, tournament: str) -> Tournament | None:
    row = tx.execute(select(tournaments).where(tournaments.c.id == tournament)).first()
    return None if row is None else _tournament(row)


def _get(tx: Connection, tournament: str) -> Tournament:
    found = _find(tx, tournament)
    if found is None:
        raise Unknown("tournament", tournament)
    return found


def _tournament(row: AnyRow) -> Tournament:
    return Tournament(row.id, row.name, row.spec, row.state, row.revision, row.created_at, row.changed_at)


def _update(tx: Connection, tournament: str, **values: Any) -> None:
    tx.execute(update(tournaments).where(tournaments.c.id == tournament).values(**values))
    bump(tx, tournament)


def _insert_entries(tx: Connection, tournament: str, new: Sequence[Entry]) -> None:
    rows = [
        {
            "tournament": tournament,
            "key": entry.key,
            "bot": entry.bot,
            "rank": entry.rank,
            "withdrawn_at": entry.withdrawn_at,
        }
        for entry in new
    ]
    if rows:
        tx.execute(insert(entries), rows)


def _entries(tx: Connection, tournament: str) -> tuple[Entry, ...]:
    query = select(entries).where(entries.c.tournament == tournament).order_by(entries.c.rank, entries.c.key)
    return tuple(
        Entry(BotKey(row.key), BotId(row.bot), row.rank, row.withdrawn_at) for row in tx.execute(query)
    )


def _released(tx: Connection, tournament: str) -> tuple[ReleasedRound, ...]:
    table = released_rounds
    query = select(table).where(table.c.tournament == tournament).order_by(table.c.round)
    return tuple(ReleasedRound(row.round, row.who, row.at) for row in tx.execute(query))


def _publish(tx: Connection, tournament: str, number: int) -> None:
    """Make the matches of a round public; until then only the host and their watch tokens open them."""
    of_round = select(pairings.c.key).where(pairings.c.tournament == tournament, pairings.c.round == number)
    played = select(matches.c.id).where(matches.c.tournament == tournament, matches.c.pairing.in_(of_round))
    _outdate_ratings(tx, results.c.match.in_(played))
    tx.execute(update(results).where(results.c.match.in_(played)).values(is_public=True))
    tx.execute(update(matches).where(matches.c.id.in_(played)).values(is_public=True))


def _delete(tx: Connection, tournament: str, and_results: bool) -> list[MatchId]:
    played = select(results.c.match).join(matches).where(matches.c.tournament == tournament)
    finished = [MatchId(match) for match in tx.execute(played).scalars()]
    if finished and not and_results:
        raise TournamentHasResults(tournament, len(finished))
    _outdate_ratings(tx, results.c.tournament == tournament)
    tx.execute(delete(matches).where(matches.c.tournament == tournament))
    tx.execute(delete(setups).where(setups.c.digest.not_in(select(matches.c.setup))))
    tx.execute(delete(tournaments).where(tournaments.c.id == tournament))
    return finished


def _outdate_ratings(tx: Connection, changed: ColumnElement[bool]) -> None:
    """Forget the ratings from the first of these results on, game by game."""
    first = select(results.c.game, func.min(results.c.number)).where(changed).group_by(results.c.game)
    for game, number in tx.execute(first).all():
        outdate_ratings(tx, game, number)

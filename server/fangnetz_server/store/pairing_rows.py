"""Writes pairings as rows and reads them back, inside the transactions of others."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, insert, select

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.errors import PairingConflict
from fangnetz_server.store.tables import matches, pairings
from fangnetz_server.store.values import PairingRecord, PairingState
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = ["insert_pairings", "read_pairings"]

_CHUNK: Final = 500
"""Keys in one query; the databases take a few thousand parameters."""


def insert_pairings(tx: Connection, tournament: str, drawn: Sequence[Pairing]) -> int:
    """Store the pairings that are not there yet and return how many.

    Raises:
        PairingConflict: one is there with other contents.
    """
    known = dict(_known(tx, tournament, [pairing.id for pairing in drawn]))
    new: dict[str, Pairing] = {}
    for pairing in drawn:
        other = known.get(pairing.id) or new.setdefault(pairing.id, pairing)
        if other != pairing:
            raise PairingConflict(tournament, pairing.id, f"it is {other}, not {pairing}")
    if new:
        tx.execute(insert(pairings), [_row(tournament, pairing) for pairing in new.values()])
    return len(new)


def _known(tx: Connection, tournament: str, keys: Sequence[str]) -> Iterator[tuple[str, Pairing]]:
    for start in range(0, len(keys), _CHUNK):
        query = select(pairings).where(
            pairings.c.tournament == tournament, pairings.c.key.in_(keys[start : start + _CHUNK])
        )
        for row in tx.execute(query):
            yield row.key, _pairing(row)


def _row(tournament: str, pairing: Pairing) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "key": pairing.id,
        "stage": pairing.stage,
        "round": pairing.round,
        "table": pairing.table,
        "game": pairing.game,
        "seats": list(pairing.seats),
        "seed": pairing.seed,
        "map": pairing.map,
        "state": PairingState.WAITING,
        "decided_by": None,
    }


def read_pairings(tx: Connection, tournament: str) -> tuple[PairingRecord, ...]:
    """Return the pairings of a tournament in playing order, with their matches."""
    attempts: dict[str, list[MatchId]] = defaultdict(list)
    played = (
        select(matches.c.pairing, matches.c.id)
        .where(matches.c.tournament == tournament)
        .order_by(matches.c.attempt)
    )
    for row in tx.execute(played):
        attempts[row.pairing].append(MatchId(row.id))
    order = (pairings.c.round, pairings.c.game, pairings.c.stage, pairings.c.table)
    query = select(pairings).where(pairings.c.tournament == tournament).order_by(*order)
    return tuple(_record(row, attempts.get(row.key, ())) for row in tx.execute(query))


def _record(row: AnyRow, attempts: Sequence[MatchId]) -> PairingRecord:
    decided_by = None if row.decided_by is None else MatchId(row.decided_by)
    return PairingRecord(_pairing(row), PairingState(row.state), tuple(attempts), decided_by)


def _pairing(row: AnyRow) -> Pairing:
    seats = tuple(map(BotKey, row.seats))
    return Pairing(row.stage, row.round, row.table, row.game, seats, row.seed, row.map)

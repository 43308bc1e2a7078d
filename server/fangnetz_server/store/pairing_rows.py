"""Writes pairings as rows and reads them back, inside the transactions of others."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.errors import PairingConflict
from fangnetz_server.store.tables import matches, pairings
from fangnetz_server.store.values import PairingRecord, PairingState
from fangnetz_server.tournament.values import BotKey, Pairing

__all__ = ["insert_pairings", "read_drawn", "read_pairings"]

_CHUNK: Final = 500
"""Keys in one query; the databases take a few thousand parameters."""
_PAIRING: Final = (
    pairings.c.stage,
    pairings.c.round,
    pairings.c.table,
    pairings.c.game,
    pairings.c.seats,
    pairings.c.seed,
    pairings.c.map,
)


def insert_pairings(tx: Connection, tournament: str, drawn: Sequence[Pairing]) -> int:
    """Store the pairings that are not there yet and return how many.

    Raises:
        PairingConflict: one is there with other contents.
    """
    known = {pairing.id: pairing for pairing in _known(tx, tournament, [pairing.id for pairing in drawn])}
    new: list[Pairing] = []
    for pairing in drawn:
        other = known.setdefault(pairing.id, pairing)
        if other is pairing:
            new.append(pairing)
        elif other != pairing:
            raise PairingConflict(tournament, pairing.id, f"it is {other}, not {pairing}")
    if new:
        first = _count(tx, tournament)
        rows = [_row(tournament, number, pairing) for number, pairing in enumerate(new, start=first)]
        tx.execute(insert(pairings), rows)
    return len(new)


def _known(tx: Connection, tournament: str, keys: Sequence[str]) -> Iterator[Pairing]:
    for start in range(0, len(keys), _CHUNK):
        wanted = pairings.c.key.in_(keys[start : start + _CHUNK])
        query = select(*_PAIRING).where(pairings.c.tournament == tournament, wanted)
        for row in tx.execute(query):
            yield _pairing(*row)


def _count(tx: Connection, tournament: str) -> int:
    query = select(func.count()).select_from(pairings).where(pairings.c.tournament == tournament)
    return tx.execute(query).scalar_one()


def _row(tournament: str, number: int, pairing: Pairing) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "key": pairing.id,
        "number": number,
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


def read_drawn(tx: Connection, tournament: str, first: int) -> tuple[Pairing, ...]:
    """Return the pairings of a tournament in the order of drawing, without the first ones."""
    query = (
        select(*_PAIRING)
        .where(pairings.c.tournament == tournament, pairings.c.number >= first)
        .order_by(pairings.c.number)
    )
    return tuple(_pairing(*row) for row in tx.execute(query))


def read_pairings(tx: Connection, tournament: str) -> tuple[PairingRecord, ...]:
    """Return the pairings of a tournament in playing order, with their matches."""
    attempts: dict[str, list[MatchId]] = defaultdict(list)
    played = (
        select(matches.c.pairing, matches.c.id)
        .where(matches.c.tournament == tournament)
        .order_by(matches.c.attempt)
    )
    for key, match in tx.execute(played):
        attempts[key].append(MatchId(match))
    order = (pairings.c.round, pairings.c.game, pairings.c.stage, pairings.c.table)
    query = (
        select(pairings.c.key, pairings.c.state, pairings.c.decided_by, *_PAIRING)
        .where(pairings.c.tournament == tournament)
        .order_by(*order)
    )
    return tuple(
        PairingRecord(_pairing(*drawn), PairingState(state), tuple(attempts.get(key, ())), decided_by)
        for key, state, decided_by, *drawn in tx.execute(query)
    )


def _pairing(
    stage: str, round_: int, table: int, game: int, seats: list[str], seed: int, map_: str | None
) -> Pairing:
    return Pairing(stage, round_, table, game, tuple(map(BotKey, seats)), seed, map_)

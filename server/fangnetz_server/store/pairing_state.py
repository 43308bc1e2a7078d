"""Keeps a pairing in step with its matches: of all that are played for it, at most one counts.

Called inside the transactions that begin, finish, give up or correct a match.
"""

from typing import Any, Final

from sqlalchemy import Connection, bindparam, select, update

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.errors import PairingConflict, PairingDecided, Unknown
from fangnetz_server.store.tables import matches, pairings, tournaments
from fangnetz_server.store.values import MatchState, PairingRef, PairingState

__all__ = ["begin_attempt", "bump", "settle"]

_OF_PAIRING: Final = (
    pairings.c.tournament == bindparam("of_tournament"),
    pairings.c.key == bindparam("of_pairing"),
)
_DECIDED_BY: Final = select(pairings.c.decided_by).where(*_OF_PAIRING)
_ATTEMPTS: Final = select(matches.c.id, matches.c.attempt, matches.c.state).where(
    matches.c.tournament == bindparam("of_tournament"), matches.c.pairing == bindparam("of_pairing")
)
_SET: Final = (
    update(pairings)
    .where(*_OF_PAIRING)
    .values(state=bindparam("new_state"), decided_by=bindparam("new_decided_by"))
)
_BUMP: Final = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_tournament"))
    .values(revision=tournaments.c.revision + 1)
)


def begin_attempt(tx: Connection, ref: PairingRef, match: MatchId) -> None:
    """Mark a pairing as being played by a match that is about to be stored.

    Raises:
        Unknown: there is no such pairing.
        PairingDecided: it has a result that counts.
        PairingConflict: another match is being played for it, or was this attempt.
    """
    decided_by = _decided_by(tx, ref)
    if decided_by is not None:
        raise PairingDecided(match, ref.pairing, decided_by)
    for other in tx.execute(_ATTEMPTS, _key(ref)):
        if other.state == MatchState.OPEN or other.attempt == ref.attempt:
            what = "not over" if other.state == MatchState.OPEN else "over"
            raise PairingConflict(
                ref.tournament, ref.pairing, f"match {other.id}, its attempt {other.attempt}, is {what}"
            )
    _set(tx, ref, PairingState.RUNNING, None)


def settle(tx: Connection, ref: PairingRef, match: MatchId, *, counts: bool) -> None:
    """Note that a match of a pairing has ended, or that its result was corrected.

    Raises:
        PairingDecided: it would count, but another match's result does already.
    """
    decided_by = _decided_by(tx, ref)
    if decided_by not in (None, match):
        if counts:
            raise PairingDecided(match, ref.pairing, decided_by)
    elif counts:
        _set(tx, ref, PairingState.DONE, match)
    else:
        _set(tx, ref, PairingState.WAITING, None)


def bump(tx: Connection, tournament: str) -> None:
    """Note that something in a tournament has changed."""
    tx.execute(_BUMP, {"of_tournament": tournament})


def _decided_by(tx: Connection, ref: PairingRef) -> MatchId | None:
    row = tx.execute(_DECIDED_BY, _key(ref)).first()
    if row is None:
        raise Unknown("pairing", f"{ref.tournament}/{ref.pairing}")
    return None if row.decided_by is None else MatchId(row.decided_by)


def _set(tx: Connection, ref: PairingRef, state: PairingState, decided_by: MatchId | None) -> None:
    tx.execute(_SET, {**_key(ref), "new_state": state, "new_decided_by": decided_by})
    bump(tx, ref.tournament)


def _key(ref: PairingRef) -> dict[str, Any]:
    return {"of_tournament": ref.tournament, "of_pairing": ref.pairing}

"""Keeps a pairing in step with its matches: of all that are played for it, at most one counts.

Called inside the transactions that begin, finish, give up or correct a match.
"""

from typing import Any

from sqlalchemy import Connection, select, update

from fangnetz_protocol.words import MatchId
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.errors import PairingConflict, PairingDecided, Unknown
from fangnetz_server.store.tables import matches, pairings, tournaments
from fangnetz_server.store.values import MatchState, PairingRef, PairingState

__all__ = ["begin_attempt", "bump", "settle"]


def begin_attempt(tx: Connection, ref: PairingRef, match: MatchId) -> None:
    """Mark a pairing as being played by a match that is about to be stored.

    Raises:
        Unknown: there is no such pairing.
        PairingDecided: it has a result that counts.
        PairingConflict: another match is being played for it, or was this attempt.
    """
    row = _pairing(tx, ref)
    if row.decided_by is not None:
        raise PairingDecided(match, ref.pairing, MatchId(row.decided_by))
    attempts = select(matches.c.id, matches.c.attempt, matches.c.state).where(*_matches_of(ref))
    for other in tx.execute(attempts):
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
    decided_by = _pairing(tx, ref).decided_by
    if counts:
        if decided_by not in (None, match):
            raise PairingDecided(match, ref.pairing, MatchId(decided_by))
        _set(tx, ref, PairingState.DONE, match)
    elif decided_by in (None, match):
        _set(tx, ref, PairingState.WAITING, None)


def bump(tx: Connection, tournament: str) -> None:
    """Note that something in a tournament has changed."""
    tx.execute(
        update(tournaments).where(tournaments.c.id == tournament).values(revision=tournaments.c.revision + 1)
    )


def _pairing(tx: Connection, ref: PairingRef) -> AnyRow:
    row = tx.execute(select(pairings.c.decided_by).where(*_is(ref))).first()
    if row is None:
        raise Unknown("pairing", f"{ref.tournament}/{ref.pairing}")
    return row


def _set(tx: Connection, ref: PairingRef, state: PairingState, decided_by: MatchId | None) -> None:
    tx.execute(update(pairings).where(*_is(ref)).values(state=state, decided_by=decided_by))
    bump(tx, ref.tournament)


def _is(ref: PairingRef) -> tuple[Any, Any]:
    return pairings.c.tournament == ref.tournament, pairings.c.key == ref.pairing


def _matches_of(ref: PairingRef) -> tuple[Any, Any]:
    return matches.c.tournament == ref.tournament, matches.c.pairing == ref.pairing

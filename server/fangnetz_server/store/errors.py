"""What can go wrong with the store, each with the text that a host reads.

Three kinds: the database or a file is not what it should be (`StoreError` itself and its direct
children), the store cannot do its work for the moment (`StoreUnavailable` and its children: nothing
was half done, try again later), or it refuses what it was asked to do (`Refused` and its children:
asking again will not help).
"""

from fangnetz_protocol.words import MatchId

__all__ = [
    "NameTaken",
    "NewerStore",
    "NotAStore",
    "PairingConflict",
    "PairingDecided",
    "Refused",
    "ReplayDamaged",
    "ReplayMissing",
    "ResultConflict",
    "SeatCodeUsed",
    "StoreError",
    "StoreLocked",
    "StoreNotWritable",
    "StoreUnavailable",
    "TournamentConflict",
    "TournamentHasResults",
    "Unknown",
]


class StoreError(Exception):
    """Base of all. `place` is the file, folder or database (never with a password in it)."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class StoreUnavailable(StoreError):
    """The disk is full, the connection is lost, another program holds a lock, or the like.

    Nothing was half done. Asking again later is harmless, and often helps.
    """


class StoreLocked(StoreUnavailable):
    """Another server works with this store."""

    def __init__(self, place: str, holder: str) -> None:
        super().__init__(
            place,
            f"is in use by {holder}; two servers never share a store: stop that one, or use its API",
        )
        self.holder = holder


class NewerStore(StoreError):
    """The database was made by a newer Fangnetz."""

    def __init__(self, place: str, version: str, known: str) -> None:
        super().__init__(
            place,
            f"has schema version {version}, made by a newer Fangnetz; this one knows versions up to {known}: "
            "install the newer program, or take another data folder",
        )
        self.version = version
        self.known = known


class NotAStore(StoreError):
    """The file or database holds something else; it was left as it is."""


class StoreNotWritable(StoreUnavailable):
    """The folder or the database may not be written to."""


class Refused(Exception):
    """The store will not do this; nothing was changed."""


class Unknown(Refused, LookupError):
    """There is no such bot, match, tournament, pairing or code."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"there is no {kind} {key!r}")
        self.kind = kind
        self.key = key


class NameTaken(Refused):
    """A bot has this name already, or one that looks the same."""

    def __init__(self, name: str, taken: str) -> None:
        looks = "is taken" if name == taken else f"looks like {taken!r}, which is taken"
        super().__init__(f"the name {name!r} {looks}; choose another")
        self.name = name
        self.taken = taken


class ResultConflict(Refused):
    """There is another result of this match; results are facts and never change."""

    def __init__(self, match: MatchId, difference: str) -> None:
        super().__init__(
            f"match {match} has another result already ({difference}); "
            "results never change: correct it with a reason instead"
        )
        self.match = match
        self.difference = difference


class PairingDecided(Refused):
    """Another match has decided this pairing; a second result would count twice."""

    def __init__(self, match: MatchId, pairing: str, decided_by: MatchId) -> None:
        super().__init__(
            f"match {match}: pairing {pairing!r} is decided by match {decided_by}; "
            "annul that result first to play it again"
        )
        self.match = match
        self.pairing = pairing
        self.decided_by = decided_by


class PairingConflict(Refused):
    """A pairing with this key is stored with other contents."""

    def __init__(self, tournament: str, pairing: str, difference: str) -> None:
        super().__init__(f"tournament {tournament!r}: pairing {pairing!r} is there already, and {difference}")
        self.tournament = tournament
        self.pairing = pairing


class TournamentConflict(Refused):
    """The tournament is not as the caller thinks."""


class TournamentHasResults(Refused):
    """A tournament with results is deleted only on purpose."""

    def __init__(self, tournament: str, results: int) -> None:
        super().__init__(
            f"tournament {tournament!r} has {results} results; to delete them and their replays too, "
            "say so: results=true in the API, --results on the command line"
        )
        self.tournament = tournament
        self.results = results


class SeatCodeUsed(Refused):
    """A seat code works once."""


class ReplayDamaged(StoreError):
    """A replay on the disk is not what was written."""


class ReplayMissing(StoreError):
    """The replay of a stored match is not on the disk."""

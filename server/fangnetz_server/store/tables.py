"""The tables. `migrations/` builds them; a test compares both.

    bots ─< bot_versions            tournaments ─< entries, pairings, released_rounds
                                                                └─< matches ─< match_seats
    seat_codes, ratings, audit                     setups ─────────<   └── results ─< result_seats
                                                                               ├─< corrections
                                                                               └── pictures

Seats name bots by their id without a foreign key: guests of an open server are not registered.
Setups are kept once: a contest plays thousands of matches on a handful of maps.
"""

from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)

from fangnetz_server.store.columns import Blob, Clean, Json, Moment, Number, Real, Written

__all__ = [
    "METADATA",
    "audit",
    "bot_versions",
    "bots",
    "corrections",
    "entries",
    "match_seats",
    "matches",
    "pairings",
    "pictures",
    "ratings",
    "released_rounds",
    "result_seats",
    "results",
    "seat_codes",
    "setups",
    "tournaments",
]

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


def _column(name: str, kind: Any, *more: Any, null: bool = False, **options: Any) -> Column[Any]:
    return Column(name, kind, *more, nullable=null, **options)


def _key(name: str, *more: Any, kind: Any = Clean) -> Column[Any]:
    return Column(name, kind, *more, primary_key=True)


def _counter(name: str) -> Column[int]:
    return Column(name, Number, primary_key=True, autoincrement=True)


bots = Table(
    "bots",
    METADATA,
    _key("id"),
    _column("name", Clean),
    _column("folded", Clean, unique=True),
    _column("looks", Clean, unique=True),
    _column("owner", Clean, null=True),
    _column("token_hash", Blob, unique=True),
    _column("created_at", Moment),
    _column("disabled_at", Moment, null=True),
)
bot_versions = Table(
    "bot_versions",
    METADATA,
    _key("bot", ForeignKey("bots.id", ondelete="CASCADE")),
    _key("client"),
    _key("version"),
    _key("language"),
    _column("first_seen", Moment),
    _column("last_seen", Moment),
)
seat_codes = Table(
    "seat_codes",
    METADATA,
    _key("hash", kind=Blob),
    _column("bot", Clean),
    _column("name", Clean),
    _column("match", Clean, null=True),
    _column("seat", Integer, null=True),
    _column("tournament", Clean, null=True),
    _column("created_at", Moment),
    _column("expires_at", Moment, null=True),
    _column("used_by", Clean, null=True),
    _column("used_at", Moment, null=True),
)

tournaments = Table(
    "tournaments",
    METADATA,
    _key("id"),
    _column("name", Clean),
    _column("spec", Json),
    _column("state", Clean),
    _column("revision", Number),
    _column("created_at", Moment),
    _column("changed_at", Moment),
)
entries = Table(
    "entries",
    METADATA,
    _key("tournament", ForeignKey("tournaments.id", ondelete="CASCADE")),
    _key("key"),
    _column("bot", Clean),
    _column("rank", Integer),
    _column("withdrawn_at", Moment, null=True),
    UniqueConstraint("tournament", "bot"),
)
pairings = Table(
    "pairings",
    METADATA,
    _key("tournament", ForeignKey("tournaments.id", ondelete="CASCADE")),
    _key("key"),
    _column("number", Integer),
    _column("stage", Clean),
    _column("round", Integer),
    _column("table", Integer),
    _column("game", Integer),
    _column("seats", Json),
    _column("seed", Number),
    _column("map", Clean, null=True),
    _column("state", Clean),
    _column("decided_by", Clean, null=True),
    UniqueConstraint("tournament", "number"),
)
released_rounds = Table(
    "released_rounds",
    METADATA,
    _key("tournament", ForeignKey("tournaments.id", ondelete="CASCADE")),
    _key("round", kind=Integer),
    _column("who", Clean),
    _column("at", Moment),
)

setups = Table(
    "setups",
    METADATA,
    _key("digest", kind=Blob),
    _column("setup", Json),
)
matches = Table(
    "matches",
    METADATA,
    _key("id"),
    _column("game", Clean),
    _column("rules_version", Integer),
    _column("seed", Written),
    _column("setup", Blob, ForeignKey("setups.digest")),
    _column("settings", Json),
    _column("created_at", Moment),
    _column("is_public", Boolean),
    _column("state", Clean),
    _column("tournament", Clean, null=True),
    _column("pairing", Clean, null=True),
    _column("attempt", Integer, null=True),
    ForeignKeyConstraint(["tournament", "pairing"], ["pairings.tournament", "pairings.key"]),
    UniqueConstraint("tournament", "pairing", "attempt"),
    Index(None, "state"),
)
match_seats = Table(
    "match_seats",
    METADATA,
    _key("match", ForeignKey("matches.id", ondelete="CASCADE")),
    _key("seat", kind=Integer),
    _column("bot", Clean, index=True),
    _column("name", Clean),
)
results = Table(
    "results",
    METADATA,
    _counter("number"),
    _column("match", Clean, ForeignKey("matches.id", ondelete="CASCADE"), unique=True),
    # Copies from the match, which never change, so that a page of results is found in an index.
    _column("game", Clean),
    _column("tournament", Clean, null=True),
    _column("is_public", Boolean),
    _column("reason", Clean),
    _column("detail", Clean, null=True),
    _column("ticks", Integer),
    _column("digest", Clean),
    _column("replay_sha256", Clean, null=True),
    _column("ended_at", Moment),
    Index(None, "game", "number"),
    Index(None, "tournament", "number"),
    sqlite_autoincrement=True,  # A number that once was a result's never is another's.
)
result_seats = Table(
    "result_seats",
    METADATA,
    _key("match", ForeignKey("results.match", ondelete="CASCADE")),
    _key("seat", kind=Integer),
    _column("points", Real, null=True),
    _column("place", Integer, null=True),
    _column("presence", Clean),
    _column("applied", Integer),
    _column("blocked", Integer),
    _column("late", Integer),
    _column("missing", Integer),
    _column("invalid", Integer),
    _column("duplicate", Integer),
    _column("latency_median_ms", Real, null=True),
    _column("latency_p99_ms", Real, null=True),
)
pictures = Table(
    "pictures",
    METADATA,
    _key("match", ForeignKey("results.match", ondelete="CASCADE")),
    _column("data", Blob),
)
corrections = Table(
    "corrections",
    METADATA,
    _counter("number"),
    _column("match", Clean, ForeignKey("results.match", ondelete="CASCADE"), index=True),
    _column("points", Json),
    _column("places", Json),
    _column("why", Clean),
    _column("who", Clean),
    _column("at", Moment),
    sqlite_autoincrement=True,
)

ratings = Table(
    "ratings",
    METADATA,
    _key("pool"),
    _key("step", kind=Number),
    _key("bot"),
    _column("mu", Real),
    _column("sigma", Real),
    Index(None, "pool", "bot", "step"),
)
audit = Table(
    "audit",
    METADATA,
    _counter("number"),
    _column("at", Moment),
    _column("who", Clean),
    _column("command", Clean),
    _column("target", Clean, index=True),
    _column("details", Json),
    sqlite_autoincrement=True,
)

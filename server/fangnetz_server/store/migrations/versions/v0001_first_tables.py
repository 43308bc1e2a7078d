"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_DIGITS = sa.Text()
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("who", _TEXT, nullable=False),
        sa.Column("command", _TEXT, nullable=False),
        sa.Column("target", _TEXT, nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_target", "audit", ["target"])
    op.create_table(
        "bots",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("folded", _TEXT, nullable=False),
        sa.Column("looks", _TEXT, nullable=False),
        sa.Column("owner", _TEXT, nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("disabled_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("folded", name="uq_bots_folded"),
        sa.UniqueConstraint("looks", name="uq_bots_looks"),
        sa.UniqueConstraint("token_hash", name="uq_bots_token_hash"),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", _TEXT, nullable=False),
        sa.Column("step", _NUMBER, nullable=False),
        sa.Column("bot", _TEXT, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "step", "bot", name="pk_ratings"),
    )
    op.create_index("ix_ratings_pool_bot_step", "ratings", ["pool", "bot", "step"])
    op.create_table(
        "seat_codes",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("bot", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("match", _TEXT, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("tournament", _TEXT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=True),
        sa.Column("used_by", _TEXT, nullable=True),
        sa.Column("used_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("hash", name="pk_seat_codes"),
    )
    op.create_table(
        "setups",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_setups"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("revision", _NUMBER, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_table(
        "bot_versions",
        sa.Column("bot", _TEXT, nullable=False),
        sa.Column("client", _TEXT, nullable=False),
        sa.Column("version", _TEXT, nullable=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("first_seen", _MOMENT, nullable=False),
        sa.Column("last_seen", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_bot_versions_bot", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("bot", "client", "version", "language", name="pk_bot_versions"),
    )
    op.create_table(
        "entries",
        sa.Column("tournament", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("bot", _TEXT, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("withdrawn_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_entries_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "key", name="pk_entries"),
        sa.UniqueConstraint("tournament", "bot", name="uq_entries_tournament_bot"),
    )
    op.create_table(
        "pairings",
        sa.Column("tournament", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage", _TEXT, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("seed", _NUMBER, nullable=False),
        sa.Column("map", _TEXT, nullable=True),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("decided_by", _TEXT, nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_pairings_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "key", name="pk_pairings"),
        sa.UniqueConstraint("tournament", "number", name="uq_pairings_tournament_number"),
    )
    op.create_table(
        "released_rounds",
        sa.Column("tournament", _TEXT, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("who", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_released_rounds_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "round", name="pk_released_rounds"),
    )
    op.create_table(
        "matches",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("game", _TEXT, nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("seed", _DIGITS, nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("tournament", _TEXT, nullable=True),
        sa.Column("pairing", _TEXT, nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["setup"], ["setups.digest"], name="fk_matches_setup"),
        sa.ForeignKeyConstraint(
            ["tournament", "pairing"],
            ["pairings.tournament", "pairings.key"],
            name="fk_matches_tournament_pairing",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("tournament", "pairing", "attempt", name="uq_matches_tournament_pairing_attempt"),
    )
    op.create_index("ix_matches_state", "matches", ["state"])
    op.create_table(
        "match_seats",
        sa.Column("match", _TEXT, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_match_seats_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_match_seats"),
    )
    op.create_index("ix_match_seats_bot", "match_seats", ["bot"])
    op.create_table(
        "results",
        sa.Column("number", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("match", _TEXT, nullable=False),
        sa.Column("game", _TEXT, nullable=False),
        sa.Column("tournament", _TEXT, nullable=True),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("detail", _TEXT, nullable=True),
        sa.Column("ticks", sa.Integer(), nullable=False),
        sa.Column("digest", _TEXT, nullable=False),
        sa.Column("replay_sha256", _TEXT, nullable=True),
        sa.Column("ended_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_results_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name="pk_results"),
        sa.UniqueConstraint("match", name="uq_results_match"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_results_game_number", "results", ["game", "number"])
    op.create_index("ix_results_tournament_number", "results", ["tournament", "number"])
    op.create_table(
        "corrections",
        sa.Column("number", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("match", _TEXT, nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("why", _TEXT, nullable=False),
        sa.Column("who", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["results.match"], name="fk_corrections_match", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_corrections"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_corrections_match", "corrections", ["match"])
    op.create_table(
        "pictures",
        sa.Column("match", _TEXT, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["results.match"], name="fk_pictures_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_pictures"),
    )
    op.create_table(
        "result_seats",
        sa.Column("match", _TEXT, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("points", sa.Double(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("presence", _TEXT, nullable=False),
        sa.Column("applied", sa.Integer(), nullable=False),
        sa.Column("blocked", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("missing", sa.Integer(), nullable=False),
        sa.Column("invalid", sa.Integer(), nullable=False),
        sa.Column("duplicate", sa.Integer(), nullable=False),
        sa.Column("latency_median_ms", sa.Double(), nullable=True),
        sa.Column("latency_p99_ms", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match"], ["results.match"], name="fk_result_seats_match", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_result_seats"),
    )

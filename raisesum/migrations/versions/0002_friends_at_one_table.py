"""Tables that people share

Revision: 0002
Follows: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# SQLite changes a table by building it anew, and would forget this.
KEEPS_ITS_NUMBERS = {"sqlite_autoincrement": True}


def upgrade() -> None:
    with op.batch_alter_table("games", table_kwargs=KEEPS_ITS_NUMBERS) as batch_op:
        batch_op.add_column(
            sa.Column("graced", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("host_id", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("is_public", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(
            sa.Column("spectators", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("pace_s", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("bot_level", sa.String(length=20), nullable=False, server_default="steady")
        )
        batch_op.add_column(sa.Column("code", sa.String(length=6), nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_games_host_id_users"), "users", ["host_id"], ["id"], ondelete="SET NULL"
        )
        batch_op.create_unique_constraint(batch_op.f("uq_games_code"), ["code"])
        batch_op.create_index(batch_op.f("ix_games_host_id"), ["host_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_games_is_public"), ["is_public"], unique=False)

    with op.batch_alter_table("seats") as batch_op:
        batch_op.add_column(
            sa.Column("stand_in", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(
            sa.Column("left", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("missed", sa.Integer(), nullable=False, server_default="0"))

    for name in ("presences", "removals"):
        op.create_table(
            name,
            _game_id(),
            _user_id(),
            *((sa.Column("seen_at", sa.BigInteger(), nullable=False),) * (name == "presences")),
            sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f(f"pk_{name}")),
            *_foreign_keys(name, user=True),
        )
        with op.batch_alter_table(name) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{name}_user_id"), ["user_id"], unique=False)

    op.create_table(
        "agreements",
        _game_id(),
        sa.Column("absent", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("by", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "absent", "by", name=op.f("pk_agreements")),
        *_foreign_keys("agreements", user=False),
    )
    op.create_table(
        "reactions",
        _game_id(),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("phrase", sa.String(length=20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_reactions")),
        *_foreign_keys("reactions", user=False),
    )
    op.create_table(
        "mutes",
        _game_id(),
        _user_id(),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", "seat", name=op.f("pk_mutes")),
        *_foreign_keys("mutes", user=True),
    )
    with op.batch_alter_table("mutes") as batch_op:
        batch_op.create_index(batch_op.f("ix_mutes_user_id"), ["user_id"], unique=False)

    op.create_table(
        "handovers",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_handovers")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_handovers_user_id_users"), ondelete="CASCADE"
        ),
    )
    with op.batch_alter_table("handovers") as batch_op:
        batch_op.create_index(batch_op.f("ix_handovers_user_id"), ["user_id"], unique=False)

    op.create_table(
        "throttles",
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("what", "who", name=op.f("pk_throttles")),
    )
    with op.batch_alter_table("throttles") as batch_op:
        batch_op.create_index(batch_op.f("ix_throttles_until"), ["until"], unique=False)

    op.create_table(
        "heartbeats",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("server_ms", sa.BigInteger(), nullable=False),
        sa.Column("wall_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeats")),
    )


def downgrade() -> None:
    for name in ("heartbeats", "throttles", "handovers", "mutes", "reactions", "agreements"):
        op.drop_table(name)
    op.drop_table("removals")
    op.drop_table("presences")
    # A table that still waits has no match that the older program could show.
    op.execute("DELETE FROM seats WHERE game_id IN (SELECT id FROM games WHERE status = 'waiting')")
    op.execute("DELETE FROM games WHERE status = 'waiting'")
    with op.batch_alter_table("seats") as batch_op:
        for column in ("missed", "left", "stand_in"):
            batch_op.drop_column(column)
    with op.batch_alter_table("games", table_kwargs=KEEPS_ITS_NUMBERS) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_is_public"))
        batch_op.drop_index(batch_op.f("ix_games_host_id"))
        batch_op.drop_constraint(batch_op.f("uq_games_code"), type_="unique")
        batch_op.drop_constraint(batch_op.f("fk_games_host_id_users"), type_="foreignkey")
        for column in (
            *("code", "bot_level", "pace_s", "spectators"),
            *("is_public", "host_id", "graced"),
        ):
            batch_op.drop_column(column)


def _game_id() -> sa.Column[int]:
    return sa.Column("game_id", sa.Integer(), nullable=False)


def _user_id() -> sa.Column[int]:
    return sa.Column("user_id", sa.Integer(), nullable=False)


def _foreign_keys(table: str, *, user: bool) -> list[sa.ForeignKeyConstraint]:
    keys = [("game_id", "games")] + [("user_id", "users")] * user
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
        )
        for column, other in keys
    ]

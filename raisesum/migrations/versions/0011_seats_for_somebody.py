"""Seats that change hands in a match

Revision: 0011
Follows: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seat_offers",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat_offers")),
        *_foreign_keys("seat_offers", user_id="CASCADE"),
        sa.UniqueConstraint("token_hash", name=op.f("uq_seat_offers_token_hash")),
    )
    op.create_table(
        "offer_agreements",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "user_id", name=op.f("pk_offer_agreements")),
        *_foreign_keys("offer_agreements", user_id="CASCADE"),
    )
    op.create_table(
        "seat_changes",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("former_id", sa.Integer(), nullable=True),
        sa.Column("former_name", sa.String(length=24), nullable=False),
        sa.Column("by_owner", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_seat_changes")),
        *_foreign_keys("seat_changes", former_id="SET NULL"),
    )
    for table, column in (
        ("seat_offers", "user_id"),
        ("offer_agreements", "user_id"),
        ("seat_changes", "former_id"),
    ):
        with op.batch_alter_table(table) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)


def downgrade() -> None:
    for table in ("seat_changes", "offer_agreements", "seat_offers"):
        op.drop_table(table)


def _foreign_keys(table: str, **users: str) -> list[sa.ForeignKeyConstraint]:
    """Return the keys of `table` to its game, and to a person with what their deletion means."""
    keys = [("game_id", "games", "CASCADE")]
    keys += [(column, "users", on_delete) for column, on_delete in users.items()]
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete=on_delete
        )
        for column, other, on_delete in keys
    ]

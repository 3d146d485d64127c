"""Mutes belong to people, not to seats

Revision: 0012
Follows: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "muted_people",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("muted_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", "muted_id", name=op.f("pk_muted_people")),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{other}.id"],
                name=op.f(f"fk_muted_people_{column}_{other}"),
                ondelete="CASCADE",
            )
            for column, other in (("game_id", "games"), ("user_id", "users"), ("muted_id", "users"))
        ),
    )
    with op.batch_alter_table("muted_people") as batch_op:
        for column in ("user_id", "muted_id"):
            batch_op.create_index(batch_op.f(f"ix_muted_people_{column}"), [column], unique=False)
    op.execute(
        "INSERT INTO muted_people (game_id, user_id, muted_id)"
        " SELECT mutes.game_id, mutes.user_id, seats.user_id FROM mutes"
        " JOIN seats ON seats.game_id = mutes.game_id AND seats.number = mutes.seat"
        " WHERE seats.user_id IS NOT NULL"
    )
    op.drop_table("mutes")


def downgrade() -> None:
    op.create_table(
        "mutes",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id", "seat", name=op.f("pk_mutes")),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{other}.id"],
                name=op.f(f"fk_mutes_{column}_{other}"),
                ondelete="CASCADE",
            )
            for column, other in (("game_id", "games"), ("user_id", "users"))
        ),
    )
    with op.batch_alter_table("mutes") as batch_op:
        batch_op.create_index(batch_op.f("ix_mutes_user_id"), ["user_id"], unique=False)
    op.execute(
        "INSERT INTO mutes (game_id, user_id, seat)"
        " SELECT muted_people.game_id, muted_people.user_id, seats.number FROM muted_people"
        " JOIN seats ON seats.game_id = muted_people.game_id"
        " AND seats.user_id = muted_people.muted_id"
    )
    op.drop_table("muted_people")

"""The lesson, sums to practise, and help at a table

Revision: 0003
Follows: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Columns that need no new table, so that a large table of games is not copied.
    op.add_column(
        "games", sa.Column("help", sa.String(length=10), nullable=False, server_default="full")
    )
    op.add_column(
        "games", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("games", sa.Column("deck_name", sa.String(length=24), nullable=True))
    op.create_table(
        "guesses",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("said", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_guesses")),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_guesses_game_id_games"), ondelete="CASCADE"
        ),
    )
    op.create_table(
        "lessons_done",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "step", name=op.f("pk_lessons_done")),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_lessons_done_user_id_users"),
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "practice_sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("deck", sa.String(length=20), nullable=False),
        sa.Column("questions", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_practice_sets")),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_practice_sets_user_id_users"),
            ondelete="CASCADE",
        ),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("practice_sets") as batch_op:
        batch_op.create_index(batch_op.f("ix_practice_sets_user_id"), ["user_id"], unique=False)


def downgrade() -> None:
    for name in ("practice_sets", "lessons_done", "guesses"):
        op.drop_table(name)
    for column in ("deck_name", "hints", "help"):
        op.drop_column("games", column)

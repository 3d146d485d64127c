"""Invitations with tokens of their own

Revision: 0010
Follows: 0009
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# SQLite changes a table by building it anew, and would forget this.
KEEPS_ITS_NUMBERS = {"sqlite_autoincrement": True}


def upgrade() -> None:
    with op.batch_alter_table("games", table_kwargs=KEEPS_ITS_NUMBERS) as batch_op:
        batch_op.add_column(sa.Column("invitation", sa.String(length=43), nullable=True))
        batch_op.add_column(
            sa.Column("key_invites", sa.Boolean(), nullable=False, server_default=sa.true())
        )
        batch_op.create_unique_constraint(batch_op.f("uq_games_invitation"), ["invitation"])

    games = sa.table(
        "games",
        sa.column("id", sa.Integer()),
        sa.column("status", sa.String()),
        sa.column("invitation", sa.String()),
        sa.column("key_invites", sa.Boolean()),
    )
    connection = op.get_bind()
    waiting = sa.select(games.c.id).where(games.c.status == "waiting")
    for (game_id,) in connection.execute(waiting).all():
        op.execute(
            games.update().where(games.c.id == game_id).values(invitation=secrets.token_urlsafe(16))
        )
    # Links that were given away before stay good, but not for somebody who was removed.
    removals = sa.table("removals", sa.column("game_id", sa.Integer()))
    op.execute(
        games.update()
        .where(games.c.id.in_(sa.select(removals.c.game_id)))
        .values(key_invites=sa.false())
    )


def downgrade() -> None:
    with op.batch_alter_table("games", table_kwargs=KEEPS_ITS_NUMBERS) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_games_invitation"), type_="unique")
        batch_op.drop_column("key_invites")
        batch_op.drop_column("invitation")

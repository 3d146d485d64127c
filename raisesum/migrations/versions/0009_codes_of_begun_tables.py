"""Codes by which a table could be found before its match began

Revision: 0009
Follows: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("begun_code", sa.String(6), nullable=True))
    op.create_index("ix_games_begun_code", "games", ["begun_code"])


def downgrade() -> None:
    op.drop_index("ix_games_begun_code", "games")
    op.drop_column("games", "begun_code")

"""Accounts that whoever runs the server has closed

Revision: 0004
Follows: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("disabled_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "disabled_at")

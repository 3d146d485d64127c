"""Sums that are asked again

Revision: 0008
Follows: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("practice_sets", sa.Column("repeats", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("practice_sets", "repeats")

"""Why bots did what they did

Revision: 0005
Follows: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("actions", sa.Column("reason", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("actions", "reason")

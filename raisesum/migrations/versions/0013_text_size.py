"""How large a person likes the text

Revision: 0013
Follows: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "users",
        sa.Column("text_size", sa.String(length=10), nullable=False, server_default="normal"),
    )


def downgrade() -> None:
    op.drop_column("users", "text_size")

"""Bot accounts that the operator has blocked."""

import sqlalchemy as sa
from alembic import op

revision = "14"
down_revision = "13"


def upgrade() -> None:
    op.add_column("bots", sa.Column("blocked", sa.Boolean, nullable=False, server_default=sa.false()))

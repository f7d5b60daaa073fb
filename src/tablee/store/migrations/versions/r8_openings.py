"""Statistics of openings."""

import sqlalchemy as sa
from alembic import op

revision = "8"
down_revision = "7"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "openings",
        sa.Column("game", STRING, primary_key=True),
        sa.Column("position", STRING, primary_key=True),
        sa.Column("move", STRING, primary_key=True),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )

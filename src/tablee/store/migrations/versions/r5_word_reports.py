"""Words that players report, for the operator to decide."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "word_reports",
        sa.Column("game", STRING, primary_key=True),
        sa.Column("list", STRING, primary_key=True),
        sa.Column("word", STRING, primary_key=True),
        sa.Column("wanted", sa.Boolean, primary_key=True, autoincrement=False),
        sa.Column("ref", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("reports", sa.Integer, nullable=False),
        sa.Column("status", STRING, nullable=False),
        sqlite_with_rowid=False,
    )

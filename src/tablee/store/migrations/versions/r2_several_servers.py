"""What several servers share: files, and the servers that are alive. The index of starts needs no hint any more."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    where = sa.text("kind = 'started'")
    op.drop_index("starts", "events")
    op.create_index("starts", "events", ["code", "kind", "n"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "files",
        sa.Column("name", STRING, primary_key=True),
        sa.Column("hash", STRING, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "servers",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("note", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "checks",
        sa.Column("name", STRING, primary_key=True),
        sa.Column("value", STRING, nullable=False),
        sqlite_with_rowid=False,
    )

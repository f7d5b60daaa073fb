"""Searches for opponents, and how often a person left lately."""

import sqlalchemy as sa
from alembic import op

revision = "11"
down_revision = "10"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "searches",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("ticket", STRING, nullable=False),
        sa.Column("server", STRING, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("game", STRING, nullable=False),
        sa.Column("pace", STRING, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("ready", sa.Double, nullable=False),
        sa.Column("avoid", STRING, nullable=False),
        sa.Column("status", STRING, nullable=False),
        sa.Column("again", STRING, nullable=False),
        sa.Column("pairing", STRING, nullable=False),
        sa.Column("salt", STRING, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pairings",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("code", STRING, nullable=False),
        sa.Column("secret", STRING, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("bots", STRING, nullable=False),
        sa.Column("deadline", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "conduct",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("strikes", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )

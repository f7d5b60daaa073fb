"""Attempts at puzzles, the ratings that follow from them, and the days of the daily puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", STRING, primary_key=True),
        sa.Column("puzzle", STRING, primary_key=True),
        sa.Column("person", STRING, primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("puzzle_ratings_by_person", "puzzle_ratings", ["person"])
    op.create_table(
        "puzzle_attempts",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("game", STRING, primary_key=True),
        sa.Column("puzzle", STRING, primary_key=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("status", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("before", sa.Double),
        sa.Column("after", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_days",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("game", STRING, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("puzzle", STRING, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )

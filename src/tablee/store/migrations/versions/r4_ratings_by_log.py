"""Ratings follow from the logs alone: each match keeps the rating of its players, so that a late one fits in.

Every match is rated again after this step, when a server starts.
"""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("matches", sa.Column("pending", sa.Boolean, nullable=False, server_default=sa.false()))
    for name in ("rated", "pending"):
        index(f"{name}_matches", "matches", name, "game", "ended", "id")
    for name, type in (("deviation", sa.Double), ("volatility", sa.Double), ("played", sa.Integer)):
        op.add_column("players", sa.Column(name, type))
    index("players_by_level", "players", "person IS NULL", "game", "level", "ended", "match")
    op.create_table(
        "rating_progress",
        sa.Column("game", STRING, primary_key=True),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("match", STRING, nullable=False),
        sa.Column("top_ended", sa.Double, nullable=False),
        sa.Column("top_match", STRING, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("DELETE FROM ratings")


def index(name: str, table: str, where: str, *columns: str) -> None:
    op.create_index(name, table, list(columns), sqlite_where=sa.text(where), postgresql_where=sa.text(where))

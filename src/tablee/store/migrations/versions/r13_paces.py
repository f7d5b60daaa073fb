"""Games over days: whose turn it is and when a clock runs out, vacations, and when no server was up."""

import sqlalchemy as sa
from alembic import op

revision = "13"
down_revision = "12"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("tables", sa.Column("days", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.Double))
    has_due = sa.text("due IS NOT NULL")
    op.create_index("tables_by_due", "tables", ["due"], sqlite_where=has_due, postgresql_where=has_due)
    op.add_column("sitting", sa.Column("asked", sa.Double))
    op.create_table(
        "outages",
        sa.Column("began", sa.Double, primary_key=True),
        sa.Column("ended", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "uptime",
        sa.Column("name", STRING, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vacations",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("year", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("used", sa.Double, nullable=False),
        sa.Column("began", sa.Double),
        sqlite_with_rowid=False,
    )
    is_away = sa.text("began IS NOT NULL")
    op.create_index("people_away", "vacations", ["began"], sqlite_where=is_away, postgresql_where=is_away)

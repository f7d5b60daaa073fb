"""Bot accounts, the tokens of programs, and the challenges of bots."""

import sqlalchemy as sa
from alembic import op

revision = "12"
down_revision = "11"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("owner", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("games", STRING, nullable=False, server_default="[]"),
        sa.Column("seen", sa.Double, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )
    op.create_index("bots_by_owner", "bots", ["owner"])
    op.create_table(
        "tokens",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("hash", STRING, nullable=False, unique=True),
        sa.Column("owner", STRING, nullable=False),
        sa.Column("bot", STRING),
        sa.Column("name", STRING, nullable=False),
        sa.Column("scope", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("tokens_by_owner", "tokens", ["owner"])
    op.create_table(
        "challenges",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("code", STRING, nullable=False),
        sa.Column("bot", STRING, nullable=False),
        sa.Column("person", STRING, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("status", STRING, nullable=False),
        sa.Column("why", STRING, nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_index("challenges_by_bot", "challenges", ["bot"])

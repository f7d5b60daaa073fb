"""Passkeys, and the challenges that were answered."""

import sqlalchemy as sa
from alembic import op

revision = "9"
down_revision = "8"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("person", STRING, nullable=False),
        sa.Column("host", STRING, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", STRING, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_table(
        "spent_challenges",
        sa.Column("hash", STRING, primary_key=True),
        sa.Column("expires", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("spent_challenges_by_expiry", "spent_challenges", ["expires"])

"""Devices that get push messages, e-mail addresses, and the turns that people were told about."""

import sqlalchemy as sa
from alembic import op

revision = "10"
down_revision = "9"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "push_devices",
        sa.Column("endpoint", STRING, primary_key=True),
        sa.Column("person", STRING, nullable=False),
        sa.Column("p256dh", STRING, nullable=False),
        sa.Column("auth", STRING, nullable=False),
        sa.Column("lang", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("push_devices_by_person", "push_devices", ["person"])
    op.create_table(
        "emails",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("address", STRING, nullable=False),
        sa.Column("lang", STRING, nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("mailed", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "turn_notices",
        sa.Column("person", STRING, primary_key=True),
        sa.Column("code", STRING, primary_key=True),
        sa.Column("turn", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
        sa.Column("mailed", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )

"""Reviews of finished matches and of uploaded files."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", STRING, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("upload", sa.Boolean, nullable=False),
        sa.Column("status", STRING, nullable=False),
        sa.Column("owner", STRING, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("result", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "reviews_of_uploads", "reviews", ["at"], sqlite_where=sa.text("upload"), postgresql_where=sa.text("upload")
    )

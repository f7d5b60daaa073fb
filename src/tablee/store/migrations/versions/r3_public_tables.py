"""The index of tables names the host and the options, so that a server can list tables that it does not hold."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("tables", sa.Column("host", STRING, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("options", STRING, nullable=False, server_default="{}"))
    where = sa.text("public")
    op.create_index("public_tables", "tables", ["updated"], sqlite_where=where, postgresql_where=where)

"""The tables of SQLite files of schema 3, the last one before Alembic."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None

STRING = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    create(
        "events",
        key("code"),
        key("n", sa.Integer),
        required("at", sa.Double),
        required("body", STRING),
        required("kind", STRING, server_default=""),
    )
    partial_index("starts", "events", "kind = 'started'", "code", "n")
    partial_index("reports_by_date", "events", "kind = 'reported'", "at")
    create(
        "tables",
        key("code"),
        required("game", STRING),
        required("public", sa.Boolean),
        required("status", STRING),
        required("updated", sa.Double),
        required("match", sa.Integer, server_default="0"),
        required("seats", STRING, server_default="[]"),
    )
    op.create_index("tables_by_status", "tables", ["status", "updated"])
    create("people", key("id"), required("name", STRING), required("avatar", sa.Integer))
    create("sitting", key("person"), key("code"))
    op.create_index("sitting_by_table", "sitting", ["code"])
    create_archive()
    create("recovery", key("person"), required("hash", STRING, unique=True))


def create_archive() -> None:
    create(
        "matches",
        key("id"),
        required("game", STRING),
        required("public", sa.Boolean),
        required("started", sa.Double),
        required("ended", sa.Double),
        required("plies", sa.Integer),
        required("reason", STRING),
        required("rated", sa.Boolean),
        required("computers", sa.Integer),
        required("options", STRING),
    )
    partial_index("public_matches", "matches", "public", "ended", "id")
    partial_index("public_matches_of_game", "matches", "public", "game", "ended", "id")
    create(
        "players",
        key("match"),
        key("seat", sa.Integer),
        required("game", STRING),
        required("ended", sa.Double),
        sa.Column("person", STRING),
        sa.Column("level", STRING),
        required("name", STRING),
        required("avatar", sa.Integer),
        required("gone", sa.Boolean),
        required("place", sa.Integer),
        required("score", sa.Integer),
        required("result", STRING),
        required("low_wins", sa.Boolean),
        sa.Column("fast", sa.Integer),
        sa.Column("before", sa.Double),
        sa.Column("after", sa.Double),
        sa.Column("upset", sa.Double),
    )
    partial_index("players_by_person", "players", "person IS NOT NULL", "person", "ended", "match")
    figures = ["person", "game", "ended", "match", "result", "place", "score", "low_wins", "fast", "after", "upset"]
    partial_index("figures", "players", "person IS NOT NULL", *figures)
    create(
        "ratings",
        key("game"),
        key("person"),
        key("level"),
        required("value", sa.Double),
        required("deviation", sa.Double),
        required("volatility", sa.Double),
        required("matches", sa.Integer),
    )
    op.create_index("ratings_by_value", "ratings", ["game", "value"])
    op.create_index("ratings_by_person", "ratings", ["person"])


def create(name: str, *columns: Any) -> None:
    op.create_table(name, *columns, sqlite_with_rowid=False)


def key(name: str, type: Any = STRING) -> sa.Column[Any]:
    return sa.Column(name, type, primary_key=True, autoincrement=False)


def required(name: str, type: Any, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, type, nullable=False, **options)


def partial_index(name: str, table: str, where: str, *columns: str) -> None:
    op.create_index(name, table, list(columns), sqlite_where=sa.text(where), postgresql_where=sa.text(where))

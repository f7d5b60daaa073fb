"""The steps from SQLite files of schema 1 and 2 to schema 3, where Alembic begins."""

from __future__ import annotations

from sqlalchemy import Connection

LAST = 3
"""The last version of the schema in `PRAGMA user_version`; Alembic's `alembic_version` counts on."""
MARK = 4
"""The version that we write there ourselves: an older Tablée refuses such a file."""
STEPS = (
    """
    ALTER TABLE tables ADD COLUMN match INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN seats TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE sitting (
        person TEXT NOT NULL,
        code TEXT NOT NULL,
        PRIMARY KEY (person, code)
    ) WITHOUT ROWID;
    CREATE INDEX sitting_by_table ON sitting (code);
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        public INTEGER NOT NULL,
        started REAL NOT NULL,
        ended REAL NOT NULL,
        plies INTEGER NOT NULL,
        reason TEXT NOT NULL,
        rated INTEGER NOT NULL,
        computers INTEGER NOT NULL,
        options TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX public_matches ON matches (ended, id) WHERE public;
    CREATE INDEX public_matches_of_game ON matches (game, ended, id) WHERE public;
    CREATE TABLE players (
        match TEXT NOT NULL,
        seat INTEGER NOT NULL,
        game TEXT NOT NULL,
        ended REAL NOT NULL,
        person TEXT,
        level TEXT,
        name TEXT NOT NULL,
        avatar INTEGER NOT NULL,
        gone INTEGER NOT NULL,
        place INTEGER NOT NULL,
        score INTEGER NOT NULL,
        result TEXT NOT NULL,
        low_wins INTEGER NOT NULL,
        fast INTEGER,
        before REAL,
        after REAL,
        upset REAL,
        PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    CREATE INDEX players_by_person ON players (person, ended, match) WHERE person IS NOT NULL;
    CREATE INDEX figures ON players (
        person, game, ended, match, result, place, score, low_wins, fast, after, upset
    ) WHERE person IS NOT NULL;
    CREATE TABLE ratings (
        game TEXT NOT NULL,
        person TEXT NOT NULL,
        level TEXT NOT NULL,
        value REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        matches INTEGER NOT NULL,
        PRIMARY KEY (game, person, level)
    ) WITHOUT ROWID;
    CREATE INDEX ratings_by_value ON ratings (game, value);
    CREATE INDEX ratings_by_person ON ratings (person);
    CREATE TABLE recovery (
        person TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE
    ) WITHOUT ROWID;
    CREATE TABLE reports (
        code TEXT NOT NULL,
        n INTEGER NOT NULL,
        person TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (code, n, person)
    ) WITHOUT ROWID;
    CREATE INDEX reports_by_time ON reports (at);
    """,
    # The kind of an event has a column. Reports need no table of their own: the log has them.
    """
    ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
    UPDATE events SET kind = coalesce(json_extract(body, '$.type'), '');
    CREATE INDEX starts ON events (code, n) WHERE kind = 'started';
    CREATE INDEX reports_by_date ON events (at) WHERE kind = 'reported';
    DROP TABLE reports;
    """,
)


def lead_to_baseline(connection: Connection, version: int) -> None:
    """Bring a file of an older schema to schema 3, inside the caller's transaction."""
    for step in STEPS[version - 1 :]:
        for statement in step.split(";"):
            if statement.strip():
                connection.exec_driver_sql(statement)


def version_of(connection: Connection) -> int:
    """Return the version that SQLite keeps in the file; 0 for a new one."""
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())

"""The tables of the database, and the steps that bring an older file up to date.

`MIGRATIONS[v]` leads from version v to v + 1. A new file takes every step, so there is one way to each version.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

MIGRATIONS = (
    """
    CREATE TABLE events (
        code TEXT NOT NULL,
        n INTEGER NOT NULL,
        at REAL NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (code, n)
    ) WITHOUT ROWID;
    CREATE TABLE tables (
        code TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        public INTEGER NOT NULL,
        status TEXT NOT NULL,
        updated REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_status ON tables (status, updated);
    CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        avatar INTEGER NOT NULL
    ) WITHOUT ROWID;
    """,
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
VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, path: Path) -> int:
    """Bring a database up to date, each step in one transaction; return the version before."""
    found = _version(connection)
    if found > VERSION:
        raise RuntimeError(f"{path} was written by a newer Tablée (schema {found}, here {VERSION})")
    for step in range(found, VERSION):
        try:
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) == step:  # another server may have been faster
                for statement in MIGRATIONS[step].split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={step + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise
    return found


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)

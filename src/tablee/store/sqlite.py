"""SQLite: a file with one write lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, QueuePool, create_engine

from .backend import Backend, EventRow
from .errors import StoreDown

BUSY_SECONDS = 30
LONGEST_LOG = 16_000
"""Pages in the write-ahead log after which the writer itself copies them into the database file.

`tidy` does so earlier, and no move waits for it. But under a steady load the log can begin anew only after the writer
copied the last pages.
"""
# `executemany` would release the interpreter's lock at every row, and fight the event loop for it.
INSERT_EVENTS = """
INSERT INTO events (code, n, at, kind, body)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(?)
"""
READ_EVENTS = """
SELECT events.code, events.body
FROM json_each(?) AS e CROSS JOIN events ON events.code = json_extract(e.value, '$[0]')
    AND events.n >= json_extract(e.value, '$[1]') AND events.n < json_extract(e.value, '$[2]')
ORDER BY events.code, events.n
"""
"""`CROSS JOIN` keeps the planner from reading the whole log: it looks each table up in the key."""
WRITER_CACHE = 32_000
"""Kilobytes of pages that the writer may keep in memory: the last page of each live table's log must fit."""
BROKEN = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
}
"""Errors of the file, not of one statement."""
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteBackend(Backend):
    begin = "BEGIN IMMEDIATE"
    read_events = READ_EVENTS
    failure = sqlite3.Error
    duplicate = sqlite3.IntegrityError
    one_writer = True
    # The last connection that closes removes the index of the write-ahead log. On a full disk nobody could create it
    # again, and so nobody could read.
    connection_survives = True

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path.absolute()
        self._file: tuple[int, int] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreDown(f"cannot create the folder {path.parent}: {error.strerror}") from error
        self.engine = create_engine(
            "sqlite://", creator=self._connect, poolclass=QueuePool, max_overflow=-1, isolation_level="AUTOCOMMIT"
        )

    def insert_events(self, connection: Connection, events: Sequence[EventRow]) -> None:
        driver: Any = connection.connection.dbapi_connection
        driver.execute(INSERT_EVENTS, (msgspec.json.encode(events).decode(),))

    def prepare_writer(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA cache_size=-{WRITER_CACHE}")

    def lock_schema(self, connection: Connection) -> None:
        """Do nothing: `BEGIN IMMEDIATE` has locked the whole file."""

    def look(self) -> None:
        """Raise `StoreDown` if the file was deleted or replaced: SQLite would go on with the file that is gone."""
        if self._file is not None and _identity(self._path) != self._file:
            raise StoreDown(f"{self.name} was deleted or replaced while it was open")

    def tidy(self) -> None:
        """Copy the pages of the write-ahead log into the database file, beside the writer."""
        with self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def problem_of(self, error: Exception) -> str:
        """Name the file if it is damaged: the operator must restore it."""
        code = getattr(error, "sqlite_errorcode", None) or 0
        problem = super().problem_of(error)
        return self.named(problem) if code & 0xFF in DAMAGED else problem

    def is_broken(self, error: Exception) -> bool:
        code = getattr(error, "sqlite_errorcode", None)
        return code is not None and code & 0xFF in BROKEN

    def _connect(self) -> sqlite3.Connection:
        mode = "rwc" if self._file is None else "rw"  # never create a second file after the first one was deleted
        connection = sqlite3.connect(
            f"file:{quote(str(self._path))}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_SECONDS,
        )
        try:
            _use_wal(connection)
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint={LONGEST_LOG}")
        except BaseException:
            connection.close()
            raise
        if self._file is None:
            self._file = _identity(self._path)
        return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead log on; wait for other processes that do so, because SQLite itself does not wait here."""
    deadline = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
        sleep(0.01)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

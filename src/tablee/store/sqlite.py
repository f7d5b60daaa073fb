"""The event log in SQLite: one writer thread, group commit, nothing answered before it is on disk.

All appends that wait when the writer is free go into one statement, and one fsync serves them all. A batch is handed
over as a single JSON argument: executing one statement gives the interpreter's lock up once, where `executemany` would
fight the event loop for it at every row.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
from msgspec import Raw, Struct

MOST_IN_A_BATCH = 1000

SCHEMA = """
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
"""
SCHEMA_VERSION = 1

INSERT_EVENTS = """
INSERT INTO events (code, n, at, body)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
       json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(?)
"""
UPSERT_TABLE = """
INSERT INTO tables (code, game, public, status, updated) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (code) DO UPDATE SET public = excluded.public, status = excluded.status, updated = excluded.updated
"""
UPSERT_PERSON = """
INSERT INTO people (id, name, avatar) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar
"""


class Conflict(Exception):
    """Somebody else appended first: read the log and decide again."""


class StoreClosed(Exception):
    """The store takes nothing more: the server is stopping, or the disk failed."""


class TableRow(Struct, frozen=True):
    """What is asked of a table without reading its log."""

    code: str
    game: str
    public: bool
    status: str
    updated: float


class PersonRow(Struct, frozen=True):
    id: str
    name: str
    avatar: int


class _Job(Struct, frozen=True):
    """One promise: all of it is written, or none."""

    done: asyncio.Future[None]
    events: tuple[tuple[str, int, float, Raw], ...] = ()
    tables: tuple[TableRow, ...] = ()
    person: PersonRow | None = None


class SqliteStore:
    """The log, the index of tables and the people who chose a name."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._reader = self._connect()
        self._reading = threading.Lock()
        self._migrate()
        self._thread = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._thread.start()

    async def append(self, code: str, n: int, events: list[bytes], *, at: float, table: TableRow | None = None) -> None:
        """Write events n, n+1, … of a table; returns when they are on disk, raises `Conflict` where one is there."""
        rows = tuple((code, n + i, at, Raw(event)) for i, event in enumerate(events))
        await self._submit(events=rows, tables=() if table is None else (table,))

    async def save_tables(self, tables: list[TableRow]) -> None:
        await self._submit(tables=tuple(tables))

    async def save_person(self, person: PersonRow) -> None:
        await self._submit(person=person)

    async def read(self, code: str) -> list[str]:
        """Return the events of a table in order; empty where there is no such table."""
        rows = await self._query("SELECT body FROM events WHERE code = ? ORDER BY n", (code,))
        return [body for (body,) in rows]

    async def person(self, id: str) -> PersonRow | None:
        rows = await self._query("SELECT id, name, avatar FROM people WHERE id = ?", (id,))
        return PersonRow(*rows[0]) if rows else None

    async def tables(self, *, since: float, most: int = 1000) -> list[TableRow]:
        """Return the tables that are not over and were touched since, newest first."""
        rows = await self._query(
            "SELECT code, game, public, status, updated FROM tables "
            "WHERE status IN ('waiting', 'playing') AND updated >= ? ORDER BY updated DESC LIMIT ?",
            (since, most),
        )
        return [TableRow(code, game, bool(public), status, updated) for code, game, public, status, updated in rows]

    async def close(self) -> None:
        """Write what was promised, then stop."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        with self._reading:
            self._reader.close()

    async def _submit(self, **promise: Any) -> None:
        if self._closed:
            raise StoreClosed
        job = _Job(self._loop.create_future(), **promise)
        self._jobs.put(job)
        await job.done

    async def _query(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        return await asyncio.to_thread(self._query_now, sql, values)

    def _query_now(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def _migrate(self) -> None:
        (version,) = self._reader.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise RuntimeError(f"{self._path} was written by a newer Tablée (schema {version}, here {SCHEMA_VERSION})")
        if version < SCHEMA_VERSION:
            self._reader.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT;")

    def _write_forever(self) -> None:
        connection = self._connect()
        while (job := self._jobs.get()) is not None:
            batch = [job]
            stopping = False
            while len(batch) < MOST_IN_A_BATCH:
                try:
                    more = self._jobs.get_nowait()
                except Empty:
                    break
                if more is None:
                    stopping = True
                    break
                batch.append(more)
            results = self._write(connection, batch)
            self._loop.call_soon_threadsafe(_settle, batch, results)
            if stopping:
                break
        connection.close()

    def _write(self, connection: sqlite3.Connection, batch: list[_Job]) -> list[Exception | None]:
        """Write a batch in one transaction; where one promise spoils it, write them one by one."""
        try:
            _commit(connection, batch)
            return [None] * len(batch)
        except Exception as error:
            if connection.in_transaction:
                with suppress(sqlite3.Error):
                    connection.rollback()
            if len(batch) == 1:
                return [Conflict() if isinstance(error, sqlite3.IntegrityError) else error]
            return [result for job in batch for result in self._write(connection, [job])]


def _commit(connection: sqlite3.Connection, batch: list[_Job]) -> None:
    events = [event for job in batch for event in job.events]
    tables = [msgspec.structs.astuple(table) for job in batch for table in job.tables]
    people = [msgspec.structs.astuple(job.person) for job in batch if job.person is not None]
    more = bool(tables or people)
    if more:
        connection.execute("BEGIN IMMEDIATE")
    if events:
        connection.execute(INSERT_EVENTS, (msgspec.json.encode(events).decode(),))
    if more:
        connection.executemany(UPSERT_TABLE, tables)
        connection.executemany(UPSERT_PERSON, people)
        connection.execute("COMMIT")


def _settle(batch: list[_Job], results: list[Exception | None]) -> None:
    for job, error in zip(batch, results, strict=True):
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)

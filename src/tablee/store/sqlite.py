"""The event log in SQLite: one writer thread, group commit, nothing answered before it is on disk.

All appends that wait when the writer is free go into one statement, and one fsync serves them all. A batch is handed
over as a single JSON argument: executing one statement gives the interpreter's lock up once, where `executemany` would
fight the event loop for it at every row.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from ..table import Occupant, PersonId, Table
from .schema import migrate

MOST_IN_A_BATCH = 1000

INSERT_EVENTS = """
INSERT INTO events (code, n, at, body)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
       json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(?)
"""
UPSERT_TABLE = """
INSERT INTO tables (code, game, public, status, updated, match, seats) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (code) DO UPDATE SET public = excluded.public, status = excluded.status, updated = excluded.updated,
    match = excluded.match, seats = excluded.seats
"""
UPSERT_PERSON = """
INSERT INTO people (id, name, avatar) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar
"""
T = TypeVar("T")


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
    match: int = 0
    """How many matches have begun."""
    seats: tuple[Occupant | None, ...] = ()

    @classmethod
    def of(cls, table: Table, updated: float) -> TableRow:
        key = table.game.info.key
        status = "over" if table.closed else "waiting" if table.has_room else table.status
        between = status != "playing"  # those who left a match are nowhere after it
        seats = tuple(None if who is not None and who.left and between else who for who in table.seats)
        return cls(table.code, key, table.public, status, updated, table.matches, seats)

    def sitting(self) -> Iterator[PersonId]:
        """Who would look for this table among their own: who sits there, and for whom a seat is held."""
        for who in self.seats:
            if who is not None and who.person is not None and (not who.left or who.level is not None):
                yield who.person


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
    work: Callable[[sqlite3.Connection], None] | None = None
    """Whatever else must be done in one piece."""


class SqliteStore:
    """The log, and what is kept beside it: the index of tables, people, finished matches, ratings.

    This class knows how things get to the disk and back. What is said to SQLite about matches and about a person's
    data is in matches.py and privacy.py, as functions of a connection for `do` and `ask`.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._reader = self._connect()
        self._reading = threading.Lock()
        self.migrated_from = migrate(self._reader, path)
        """The version of the schema that was found; 0: there was nothing."""
        self._thread = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._thread.start()

    async def append(
        self,
        code: str,
        n: int,
        events: list[bytes],
        *,
        at: float,
        table: TableRow | None = None,
        work: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        """Write events n, n+1, … of a table; returns when they are on disk, raises `Conflict` where one is there.

        What else is to be done is done with them, or none of it is.
        """
        rows = tuple((code, n + i, at, Raw(event)) for i, event in enumerate(events))
        await self._submit(events=rows, tables=() if table is None else (table,), work=work)

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

    async def people(self, ids: Iterable[str]) -> dict[str, PersonRow]:
        """Return those of some people who chose a name or a face."""
        wanted = msgspec.json.encode(list(ids)).decode()
        rows = await self._query(
            "SELECT id, name, avatar FROM people WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
        )
        return {id: PersonRow(id, name, avatar) for id, name, avatar in rows}

    async def tables(self, *, since: float, most: int = 1000) -> list[TableRow]:
        """Return the tables that are not over and were touched since, newest first."""
        rows = await self._query(
            f"SELECT {TABLE_COLUMNS} FROM tables "  # noqa: S608
            "WHERE status IN ('waiting', 'playing') AND updated >= ? ORDER BY updated DESC LIMIT ?",
            (since, most),
        )
        return [_table_row(row) for row in rows]

    async def tables_of(self, person: PersonId, *, waiting_since: float, most: int = 100) -> list[TableRow]:
        """Return the tables where somebody sits: those with a match on, then those that wait, newest first."""
        rows = await self._query(
            f"SELECT {TABLE_COLUMNS} FROM sitting JOIN tables USING (code) "  # noqa: S608
            "WHERE person = ? AND (status = 'playing' OR status = 'waiting' AND updated >= ?) "
            "ORDER BY status, updated DESC LIMIT ?",
            (person, waiting_since, most),
        )
        return [_table_row(row) for row in rows]

    def do(self, work: Callable[[sqlite3.Connection], None]) -> asyncio.Future[None]:
        """Let the writer do something in one piece; in its turn from this moment on, also for who does not wait."""
        return self._promise(work=work)

    async def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Let something be read, in a thread."""

        def answer() -> T:
            with self._reading:
                return question(self._reader)

        return await asyncio.to_thread(answer)

    async def ask_apart(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Let something be read that takes long: no other question waits for it."""
        return await asyncio.to_thread(self.look_apart, question)

    def look_apart(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Read something on a connection of its own, in a thread that is made for it."""
        with closing(self._connect()) as connection:
            return question(connection)

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
        await self._promise(**promise)

    def _promise(self, **promise: Any) -> asyncio.Future[None]:
        if self._closed:
            raise StoreClosed
        job = _Job(self._loop.create_future(), **promise)
        self._jobs.put(job)
        return job.done

    async def _query(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        return await self.ask(lambda connection: connection.execute(sql, values).fetchall())

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

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
    tables = {table.code: table for job in batch for table in job.tables}
    people = [msgspec.structs.astuple(job.person) for job in batch if job.person is not None]
    work = [job.work for job in batch if job.work is not None]
    more = bool(tables or people or work)
    if more:
        connection.execute("BEGIN IMMEDIATE")
    if events:
        connection.execute(INSERT_EVENTS, (msgspec.json.encode(events).decode(),))
    if more:
        _save_tables(connection, tables.values())
        connection.executemany(UPSERT_PERSON, people)
        for piece in work:
            piece(connection)
        connection.execute("COMMIT")


def _save_tables(connection: sqlite3.Connection, tables: Iterable[TableRow]) -> None:
    rows = [(*msgspec.structs.astuple(table)[:-1], msgspec.json.encode(table.seats).decode()) for table in tables]
    connection.executemany(UPSERT_TABLE, rows)
    connection.executemany("DELETE FROM sitting WHERE code = ?", [(table.code,) for table in tables])
    sitting = [(person, table.code) for table in tables for person in table.sitting()]
    connection.executemany("INSERT OR IGNORE INTO sitting (person, code) VALUES (?, ?)", sitting)


TABLE_COLUMNS = "code, game, public, status, updated, match, seats"
_read_seats = msgspec.json.Decoder(tuple[Occupant | None, ...]).decode


def _table_row(row: tuple[Any, ...]) -> TableRow:
    code, game, public, status, updated, match, seats = row
    return TableRow(code, game, bool(public), status, updated, match, _read_seats(seats))


def _settle(batch: list[_Job], results: list[Exception | None]) -> None:
    for job, error in zip(batch, results, strict=True):
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)

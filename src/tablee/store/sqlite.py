"""The event log in SQLite, the index of tables, and people. Its parts keep everything else."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from ..table import Event, Occupant, PersonId
from ..table.events import encode
from .database import Database, EventRow, StoreDown, json_list
from .matches import Matches
from .privacy import Privacy
from .reports import Reports
from .rows import PersonRow, TableRow
from .statistics import Statistics

TABLE_COLUMNS = "code, game, public, status, updated, match, seats"
UPSERT_TABLE = """
INSERT INTO tables (code, game, public, status, updated, match, seats) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (code) DO UPDATE SET public = excluded.public, status = excluded.status, updated = excluded.updated,
    match = excluded.match, seats = excluded.seats
"""
UPSERT_PERSON = """
INSERT INTO people (id, name, avatar) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar
"""


class SqliteStore:
    """Everything that the server keeps. The log is the truth; the other tables can be rebuilt from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = Database(path)
        self.matches = Matches(self.database)
        self.statistics = Statistics(self.database)
        self.privacy = Privacy(self.database)
        self.reports = Reports(self.database)

    # The log.

    async def append(
        self, code: str, n: int, events: Sequence[Event], *, at: float, table: TableRow | None = None
    ) -> None:
        """Write events n, n+1, … of a table, and its row; return after the commit.

        Raise `Conflict`, and write nothing, if the log already has one of them.
        """
        rows = tuple(EventRow(code, n + i, at, kind_of(event), Raw(encode(event))) for i, event in enumerate(events))
        work = None if table is None else lambda connection: _save_tables(connection, [table])
        await self.database.write(work, events=rows)

    async def read(self, code: str) -> list[str]:
        """Return the events of a table in order; empty if there is no such table."""
        return [body for _, body in await self.read_timed(code)]

    async def read_timed(self, code: str) -> list[tuple[float, str]]:
        """Return the events of a table in order, each with its time."""
        return await self.database.query("SELECT at, body FROM events WHERE code = ? ORDER BY n", (code,))

    def stream(self, code: str) -> Iterator[str]:
        """Yield the events of a table in order, for a long log; call it in a worker thread."""
        for (body,) in self.database.stream("SELECT body FROM events WHERE code = ? ORDER BY n", (code,)):
            yield body

    async def codes(self) -> list[str]:
        """Return the codes of all tables that have a log."""
        return [code for (code,) in await self.database.query("SELECT DISTINCT code FROM events")]

    # The index of tables.

    async def save_tables(self, tables: Sequence[TableRow]) -> None:
        await self.database.write(lambda connection: _save_tables(connection, tables))

    async def tables(self, *, since: float, most: int = 1000) -> list[TableRow]:
        """Return the tables that are not over and were updated since then, newest first."""
        rows = await self.database.query(
            f"SELECT {TABLE_COLUMNS} FROM tables "  # noqa: S608
            "WHERE status IN ('waiting', 'playing') AND updated >= ? ORDER BY updated DESC LIMIT ?",
            (since, most),
        )
        return [_table_row(row) for row in rows]

    async def tables_of(self, person: PersonId, *, waiting_since: float, most: int = 100) -> list[TableRow]:
        """Return the tables where a person sits: first those with a running match, then the waiting ones."""
        rows = await self.database.query(
            f"SELECT {TABLE_COLUMNS} FROM sitting JOIN tables USING (code) "  # noqa: S608
            "WHERE person = ? AND (status = 'playing' OR status = 'waiting' AND updated >= ?) "
            "ORDER BY status, updated DESC LIMIT ?",
            (person, waiting_since, most),
        )
        return [_table_row(row) for row in rows]

    # People.

    async def save_person(self, person: PersonRow) -> None:
        values = msgspec.structs.astuple(person)
        await self.database.write(lambda connection: _execute(connection, UPSERT_PERSON, values))

    async def person(self, id: str) -> PersonRow | None:
        rows = await self.database.query("SELECT id, name, avatar FROM people WHERE id = ?", (id,))
        return PersonRow(*rows[0]) if rows else None

    async def people(self, ids: Iterable[str]) -> dict[str, PersonRow]:
        """Return the rows of these people; leave out those without a saved name or avatar."""
        rows = await self.database.query(
            "SELECT id, name, avatar FROM people WHERE id IN (SELECT value FROM json_each(?))", (json_list(ids),)
        )
        return {id: PersonRow(id, name, avatar) for id, name, avatar in rows}

    # The store itself.

    async def check(self) -> None:
        """Write a little and read it again from the file; raise `StoreDown` if that fails."""
        value = secrets.randbits(31)
        await self.database.write(lambda connection: _execute(connection, f"PRAGMA application_id={value}", ()))
        found = await self.database.read_apart(
            lambda connection: connection.execute("PRAGMA application_id").fetchone()
        )
        if found != (value,):
            raise StoreDown(f"{self.path} was deleted or replaced while it was open")

    async def flush(self) -> None:
        """Return when everything that was submitted before is written."""
        await self.database.write()

    async def close(self) -> None:
        """Finish what was submitted, then stop."""
        await self.database.close()


def kind_of(event: Event) -> str:
    """Return the name of an event's type, as in its JSON."""
    return str(event.__struct_config__.tag)


def _execute(connection: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> None:
    connection.execute(sql, values)


def _save_tables(connection: sqlite3.Connection, tables: Iterable[TableRow]) -> None:
    latest = {table.code: table for table in tables}.values()
    rows = [(*msgspec.structs.astuple(table)[:-1], msgspec.json.encode(table.seats).decode()) for table in latest]
    connection.executemany(UPSERT_TABLE, rows)
    connection.executemany("DELETE FROM sitting WHERE code = ?", [(table.code,) for table in latest])
    sitting = [(person, table.code) for table in latest for person in table.sitting()]
    connection.executemany("INSERT OR IGNORE INTO sitting (person, code) VALUES (?, ?)", sitting)


_read_seats = msgspec.json.Decoder(tuple[Occupant | None, ...]).decode


def _table_row(row: tuple[Any, ...]) -> TableRow:
    code, game, public, status, updated, match, seats = row
    return TableRow(code, game, bool(public), status, updated, match, _read_seats(seats))

"""Reads a whole database as it is at one moment, and makes another one equal to it.

All tables are read in the order of their primary key, a page at a time. So an interrupted copy goes on where it
stopped, and a second run writes only what changed since the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, delete, func, insert, select, true, tuple_

from . import schema
from .backend import Backend
from .servers import LIVE_SECONDS
from .sql import Now, upsert

DATA = "data/"
"""The prefix of files that one server keeps in its data folder and several servers keep in the database."""
COPY_FILE = "copy.json"
"""Says that a database is a copy, and of what. The first server that opens it removes the file."""
TOKEN_FILE = "admin.token"  # noqa: S105
"""The admin token of servers that were given none."""
OWN_FILES = (COPY_FILE, TOKEN_FILE, "installation")
"""Files that belong to one database and are not copied: `installation` tells two houses on one bus apart."""
COPY_LOCK = 0x636F7079

Tick = Callable[[int], None]
"""Called with the number of rows that were done since the last call."""


class Part(Struct, frozen=True):
    """A table that is copied."""

    table: Table
    page: int = 2000
    only: ColumnElement[bool] = true()

    @property
    def key(self) -> list[Any]:
        return list(self.table.primary_key)

    def rows(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Return the query for its rows, by primary key."""
        return select(self.table).where(self.only, *conditions).order_by(*self.key)

    def key_of(self, row: Row[Any]) -> tuple[Any, ...]:
        return tuple(getattr(row, column.name) for column in self.key)

    def between(self, after: tuple[Any, ...] | None, last: tuple[Any, ...] | None) -> ColumnElement[bool]:
        """Return the condition that a key comes after one and not after another."""
        key = tuple_(*self.key)
        found: ColumnElement[bool] = true()
        if after is not None:
            found = and_(found, key > tuple_(*after))
        if last is not None:
            found = and_(found, key <= tuple_(*last))
        return found


FILES = schema.files.c.name
EVENTS = Part(schema.events)
PARTS = (
    EVENTS,
    Part(schema.people),
    Part(schema.recovery),
    Part(schema.passkeys),
    Part(schema.bots),
    Part(schema.tokens),
    Part(schema.tables),
    Part(schema.sitting),
    Part(schema.matches),
    Part(schema.players),
    Part(schema.openings),
    Part(schema.ratings),
    Part(schema.rating_progress),
    Part(schema.word_reports),
    Part(schema.reviews, page=100, only=schema.reviews.c.status == "done"),
    Part(schema.puzzle_ratings),
    Part(schema.puzzle_attempts),
    Part(schema.puzzle_days),
    Part(schema.push_devices),
    Part(schema.emails),
    Part(schema.turn_notices),
    Part(schema.conduct),
    Part(schema.outages),
    Part(schema.uptime),
    Part(schema.vacations),
    Part(schema.files, page=4, only=and_(FILES.not_in(OWN_FILES), ~FILES.startswith(DATA))),
)
"""Everything except heartbeats, checks, spent challenges, searches for opponents and unfinished reviews.

`server/shared_files.py` copies the files of the data folder.
"""


class Digest(Struct, frozen=True):
    """How many rows there are, and a hash of them."""

    rows: int
    hash: str


class CopyMark(Struct, frozen=True):
    """What `COPY_FILE` says."""

    source: str
    is_finished: bool = False


@contextmanager
def snapshot(backend: Backend) -> Iterator[Connection]:
    """Open a connection that sees the database as it is now, whatever others write meanwhile."""
    with backend.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        connection.execute(select(schema.events.c.code).limit(1)).all()  # the first read takes the snapshot
        try:
            yield connection
        finally:
            connection.rollback()


def count(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each table that is copied."""
    return {part.table.name: count_of(connection, part) for part in PARTS}


def count_of(connection: Connection, part: Part) -> int:
    return int(connection.execute(select(func.count()).select_from(part.table).where(part.only)).scalar_one())


def count_logs(connection: Connection) -> int:
    return int(connection.execute(select(func.count(func.distinct(schema.events.c.code)))).scalar_one())


def is_empty(connection: Connection) -> bool:
    """Return whether nobody has played or chosen a name here; files do not count, a server writes them at its start."""
    parts = [part for part in PARTS if part.table is not schema.files]
    return not any(connection.execute(part.rows().limit(1)).all() for part in parts)


def live_servers(connection: Connection) -> int:
    """Return how many servers use the database now."""
    alive = Now() - schema.servers.c.at <= LIVE_SECONDS
    return int(connection.execute(select(func.count()).select_from(schema.servers).where(alive)).scalar_one())


def take_copy_lock(connection: Connection) -> bool:
    """Return whether no other process copies into this database; the lock lasts as long as the connection."""
    if connection.dialect.name == "sqlite":
        return True  # the lock of the file is enough
    return bool(connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({COPY_LOCK})").scalar_one())


def read_mark(connection: Connection) -> CopyMark | None:
    found = connection.execute(select(schema.files.c.data).where(schema.files.c.name == COPY_FILE)).scalar()
    return None if found is None else msgspec.json.decode(found, type=CopyMark)


def write_mark(connection: Connection, mark: CopyMark) -> None:
    write_file(connection, COPY_FILE, msgspec.json.encode(mark))


def write_file(connection: Connection, name: str, data: bytes) -> None:
    """Keep a file, or replace it."""
    upsert(connection, schema.files, [{"name": name, "hash": sha256(data).hexdigest(), "data": data}])


def copy(source: Connection, target: Connection, begin: str, tick: Tick) -> int:
    """Make all tables of a target equal to those of the source; return how many rows had to change."""
    return sum(copy_part(source, target, begin, part, tick) for part in PARTS)


def copy_part(source: Connection, target: Connection, begin: str, part: Part, tick: Tick) -> int:
    after: tuple[Any, ...] | None = None
    changed = 0
    while True:
        rows = source.execute(part.rows(part.between(after, None)).limit(part.page)).all()
        last = part.key_of(rows[-1]) if len(rows) == part.page else None
        wanted = {part.key_of(row): row for row in rows}
        there = {part.key_of(row): row for row in target.execute(part.rows(part.between(after, last)))}
        stale = [key for key, row in there.items() if wanted.get(key) != row]
        new = [row for key, row in wanted.items() if there.get(key) != row]
        if stale or new:
            _replace(target, begin, part, stale, new)
        changed += len(new) + sum(key not in wanted for key in stale)
        tick(len(rows))
        if last is None:
            return changed
        after = last


def _replace(target: Connection, begin: str, part: Part, stale: list[tuple[Any, ...]], new: list[Row[Any]]) -> None:
    """Delete some rows and insert others in one transaction."""
    target.exec_driver_sql(begin)
    try:
        for key in stale:
            target.execute(delete(part.table).where(tuple_(*part.key) == tuple_(*key)))
        if new:
            target.execute(insert(part.table), [dict(row._mapping) for row in new])
        target.exec_driver_sql("COMMIT")
    except BaseException:
        target.rollback()
        raise


def differences(source: Connection, target: Connection, tick: Tick) -> list[str]:
    """Compare each log and each other table by count and hash; return one sentence for each difference."""
    found = []
    theirs = dict(log_digests(target, lambda rows: None))
    for code, digest in log_digests(source, tick):
        if theirs.pop(code, None) != digest:
            found.append(f"the log of table {code} differs")
    found += [f"the log of table {code} is only in the copy" for code in theirs]
    for part in PARTS:
        if part is not EVENTS and digest_of(source, part, tick) != digest_of(target, part, lambda rows: None):
            found.append(f"{part.table.name} differs")
    return found


def log_digests(connection: Connection, tick: Tick) -> Iterator[tuple[str, Digest]]:
    """Yield the digest of each log, by code."""
    code, length, hash = "", 0, sha256()
    for row in stream(connection, EVENTS, tick):
        if row.code != code:
            if length:
                yield code, Digest(length, hash.hexdigest())
            code, length, hash = row.code, 0, sha256()
        length += 1
        hash.update(_encode(row))
    if length:
        yield code, Digest(length, hash.hexdigest())


def digest_of(connection: Connection, part: Part, tick: Tick) -> Digest:
    length, hash = 0, sha256()
    for row in stream(connection, part, tick):
        length += 1
        hash.update(_encode(row))
    return Digest(length, hash.hexdigest())


def stream(connection: Connection, part: Part, tick: Tick) -> Iterator[Row[Any]]:
    """Yield the rows of a table by primary key."""
    after: tuple[Any, ...] | None = None
    while True:
        rows = connection.execute(part.rows(part.between(after, None)).limit(part.page)).all()
        yield from rows
        tick(len(rows))
        if len(rows) < part.page:
            return
        after = part.key_of(rows[-1])


def _encode(row: Row[Any]) -> bytes:
    return msgspec.json.encode(list(row)) + b"\n"

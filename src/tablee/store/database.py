"""A SQLite file with one writer thread and group commit: a write returns after the fsync.

All jobs that wait when the writer is free share one transaction and one fsync. The events of a batch travel as a
single JSON argument: one statement releases the interpreter's lock once, but `executemany` would fight the event loop
for it at every row.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from .schema import migrate

MOST_IN_A_BATCH = 1000

INSERT_EVENTS = """
INSERT INTO events (code, n, at, kind, body)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(?)
"""
T = TypeVar("T")


class Conflict(Exception):
    """Another writer appended first: read the log and decide again."""


class StoreClosed(Exception):
    """The store accepts nothing more: the server is stopping."""


class StoreDown(Exception):
    """The store cannot read or write now, for instance because the disk is full; `problem` says why."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class EventRow(Struct, frozen=True, array_like=True):
    code: str
    n: int
    at: float
    kind: str
    body: Raw


class _Job(Struct, frozen=True):
    """The work of one caller: all of it is written, or none."""

    done: asyncio.Future[None]
    events: tuple[EventRow, ...]
    work: Callable[[sqlite3.Connection], None] | None


class Database:
    """One SQLite file: a writer thread, a shared reader, and connections of their own for long reads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._reader = self._connect()
        self._reading = threading.Lock()
        self.migrated_from = migrate(self._reader, path)
        """The version of the schema at opening; 0: an empty file."""
        self._thread = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._thread.start()

    def write(
        self, work: Callable[[sqlite3.Connection], None] | None = None, *, events: tuple[EventRow, ...] = ()
    ) -> asyncio.Future[None]:
        """Queue events and other work for one transaction; the future is done after the commit.

        Jobs run in the order of these calls, also if nobody awaits the future.
        """
        if self._closed:
            raise StoreClosed
        job = _Job(self._loop.create_future(), events, work)
        self._jobs.put(job)
        return job.done

    async def read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Run a short read in a thread; such reads share one connection and wait for each other."""

        def answer() -> T:
            with self._reading, down_in_words():
                return question(self._reader)

        return await asyncio.to_thread(answer)

    async def query(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """Return the rows of a short query."""
        return await self.read(lambda connection: connection.execute(sql, values).fetchall())

    async def read_apart(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Run a long read in a thread on a connection of its own, so that no other read waits for it."""

        def answer() -> T:
            with down_in_words(), closing(self._connect()) as connection:
                return question(connection)

        return await asyncio.to_thread(answer)

    def stream(self, sql: str, values: tuple[Any, ...]) -> Iterator[Any]:
        """Yield the rows of a long query, on a connection of its own; call it in a worker thread."""
        with down_in_words(), closing(self._connect()) as connection:
            yield from connection.execute(sql, values)

    async def close(self) -> None:
        """Finish the queued jobs, then stop."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        with self._reading:
            self._reader.close()

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
            results = _write(connection, batch)
            self._loop.call_soon_threadsafe(_settle, batch, results)
            if stopping:
                break
        connection.close()


def _write(connection: sqlite3.Connection, batch: list[_Job]) -> list[Exception | None]:
    """Write a batch in one transaction; if a job fails, write the jobs one by one."""
    try:
        _commit(connection, batch)
        return [None] * len(batch)
    except Exception as error:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.rollback()
        if len(batch) == 1:
            return [_in_words(error)]
        return [result for job in batch for result in _write(connection, [job])]


def _in_words(error: Exception) -> Exception:
    """Return the error for the caller."""
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict()
    try:
        with down_in_words():
            raise error
    except Exception as known:
        return known


@contextmanager
def down_in_words() -> Iterator[None]:
    """Raise `StoreDown` instead of SQLite's own complaints about the file or the disk."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise
    except sqlite3.DatabaseError as error:
        raise StoreDown(str(error)) from error


def _commit(connection: sqlite3.Connection, batch: list[_Job]) -> None:
    events = [event for job in batch for event in job.events]
    work = [job.work for job in batch if job.work is not None]
    if work:  # one statement is a transaction of its own
        connection.execute("BEGIN IMMEDIATE")
    if events:
        connection.execute(INSERT_EVENTS, (msgspec.json.encode(events).decode(),))
    if work:
        for piece in work:
            piece(connection)
        connection.execute("COMMIT")


def _settle(batch: list[_Job], results: list[Exception | None]) -> None:
    for job, error in zip(batch, results, strict=True):
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)


def json_list(values: Iterable[str]) -> str:
    """Encode strings for `IN (SELECT value FROM json_each(?))`."""
    return msgspec.json.encode(list(values)).decode()

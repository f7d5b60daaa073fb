"""The writer: one connection that commits batches of jobs, and opens itself again after it was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from .backend import Backend, EventRow
from .condition import Condition
from .errors import StoreDown

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
"""Seconds between two attempts to connect."""
MOST_ATTEMPTS = 5

Work = Callable[[Connection], None]


class Job(Struct, frozen=True):
    """The work of one caller: all of it is written, or none."""

    done: asyncio.Future[None]
    events: Sequence[EventRow]
    work: Work | None


class Writer:
    """Writes batches on one connection. It belongs to one thread."""

    def __init__(self, backend: Backend, condition: Condition) -> None:
        self._backend = backend
        self._condition = condition
        self._connection: Connection | None = None
        self._problem = ""
        self._pause = 0.0
        self._again_at = 0.0

    def write(self, batch: Sequence[Job]) -> list[Exception | None]:
        """Write a batch in one transaction and return what became of each job.

        If one of them fails, write the jobs one by one. If the database fails, all of them fail: nothing of a batch is
        written after its callers got the error.
        """
        for attempt in range(MOST_ATTEMPTS):
            try:
                self._commit(batch)
                return [None] * len(batch)
            except Exception as error:
                self._roll_back()
                if self._backend.fails_all(error) or isinstance(error, StoreDown):
                    self._condition.failed()
                    if not self._backend.connection_survives:
                        self.close()
                    return [self._copy(error) for _ in batch]
                if len(batch) > 1:
                    return [result for job in batch for result in self.write([job])]
                if attempt == MOST_ATTEMPTS - 1 or not self._backend.may_repeat(error):
                    return [self._backend.meaning(error)]
        raise AssertionError("the last attempt returns")

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
            with suppress(SQLAlchemyError):
                connection.close()

    def _commit(self, batch: Sequence[Job]) -> None:
        events = [event for job in batch for event in job.events]
        work = [job.work for job in batch if job.work is not None]
        self._backend.look()
        connection = self._open()
        if not work:  # one statement is a transaction of its own
            if events:
                self._backend.insert_events(connection, events)
                self._condition.wrote()
            return
        connection.exec_driver_sql(self._backend.begin)
        if events:
            self._backend.insert_events(connection, events)
        for piece in work:
            piece(connection)
        connection.exec_driver_sql("COMMIT")
        self._condition.wrote()

    def _open(self) -> Connection:
        """Return a connection that works, as far as one can see."""
        while True:
            if self._connection is None:
                self._connection = self._connect()
            if not self._backend.is_stale(self._connection):
                return self._connection
            self.close()

    def _connect(self) -> Connection:
        """Open a connection, but do not try too often."""
        if monotonic() < self._again_at:
            raise StoreDown(self._problem)
        try:
            connection = self._backend.engine.connect()
            self._backend.prepare_writer(connection)
        except Exception as error:
            self._problem = str(self._backend.meaning(error))
            self._pause = min(LONGEST_PAUSE, 2 * self._pause or FIRST_PAUSE)
            self._again_at = monotonic() + self._pause
            raise StoreDown(self._problem) from error
        self._pause = 0.0
        return connection

    def _roll_back(self) -> None:
        if self._connection is not None:
            try:
                self._connection.rollback()
            except SQLAlchemyError:
                self.close()

    def _copy(self, error: Exception) -> Exception:
        """Return the meaning of an error as an exception of its own for each job."""
        if isinstance(error, StoreDown):
            copy = StoreDown(error.problem)
            copy.__cause__ = error.__cause__
            return copy
        return self._backend.meaning(error)

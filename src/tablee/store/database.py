"""A database with one writer thread and group commit: a write returns after the commit.

All jobs that wait when the writer is free share one transaction. The events of a batch travel in one statement.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable
from sqlalchemy.exc import DBAPIError

from .backend import Backend, EventRow
from .condition import Condition
from .errors import StoreClosed
from .writer import Job, Work, Writer

MOST_IN_A_BATCH = 1000
READERS = 6
LONG_READERS = 2
JOBS_UNTIL_TIDY = 2000
"""After so many jobs the database may tidy up."""
CLOSE_SECONDS = 20.0
"""How long the end waits for a database that does not answer."""

T = TypeVar("T")


class Database:
    """One database: a writer thread, threads for short and for long reads, and one each for heartbeats and tidying."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._condition = Condition(backend.name)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._long_readers = ThreadPoolExecutor(LONG_READERS, "store-long-reader")
        self._heart = ThreadPoolExecutor(1, "store-heartbeat")
        self._tidier = ThreadPoolExecutor(1, "store-tidier")
        self._thread = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, work: Work | None = None, *, events: Sequence[EventRow] = ()) -> asyncio.Future[None]:
        """Queue events and other work for one transaction; the future is done after the commit.

        Jobs run in the order of these calls, also if nobody awaits the future.
        """
        if self._closed:
            raise StoreClosed
        job = Job(self._loop.create_future(), events, work)
        self._jobs.put(job)
        return job.done

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Run a short read in a thread."""
        return await self._run(self._readers, question)

    async def query(self, statement: Executable) -> list[Any]:
        """Return the rows of a short query."""
        return await self.read(lambda connection: list(connection.execute(statement)))

    async def read_apart(self, question: Callable[[Connection], T]) -> T:
        """Run a long read in a thread, so that no short one waits for it."""
        return await self._run(self._long_readers, question)

    async def write_apart(self, work: Callable[[Connection], None], *, is_heartbeat: bool = False) -> None:
        """Write in a transaction that no event waits for, if the database has more than one writer.

        A heartbeat has a thread of its own: behind the reads of a busy server it would come too late.
        """
        if self.backend.one_writer:
            await self.write(work)
            return

        def transact(connection: Connection) -> None:
            connection.exec_driver_sql(self.backend.begin)
            try:
                work(connection)
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                connection.rollback()
                raise
            self._condition.wrote()

        await self._run(self._heart if is_heartbeat else self._readers, transact, once=True)

    def ask(self, question: Callable[[Connection], T], *, once: bool = False) -> T:
        """Run a query on a connection of the pool; call this in a worker thread.

        If the connection is lost, run the query again on another one, unless it may run only `once`.
        """
        for last in (once, True):
            try:
                with self.backend.engine.connect() as connection:
                    return question(connection)
            except Exception as error:
                if last or not isinstance(error, DBAPIError) or not error.connection_invalidated:
                    if self.backend.fails_all(error):
                        self._condition.failed()
                    meant = self.backend.meaning(error)
                    if meant is error:
                        raise
                    raise meant from error
        raise AssertionError("the last attempt returns")

    async def close(self) -> None:
        """Finish the queued jobs, then stop. If the database does not answer, they fail."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        patience = threading.Timer(CLOSE_SECONDS, self.backend.hang_up)
        patience.start()
        self._thread.join()
        for pool in (self._readers, self._long_readers, self._heart, self._tidier):
            pool.shutdown()
        patience.cancel()
        self.backend.engine.dispose()

    async def _run(self, threads: ThreadPoolExecutor, question: Callable[[Connection], T], *, once: bool = False) -> T:
        if self._closed:
            raise StoreClosed
        return await self._loop.run_in_executor(threads, lambda: self.ask(question, once=once))

    def _write_forever(self) -> None:
        writer = Writer(self.backend, self._condition)
        untidy, tidying = 0, None
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
            results = writer.write(batch)
            self._loop.call_soon_threadsafe(_settle, batch, results)
            if stopping:
                break
            untidy += len(batch)
            if untidy >= JOBS_UNTIL_TIDY and (tidying is None or tidying.done()):
                untidy, tidying = 0, self._tidier.submit(self.backend.tidy)
        writer.close()


def _settle(batch: list[Job], results: list[Exception | None]) -> None:
    for job, error in zip(batch, results, strict=True):
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)

"""Append events with group commit to SQLite and PostgreSQL: appends a second, and the CPU time for one.

    python bench/store.py [--writers 500] [--seconds 4] [--rounds 3]

PostgreSQL is a real server with fsync. The store uses psycopg in its writer thread. To compare the drivers alone, the
same batches also go through psycopg and asyncpg on the event loop. Each round measures all of them in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import asyncpg  # type: ignore[import-untyped]
import msgspec
import psycopg
import uvloop
from msgspec import Raw

from common import report
from processes import cpu_of_family
from tablee.store import open_store
from tablee.store.backend import EventRow
from tablee.store.postgres import INSERT_EVENTS
from tablee.store.store import kind_of
from tablee.table.events import Acted, encode

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

EVENT = Acted(1, Raw(b'{"type":"play","card":"AS"}'), took=0.25, lag=0.031)
Append = Callable[[str, int], Awaitable[None]]


class LoopLog:
    """The same group commit on the event loop: all appends that wait share one statement."""

    def __init__(self, insert: Callable[[str], Awaitable[object]]) -> None:
        self._insert = insert
        self._waiting: list[tuple[EventRow, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, code: str, n: int) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((EventRow(code, n, 1.5, kind_of(EVENT), Raw(encode(EVENT))), done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            rows = sorted((row for row, _ in batch), key=lambda row: (row.code, row.n))
            await self._insert(msgspec.json.encode(rows).decode())
            for _, done in batch:
                done.set_result(None)


@asynccontextmanager
async def store_at(url: str) -> AsyncIterator[Append]:
    store = await open_store(url)
    try:
        yield lambda code, n: store.append(code, n, [EVENT], at=1.5)
    finally:
        await store.close()


@asynccontextmanager
async def asyncpg_at(url: str) -> AsyncIterator[Append]:
    await (await open_store(url)).close()  # creates the tables
    connection = await asyncpg.connect(url)
    statement = await connection.prepare(INSERT_EVENTS.replace("%s", "$1"))
    try:
        yield LoopLog(statement.fetch).append
    finally:
        await connection.close()


@asynccontextmanager
async def psycopg_at(url: str) -> AsyncIterator[Append]:
    await (await open_store(url)).close()
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        yield LoopLog(lambda rows: connection.execute(INSERT_EVENTS, (rows,))).append


async def measure(append: Append, writers: int, seconds: float, server: Callable[[], float]) -> dict[str, float]:
    """Let writers append to a table each, for some seconds."""
    start, cpu, server_cpu = perf_counter(), process_time(), server()
    stop = start + seconds

    async def write(code: str) -> int:
        n = 0
        while perf_counter() < stop:
            await append(code, n)
            n += 1
        return n

    total = sum(await asyncio.gather(*(write(f"T{number:05}") for number in range(writers))))
    wall, cpu, server_cpu = perf_counter() - start, process_time() - cpu, server() - server_cpu
    return {"per_second": total / wall, "cpu_us": 1e6 * cpu / total, "database_cpu_us": 1e6 * server_cpu / total}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--writers", type=int, default=500)
    options.add_argument("--seconds", type=float, default=4)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    from postgres import PostgresServer

    postgres = PostgresServer(fsync="on")
    assert postgres.process is not None
    pid = postgres.process.pid
    ways = {"postgres": store_at, "psycopg": psycopg_at, "asyncpg": asyncpg_at}
    found: dict[str, list[dict[str, float]]] = {"sqlite": [], **{name: [] for name in ways}}

    async def one(name: str, folder: str) -> dict[str, float]:
        url = f"sqlite:///{folder}/tablee.db" if name == "sqlite" else postgres.create_database()
        async with ways.get(name, store_at)(url) as append:
            return await measure(append, chosen.writers, chosen.seconds, lambda: cpu_of_family(pid))

    for _ in range(chosen.rounds):
        for name, results in found.items():
            with tempfile.TemporaryDirectory(dir=HERE) as folder:
                results.append(uvloop.run(one(name, folder)))
    figures = {
        name: {key: round(median(result[key] for result in results), 1) for key in results[0]}
        for name, results in found.items()
    }
    line = "; ".join(
        f"{name} {one['per_second']:.0f}/s, {one['cpu_us']} + {one['database_cpu_us']} µs"
        for name, one in figures.items()
    )
    report(__file__, f"store, {chosen.writers} writers: {line}", {"writers": chosen.writers, **figures})


if __name__ == "__main__":
    main()

"""If its database fails, the store reports it, writes nothing later, and recovers by itself."""

import asyncio
import os
import shutil
import signal
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from match_rows import row
from postgres import PostgresServer
from sqlalchemy import Connection

from tablee.store import Conflict, Store, StoreDown, condition, database, open_store, sqlite
from tablee.store.condition import Condition
from tablee.store.writer import Job, Writer
from tablee.table.events import Cleared, decode

DEADLINE = 30.0


@pytest.fixture
async def kept(postgres_url: str) -> AsyncIterator[Store]:
    """A store on PostgreSQL."""
    opened = await open_store(postgres_url)
    yield opened
    await opened.close()


async def works_again(store: Store) -> None:
    async with asyncio.timeout(DEADLINE):
        while True:
            try:
                return await store.check()
            except StoreDown:
                await asyncio.sleep(0.05)


async def append_until_down(store: Store) -> tuple[int, StoreDown]:
    """Append single events until one fails; return how many were accepted."""
    for n in range(100_000):
        try:
            await store.append("A", n, [Cleared(n)], at=0)
        except StoreDown as down:
            return n, down
    raise AssertionError("the store never failed")


async def test_a_check_passes_if_the_store_works(store: Store) -> None:
    await store.check()
    await store.check()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
async def test_nothing_accepted_is_lost_if_postgres_restarts(
    kept: Store, postgres: PostgresServer, how: signal.Signals
) -> None:
    appending = asyncio.create_task(append_until_down(kept))
    await asyncio.sleep(0.1)
    await asyncio.to_thread(postgres.stop, how)
    accepted, down = await appending
    assert down.problem
    assert down.__cause__ is not None
    with pytest.raises(StoreDown):
        await kept.check()
    with pytest.raises(StoreDown):
        await kept.read("A")
    waiting = [kept.append("B", n, [Cleared(n)], at=0) for n in range(20)]
    failed = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in failed} == {StoreDown}
    await asyncio.to_thread(postgres.start)
    await works_again(kept)
    assert await kept.read("B") == [], "what was refused is never written later"
    found = [decode(body) for body in await kept.read("A")]
    assert found[:accepted] == [Cleared(n) for n in range(accepted)]
    assert len(found) in (accepted, accepted + 1), "the outcome of the last one was open"
    await kept.append("A", len(found), [Cleared(0)], at=0)


async def test_the_log_says_once_that_the_database_works_again(
    kept: Store, postgres: PostgresServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept.check()
    await asyncio.to_thread(postgres.stop)
    for _ in range(3):
        for failing in (kept.read("A"), kept.check(), kept.servers.leave("A")):
            with pytest.raises(StoreDown):
                await failing
    await asyncio.to_thread(postgres.start)
    await works_again(kept)
    assert caplog.messages == [], "it may fail again at once"
    monkeypatch.setattr(condition, "STEADY_SECONDS", 0)
    await asyncio.gather(*(kept.servers.leave("A") for _ in range(5)), kept.read("A"), kept.check())
    assert caplog.messages == [f"{kept.database.backend.name} works again"]


async def test_an_idle_store_survives_a_restart_without_an_error(kept: Store, postgres: PostgresServer) -> None:
    await kept.append("A", 0, [Cleared(0)], at=0)
    await kept.read("A")
    await asyncio.to_thread(postgres.restart)
    await kept.append("A", 1, [Cleared(1)], at=0)
    assert len(await kept.read("A")) == 2


async def test_a_match_is_kept_once_postgres_is_back(kept: Store, postgres: PostgresServer) -> None:
    await asyncio.to_thread(postgres.stop)
    try:
        for _ in range(2):
            with pytest.raises(StoreDown):
                await kept.matches.keep(row(1))
    finally:
        await asyncio.to_thread(postgres.start)
    await works_again(kept)
    await kept.matches.keep(row(1))
    assert await kept.matches.find("T-1") is not None


async def test_a_connection_that_is_cut_is_opened_again(
    kept: Store, postgres: PostgresServer, postgres_url: str
) -> None:
    name = urlsplit(postgres_url).path[1:]
    appending = asyncio.create_task(append_until_down(kept))
    while not appending.done():
        await asyncio.to_thread(postgres.end_connections, name)
    accepted, _ = await appending
    await works_again(kept)
    length = len(await kept.read("A"))
    assert length in (accepted, accepted + 1)
    await kept.append("A", length, [Cleared(1)], at=0)


async def test_a_read_only_database_refuses_writes_and_answers_reads(kept: Store, postgres: PostgresServer) -> None:
    await kept.append("A", 0, [Cleared(0)], at=0)
    await asyncio.to_thread(postgres.read_only, True)
    try:
        with pytest.raises(StoreDown, match="read-only"):
            await kept.append("A", 1, [Cleared(1)], at=0)
        with pytest.raises(StoreDown, match="read-only"):
            await kept.check()
        assert len(await kept.read("A")) == 1
    finally:
        await asyncio.to_thread(postgres.read_only, False)
    await works_again(kept)
    await kept.append("A", 1, [Cleared(1)], at=0)
    assert len(await kept.read("A")) == 2


async def test_a_full_disk_refuses_writes_and_goes_on_when_there_is_room(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    await store.append("A", 0, [Cleared(0)], at=0)

    def limit(pages: int) -> Callable[[Connection], None]:
        """Let SQLite fail as on a full disk if the file grows beyond some pages."""
        return lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}").close()

    await store.database.write(limit(1))
    big = [Cleared(n) for n in range(5000)]
    with pytest.raises(StoreDown, match="database or disk is full"):
        await store.append("A", 1, big, at=0)
    assert await store.lengths(["A"]) == {"A": 1}
    await store.database.write(limit(1_000_000))
    await store.append("A", 1, big, at=0)
    assert await store.lengths(["A"]) == {"A": 5001}
    await store.close()


async def test_the_write_ahead_log_is_copied_while_nobody_waits(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "JOBS_UNTIL_TIDY", 3)
    store = await open_store(sqlite_url)
    tidy, tidied = store.database.backend.tidy, threading.Event()

    def tidy_and_tell() -> None:
        tidy()
        tidied.set()

    monkeypatch.setattr(store.database.backend, "tidy", tidy_and_tell)
    for n in range(3):
        await store.append("A", n, [Cleared(n)], at=0)
    assert await asyncio.to_thread(tidied.wait, DEADLINE)
    alone = tmp_path / "alone.db"  # the database file without its write-ahead log
    shutil.copy(sqlite_url.removeprefix("sqlite:///"), alone)
    with closing(sqlite3.connect(alone)) as copied:
        assert copied.execute("SELECT count(*) FROM events").fetchone() == (3,)
    await store.close()


async def test_the_write_ahead_log_begins_anew_if_nobody_copied_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LONGEST_LOG", 20)
    store = await open_store(sqlite_url)
    for n in range(200):
        await store.append("A", n, [Cleared(n)], at=0)
    size = os.stat(sqlite_url.removeprefix("sqlite:///") + "-wal").st_size
    assert size < 100 * 4096  # without that, each append would add a page of 4096 bytes
    await store.close()


async def test_a_file_that_is_gone_takes_no_more_writes(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    await store.append("A", 0, [Cleared(0)], at=0)
    path = sqlite_url.removeprefix("sqlite:///")
    os.rename(path, f"{path}.away")
    with pytest.raises(StoreDown, match="was deleted or replaced"):
        await store.check()
    with pytest.raises(StoreDown, match="was deleted or replaced"):
        await store.append("A", 1, [Cleared(1)], at=0)
    with pytest.raises(FileNotFoundError):
        os.stat(path)
    os.rename(f"{path}.away", path)
    await works_again(store)
    await store.append("A", 1, [Cleared(1)], at=0)
    await store.close()


def damage(path: Path) -> None:
    """Overwrite the first page of the log."""
    with closing(sqlite3.connect(path)) as opened:
        (page,) = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
        (size,) = opened.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


async def test_a_damaged_page_is_reported_with_the_name_of_the_file(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    await store.append("A", 0, [Cleared(0)], at=0)
    await store.close()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    damage(path)
    store = await open_store(sqlite_url)
    for asking in (store.read("A"), store.append("A", 1, [Cleared(1)], at=0)):
        with pytest.raises(StoreDown, match=f"^{path}: database disk image is malformed$"):
            await asking
    await store.close()


async def test_a_writer_that_cannot_connect_does_not_try_too_often(kept: Store, postgres: PostgresServer) -> None:
    writer = Writer(kept.database.backend, Condition("PostgreSQL"))
    job = Job(asyncio.get_running_loop().create_future(), (), None)
    await asyncio.to_thread(postgres.stop)
    try:
        problems = [writer.write([job])[0] for _ in range(50)]
    finally:
        await asyncio.to_thread(postgres.start)
    assert {type(one) for one in problems} == {StoreDown}
    tried = {id(one.__cause__) for one in problems if one is not None and one.__cause__ is not None}
    assert 1 <= len(tried) < 50
    writer.close()


async def test_two_stores_race_for_every_event_and_one_wins(url: str) -> None:
    stores = await asyncio.gather(open_store(url), open_store(url))
    codes, length = [f"T{n}" for n in range(8)], 12

    async def play(me: int, code: str) -> int:
        """Append at the end of a log until it is long enough; return how many appends won."""
        won, n = 0, 0
        while n < length:
            try:
                await stores[me].append(code, n, [Cleared(me)], at=0)
                won += 1
                n += 1
            except Conflict:
                n = (await stores[me].lengths([code]))[code]
        return won

    won = await asyncio.gather(*(play(me, code) for code in codes for me in (0, 1, 0, 1)))
    assert sum(won) == length * len(codes)
    assert await stores[0].lengths(codes) == dict.fromkeys(codes, length)
    by = [decode(body) for code in codes for body in await stores[1].read(code)]
    assert by.count(Cleared(0)) == sum(won[0::2])
    assert by.count(Cleared(1)) == sum(won[1::2])
    for store in stores:
        await store.close()


async def test_the_end_does_not_wait_for_a_database_that_stands_still(
    kept: Store, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CLOSE_SECONDS", 0.2)
    await kept.append("A", 0, [Cleared(0)], at=0)
    with postgres.suspended():
        asking: list[Awaitable[object]] = [kept.append("A", 1, [Cleared(1)], at=0), asyncio.create_task(kept.read("A"))]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(DEADLINE):
            await kept.close()
        answers = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(answer) for answer in answers] == [StoreDown, StoreDown]

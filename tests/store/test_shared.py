"""What several servers share: lengths of logs, files and heartbeats."""

import asyncio
import re
import threading
from hashlib import sha256

from sqlalchemy import Connection, text

from tablee.store import LIVE_SECONDS, Store, open_store
from tablee.store.database import READERS
from tablee.table.events import Cleared, decode


async def test_lengths_and_later_events_of_a_log(store: Store) -> None:
    for code, length in (("A", 3), ("B", 1)):
        await store.append(code, 0, [Cleared(n) for n in range(length)], at=0)
    assert await store.lengths(["A", "B", "C"]) == {"A": 3, "B": 1}
    assert await store.lengths([]) == {}
    assert [decode(body) for body in await store.read("A", 1)] == [Cleared(1), Cleared(2)]
    assert await store.read("A", 3) == []


async def test_lengths_do_not_read_the_logs(store: Store) -> None:
    await store.append("A", 0, [Cleared(n) for n in range(5000)], at=0)
    if store.database.backend.one_writer:
        plan = await store.database.query(
            text("EXPLAIN QUERY PLAN SELECT (SELECT max(n) FROM events WHERE code = value) FROM json_each('[\"A\"]')")
        )
        assert any("SEARCH events USING PRIMARY KEY (code=?)" in row[3] for row in plan)
    codes = [f"T{n}" for n in range(40_000)]  # more than a statement may have arguments
    assert await store.lengths(["A", *codes]) == {"A": 5000}


async def test_one_query_reads_the_next_events_of_many_tables(store: Store) -> None:
    for code, length in (("B", 4), ("A", 3), ("C", 30)):
        await store.append(code, 0, [Cleared(n) for n in range(length)], at=0)
    found = await store.read_next({"A": 1, "C": 5, "B": 4, "D": 0}, 20)
    assert {code: [decode(body) for body in bodies] for code, bodies in found.items()} == {
        "A": [Cleared(1), Cleared(2)],
        "C": [Cleared(n) for n in range(5, 25)],
    }
    assert await store.read_next({}, 20) == {}


async def test_the_next_events_are_found_without_reading_the_logs(store: Store) -> None:
    await store.append("A", 0, [Cleared(n) for n in range(5000)], at=0)
    backend = store.database.backend
    explain = "EXPLAIN QUERY PLAN " if backend.one_writer else "EXPLAIN "

    def plan(connection: Connection) -> str:
        return str(list(connection.exec_driver_sql(explain + backend.read_events, ('[["A", 4990, 5000]]',))))

    assert re.search(
        r"SEARCH events USING PRIMARY KEY|Index Scan (using|on) events_pkey", await store.database.read(plan)
    )


async def test_a_file_is_kept_replaced_and_deleted(store: Store) -> None:
    assert await store.files.get("secret.key") is None
    data = bytes(range(256)) * 100
    await store.files.put("secret.key", b"old")
    await store.files.put("secret.key", data)
    await store.files.put("words/fr.txt", b"")
    assert await store.files.get("secret.key") == data
    assert await store.files.get("words/fr.txt") == b""
    hashes = {"secret.key": sha256(data).hexdigest(), "words/fr.txt": sha256(b"").hexdigest()}
    assert await store.files.hashes() == hashes
    await store.files.delete("secret.key")
    assert await store.files.get("secret.key") is None


async def test_all_servers_get_the_file_of_the_first(url: str) -> None:
    stores = await asyncio.gather(*(open_store(url) for _ in range(3)))
    kept = await asyncio.gather(*(one.files.put_new("secret.key", bytes([n])) for n, one in enumerate(stores)))
    assert len(set(kept)) == 1
    assert await stores[0].files.put_new("secret.key", b"late") == kept[0]
    for one in stores:
        await one.close()


async def test_a_server_is_alive_as_long_as_it_beats(store: Store) -> None:
    assert [row.id for row in await store.servers.beat("b", "one")] == ["b"]
    rows = await store.servers.beat("a", "two")
    assert [(row.id, row.note) for row in rows] == [("a", "two"), ("b", "one")]
    assert all(-1 < row.age < LIVE_SECONDS for row in rows)

    async def age(seconds: float) -> None:
        def work(connection: Connection) -> None:
            connection.execute(text(f"UPDATE servers SET at = at - {seconds} WHERE id = 'a'"))

        await store.database.write(work)

    await age(LIVE_SECONDS + 1)
    assert [row.id for row in await store.servers.beat("b", "changed")] == ["b"]
    assert [row.note for row in await store.servers.beat("a", "two")] == ["two", "changed"]
    await age(4000)
    await store.servers.beat("b", "changed")
    assert [row.id for row in await store.database.query(text("SELECT id FROM servers"))] == ["b"]
    await store.servers.leave("b")
    assert [row.id for row in await store.servers.beat("a", "two")] == ["a"]


async def test_a_heartbeat_does_not_wait_for_reads(store: Store) -> None:
    may_end = threading.Event()

    def wait(connection: Connection) -> None:
        may_end.wait()

    reads = [asyncio.create_task(store.database.read(wait)) for _ in range(2 * READERS)]
    try:
        await asyncio.sleep(0)  # all of them are queued now
        async with asyncio.timeout(60):  # without a thread of its own it would wait forever
            assert [row.id for row in await store.servers.beat("a", "busy")] == ["a"]
            await store.servers.leave("a")
        assert not any(read.done() for read in reads)
    finally:
        may_end.set()
        await asyncio.gather(*reads)

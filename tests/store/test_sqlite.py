"""The log keeps what it promised, in order, once."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tablee.store import Conflict, PersonRow, SqliteStore, StoreClosed, TableRow
from tablee.table import Occupant

EVENT = b'{"type":"sat","seat":0,"person":"Zo\xc3\xa9 \\"Z\\" \\u2028"}'


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "deep" / "tablee.db")
    yield opened
    await opened.close()


async def test_events_come_back_in_order_and_equal(store: SqliteStore) -> None:
    await store.append("A", 0, [EVENT, b'{"n":1}'], at=1.0)
    await store.append("A", 2, [b'{"n":2.5}'], at=2.0)
    await store.append("B", 0, [b"[1,null,true]"], at=2.0)
    assert [msgspec.json.decode(body) for body in await store.read("A")] == [
        msgspec.json.decode(EVENT),
        {"n": 1},
        {"n": 2.5},
    ]
    assert await store.read("B") == ["[1,null,true]"]
    assert await store.read("C") == []


async def test_who_appends_first_wins_and_the_other_writes_nothing(store: SqliteStore) -> None:
    await store.append("A", 0, [b"{}"], at=0)
    with pytest.raises(Conflict):
        await store.append("A", 0, [b"{}"], at=0)
    with pytest.raises(Conflict):  # the second of two is taken: neither is written
        await store.append("A", -1, [b'{"lost":1}', b"{}"], at=0)
    assert await store.read("A") == ["{}"]


async def test_one_conflict_in_a_batch_spoils_no_neighbour(store: SqliteStore) -> None:
    await store.append("X", 0, [b"{}"], at=0)
    results = await asyncio.gather(
        *(store.append(code, 0, [b"{}"], at=0) for code in ("A", "X", "B", "X", "C")), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None), Conflict, type(None), Conflict, type(None)]
    assert [len(await store.read(code)) for code in "ABCX"] == [1, 1, 1, 1]


async def test_an_answered_append_is_on_disk_for_another_reader(store: SqliteStore, tmp_path: Path) -> None:
    await asyncio.gather(*(store.append(f"T{n}", 0, [b"{}"], at=0) for n in range(500)))
    with closing(sqlite3.connect(tmp_path / "deep" / "tablee.db")) as other:
        assert other.execute("SELECT count(*) FROM events").fetchone() == (500,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_tables_that_are_over_or_old_are_not_listed(store: SqliteStore) -> None:
    rows = [
        TableRow("NEW", "kora", True, "waiting", 30.0),
        TableRow("OLD", "kora", True, "waiting", 10.0),
        TableRow("ON", "kora", False, "playing", 20.0),
        TableRow("DONE", "kora", True, "over", 40.0),
    ]
    await store.save_tables(rows)
    assert [row.code for row in await store.tables(since=15)] == ["NEW", "ON"]
    await store.save_tables([TableRow("NEW", "kora", False, "over", 50.0)])
    assert await store.tables(since=15) == [rows[2]]


async def test_the_tables_of_somebody_follow_who_sits_there(store: SqliteStore) -> None:
    alix, zoe = Occupant(person="alix"), Occupant(person="zoé")
    held, gone = Occupant(person="alix", level="facile", left=True), Occupant(person="alix", left=True)
    rows = [
        TableRow("OLD", "kora", False, "playing", 1.0, 3, (alix, zoe)),
        TableRow("NEW", "kora", False, "waiting", 30.0, 0, (zoe, alix)),
        TableRow("HELD", "kora", False, "playing", 20.0, 1, (held, zoe)),
        TableRow("GONE", "kora", False, "playing", 10.0, 1, (gone, zoe)),
        TableRow("PAST", "kora", False, "waiting", 2.0, 0, (alix, None)),
        TableRow("DONE", "kora", False, "over", 30.0, 1, (alix, zoe)),
    ]
    await store.save_tables(rows)
    assert await store.tables_of("alix", waiting_since=10) == [rows[2], rows[0], rows[1]]
    await store.save_tables([TableRow("OLD", "kora", False, "playing", 40.0, 3, (Occupant(level="facile"), zoe))])
    assert [row.code for row in await store.tables_of("alix", waiting_since=10)] == ["HELD", "NEW"]
    assert [row.code for row in await store.tables_of("zoé", waiting_since=99)] == ["OLD", "HELD", "GONE"]


async def test_a_person_is_kept_and_changed(store: SqliteStore) -> None:
    assert await store.person("p") is None
    await store.save_person(PersonRow("p", "Zoé", 3))
    await store.save_person(PersonRow("p", "Zoë'; DROP TABLE people; --", 4))
    assert await store.person("p") == PersonRow("p", "Zoë'; DROP TABLE people; --", 4)


async def test_those_who_chose_a_name_are_found_together(store: SqliteStore) -> None:
    await store.save_person(PersonRow("p", "Zoé", 3))
    assert await store.people(["p", "q", "'"]) == {"p": PersonRow("p", "Zoé", 3)}


async def test_a_piece_of_work_that_fails_leaves_nothing_and_harms_no_neighbour(store: SqliteStore) -> None:
    def spoilt(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO people VALUES ('lost', 'x', 0)")
        raise ValueError("no")

    done = [store.append("A", 0, [b"{}"], at=0), store.do(spoilt), store.append("B", 0, [b"{}"], at=0)]
    results = await asyncio.gather(*done, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), ValueError, type(None)]
    assert await store.person("lost") is None
    assert [await store.read(code) for code in "AB"] == [["{}"], ["{}"]]


async def test_a_closed_store_refuses_and_a_reopened_one_has_everything(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tablee.db")
    waiting = [asyncio.ensure_future(store.append("A", n, [b"{}"], at=0)) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    with pytest.raises(StoreClosed):
        await store.append("A", 50, [b"{}"], at=0)
    again = SqliteStore(tmp_path / "tablee.db")
    assert len(await again.read("A")) == 50
    await again.close()


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.execute("PRAGMA user_version=99")
    with pytest.raises(RuntimeError, match="newer"):
        SqliteStore(tmp_path / "tablee.db")


VERSION_1 = """
CREATE TABLE events (code TEXT NOT NULL, n INTEGER NOT NULL, at REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (code, n)) WITHOUT ROWID;
CREATE TABLE tables (code TEXT PRIMARY KEY, game TEXT NOT NULL, public INTEGER NOT NULL, status TEXT NOT NULL,
    updated REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX tables_by_status ON tables (status, updated);
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, avatar INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO events VALUES ('A', 0, 1.0, '{"n":1}');
INSERT INTO tables VALUES ('A', 'kora', 1, 'playing', 2.0);
INSERT INTO people VALUES ('p', 'Zoé', 3);
PRAGMA user_version=1;
"""


async def test_a_database_of_version_1_keeps_everything(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.executescript(VERSION_1)
    for found in (1, 2):  # and opening it again changes nothing
        store = SqliteStore(tmp_path / "tablee.db")
        assert store.migrated_from == found
        assert await store.read("A") == ['{"n":1}']
        assert await store.tables(since=0) == [TableRow("A", "kora", True, "playing", 2.0)]
        assert await store.person("p") == PersonRow("p", "Zoé", 3)
        assert await store.tables_of("p", waiting_since=0) == []
        await store.close()


async def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.executescript(VERSION_1)
        database.execute("CREATE TABLE ratings (mine INTEGER)")
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        SqliteStore(tmp_path / "tablee.db")
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        assert len(database.execute("SELECT * FROM tables").fetchone()) == 5

"""An older database is brought up to date, and nothing in it is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.people import People
from tablee.store import PersonRow, SqliteStore, TableRow
from tablee.store.reports import ReportRow
from tablee.store.schema import VERSION
from tablee.table import Table
from tablee.table.events import decode


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.execute("PRAGMA user_version=99")
    with pytest.raises(RuntimeError, match="newer"):
        SqliteStore(tmp_path / "tablee.db")


VERSION_2 = (Path(__file__).parent / "version-2.sql").read_text()
"""The database of a server before events had a kind: a match is over, another one has begun, a message is reported."""

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
    for found in (1, VERSION):  # and opening it again changes nothing
        store = SqliteStore(tmp_path / "tablee.db")
        assert store.database.migrated_from == found
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


def old_logs(path: Path) -> list[tuple[str, int, str]]:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_2)
        return database.execute("SELECT code, n, body FROM events ORDER BY code, n").fetchall()


async def test_a_database_of_version_2_keeps_every_event_and_learns_its_kind(tmp_path: Path) -> None:
    before = old_logs(tmp_path / "tablee.db")
    store = SqliteStore(tmp_path / "tablee.db")
    assert store.database.migrated_from == 2
    after = await store.database.query("SELECT code, n, body, kind FROM events ORDER BY code, n")
    await store.close()
    assert [row[:3] for row in after] == before
    assert [kind for *_, kind in after] == [msgspec.json.decode(body)["type"] for *_, body in before]
    assert {"created", "started", "acted", "said", "reported"} <= {kind for *_, kind in after}


@pytest.mark.parametrize("backwards", [False, True], ids=["as written", "with the keys of each event reversed"])
async def test_a_database_of_version_2_answers_every_question(tmp_path: Path, backwards: bool) -> None:
    path = tmp_path / "tablee.db"
    before = old_logs(path)
    if backwards:
        with closing(sqlite3.connect(path)) as database, database:
            for code, n, body in before:
                changed = msgspec.json.encode(dict(reversed(msgspec.json.decode(body).items()))).decode()
                database.execute("UPDATE events SET body = ? WHERE code = ? AND n = ?", (changed, code, n))
    store = SqliteStore(path)
    archive = Archive(store, People(store), Clock())
    alix, zoe, code = "PRtXLt2s2sZCKV9f", "7McixTUTo4yLzxTe", "7DBA2G"
    table = Table.restore(code, [decode(body) for body in await store.read(code)])
    assert (table.status, table.matches) == ("playing", 2)
    assert await store.matches.begun(code) == 2
    assert msgspec.json.decode(await store.matches.start_of(code, 2))["secret"].startswith("94ac5af3")
    assert [card.id for card in (await archive.history(alix)).matches] == ["7DBA2G-1"]
    assert msgspec.json.decode(await archive.replay("7DBA2G-1", None, 0, None))["plies"] == 10
    assert [(game.game, game.wins) for game in (await archive.stats(zoe, own=True)).games] == [("kora", 1)]
    report = ReportRow(code, 0, 1794789665.461, alix, "Bonjour, l'équipe !", zoe)
    assert await store.reports.latest(10) == [report]
    assert [one.text for one in await store.privacy.messages_of(alix, [code])] == ["Bonjour, l'équipe !"]
    assert [row.code for row in await store.tables_of(zoe, waiting_since=0)] == [code]
    assert await store.privacy.has_recovery(alix)
    assert await archive.rebuild() == 1
    await store.close()


async def test_a_migration_that_cannot_read_an_event_changes_nothing(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.executescript(VERSION_2)
        database.execute("INSERT INTO events VALUES ('Z', 0, 1.0, 'no JSON')")
        database.commit()
    with pytest.raises(sqlite3.OperationalError, match="JSON"):
        SqliteStore(tmp_path / "tablee.db")
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
        assert database.execute("SELECT count(*) FROM reports").fetchone() == (1,)

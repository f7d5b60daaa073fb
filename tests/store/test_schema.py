"""An older database is brought up to date, and nothing in it is lost."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from postgres import free_port
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import make_url

from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.people import People
from tablee.store import BadDatabase, PersonRow, StoreDown, TableRow, open_store, schema
from tablee.store.legacy import MARK
from tablee.store.migrate import HEAD, step_of, take_steps
from tablee.store.reports import ReportRow
from tablee.store.store import backend_of
from tablee.table import Table
from tablee.table.events import Closed, decode


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.execute("PRAGMA user_version=99")
    with pytest.raises(BadDatabase, match="newer"):
        await open_store(url_of(tmp_path / "tablee.db"))


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
    for _ in range(2):  # and opening it again changes nothing
        store = await open_store(url_of(tmp_path / "tablee.db"))
        assert await store.read("A") == ['{"n":1}']
        assert await store.tables(since=0) == [TableRow("A", "kora", True, "playing", 2.0)]
        assert await store.people(["p"]) == {"p": PersonRow("p", "Zoé", 3)}
        assert await store.tables_of("p", waiting_since=0) == []
        await store.close()


async def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        database.executescript(VERSION_1)
        database.execute("CREATE TABLE ratings (mine INTEGER)")
    with pytest.raises(BadDatabase, match="already exists"):
        await open_store(url_of(tmp_path / "tablee.db"))
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        assert len(database.execute("SELECT * FROM tables").fetchone()) == 5


def old_logs(path: Path) -> list[tuple[str, int, str]]:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_2)
        return database.execute("SELECT code, n, body FROM events ORDER BY code, n").fetchall()


async def test_a_database_of_version_2_keeps_every_event_and_learns_its_kind(tmp_path: Path) -> None:
    before = old_logs(tmp_path / "tablee.db")
    store = await open_store(url_of(tmp_path / "tablee.db"))
    after = await store.database.query(text("SELECT code, n, body, kind FROM events ORDER BY code, n"))
    await store.close()
    assert [tuple(row[:3]) for row in after] == before
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
    store = await open_store(url_of(path))
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
    with pytest.raises(BadDatabase, match="JSON"):
        await open_store(url_of(tmp_path / "tablee.db"))
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
        assert database.execute("SELECT count(*) FROM reports").fetchone() == (1,)


def test_the_steps_lead_to_the_tables_that_the_queries_use(url: str) -> None:
    engine = backend_of(url).engine
    with engine.connect() as connection:
        take_steps(connection, "empty")
        assert step_of(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    engine.dispose()


async def test_a_new_database_has_the_tables_to_which_the_steps_lead(url: str) -> None:
    store = await open_store(url)
    assert await store.database.read(step_of) == HEAD
    differences = await store.database.read(
        lambda connection: compare_metadata(MigrationContext.configure(connection), schema.metadata)
    )
    assert differences == []
    await store.close()


async def test_an_old_file_gets_the_same_tables_as_a_new_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as database:
        database.executescript(VERSION_1)
    found = []
    for name in ("old.db", "new.db"):
        store = await open_store(url_of(tmp_path / name))
        await store.close()
        with closing(sqlite3.connect(tmp_path / name)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (MARK,)
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = {table: database.execute(f"PRAGMA table_info({table})").fetchall() for table in tables}
            indexes = database.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql <> ''").fetchall()
            shapes = {table: [(c[1], c[3], c[5]) for c in columns[table]] for table in tables}
            without = database.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'").fetchall()
            found.append((shapes, sorted(indexes), sorted(without)))
    assert found[0] == found[1]
    assert len(found[0][1]) >= 10


async def test_three_servers_may_start_at_once_on_an_empty_database(url: str) -> None:
    stores = await asyncio.gather(*(open_store(url) for _ in range(3)))
    for number, store in enumerate(stores):
        await store.append("A", number, [Closed()], at=1.0)
    assert len(await stores[0].read("A")) == 3
    for store in stores:
        await store.close()


async def test_a_schema_that_we_do_not_know_is_left_alone(url: str) -> None:
    store = await open_store(url)
    await store.database.write(lambda connection: _do(connection, "UPDATE alembic_version SET version_num = '99'"))
    await store.close()
    with pytest.raises(BadDatabase, match=r"was written by a newer Tablée \(schema 99, here \d+\)"):
        await open_store(url)


async def test_a_database_of_another_program_is_left_alone(url: str) -> None:
    engine = backend_of(url).engine
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE events (mine INTEGER)")
    engine.dispose()
    with pytest.raises(BadDatabase):
        await open_store(url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["events"]
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "data/tablee.db",
        "sqlite:///",
        "mysql://u:secret@h/d",
        "postgresql://h",
        "postgresql://u:secret@h:notaport/d",
        "postgresql://[::1/d",
        "://",
    ],
)
async def test_a_url_that_cannot_be_right_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(BadDatabase, match="must be sqlite:///PATH or postgresql://") as refused:
        await open_store(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("port", [0, -5, 65536])
async def test_a_port_that_cannot_be_is_refused_in_one_sentence(port: int) -> None:
    with pytest.raises(BadDatabase, match=f"^the port of the database must be a number from 1 to 65535, not {port}$"):
        await open_store(f"postgresql://u:secret@h:{port}/d")


async def test_only_what_may_mend_itself_is_down(postgres_url: str) -> None:
    url = make_url(postgres_url)
    for bad, why in [
        (url.set(username="nobody", password="secret"), 'role "nobody" does not exist|authentication failed'),
        (url.set(query={"sslmode": "loud"}), 'invalid sslmode value: "loud"'),
        (url.set(query={"loud": "yes"}), 'invalid connection option "loud"'),
    ]:
        with pytest.raises(BadDatabase, match=f"^PostgreSQL at .*({why})") as refused:
            await open_store(bad.render_as_string(hide_password=False))
        assert "secret" not in str(refused.value)
    with pytest.raises(StoreDown, match='database "absent" does not exist'):
        await open_store(url.set(database="absent").render_as_string(hide_password=False))


async def test_a_database_that_cannot_be_reached_is_down(tmp_path: Path) -> None:
    with pytest.raises(StoreDown, match="refused") as refused:
        await open_store(f"postgresql://tablee:secret@127.0.0.1:{free_port()}/tablee")
    assert "secret" not in refused.value.problem
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreDown, match="cannot create the folder"):
        await open_store(url_of(tmp_path / "file" / "tablee.db"))
    (tmp_path / "text.db").write_text("This is no database, but it is long enough to look like a broken one. " * 99)
    with pytest.raises(StoreDown, match="not a database"):
        await open_store(url_of(tmp_path / "text.db"))


def _do(connection: Connection, statement: str) -> None:
    connection.execute(text(statement))

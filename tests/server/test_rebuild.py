"""No finished match is lost: after a crash, and in a database older than the archive."""

import sqlite3
from contextlib import closing

import pytest
from finished import change, get, played
from live import LiveServer, play_again, play_on
from typer.testing import CliRunner

from tablee.cli import main
from tablee.store import schema

pytestmark = pytest.mark.one_server("it looks into the data folder of one server")


def test_a_match_that_ended_just_before_the_plug_was_pulled_is_kept(own_server: LiveServer) -> None:
    id, people, _ = played(own_server)
    before = get(people[0], f"matches/{id}")
    own_server.kill()
    # As if the last move had been written and nothing after it.
    gone = [f"DELETE FROM {table}" for table in ("matches", "players", "ratings")]
    change(own_server, *gone, "UPDATE tables SET status = 'playing'")
    own_server.start()
    again = get(people[0], f"matches/{id}")
    assert (
        abs(again["card"]["ended"] - before["card"]["ended"]) < 5
    )  # the promise of the next deal may be in the log as well
    assert {**again["card"], "ended": 0} == {**before["card"], "ended": 0}


def test_a_database_from_before_the_archive_gets_one(own_server: LiveServer) -> None:
    first, people, lines = played(own_server, public=True)
    play_again(lines)
    play_on(lines)
    get(people[0], f"matches/{first.removesuffix('1')}2")  # it is kept by now
    running = people[0].create(bots=["facile"], start=True, options={"deals": 10})
    stats = get(people[0], "me/stats")
    own_server.stop()
    change(
        own_server,
        *(f"DROP TABLE {table}" for table in schema.metadata.tables if table not in ("events", "tables", "people")),
        "DROP INDEX starts",
        "DROP INDEX reports_by_date",
        "ALTER TABLE events DROP COLUMN kind",
        "ALTER TABLE tables DROP COLUMN match",
        "ALTER TABLE tables DROP COLUMN seats",
        "DROP INDEX public_tables",
        "ALTER TABLE tables DROP COLUMN host",
        "ALTER TABLE tables DROP COLUMN options",
        "DROP INDEX tables_by_due",
        "ALTER TABLE tables DROP COLUMN days",
        "ALTER TABLE tables DROP COLUMN due",
        "DROP TABLE alembic_version",
        "PRAGMA user_version=1",
    )
    own_server.start()
    assert [one["id"] for one in get(people[0], "history")["matches"]][-1] == first
    again = get(people[0], "me/stats")
    assert [game["matches"] for game in again["games"]] == [game["matches"] for game in stats["games"]]
    assert again["games"][0]["rating"] == stats["games"][0]["rating"]
    assert running in [table["code"] for table in get(people[0], "me/tables")]
    # The operator can rebuild it at any time.
    own_server.stop()
    change(own_server, "DELETE FROM players", "DELETE FROM matches", "UPDATE ratings SET value = 0")
    done = CliRunner().invoke(main, ["index", "--data", str(own_server.data)])
    assert int(done.output.removesuffix(" finished matches\n")) >= stats["games"][0]["matches"]
    with closing(sqlite3.connect(own_server.data / "tablee.db")) as database:
        found = database.execute("SELECT value FROM ratings WHERE person = ?", (people[0].id,)).fetchone()
    assert found[0] == pytest.approx(stats["games"][0]["rating"]["value"], abs=0.05)

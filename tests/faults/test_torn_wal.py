"""SQLite after a power cut: it ignores a torn transaction and keeps everything before it."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from wal import MARK, begin_unacknowledged, end_of_commits, tear

from tablee.table.events import Said, encode


def committed(data: Path) -> list[tuple[str, int, str]]:
    """Return the whole log, as a server that starts would read it."""
    with closing(sqlite3.connect(data / "tablee.db")) as database:
        return database.execute("SELECT code, n, body FROM events ORDER BY code, n").fetchall()


def write_a_log(data: Path, batches: int = 20) -> list[tuple[str, int, str]]:
    """Write some commits as a server does, and leave the files as a kill would; return the log."""
    data.mkdir()
    live = data.with_name("live")
    live.mkdir()
    with closing(sqlite3.connect(live / "tablee.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute(
            "CREATE TABLE events (code TEXT, n INTEGER, at REAL, kind TEXT, body TEXT, PRIMARY KEY (code, n)) "
            "WITHOUT ROWID"
        )
        for batch in range(batches):
            said = encode(Said(batch, "anne", "text", f"message {batch}", "players", 1.0)).decode()
            database.execute("INSERT INTO events VALUES ('ABCDEF', ?, 1.0, 'said', ?)", (batch, said))
        for name in ("tablee.db", "tablee.db-wal", "tablee.db-shm"):
            shutil.copy(live / name, data / name)
        return database.execute("SELECT code, n, body FROM events ORDER BY code, n").fetchall()


def tears(folder: Path, count: int) -> None:
    """Tear one log in many ways; each time the log must be as it was at the last acknowledged commit."""
    expected = write_a_log(folder / "data")
    for seed in range(count):
        dice = random.Random(seed)
        torn = folder / "torn"
        shutil.copytree(folder / "data", torn)
        safe = begin_unacknowledged(torn, dice)
        what = tear(torn, safe, dice)
        found = committed(torn)
        assert [row for row in found if row[0] != MARK] == expected, f"seed {seed}: {what}"
        assert len(found) == len(expected), f"seed {seed}: {what}: a part of a transaction"
        shutil.rmtree(torn)


def test_a_torn_transaction_is_ignored(tmp_path: Path) -> None:
    tears(tmp_path, 40)


@pytest.mark.soak
def test_a_torn_transaction_is_ignored_in_every_way(tmp_path: Path) -> None:
    tears(tmp_path, 3000)


def test_a_whole_transaction_is_kept(tmp_path: Path) -> None:
    expected = write_a_log(tmp_path / "data")
    begin_unacknowledged(tmp_path / "data", random.Random(1))
    found = committed(tmp_path / "data")
    assert [row for row in found if row[0] != MARK] == expected
    assert len(found) > len(expected)


def test_a_tear_before_the_last_commit_loses_something(tmp_path: Path) -> None:
    """No power cut does this, because the commit was flushed. It shows that these tests would notice a loss."""
    expected = write_a_log(tmp_path / "data")
    wal = tmp_path / "data" / "tablee.db-wal"
    wal.write_bytes(wal.read_bytes()[: end_of_commits(wal) - 1])
    assert committed(tmp_path / "data") != expected

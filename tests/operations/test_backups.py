"""`tablee backup` and `tablee restore`: both databases, while serving, beside old files, without the key."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from furnished import KEY, digests, furnish, furnish_with_files, keep
from live import LiveServer, Person
from postgres import PostgresServer
from typer.testing import CliRunner

from tablee.cli import main
from tablee.operations.backups import Manifest, back_up, restore
from tablee.operations.checking import check
from tablee.operations.copying import copy
from tablee.operations.place import CannotDo, Place
from tablee.store import open_store


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return done.exit_code, done.output


async def test_a_backup_of_either_database_goes_into_either(url: str, postgres: PostgresServer, tmp_path: Path) -> None:
    await furnish_with_files(url)
    file = tmp_path / "backup.tar.gz"
    code, output = run("backup", "--database", url, file)
    assert code == 0, output
    assert file.stat().st_mode & 0o777 == 0o600
    assert not any(name.startswith(".tablee") for name in os.listdir(tmp_path))
    with tarfile.open(file) as tar:
        manifest = msgspec.json.decode(tar.extractfile("manifest.json").read(), type=Manifest)
        assert {"manifest.json", "tablee.db", "secret.key", "filter.txt"} <= set(tar.getnames())
    assert manifest.counts["events"] == sum(one.rows for code, one in digests(url).items() if code.isupper())
    folder = tmp_path / "again"
    code, output = run("restore", file, "--data", folder)
    assert (code, output.count("\n")) == (0, 1), output
    assert digests(f"sqlite:///{folder}/tablee.db") == digests(url)
    assert (folder / "secret.key").read_bytes() == KEY
    assert (folder / "secret.key").stat().st_mode & 0o777 == 0o600
    assert (folder / "filter.txt").read_text() == "zut\n"
    other = postgres.create_database()
    try:
        code, output = run("restore", file, "--database", other)
        assert code == 0, output
        assert digests(other) == digests(url)
        code, output = run("restore", file, "--database", other)  # the same backup again changes nothing
        assert code == 0, output
        assert check(Place(other)).problems == []
    finally:
        postgres.drop_database(other)


async def test_an_admin_token_stays_with_its_servers(postgres_url: str, tmp_path: Path) -> None:
    """Neither a copy nor a restored backup has it, not even from a backup of an older version."""
    place = await furnish_with_files(postgres_url, tables=1)
    store = await open_store(postgres_url)
    await store.files.put("admin.token", b"open sesame 123456")
    await store.close()
    copied, restored, older = (Place(f"sqlite:///{tmp_path / name / 'tablee.db'}") for name in ("a", "b", "c"))
    await asyncio.to_thread(copy, place, copied)
    await asyncio.to_thread(back_up, place, tmp_path / "backup.tar")
    await asyncio.to_thread(restore, tmp_path / "backup.tar", restored)
    store = await open_store(copied.url)
    await store.files.put("admin.token", b"open sesame 123456")  # as older versions did
    await store.close()
    await asyncio.to_thread(back_up, copied, tmp_path / "older.tar")
    await asyncio.to_thread(restore, tmp_path / "older.tar", older)
    for one in (restored, older):
        assert one.file is not None
        assert b"open sesame" not in one.file.read_bytes()
        assert one.file.stat().st_mode & 0o777 == 0o600
    assert copied.file is not None
    assert copied.file.stat().st_mode & 0o777 == 0o600


async def test_a_folder_on_the_command_line_counts_more_than_the_environment(
    sqlite_url: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await furnish_with_files(sqlite_url)
    await furnish_with_files(postgres_url, tables=1)
    monkeypatch.setenv("TABLEE_DATABASE", postgres_url)
    for name, option in (("folder.tar", ("--data", place.data)), ("database.tar", ())):
        code, output = run("backup", *option, tmp_path / name)
        assert code == 0, output
    manifests = {}
    for name in ("folder.tar", "database.tar"):
        with tarfile.open(tmp_path / name) as tar:
            manifests[name] = msgspec.json.decode(tar.extractfile("manifest.json").read(), type=Manifest)
    assert manifests["folder.tar"].counts["matches"] == 6
    assert manifests["database.tar"].counts["matches"] == 1


async def test_the_key_may_be_in_another_folder_than_the_database(tmp_path: Path) -> None:
    """As with `tablee serve --data D --database sqlite:///E/x.db`."""
    data, url = tmp_path / "D", f"sqlite:///{tmp_path / 'E' / 'x.db'}"
    data.mkdir()
    await furnish(url, tables=1, data=data)
    code, output = run("backup", "--data", data, "--database", url, tmp_path / "backup.tar")
    assert (code, output.count("\n")) == (0, 1), output
    (data / "secret.key").unlink()
    code, output = run("restore", tmp_path / "backup.tar", "--data", data, "--database", url)
    assert code == 0, output
    assert (data / "secret.key").read_bytes() == KEY
    assert not (tmp_path / "E" / "secret.key").exists()


async def test_a_backup_can_go_into_a_pipe(url: str, tmp_path: Path) -> None:
    await furnish_with_files(url)
    command = [sys.executable, "-m", "tablee", "backup", "--data", str(tmp_path), "--database", url, "-"]
    done = await asyncio.to_thread(lambda: subprocess.run(command, check=True, capture_output=True))
    assert b"events" in done.stderr
    (tmp_path / "piped.tar").write_bytes(done.stdout)
    code, output = run("restore", tmp_path / "piped.tar", "--data", tmp_path / "again")
    assert code == 0, output
    assert digests(f"sqlite:///{tmp_path}/again/tablee.db") == digests(url)


async def test_a_backup_during_writes_is_one_moment(url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(url)
    store, stop, begun = await open_store(url), asyncio.Event(), asyncio.Event()

    async def write() -> None:
        number = 0
        while not stop.is_set():
            await keep(store, f"W{number:05}")
            number += 1
            if number == 3:
                begun.set()

    writing = asyncio.create_task(write())
    await asyncio.wait({writing, asyncio.create_task(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.to_thread(back_up, place, tmp_path / "backup.tar")
    stop.set()
    await writing
    await store.close()
    again = Place(f"sqlite:///{tmp_path / 'again' / 'tablee.db'}")
    await asyncio.to_thread(restore, tmp_path / "backup.tar", again)
    found, whole = digests(again.url), digests(url)
    kept = [code for code in found if code.startswith("W")]
    assert len(kept) >= 3
    assert all(found[code] == whole[code] for code in kept)
    unkept = [problem for problem in check(again).problems if "not in the archive" not in problem]
    assert unkept == []


async def test_a_restore_beside_an_old_journal_is_not_ignored(sqlite_url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(sqlite_url)
    assert place.file is not None
    back_up(place, tmp_path / "backup.tar")
    before = digests(sqlite_url)
    # A server dies and leaves its journal; somebody restores the database beside it.
    with closing(sqlite3.connect(place.file)) as connection:
        connection.execute("DELETE FROM events")
        connection.execute("INSERT INTO people VALUES ('x', 'later', 1)")
        connection.commit()
        for suffix in ("", "-wal", "-shm"):
            shutil.copyfile(f"{place.file}{suffix}", tmp_path / f"dead{suffix}")
    for suffix in ("", "-wal", "-shm"):
        shutil.copyfile(tmp_path / f"dead{suffix}", f"{place.file}{suffix}")
    code, output = run("restore", tmp_path / "backup.tar", "--data", place.data)
    assert code == 0
    assert "The old database is now in" in output
    assert "tablee.db-wal" in output
    assert digests(sqlite_url) == before
    (aside,) = place.file.parent.glob("before-restore-*")
    with closing(sqlite3.connect(aside / "tablee.db")) as connection:  # nothing of the old house is lost
        assert connection.execute("SELECT name FROM people WHERE id = 'x'").fetchone() == ("later",)


async def test_a_journal_without_its_database_is_removed(sqlite_url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(sqlite_url)
    assert place.file is not None
    back_up(place, tmp_path / "backup.tar")
    before = digests(sqlite_url)
    with closing(sqlite3.connect(place.file)) as connection:
        connection.execute("DELETE FROM events")
        connection.commit()
        shutil.copyfile(f"{place.file}-wal", tmp_path / "wal")
    place.file.unlink()
    shutil.copyfile(tmp_path / "wal", f"{place.file}-wal")
    code, output = run("restore", tmp_path / "backup.tar", "--data", place.data)
    assert code == 0
    assert f"Removed {place.file}-wal" in output
    assert digests(sqlite_url) == before


async def test_a_database_without_its_key_makes_strangers_and_says_so(sqlite_url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(sqlite_url)
    assert place.file is not None
    bare = tmp_path / "copy.db"
    with closing(sqlite3.connect(place.file)) as source, closing(sqlite3.connect(bare)) as target:
        source.backup(target)
    code, output = run("restore", bare, "--data", tmp_path / "new")
    assert code == 0
    assert "without the old one every guest is a stranger" in output
    assert digests(f"sqlite:///{tmp_path}/new/tablee.db") == digests(sqlite_url)
    code, output = run("restore", bare, "--data", place.data)
    assert code == 0
    assert "secret.key stays: it must be the key of that house" in output
    (place.data / "secret.key").unlink()  # type: ignore[operator]
    code, output = run("backup", "--data", place.data, tmp_path / "keyless.tar")
    assert "There is no secret.key" in output


async def test_another_key_is_kept_aside(sqlite_url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(sqlite_url)
    back_up(place, tmp_path / "backup.tar")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.key").write_bytes(b"o" * 32)
    done = restore(tmp_path / "backup.tar", Place(f"sqlite:///{tmp_path}/other/tablee.db"))
    assert any("secret.key.old" in note for note in done.notes)
    assert (tmp_path / "other" / "secret.key").read_bytes() == KEY
    assert (tmp_path / "other" / "secret.key.old").read_bytes() == b"o" * 32


async def test_a_damaged_backup_changes_nothing(sqlite_url: str, tmp_path: Path) -> None:
    place = await furnish_with_files(sqlite_url)
    file = tmp_path / "backup.tar"
    back_up(place, file)
    whole, before = file.read_bytes(), digests(sqlite_url)
    half = len(whole) // 2
    for damaged in (whole[:half], whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :], b"", b"not a backup"):
        file.write_bytes(damaged)
        code, output = run("restore", file, "--data", place.data)
        assert (code, len(output.splitlines())) == (1, 1), output
        assert digests(sqlite_url) == before
    assert not any(name.startswith("before") for name in os.listdir(place.data))
    code, output = run("restore", file, "--data", tmp_path / "new" / "house")
    assert code == 1, output
    assert not (tmp_path / "new").exists()
    (tmp_path / "there").mkdir()
    run("restore", file, "--data", tmp_path / "there")
    assert os.listdir(tmp_path / "there") == []
    with pytest.raises(CannotDo, match="exists already"):
        back_up(place, file)


def test_a_house_that_is_served_is_backed_up_and_not_overwritten(tmp_path: Path) -> None:
    live = LiveServer(tmp_path / "server").start()
    try:
        person = Person(live, "Zoé")
        table = person.create(bots=["facile"])
        code, output = run("backup", "--data", live.data, tmp_path / "backup.tar")
        assert code == 0, output
        code, output = run("restore", tmp_path / "backup.tar", "--data", live.data)
        assert code == 1
        assert "in use" in output
        assert run("check", "--data", live.data)[0] == 0
        live.kill()
        shutil.rmtree(live.data)
        code, output = run("restore", tmp_path / "backup.tar", "--data", live.data)
        assert code == 0, output
        live.start()
        assert person.http.get("/api/me").json()["name"] == "Zoé"  # the cookie still counts
        assert person.http.get(f"/api/tables/{table}").status_code == 200
    finally:
        person.http.close()
        live.stop()

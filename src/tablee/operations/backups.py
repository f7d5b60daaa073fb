"""One file with a whole house: a tar of the database as a SQLite file, the files of the data folder, and a manifest.

It is the same file for both kinds of database, so a backup of one can be restored into the other.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import file_digest
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO
from urllib.parse import quote

import msgspec
from msgspec import Struct

from .. import __version__
from ..server.identity import KEY_FILE
from ..server.shared_files import SECRET_FILES, files_in, is_shared, set_aside
from ..store import connect, transfer
from ..store.backend import first_line
from .copying import Copied, Progress, copy_between, without_key
from .place import CannotDo, Place, copy_files

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "tablee.db"
SQLITE_HEADER = b"SQLite format 3\0"
COMPANIONS = ("-wal", "-shm")
"""The ends of the names of the files that SQLite keeps beside a database. They belong to that one database."""


class Manifest(Struct, frozen=True, kw_only=True):
    """The list of contents of a backup."""

    format: int = FORMAT
    version: str
    """The version of Tablée that made it."""
    made: str
    source: str
    counts: dict[str, int]
    """Rows by table."""
    hashes: dict[str, str]
    """The SHA-256 of each file, the database included."""


class Restored(Struct, frozen=True):
    manifest: Manifest | None
    """None: the backup is a bare SQLite file."""
    notes: list[str]


def back_up(place: Place, file: Path, tell: Progress = lambda step, done, total: None) -> Manifest:
    """Write a backup of a house, also while it is served. The file appears when it is complete."""
    if file.exists():
        raise CannotDo(f"{file} exists already")
    if not file.absolute().parent.is_dir():
        raise CannotDo(f"there is no folder {file.absolute().parent}")
    compress = file.suffix in (".gz", ".tgz")
    with packed(place, file.absolute().parent, tell, compress=compress) as (manifest, part):
        os.link(part, file)  # unlike `rename`, it never replaces a file
    return manifest


def stream(place: Place, out: BinaryIO, near: Path, tell: Progress = lambda step, done, total: None) -> Manifest:
    """Write a backup to a stream, once it is complete in a folder."""
    with packed(place, near, tell, compress=False) as (manifest, part), part.open("rb") as file:
        shutil.copyfileobj(file, out)
        out.flush()
    return manifest


@contextmanager
def packed(place: Place, near: Path, tell: Progress, *, compress: bool) -> Iterator[tuple[Manifest, Path]]:
    """Make a backup in a folder of its own; give its manifest and its file."""
    with staging(near) as folder:
        if place.file is not None:
            source = str(place.file)
            snapshot_sqlite(place.file, folder / DATABASE)
            copy_folder(place, folder)
        else:
            source = snapshot_postgres(place, folder, tell)
        manifest = Manifest(
            version=__version__,
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            source=source,
            counts=count_rows(folder / DATABASE),
            hashes={name: hash_of(folder / name) for name in (DATABASE, *files_in(folder))},
        )
        part = folder / "backup"
        write_tar(part, folder, manifest, compress=compress)
        yield manifest, part


def restore(file: Path, place: Place, tell: Progress = lambda step, done, total: None) -> Restored:
    """Put a house back from a backup, or from a bare SQLite file; check everything before anything changes."""
    if not file.is_file():
        raise CannotDo(f"there is no file {file}")
    with place.unused():
        near = place.file.parent if place.file is not None else file.absolute().parent
        with staging(near) as folder:
            manifest = unpack(file, folder)
            bring_up_to_date(folder / DATABASE)
            if place.file is None:
                notes = into_postgres(file, folder, place, tell).notes
            else:
                notes = into_folder(folder, place)
    return Restored(manifest, notes)


@contextmanager
def staging(near: Path) -> Iterator[Path]:
    """Make a folder that is removed at the end; only its owner may look inside."""
    try:
        folder = Path(mkdtemp(prefix=".tablee-", dir=near))
    except OSError as error:
        raise CannotDo(f"cannot write in {near}: {error.strerror}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# Back up.


def snapshot_sqlite(source: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment, with what its journal has; the source does not change."""
    if not source.exists():
        raise CannotDo(f"there is no database {source}")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True, timeout=30)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error as error:
        raise CannotDo(f"{source} cannot be read: {error}") from error
    target.chmod(0o600)


def snapshot_postgres(place: Place, folder: Path, tell: Progress) -> str:
    """Copy a PostgreSQL database into a SQLite file and its files into the folder; return its name."""
    copy_of = Place(f"sqlite:///{folder / DATABASE}")
    with place.opened() as reader, copy_of.opened(new=True) as writer:
        with transfer.snapshot(reader) as reading, writer.engine.connect() as writing:
            rows = sum(transfer.count(reading).values())
            transfer.copy(reading, writing, writer.begin, lambda done: tell("copy", done, rows))
            copy_files(place, reading, copy_of, writing)
            if problems := transfer.differences(reading, writing, lambda done: tell("compare", done, rows)):
                raise CannotDo(f"the backup is not equal to the database: {'; '.join(problems[:5])}")
            writing.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return reader.name


def copy_folder(place: Place, folder: Path) -> None:
    """Copy the signing key, the chat filter and so on."""
    assert place.data is not None
    for name in files_in(place.data):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place.data / name, folder / name)


def count_rows(database: Path) -> dict[str, int]:
    """Return the number of rows of each table; an older Tablée may have written the file."""
    with closing(sqlite3.connect(database)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        ours = [part.table.name for part in transfer.PARTS]
        return {
            name: int(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608
            for name in sorted(names)
            if name in ours
        }


def write_tar(path: Path, folder: Path, manifest: Manifest, *, compress: bool) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:
        with tarfile.open(fileobj=raw, mode="w:gz" if compress else "w") as tar:
            text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
            entry = tarfile.TarInfo(MANIFEST)
            entry.size, entry.mode = len(text), 0o600
            tar.addfile(entry, BytesIO(text))
            for name in manifest.hashes:
                tar.add(folder / name, arcname=name, recursive=False, filter=_anonymous)
        raw.flush()
        os.fsync(raw.fileno())


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


def hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


# Restore.


def unpack(file: Path, folder: Path) -> Manifest | None:
    """Unpack a backup into a folder and compare all hashes; a bare SQLite file has no manifest."""
    with file.open("rb") as raw:
        if raw.read(len(SQLITE_HEADER)) == SQLITE_HEADER:
            snapshot_sqlite(file.absolute(), folder / DATABASE)
            return None
    try:
        with tarfile.open(file, "r:*") as tar:
            manifest = read_manifest(file, tar)
            for name in manifest.hashes:
                if name != DATABASE and not is_shared(name):
                    continue  # a game that is not installed here wrote it
                tar.extract(name, folder, set_attrs=False, filter="data")
    except (tarfile.TarError, EOFError, OSError, KeyError, msgspec.MsgspecError) as error:
        raise CannotDo(f"{file} is not a whole backup: {first_line(error).rstrip(':')}") from error
    for name in (DATABASE, *files_in(folder)):
        if hash_of(folder / name) != manifest.hashes.get(name):
            raise CannotDo(f"{file} is damaged: {name} does not match its hash")
    return manifest


def read_manifest(file: Path, tar: tarfile.TarFile) -> Manifest:
    found = tar.extractfile(MANIFEST)
    assert found is not None
    manifest = msgspec.json.decode(found.read(), type=Manifest)
    if manifest.format > FORMAT:
        raise CannotDo(f"{file} was made by a newer Tablée ({manifest.version}, here {__version__})")
    if DATABASE not in manifest.hashes:
        raise CannotDo(f"{file} has no database")
    return manifest


def bring_up_to_date(database: Path) -> None:
    """Check a SQLite file and migrate it, so that nothing is left beside it; remove an admin token.

    Backups of older versions have the token of the servers that were copied.
    """
    with closing(sqlite3.connect(database)) as connection:
        ((verdict,), *_) = connection.execute("PRAGMA quick_check").fetchall()
        if verdict != "ok":
            raise CannotDo(f"the database of the backup is damaged: {verdict}")
    connect(f"sqlite:///{database}").engine.dispose()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("DELETE FROM files WHERE name = ?", (transfer.TOKEN_FILE,))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    database.chmod(0o600)


def into_postgres(file: Path, folder: Path, place: Place, tell: Progress) -> Copied:
    """Copy an unpacked backup into PostgreSQL; an interrupted restore goes on."""
    source = Place(f"sqlite:///{folder / DATABASE}")
    name = f"the backup {file.name} ({hash_of(folder / DATABASE)[:16]})"
    with (
        source.opened() as reader,
        place.opened() as writer,
        transfer.snapshot(reader) as reading,
        writer.engine.connect() as writing,
    ):
        return copy_between(source, reading, place, writing, writer, name=name, tell=tell)


def into_folder(folder: Path, place: Place) -> list[str]:
    """Move an unpacked backup into the data folder, the database last; set aside what was there."""
    assert place.file is not None
    assert place.data is not None
    notes = clear(place.file)
    names = files_in(folder)
    for name in names:
        here = place.data / name
        if name == KEY_FILE and here.exists() and hash_of(here) != hash_of(folder / name):
            notes.append(f"The signing key that was there is now {set_aside(place.data, name)}.")
        here.parent.mkdir(parents=True, exist_ok=True)
        (folder / name).chmod(0o600 if name in SECRET_FILES else 0o644)
        shutil.move(folder / name, here)  # the data folder may be on another disk than the database
    (folder / DATABASE).replace(place.file)
    if not (place.data / KEY_FILE).exists():
        notes.append(without_key(place))
    elif KEY_FILE not in names:
        notes.append(f"The backup has no signing key. {place.data / KEY_FILE} stays: it must be the key of that house.")
    return notes


def clear(database: Path) -> list[str]:
    """Set an old database aside together with its journal; remove a journal whose database is gone."""
    beside = [path for suffix in COMPANIONS if (path := Path(f"{database}{suffix}")).exists()]
    if not database.exists():
        for path in beside:
            path.unlink()
        return [f"Removed {path}: it belonged to a database that is gone." for path in beside]
    kept = Path(mkdtemp(prefix=f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}-", dir=database.parent))
    for path in (*beside, database):
        path.rename(kept / path.name)
    names = " and ".join(path.name for path in (database, *beside))
    return [f"The old database is now in {kept} ({names})."]

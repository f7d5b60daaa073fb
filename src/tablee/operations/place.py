"""Where a house is kept: its database, and its files in the data folder or in the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, select

from ..server.config import SQLITE
from ..server.identity import KEY_FILE
from ..server.shared_files import files_in, set_aside, write_file
from ..server.start import CannotStart, locked
from ..store import StoreDown, connect, schema
from ..store.backend import Backend
from ..store.transfer import DATA, live_servers
from ..store.transfer import write_file as write_row


class CannotDo(Exception):
    """A command cannot go on; the text is one sentence for the operator."""


class Place:
    """Where the data of a house are. It works with and without a running server."""

    def __init__(self, url: str, data: Path | None = None) -> None:
        self.url = url
        self.file = Path(url.removeprefix(SQLITE)).absolute() if url.startswith(SQLITE) else None
        """The file of a SQLite database; None for PostgreSQL."""
        self.data = None if self.file is None else (data or self.file.parent)
        """The folder of the files; None: they are in the database."""

    @contextmanager
    def opened(self, *, new: bool = False) -> Iterator[Backend]:
        """Open the database, after bringing it up to date; a `new` one may be created."""
        if not new and self.file is not None and not self.file.exists():
            raise CannotDo(f"there is no database {self.file}")
        if self.file is not None and not self.file.exists():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.touch(0o600)  # it gets private tables and hashes of recovery codes
        backend = connect(self.url)
        try:
            yield backend
        except Exception as error:
            meant = backend.meaning(error)
            if isinstance(meant, StoreDown) and isinstance(backend.driver_error(error), backend.failure):
                raise StoreDown(backend.named(meant.problem)) from error
            raise
        finally:
            backend.engine.dispose()

    @contextmanager
    def unused(self) -> Iterator[None]:
        """Keep servers away from a SQLite file; raise `CannotStart` if one uses it.

        If the work fails, remove the folders and the lock that were made for it.
        """
        if self.file is None:
            yield
            return
        lock = Path(f"{self.file}.lock")
        had_lock = lock.exists()
        made = [folder for folder in self.file.parents if not folder.exists()]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with locked(self.file):
                try:
                    yield
                except BaseException:
                    if not had_lock:
                        lock.unlink(missing_ok=True)
                    raise
        except BaseException:
            with suppress(OSError):  # somebody put something there
                for folder in made:
                    folder.rmdir()
            raise

    def is_used(self, backend: Backend) -> bool:
        """Return whether a server runs."""
        if self.file is None:
            with backend.engine.connect() as connection:
                return live_servers(connection) > 0
        try:
            with locked(self.file):
                return False
        except CannotStart:
            return True

    def refuse_servers(self, connection: Connection) -> None:
        """Raise `CannotDo` if servers use this PostgreSQL database."""
        if self.file is None and (count := live_servers(connection)):
            raise CannotDo(f"{count} server{'s' * (count > 1)} of this database run: stop them first")

    # The files.

    def file_hashes(self, connection: Connection) -> dict[str, str]:
        """Return the SHA-256 of the signing key, the chat filter and so on, by name."""
        if self.data is not None:
            return {name: sha256((self.data / name).read_bytes()).hexdigest() for name in files_in(self.data)}
        files = schema.files.c
        rows = connection.execute(select(files.name, files.hash).where(files.name.startswith(DATA)))
        return {name.removeprefix(DATA): hash for name, hash in rows}

    def read_file(self, connection: Connection, name: str) -> bytes:
        if self.data is not None:
            return (self.data / name).read_bytes()
        data = connection.execute(select(schema.files.c.data).where(schema.files.c.name == DATA + name)).scalar_one()
        return bytes(data)

    def write_file(self, connection: Connection, name: str, data: bytes) -> str | None:
        """Write a file; if it replaces a signing key, return a sentence for the operator."""
        if self.data is not None:
            old = self.data / name
            kept = set_aside(self.data, name) if name == KEY_FILE and old.exists() else None
            write_file(self.data, name, data)
            return None if kept is None else f"The signing key that was there is now {kept}."
        write_row(connection, DATA + name, data)
        return None


def copy_files(source: Place, reading: Connection, target: Place, writing: Connection) -> tuple[int, list[str]]:
    """Copy the files that the target does not have yet; return how many, and what the operator should know."""
    wanted, there = source.file_hashes(reading), target.file_hashes(writing)
    notes: list[str] = []
    new = [name for name, hash in wanted.items() if there.get(name) != hash]
    for name in new:
        data = source.read_file(reading, name)
        if sha256(data).hexdigest() != wanted[name]:
            raise CannotDo(f"the file {name} does not match its hash: it is damaged")
        if (note := target.write_file(writing, name, data)) is not None:
            notes.append(note)
    there = target.file_hashes(writing)
    if wrong := [name for name, hash in wanted.items() if there.get(name) != hash]:
        raise CannotDo(f"these files differ from their source after copying: {', '.join(wrong)}")
    return len(new), notes

"""Copies a house from one database into another, of the same kind or the other one.

The source is read as it is at one moment, also while it is served. The target is written a page at a time, and says
that it is an unfinished copy until everything is there and compared.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from sqlalchemy import Connection

from ..server.identity import KEY_FILE
from ..store import transfer
from ..store.backend import Backend
from ..store.transfer import CopyMark
from .place import CannotDo, Place, copy_files

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, the number of rows done since the last call, and the number in all."""


class Copied(Struct, frozen=True):
    """The size of a finished copy, and how much of it this run has written."""

    rows: int
    logs: int
    new: int
    files: int
    notes: list[str]


def copy(source: Place, target: Place, tell: Progress = lambda step, done, total: None) -> Copied:
    """Copy a house; raise `CannotDo` if the target has anything else."""
    if source.url == target.url or (source.file is not None and source.file == target.file):
        raise CannotDo("source and target are the same database")
    with (
        source.opened() as reader,
        target.unused(),
        target.opened(new=True) as writer,
        transfer.snapshot(reader) as reading,
        writer.engine.connect() as writing,
    ):
        return copy_between(source, reading, target, writing, writer, name=reader.name, tell=tell)


def copy_between(
    source: Place,
    reading: Connection,
    target: Place,
    writing: Connection,
    backend: Backend,
    *,
    name: str,
    tell: Progress,
) -> Copied:
    """Copy from a snapshot into a database that this process has for itself, and compare the two."""
    claim(target, writing, backend.name, name)
    rows = sum(transfer.count(reading).values())
    changed = transfer.copy(reading, writing, backend.begin, lambda done: tell("copy", done, rows))
    files, notes = copy_files(source, reading, target, writing)
    if problems := transfer.differences(reading, writing, lambda done: tell("compare", done, rows)):
        raise CannotDo(f"the copy is not equal to its source: {'; '.join(problems[:5])}")
    transfer.write_mark(writing, CopyMark(name, is_finished=True))
    if KEY_FILE not in target.file_hashes(writing):
        notes.append(without_key(target))
    return Copied(rows, transfer.count_logs(reading), changed, files, notes)


def claim(target: Place, writing: Connection, there: str, name: str) -> None:
    """Mark a database as an unfinished copy; raise `CannotDo` if it has something else."""
    if not transfer.take_copy_lock(writing):
        raise CannotDo(f"another process is copying into {there}")
    target.refuse_servers(writing)
    mark = transfer.read_mark(writing)
    if mark is not None and mark.source != name:
        raise CannotDo(f"{there} is a copy of {mark.source}, not of {name}: choose an empty database")
    if mark is None and not transfer.is_empty(writing):
        raise CannotDo(
            f"{there} is neither empty nor a copy of {name} that no server has used: choose an empty database"
        )
    transfer.write_mark(writing, CopyMark(name))


def without_key(place: Place) -> str:
    """Explain what happens to guests if a house has lost its signing key."""
    where = "the database" if place.data is None else str(place.data)
    folder = "the data folder of the first server" if place.data is None else str(place.data)
    return (
        f"There is no signing key in {where}: without the old one every guest is a stranger, and nobody gets back "
        f"their name, their tables and their rating. Put {KEY_FILE} into {folder} before you start a server."
    )

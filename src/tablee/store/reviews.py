"""Reviews of finished matches and of uploaded files. One server at a time makes a review.

The server that makes one writes a heartbeat. If there is none for `LAPSE_SECONDS`, another server may take over.
Nothing here names a person.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select, update

from . import schema
from .database import Database
from .sql import Now, insert

LAPSE_SECONDS = 10.0
"""A server that was silent for so long no longer makes its review."""
UPLOAD_SECONDS = 7 * 24 * 3600.0
"""Reviews of uploaded files are kept for so long."""
MOST_UPLOADS = 500
"""The most reviews of uploaded files; the oldest go first."""

Status = Literal["running", "done", "failed"]


class ReviewRow(Struct, frozen=True):
    """How far a review is."""

    status: Status
    done: int
    total: int
    """Pieces; 0 while they are being cut."""
    result: bytes | None
    is_lapsed: bool
    """It is not done, and its server is silent."""


rows = schema.reviews.c
IS_LAPSED = and_(rows.status == "running", Now() - rows.at > LAPSE_SECONDS)


class Reviews:
    """The reviews that are made or done, by the id of the match or file and the version of the review."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, id: str, version: int) -> ReviewRow | None:
        wanted = select(rows.status, rows.done, rows.total, rows.result, IS_LAPSED).where(_same(id, version))
        found = await self._database.query(wanted)
        return next(
            (ReviewRow(status, done, total, result, bool(old)) for status, done, total, result, old in found), None
        )

    async def claim(self, id: str, version: int, owner: str, *, upload: bool = False) -> bool:
        """Begin a review here, unless it is done or another server makes it; return whether it is ours."""
        ours = False

        def work(connection: Connection) -> None:
            nonlocal ours
            row = {"status": "running", "owner": owner, "at": Now(), "done": 0, "total": 0}
            new = insert(connection, schema.reviews).values(id=id, version=version, upload=upload, **row)
            ours = connection.execute(new.on_conflict_do_nothing().returning(rows.id)).first() is not None
            if not ours:
                free = and_(_same(id, version), or_(IS_LAPSED, rows.status == "failed"))
                ours = connection.execute(update(schema.reviews).where(free).values(**row)).rowcount > 0
            if ours:
                _forget(connection, id, version)

        await self._database.write_apart(work)
        return ours

    async def beat(self, id: str, version: int, owner: str, done: int, total: int) -> bool:
        """Say that the owner still works, and how far it is; return whether the review is still the owner's."""
        return await self._change(id, version, owner, done=done, total=total, at=Now())

    async def finish(self, id: str, version: int, owner: str, result: bytes) -> bool:
        """Keep a review that is done; return whether it was still the owner's."""
        return await self._change(id, version, owner, status="done", done=rows.total, result=result, at=Now())

    async def fail(self, id: str, version: int, owner: str) -> bool:
        """Mark a review as failed; the next one who asks begins it again."""
        return await self._change(id, version, owner, status="failed", at=Now())

    async def release(self, owner: str) -> None:
        """Give up all reviews of a server that stops, so that another one may begin them at once."""

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.reviews).where(rows.owner == owner, rows.status == "running"))

        await self._database.write_apart(work)

    async def _change(self, id: str, version: int, owner: str, **values: object) -> bool:
        changed = False

        def work(connection: Connection) -> None:
            nonlocal changed
            theirs = and_(_same(id, version), rows.owner == owner, rows.status == "running")
            changed = connection.execute(update(schema.reviews).where(theirs).values(**values)).rowcount > 0

        await self._database.write_apart(work)
        return changed


def _same(id: str, version: int) -> ColumnElement[bool]:
    return and_(rows.id == id, rows.version == version)


def _forget(connection: Connection, id: str, version: int) -> None:
    """Delete older reviews of the same match, and those of uploads that are too old or too many."""
    connection.execute(delete(schema.reviews).where(rows.id == id, rows.version < version))
    connection.execute(delete(schema.reviews).where(rows.upload, Now() - rows.at > UPLOAD_SECONDS))
    beyond = select(rows.at).where(rows.upload).order_by(rows.at.desc()).limit(1).offset(MOST_UPLOADS)
    oldest = connection.execute(beyond).scalar()
    if oldest is not None:
        connection.execute(delete(schema.reviews).where(rows.upload, rows.at <= oldest, rows.id != id))

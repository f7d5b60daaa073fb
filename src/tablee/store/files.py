"""Small files that all servers share: keys, word lists, the chat filter."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import Connection, delete, select

from . import schema
from .database import Database
from .sql import insert, upsert


class Files:
    """Files by name. A new content replaces the old one as a whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> bytes | None:
        """Return a file's content; None if there is no such file."""
        rows = await self._database.query(select(schema.files.c.data).where(schema.files.c.name == name))
        return bytes(rows[0][0]) if rows else None

    async def put(self, name: str, data: bytes) -> None:
        """Keep a file; replace an older one."""
        await self._database.write(lambda connection: upsert(connection, schema.files, [_row(name, data)]))

    async def put_new(self, name: str, data: bytes) -> bytes:
        """Keep a file unless there is one, and return what is kept: all servers get the first one's."""

        def work(connection: Connection) -> None:
            connection.execute(insert(connection, schema.files).on_conflict_do_nothing(), [_row(name, data)])

        await self._database.write(work)
        kept = await self.get(name)
        return data if kept is None else kept

    async def delete(self, name: str) -> None:
        def work(connection: Connection) -> None:
            connection.execute(delete(schema.files).where(schema.files.c.name == name))

        await self._database.write(work)

    async def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file by name, in hexadecimal."""
        rows = await self._database.query(select(schema.files.c.name, schema.files.c.hash))
        return {row.name: row.hash for row in rows}


def _row(name: str, data: bytes) -> dict[str, object]:
    return {"name": name, "hash": sha256(data).hexdigest(), "data": data}

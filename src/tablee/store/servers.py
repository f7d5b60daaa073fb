"""The servers that are alive: each writes a heartbeat, by the clock of the database."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, delete, select

from . import schema
from .database import Database
from .sql import Now, insert

LIVE_SECONDS = 2.5
"""A server without a heartbeat for so long counts as dead: a busy one may be two seconds late with it."""
FORGET_SECONDS = 3600.0


class ServerRow(Struct, frozen=True):
    id: str
    note: str
    """What the server tells the others about itself."""
    at: float
    """When it wrote its last heartbeat, by the database's clock."""
    age: float
    """Seconds since then."""


class Servers:
    """The heartbeats of all servers on one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, id: str, note: str) -> list[ServerRow]:
        """Write the heartbeat of a server and return the servers alive, by id."""
        found: list[ServerRow] = []

        def work(connection: Connection) -> None:
            statement = insert(connection, schema.servers).values(id=id, note=note, at=Now())
            changed = {"note": statement.excluded.note, "at": statement.excluded.at}
            connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=changed))
            servers = schema.servers.c
            age = Now() - servers.at
            connection.execute(delete(schema.servers).where(age > FORGET_SECONDS))
            wanted = select(servers.id, servers.note, servers.at, age).where(age <= LIVE_SECONDS).order_by(servers.id)
            found[:] = [ServerRow(*row) for row in connection.execute(wanted)]

        await self._database.write_apart(work, is_heartbeat=True)
        return found

    async def leave(self, id: str) -> None:
        """Remove a server that stops."""

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.servers).where(schema.servers.c.id == id))

        await self._database.write_apart(work, is_heartbeat=True)

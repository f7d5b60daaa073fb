"""One person's data: the recovery code, the export, and erasure."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct

from ..table import PersonId
from ..table.events import Said
from .database import Database, json_list
from .rows import PersonRow

NAMES_PERSON = "instr(body, ?)"
"""An id is random and long: an event that contains it is about its owner."""
SAID_BY = f"kind = 'said' AND {NAMES_PERSON} AND json_extract(body, '$.person') = ?"


class Message(Struct, frozen=True):
    """A chat message that a person wrote."""

    table: str
    at: float
    kind: str
    text: str
    channel: str


class Privacy:
    """Queries and changes of one person's data."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_recovery(self, person: PersonId, hash: str) -> None:
        """Keep the hash of a recovery code; the code before it no longer works."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO recovery (person, hash) VALUES (?, ?)", (person, hash))

        await self._database.write(work)

    async def recover(self, hash: str) -> PersonId | None:
        """Return the owner of a recovery code."""
        found = await self._database.query("SELECT person FROM recovery WHERE hash = ?", (hash,))
        return str(found[0][0]) if found else None

    async def has_recovery(self, person: PersonId) -> bool:
        return bool(await self._database.query("SELECT 1 FROM recovery WHERE person = ?", (person,)))

    async def tables_naming(self, person: PersonId) -> list[str]:
        """Return every table whose log names a person; this reads every log."""
        sql = f"SELECT DISTINCT code FROM events WHERE {NAMES_PERSON} ORDER BY code"  # noqa: S608
        rows = await self._database.read_apart(lambda connection: connection.execute(sql, (person,)).fetchall())
        return [code for (code,) in rows]

    async def messages_of(self, person: PersonId, tables: Iterable[str]) -> list[Message]:
        """Return what a person wrote at some tables, in order."""
        sql = (
            f"SELECT code, body FROM events WHERE code IN (SELECT value FROM json_each(?)) AND {SAID_BY} "  # noqa: S608
            "ORDER BY code, n"
        )
        values = (json_list(tables), person, person)
        rows = await self._database.read_apart(lambda connection: connection.execute(sql, values).fetchall())
        said = [(code, msgspec.json.decode(body, type=Said)) for code, body in rows]
        return [Message(code, one.at, one.kind, one.text, one.channel) for code, one in said]

    async def erase(self, person: PersonId, tables: Iterable[str], stranger: Callable[[], PersonRow]) -> None:
        """Erase a person in one transaction.

        At each table, in its log and in its matches, a stranger takes their place: `stranger` returns an id that nobody
        has, with the name and face that follow from it. So the matches of others stay whole, and nothing links this
        person's matches to each other. Their messages are blanked; their ratings and statistics are deleted.
        """
        await self._database.write(lambda connection: _erase(connection, person, tables, stranger))


def _erase(
    connection: sqlite3.Connection, person: PersonId, tables: Iterable[str], stranger: Callable[[], PersonRow]
) -> None:
    seated = connection.execute(
        "SELECT code FROM sitting WHERE person = ?1 "
        "UNION SELECT substr(match, 1, instr(match, '-') - 1) FROM players WHERE person = ?1",
        (person,),
    )
    for code in {*tables, *(code for (code,) in seated)}:
        _replace(connection, person, code, stranger())
    connection.execute("DELETE FROM people WHERE id = ?", (person,))
    for table in ("sitting", "ratings", "recovery"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?", (person,))  # noqa: S608


def _replace(connection: sqlite3.Connection, person: PersonId, code: str, new: PersonRow) -> None:
    """Put a stranger in a person's place at one table, and blank what the person wrote there."""
    connection.execute(
        f"UPDATE events SET body = json_set(body, '$.text', '') WHERE code = ? AND {SAID_BY}",  # noqa: S608
        (code, person, person),
    )
    swap = (f'"{person}"', f'"{new.id}"', code)
    connection.execute(
        f"UPDATE events SET body = replace(body, ?, ?) WHERE code = ? AND {NAMES_PERSON}",  # noqa: S608
        (*swap, person),
    )
    connection.execute("UPDATE tables SET seats = replace(seats, ?, ?) WHERE code = ?", swap)
    connection.execute(
        "UPDATE players SET person = ?, name = ?, avatar = ?, before = NULL, after = NULL, upset = NULL "
        "WHERE person = ? AND match GLOB ?",
        (new.id, new.name, new.avatar, person, f"{code}-*"),
    )

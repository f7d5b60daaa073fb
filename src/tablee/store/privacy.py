"""What is said to SQLite about one person: the way back from another device, all that is known, and forgetting it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct

from ..table import PersonId
from ..table.events import Said

NAMES_SOMEBODY = "instr(body, ?)"
"""An id is random and long: where it stands in an event, that event is about its owner."""


class Message(Struct, frozen=True):
    """Something that somebody wrote at a table."""

    table: str
    at: float
    kind: str
    text: str
    channel: str


def save_recovery(connection: sqlite3.Connection, person: PersonId, hash: str) -> None:
    """Keep the hash of a recovery code; the one before it no longer opens anything."""
    connection.execute("INSERT OR REPLACE INTO recovery (person, hash) VALUES (?, ?)", (person, hash))


def recover(connection: sqlite3.Connection, hash: str) -> PersonId | None:
    found = connection.execute("SELECT person FROM recovery WHERE hash = ?", (hash,)).fetchone()
    return None if found is None else str(found[0])


def has_recovery(connection: sqlite3.Connection, person: PersonId) -> bool:
    return connection.execute("SELECT 1 FROM recovery WHERE person = ?", (person,)).fetchone() is not None


def tables_naming(connection: sqlite3.Connection, person: PersonId) -> list[str]:
    """Every table whose log names somebody. This reads every log, on a connection of its own."""
    rows = connection.execute(f"SELECT DISTINCT code FROM events WHERE {NAMES_SOMEBODY} ORDER BY code", (person,))  # noqa: S608
    return [code for (code,) in rows]


def messages_of(connection: sqlite3.Connection, person: PersonId, tables: Iterable[str]) -> list[Message]:
    """What somebody wrote at some tables, in order."""
    rows = connection.execute(
        f"SELECT code, body FROM events WHERE code IN (SELECT value FROM json_each(?)) AND {NAMES_SOMEBODY} "  # noqa: S608
        "AND json_extract(body, '$.type') = 'said' AND json_extract(body, '$.person') = ? ORDER BY code, n",
        (msgspec.json.encode(list(tables)).decode(), person, person),
    )
    said = [(code, msgspec.json.decode(body, type=Said)) for code, body in rows]
    return [Message(code, one.at, one.kind, one.text, one.channel) for code, one in said]


def erase(
    connection: sqlite3.Connection,
    person: PersonId,
    tables: Iterable[str],
    stranger: Callable[[], tuple[PersonId, str, int]],
) -> None:
    """Forget somebody, in one transaction of the writer.

    At each table, in its log and in its matches, somebody without a past sits in their place: `stranger` gives an id
    that nobody has, and the name and face that follow from it. So the matches of others stay whole, and nothing links
    those of this person to each other. What they wrote is blanked; their ratings and figures are gone.
    """
    seated = connection.execute(
        "SELECT code FROM sitting WHERE person = ?1 "
        "UNION SELECT substr(match, 1, instr(match, '-') - 1) FROM players WHERE person = ?1",
        (person,),
    )
    for code in {*tables, *(code for (code,) in seated)}:
        new, name, avatar = stranger()
        connection.execute(
            f"UPDATE events SET body = json_set(body, '$.text', '') WHERE code = ? AND {NAMES_SOMEBODY} "  # noqa: S608
            "AND json_extract(body, '$.type') = 'said' AND json_extract(body, '$.person') = ?",
            (code, person, person),
        )
        swap = (f'"{person}"', f'"{new}"', code, person)
        connection.execute(
            f"UPDATE events SET body = replace(body, ?, ?) WHERE code = ? AND {NAMES_SOMEBODY}",  # noqa: S608
            swap,
        )
        connection.execute("UPDATE tables SET seats = replace(seats, ?, ?) WHERE code = ?", swap[:3])
        connection.execute("UPDATE reports SET person = ? WHERE person = ? AND code = ?", (new, person, code))
        connection.execute(
            "UPDATE players SET person = ?, name = ?, avatar = ?, before = NULL, after = NULL, upset = NULL "
            "WHERE person = ? AND match GLOB ?",
            (new, name, avatar, person, f"{code}-*"),
        )
    connection.execute("DELETE FROM people WHERE id = ?", (person,))
    for table in ("sitting", "ratings", "recovery"):
        connection.execute(f"DELETE FROM {table} WHERE person = ?", (person,))  # noqa: S608

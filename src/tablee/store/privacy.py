"""One person's data: the recovery code, the export, and erasure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, update

from ..core.game import Seat
from ..table import Occupant, PersonId
from ..table.events import GuestSat, Planned, Rewritten, Said, encode
from . import schema
from .database import Database
from .errors import Conflict
from .ratings import Ratings, rate_from
from .rows import PersonRow
from .sql import Position, among, upsert

read_said = msgspec.json.Decoder(Said).decode
read_planned = msgspec.json.Decoder(Planned).decode
read_guest = msgspec.json.Decoder(GuestSat).decode
read_seats = msgspec.json.Decoder(list[Occupant | None]).decode


class Message(Struct, frozen=True):
    """A chat message that a person wrote."""

    table: str
    at: float
    kind: str
    text: str
    channel: str


class PlannedLine(Struct, frozen=True):
    """A line of moves that a person planned at a table."""

    table: str
    at: float
    """When, in seconds since 1970."""
    seat: Seat
    line: list[Any]
    """The planned actions, each with the seat that would play it."""


class Privacy:
    """Queries and changes of one person's data."""

    def __init__(self, database: Database, ratings: Ratings) -> None:
        self._database = database
        self._ratings = ratings

    async def save_recovery(self, person: PersonId, hash: str) -> None:
        """Keep the hash of a recovery code; the code before it no longer works."""
        row = {"person": person, "hash": hash}
        await self._database.write(lambda connection: upsert(connection, schema.recovery, [row]))

    async def recover(self, hash: str) -> PersonId | None:
        """Return the owner of a recovery code."""
        found = await self._database.query(select(schema.recovery.c.person).where(schema.recovery.c.hash == hash))
        return str(found[0][0]) if found else None

    async def has_recovery(self, person: PersonId) -> bool:
        wanted = select(schema.recovery.c.person).where(schema.recovery.c.person == person)
        return bool(await self._database.query(wanted))

    async def tables_naming(self, person: PersonId) -> list[str]:
        """Return every table whose log names a person; this reads every log."""
        code = schema.events.c.code
        wanted = select(code).where(names(person)).distinct().order_by(code)
        rows = await self._database.read_apart(lambda connection: connection.execute(wanted).fetchall())
        return [code for (code,) in rows]

    async def messages_of(self, person: PersonId, tables: Iterable[str]) -> list[Message]:
        """Return what a person wrote at some tables, in order."""
        said = await self._database.read_apart(lambda connection: _said_by(connection, person, tables))
        return [Message(code, one.at, one.kind, one.text, one.channel) for code, _, one in said]

    async def plans_of(self, person: PersonId, tables: Iterable[str]) -> list[PlannedLine]:
        """Return every line that a person planned at some tables, in order, also those that were cancelled."""
        rows = await self._database.read_apart(lambda connection: _planned_by(connection, person, tables))
        return [
            PlannedLine(code, at, one.seat, msgspec.json.decode(msgspec.json.encode(one.line)))
            for code, _, at, one in rows
        ]

    async def erase(
        self, person: PersonId, tables: Iterable[str], stranger: Callable[[], PersonRow], *, at: float
    ) -> None:
        """Erase a person in one transaction.

        At each table, in its log and in its matches, a stranger takes their place: `stranger` returns an id that nobody
        has, with the name and face that follow from it. So the matches of others stay whole, and nothing links this
        person's matches to each other. Their messages and planned moves are blanked; their ratings and statistics
        are deleted. The strangers count as new players, so the matches since this person's first one are rated again.
        Each log ends with the event `Rewritten`, so that every server that holds the table reads it again.
        """
        named = list(tables)
        while True:
            try:
                await self._database.write(lambda connection: _erase(connection, person, named, stranger, at))
                break
            except Conflict:  # a table went on meanwhile
                continue
        await self._ratings.wake_all()


def names(person: PersonId) -> ColumnElement[bool]:
    """Return the condition that an event names a person: an id is random and long, so no other text contains it."""
    return Position(schema.events.c.body, bindparam(None, person)) > 0


def _said_by(connection: Connection, person: PersonId, tables: Iterable[str]) -> list[tuple[str, int, Said]]:
    """Return the code and number of each message of a person at some tables, and the message."""
    events = schema.events.c
    rows = connection.execute(
        select(events.code, events.n, events.body)
        .where(among(events.code, tables), events.kind == "said", names(person))
        .order_by(events.code, events.n)
    )
    said = [(code, n, read_said(body)) for code, n, body in rows]
    return [one for one in said if one[2].person == person]


def _planned_by(
    connection: Connection, person: PersonId, tables: Iterable[str]
) -> list[tuple[str, int, float, Planned]]:
    """Return the code, number and time of each line that a person planned at some tables, and the line."""
    events = schema.events.c
    rows = connection.execute(
        select(events.code, events.n, events.at, events.body)
        .where(among(events.code, tables), events.kind == "planned", names(person))
        .order_by(events.code, events.n)
    )
    planned = [(code, n, at, read_planned(body)) for code, n, at, body in rows]
    return [one for one in planned if one[3].person == person]


def _erase(
    connection: Connection, person: PersonId, tables: Iterable[str], stranger: Callable[[], PersonRow], at: float
) -> None:
    sitting, players = schema.sitting.c, schema.players.c
    seated = connection.execute(select(sitting.code).where(sitting.person == person)).scalars().all()
    played = connection.execute(select(players.match).where(players.person == person)).scalars().all()
    found = schema.players.join(schema.matches, schema.matches.c.id == players.match)
    firsts = select(players.game, func.min(players.ended)).select_from(found)
    theirs = firsts.where(players.person == person, schema.matches.c.rated).group_by(players.game)
    for game, ended in connection.execute(theirs.order_by(players.game)).fetchall():
        rate_from(connection, game, ended)
    for code in sorted({*tables, *seated, *(match.partition("-")[0] for match in played)}):
        _replace(connection, person, code, stranger())
        _mark(connection, code, at)
    connection.execute(delete(schema.people).where(schema.people.c.id == person))
    connection.execute(delete(schema.bots).where(schema.bots.c.id == person))
    tokens, challenges = schema.tokens.c, schema.challenges.c
    connection.execute(delete(schema.tokens).where((tokens.owner == person) | (tokens.bot == person)))
    connection.execute(delete(schema.challenges).where((challenges.person == person) | (challenges.bot == person)))
    puzzles = schema.puzzle_ratings, schema.puzzle_attempts, schema.puzzle_days
    notified = schema.push_devices, schema.emails, schema.turn_notices
    more = (schema.passkeys, schema.vacations, schema.searches, schema.conduct, *puzzles, *notified)
    for table in (schema.sitting, schema.ratings, schema.recovery, *more):
        connection.execute(delete(table).where(table.c.person == person))


def _mark(connection: Connection, code: str, at: float) -> None:
    """Append the event that tells every server to read a table again."""
    events = schema.events
    last = connection.execute(select(func.max(events.c.n)).where(events.c.code == code)).scalar()
    if last is not None:
        mark = {"code": code, "n": last + 1, "at": at, "kind": "rewritten", "body": encode(Rewritten()).decode()}
        connection.execute(events.insert(), [mark])


def _blank_guests(connection: Connection, person: PersonId, code: str) -> bool:
    """Blank the names of a person's guests in a log and in the index; return whether there were any."""
    events, tables = schema.events, schema.tables
    here = (events.c.code == code) & (events.c.kind == "guest_sat") & names(person)
    sat = [(n, read_guest(body)) for n, body in connection.execute(select(events.c.n, events.c.body).where(here))]
    for n, guest in sat:
        blank = encode(msgspec.structs.replace(guest, name="")).decode()
        connection.execute(update(events).where(events.c.code == code, events.c.n == n).values(body=blank))
    seats = connection.execute(select(tables.c.seats).where(tables.c.code == code)).scalar() if sat else None
    if seats is not None:
        kept = [who and msgspec.structs.replace(who, guest=who.guest and "") for who in read_seats(seats)]
        changed = msgspec.json.encode(kept).decode()
        connection.execute(update(tables).where(tables.c.code == code).values(seats=changed))
    return bool(sat)


def _replace(connection: Connection, person: PersonId, code: str, new: PersonRow) -> None:
    """Put a stranger in a person's place at one table, and blank what the person wrote and planned there."""
    events, tables, players = schema.events, schema.tables, schema.players
    for _, n, said in _said_by(connection, person, [code]):
        blank = encode(msgspec.structs.replace(said, text="")).decode()
        connection.execute(update(events).where(events.c.code == code, events.c.n == n).values(body=blank))
    for _, n, _, planned in _planned_by(connection, person, [code]):
        blank = encode(msgspec.structs.replace(planned, line=())).decode()
        connection.execute(update(events).where(events.c.code == code, events.c.n == n).values(body=blank))
    if _blank_guests(connection, person, code):
        unnamed = players.c.person.is_(None) & players.c.level.is_(None)
        here = players.c.match.startswith(f"{code}-", autoescape=True)
        connection.execute(update(players).where(unnamed, here).values(name=""))

    def swapped(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return func.replace(column, f'"{person}"', f'"{new.id}"')

    connection.execute(update(events).where(events.c.code == code, names(person)).values(body=swapped(events.c.body)))
    connection.execute(update(tables).where(tables.c.code == code).values(seats=swapped(tables.c.seats)))
    hosted = (tables.c.code == code) & (tables.c.host == person)
    connection.execute(update(tables).where(hosted).values(host=new.id))
    theirs = (players.c.person == person) & players.c.match.startswith(f"{code}-", autoescape=True)
    face = {"person": new.id, "name": new.name, "avatar": new.avatar}
    unrated = dict.fromkeys(("before", "after", "upset", "deviation", "volatility", "played"))
    connection.execute(update(players).where(theirs).values(**face, **unrated))

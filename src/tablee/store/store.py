"""The event log, the index of tables, and people. The parts of a store keep everything else."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Raw
from sqlalchemy import Connection, Executable, delete, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ..table import Event, Occupant, PersonId
from ..table.events import encode
from . import schema
from .backend import Backend, EventRow
from .bot_accounts import BotAccounts
from .challenges import Challenges
from .correspondence import Correspondence
from .database import Database
from .errors import BadDatabase, StoreDown
from .files import Files
from .matches import Matches
from .migrate import migrate
from .notifications import Notifications
from .openings import Openings
from .passkeys import Passkeys
from .postgres import PostgresBackend
from .privacy import Privacy
from .puzzles import PuzzleAttempts
from .reports import Reports
from .reviews import Reviews
from .rows import PersonRow, TableRow
from .searches import Searches
from .servers import Servers
from .sql import among, each, insert, upsert
from .sqlite import SqliteBackend
from .statistics import Statistics
from .word_reports import WordReports

KINDS = {kind: str(kind.__struct_config__.tag) for kind in get_args(Event)}
PAGE = 1000
"""Events that a stream reads at once."""
CHECK_SECONDS = 5.0
SQLITE = "sqlite:///"


def connect(url: str) -> Backend:
    """Open the database at a URL and bring it up to date; this blocks.

    Raise `BadDatabase` if the operator must change something, and `StoreDown` if the database does not answer.
    """
    backend = backend_of(url)
    try:
        migrate(backend)
    except BaseException as error:
        backend.engine.dispose()
        if isinstance(error, Exception) and isinstance(meant := backend.meaning(error), StoreDown):
            problem = backend.named(meant.problem)
            raise (BadDatabase if backend.is_hopeless(error) else StoreDown)(problem) from error
        raise
    return backend


def backend_of(url: str) -> Backend:
    if url.startswith(SQLITE) and url != SQLITE:
        return SqliteBackend(Path(url.removeprefix(SQLITE)))
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: the port is no number, or a bracket is missing
        parsed = None
    if parsed is not None and parsed.port is not None and not 0 < parsed.port < 65536:
        raise BadDatabase(f"the port of the database must be a number from 1 to 65535, not {parsed.port}")
    if parsed is None or parsed.drivername not in ("postgresql", "postgres") or not parsed.database:
        raise BadDatabase(
            "the URL of the database must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        )
    return PostgresBackend(parsed)


async def open_store(url: str) -> Store:
    """Open the store at `sqlite:///PATH` or `postgresql://…`, after bringing it up to date."""
    return Store(await asyncio.to_thread(connect, url))


class Store:
    """Everything that the server keeps. The log is the truth; most other tables can be rebuilt from it."""

    def __init__(self, backend: Backend) -> None:
        self.database = Database(backend)
        self.matches = Matches(self.database)
        self.statistics = Statistics(self.database)
        self.openings = Openings(self.database)
        self.privacy = Privacy(self.database, self.matches.ratings)
        self.passkeys = Passkeys(self.database)
        self.reports = Reports(self.database)
        self.word_reports = WordReports(self.database)
        self.reviews = Reviews(self.database)
        self.searches = Searches(self.database)
        self.puzzles = PuzzleAttempts(self.database)
        self.notifications = Notifications(self.database)
        self.bots = BotAccounts(self.database)
        self.challenges = Challenges(self.database)
        self.correspondence = Correspondence(self.database)
        self.files = Files(self.database)
        self.servers = Servers(self.database)

    # The log.

    def append(
        self, code: str, n: int, events: Sequence[Event], *, at: float, table: TableRow | None = None
    ) -> asyncio.Future[None]:
        """Write events n, n+1, … of a table, and its row; the future is done after the commit.

        It fails with `Conflict`, and nothing is written, if the log already has one of them.
        """
        rows = [EventRow(code, n + i, at, kind_of(event), Raw(encode(event))) for i, event in enumerate(events)]
        work = None if table is None else lambda connection: _save_tables(connection, [table])
        return self.database.write(work, events=rows)

    async def read(self, code: str, start: int = 0) -> list[str]:
        """Return the events of a table from number `start` on, in order; empty if there are none."""
        events = schema.events.c
        wanted = select(events.body).where(events.code == code, events.n >= start).order_by(events.n)
        return [body for (body,) in await self.database.query(wanted)]

    async def read_timed(self, code: str) -> list[tuple[float, str]]:
        """Return the events of a table in order, each with its time."""
        events = schema.events.c
        rows = await self.database.query(select(events.at, events.body).where(events.code == code).order_by(events.n))
        return [(at, body) for at, body in rows]

    async def read_next(self, starts: Mapping[str, int], most: int) -> dict[str, list[str]]:
        """Return the events of many tables from a number on, in order, at most so many of each; one query for all.

        Tables that have no such event are left out.
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        backend = self.database.backend
        for code, body in await self.database.read(lambda connection: backend.next_events(connection, starts, most)):
            found[code].append(body)
        return found

    def stream(self, code: str) -> Iterator[str]:
        """Yield the events of a table in order, for a long log; call it in a worker thread."""
        events, start = schema.events.c, 0
        while True:
            after = select(events.n, events.body).where(events.code == code, events.n >= start)
            page = self.database.ask(partial(_fetch, after.order_by(events.n).limit(PAGE)))
            for _, body in page:
                yield body
            if len(page) < PAGE:
                return
            start = page[-1][0] + 1

    async def lengths(self, codes: Iterable[str]) -> dict[str, int]:
        """Return how many events some tables have, by code; leave out tables without a log."""
        wanted, events = each(codes), schema.events.c
        last = select(func.max(events.n)).where(events.code == wanted.c.value).correlate(wanted).scalar_subquery()
        rows = await self.database.query(select(wanted.c.value, last))
        return {code: n + 1 for code, n in rows if n is not None}

    async def codes(self) -> list[str]:
        """Return the codes of all tables that have a log."""
        return [code for (code,) in await self.database.query(select(schema.events.c.code).distinct())]

    # The index of tables.

    async def save_tables(self, tables: Sequence[TableRow]) -> None:
        await self.database.write(lambda connection: _save_tables(connection, tables))

    async def tables(self, *, since: float, most: int = 1000) -> list[TableRow]:
        """Return the tables that are not over and were updated since then, newest first."""
        tables = schema.tables.c
        wanted = select(schema.tables).where(tables.status.in_(["waiting", "playing"]), tables.updated >= since)
        rows = await self.database.query(wanted.order_by(tables.updated.desc()).limit(most))
        return [_table_row(row) for row in rows]

    async def tables_in_use(self, since: float) -> list[TableRow]:
        """Return all tables that play or are public and open, and were updated since then.

        A match over days is left out: the clock sweep opens it if something is due.
        Those with a match come first, then the newest. There may be many, so a thread decodes them.
        """
        tables = schema.tables.c
        plays = (tables.status == "playing") & (tables.days == 0)
        is_used = plays | ((tables.status == "waiting") & tables.public)
        wanted = select(schema.tables).where(is_used, tables.updated >= since)
        ordered = wanted.order_by(tables.status, tables.updated.desc())
        return await self.database.read_apart(
            lambda connection: [_table_row(row) for row in connection.execute(ordered)]
        )

    async def find_tables(self, codes: Iterable[str]) -> list[TableRow]:
        """Return the rows of some tables, newest first."""
        wanted = select(schema.tables).where(among(schema.tables.c.code, codes))
        return [_table_row(row) for row in await self.database.query(wanted.order_by(schema.tables.c.updated.desc()))]

    async def public_tables(self, *, since: float, most: int) -> list[TableRow]:
        """Return the public tables that are not over and were updated since then, newest first."""
        tables = schema.tables.c
        wanted = select(schema.tables).where(tables.public, tables.status.in_(["waiting", "playing"]))
        latest = wanted.where(tables.updated >= since).order_by(tables.updated.desc()).limit(most)
        return [_table_row(row) for row in await self.database.query(latest)]

    async def tables_of(self, person: PersonId, *, waiting_since: float, most: int = 100) -> list[TableRow]:
        """Return the tables where a person sits: first those with a running match, then the waiting ones."""
        tables, sitting = schema.tables.c, schema.sitting.c
        found = schema.tables.join(schema.sitting, sitting.code == tables.code)
        wanted = select(schema.tables).select_from(found).where(sitting.person == person)
        is_open = (tables.status == "playing") | ((tables.status == "waiting") & (tables.updated >= waiting_since))
        rows = await self.database.query(
            wanted.where(is_open).order_by(tables.status, tables.updated.desc()).limit(most)
        )
        return [_table_row(row) for row in rows]

    # People.

    async def save_person(self, person: PersonRow) -> None:
        row = msgspec.structs.asdict(person)
        await self.database.write(lambda connection: upsert(connection, schema.people, [row]))

    async def people(self, ids: Iterable[str]) -> dict[str, PersonRow]:
        """Return the rows of these people; leave out those without a saved name or avatar."""
        rows = await self.database.query(select(schema.people).where(among(schema.people.c.id, ids)))
        return {id: PersonRow(id, name, avatar) for id, name, avatar in rows}

    # The store itself.

    async def check(self) -> None:
        """Write a little and read it again; raise `StoreDown` if that fails."""
        value = secrets.token_hex(8)

        def write(connection: Connection) -> None:
            upsert(connection, schema.checks, [{"name": "check", "value": value}])
            found = connection.execute(select(schema.checks.c.value)).scalar_one()
            if found != value:
                raise StoreDown("the database lost a row that was just written")

        try:
            await asyncio.wait_for(self.database.write(write), CHECK_SECONDS)
        except TimeoutError:
            raise StoreDown(f"the database did not answer within {CHECK_SECONDS:g} seconds") from None

    async def flush(self) -> None:
        """Wait until everything that was submitted before is written."""
        await self.database.write()

    async def close(self) -> None:
        """Finish what was submitted, then stop."""
        await self.matches.ratings.close()
        await self.database.close()


def kind_of(event: Event) -> str:
    """Return the name of an event's type, as in its JSON."""
    return KINDS[type(event)]


def _fetch(wanted: Executable, connection: Connection) -> list[Any]:
    return list(connection.execute(wanted))


def _save_tables(connection: Connection, tables: Iterable[TableRow]) -> None:
    latest = {table.code: table for table in tables}
    if not latest:
        return
    # Every server writes them in the same order, so that two of them never wait for each other.
    rows = [msgspec.structs.asdict(latest[code]) for code in sorted(latest)]
    for row in rows:
        row |= {name: msgspec.json.encode(row[name]).decode() for name in ("seats", "options")}
        del row["asked"]
    upsert(connection, schema.tables, rows)
    connection.execute(delete(schema.sitting).where(among(schema.sitting.c.code, latest)))
    sitting = [
        {"person": person, "code": code, "asked": asked}
        for code in sorted(latest)
        for person, asked in latest[code].awaited()
    ]
    if sitting:
        connection.execute(insert(connection, schema.sitting).on_conflict_do_nothing(), sitting)


_read_seats = msgspec.json.Decoder(tuple[Occupant | None, ...]).decode


def _table_row(row: Any) -> TableRow:
    seats, options = _read_seats(row.seats), msgspec.json.decode(row.options)
    head = row.code, row.game, row.public, row.status, row.updated, row.match, seats, row.host, options
    return TableRow(*head, days=row.days, due=row.due)

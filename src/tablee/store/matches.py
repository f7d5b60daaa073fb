"""Finished matches.

Everything here follows from the logs and can be rebuilt from them. A match is kept once, by its id: neither a second
server nor a second try keeps it twice.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import ColumnElement, Connection, Select, func, literal_column, select, text, tuple_, update

from ..table import PersonId
from . import schema
from .database import Database
from .openings import count_again, count_openings
from .ratings import Ratings, players_of
from .rows import Cursor, MatchRow
from .sql import among, insert

PARTS = ("players", "openings")
"""The fields of a match that have tables of their own."""
M, P, E = schema.matches.c, schema.players.c, schema.events.c
MATCH_COLUMNS = [M[field] for field in MatchRow.__struct_fields__ if field not in PARTS]
IS_PUBLIC = text("matches.public")
"""Written as in the index, which SQLite does not find by `public = 1`."""
STARTED: ColumnElement[str] = literal_column("'started'")
"""A literal: for an argument SQLite would not use the index of starts."""
IS_START = E.kind == STARTED


class Matches:
    """The finished matches of every table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._batch = Batch()
        self.ratings = Ratings(database)

    def keep(self, row: MatchRow, *, by_log: bool = False) -> asyncio.Future[None]:
        """Keep a match, unless it is kept already, and rate it soon; `by_log`: take its times from the log.

        It is written in turn with the log, also if nobody awaits the future.
        """
        batch = self._batch
        # A batch that failed because the database is away was never taken by the writer: begin a new one too.
        if batch.done is None or batch.done.done() or not batch.add(row, by_log):
            batch = self._batch = Batch()
            batch.add(row, by_log)
            batch.done = self._database.write(batch.write)
        assert batch.done is not None
        if row.rated:
            batch.done.add_done_callback(partial(self._rate_soon, row.game))
        return batch.done

    def _rate_soon(self, game: str, done: asyncio.Future[None]) -> None:
        if not done.cancelled() and done.exception() is None:
            self.ratings.wake(game)

    async def rebuild(self, rows: Iterable[MatchRow]) -> None:
        """Keep every match that is not kept yet, then rate all matches again in order."""
        found = list(rows)

        def work(connection: Connection) -> None:
            keep_all(connection, found)
            correct(connection, found)
            count_again(connection, found)

        await self._database.write(work)
        await self.ratings.rate_again()

    async def are_missing(self) -> bool:
        """Return whether there are logs but no kept match, and the index is older than the archive or empty.

        A house in which no match has ended yet is not missing any: its index knows the matches that began.
        """
        tables = schema.tables.c
        events, matches = select(schema.events.c.code).exists(), select(M.id).exists()
        old = select(tables.code).where(tables.status != "waiting", tables.match == 0).exists()
        is_old = old | ~select(tables.code).exists()
        ((found,),) = await self._database.query(select(events & ~matches & is_old))
        return bool(found)

    async def find(self, id: str) -> MatchRow | None:
        found = await self._read(select(*MATCH_COLUMNS).where(M.id == id))
        return found[0] if found else None

    async def begun(self, code: str) -> int:
        """Return how many matches have begun at a table, by its log."""
        ((count,),) = await self._database.query(select(func.count()).where(E.code == code, IS_START))
        return int(count)

    async def start_of(self, code: str, number: int) -> str:
        """Return the event that began a match."""
        starts = schema.events.alias("starts").c  # the index alone answers which number it has
        n = select(starts.n).where(starts.code == code, starts.kind == STARTED).order_by(starts.n)
        wanted = select(E.body).where(E.code == code, E.n == n.limit(1).offset(number - 1).scalar_subquery())
        ((body,),) = await self._database.query(wanted)
        return str(body)

    async def public(
        self, *, game: str | None = None, opponents: str | None = None, before: Cursor | None = None, most: int
    ) -> list[MatchRow]:
        """Return public matches, newest first."""
        wanted = _against(select(*MATCH_COLUMNS).where(IS_PUBLIC), opponents)
        if game is not None:
            wanted = wanted.where(M.game == game)
        return await self._read(_page(wanted, M.ended, M.id, before, most))

    async def of(
        self,
        person: PersonId,
        *,
        game: str | None = None,
        opponents: str | None = None,
        result: str | None = None,
        before: Cursor | None = None,
        most: int,
    ) -> list[MatchRow]:
        """Return the matches that a person played in, newest first."""
        wanted = _against(_played_by(person), opponents)
        if result is not None:
            wanted = wanted.where(P.result == result)
        if game is not None:
            wanted = wanted.where(P.game == game)
        return await self._read(_page(wanted, P.ended, P.match, before, most))

    async def all_of(self, person: PersonId) -> list[MatchRow]:
        """Return every match of a person, newest first; no other read waits for this one."""
        wanted = _played_by(person).order_by(P.ended.desc(), P.match.desc())
        return await self._database.read_apart(lambda connection: _read(connection, wanted))

    async def private_among(self, matches: Iterable[str]) -> set[str]:
        """Return which of some matches are not public."""
        rows = await self._database.query(select(M.id).where(among(M.id, matches), ~M.public))
        return {id for (id,) in rows}

    async def _read(self, wanted: Select[Any]) -> list[MatchRow]:
        return await self._database.read(lambda connection: _read(connection, wanted))


def _played_by(person: PersonId) -> Select[Any]:
    found = schema.players.join(schema.matches, M.id == P.match)
    return select(*MATCH_COLUMNS).select_from(found).where(P.person == person)


def _against(wanted: Select[Any], opponents: str | None) -> Select[Any]:
    """Keep only the matches against people, or only those against bots, if `opponents` says so."""
    if opponents is None:
        return wanted
    return wanted.where(M.computers == 0 if opponents == "people" else M.computers > 0)


def _page(
    wanted: Select[Any], ended: ColumnElement[float], id: ColumnElement[str], before: Cursor | None, most: int
) -> Select[Any]:
    """Return a page of matches, newest first, that continues after a cursor."""
    if before is not None:
        wanted = wanted.where(tuple_(ended, id) < tuple_(before.ended, before.id))
    return wanted.order_by(ended.desc(), id.desc()).limit(most)


def _read(connection: Connection, wanted: Select[Any]) -> list[MatchRow]:
    rows = connection.execute(wanted).mappings().all()
    players = players_of(connection, [row["id"] for row in rows])
    return [
        MatchRow(
            **{**row, "options": msgspec.json.decode(row["options"]), "players": tuple(players.get(row["id"], ()))}
        )
        for row in rows
    ]


# Writing, inside a transaction of the writer.

TIMES = text(
    """
    WITH starts AS (SELECT n FROM events WHERE code = :code AND kind = 'started' ORDER BY n LIMIT 2 OFFSET :offset)
    SELECT
        (SELECT at FROM events WHERE code = :code AND n = (SELECT min(n) FROM starts)),
        (SELECT at FROM events WHERE code = :code AND kind IN ('started', 'acted', 'ended')
            AND n >= (SELECT min(n) FROM starts)
            AND n < coalesce((SELECT n FROM starts ORDER BY n LIMIT 1 OFFSET 1), 2147483647)
            ORDER BY n DESC LIMIT 1)
    """
)
"""When a match began and when its last action was: both follow from the log."""


class Batch:
    """Finished matches that are written together. A row may join until the writer takes the batch."""

    def __init__(self) -> None:
        self.done: asyncio.Future[None] | None = None
        self._rows: list[tuple[MatchRow, bool]] = []
        self._lock = threading.Lock()
        self._taken = False

    def add(self, row: MatchRow, by_log: bool) -> bool:
        """Add a match; return False if it is too late for that."""
        with self._lock:
            if not self._taken:
                self._rows.append((row, by_log))
            return not self._taken

    def write(self, connection: Connection) -> None:
        with self._lock:
            self._taken = True
        keep_all(connection, [timed(connection, row) if by_log else row for row, by_log in self._rows])


def timed(connection: Connection, row: MatchRow) -> MatchRow:
    """Return a match with its times from the log, whenever it is kept."""
    code, _, number = row.id.rpartition("-")
    started, ended = connection.execute(TIMES, {"code": code, "offset": int(number) - 1}).one()
    return row if started is None else replace(row, started=started, ended=ended)


def keep_all(connection: Connection, rows: Iterable[MatchRow]) -> None:
    """Keep matches that are not kept already."""
    wanted = {row.id: row for row in rows}
    values = [_columns(wanted[id]) for id in sorted(wanted)]
    if not values:
        return
    statement = insert(connection, schema.matches).on_conflict_do_nothing().returning(M.id)
    new = connection.execute(statement, values).scalars().all()
    players = [
        {"match": row.id, "game": row.game, "ended": row.ended} | asdict(player)
        for row in (wanted[id] for id in new)
        for player in row.players
    ]
    if players:
        connection.execute(insert(connection, schema.players), players)
    count_openings(connection, [wanted[id] for id in new])


def correct(connection: Connection, rows: Iterable[MatchRow]) -> None:
    """Make kept matches agree with their logs: an older Tablée kept the time at which it noticed an end."""
    known = {row.id: tuple(row[1:]) for row in connection.execute(select(M.id, M.started, M.ended, M.rated))}
    for row in rows:
        by_log = {"started": row.started, "ended": row.ended, "rated": row.rated}
        if known[row.id] != tuple(by_log.values()):
            connection.execute(update(schema.matches).where(M.id == row.id).values(**by_log))
            connection.execute(update(schema.players).where(P.match == row.id).values(ended=row.ended))


def _columns(row: MatchRow) -> dict[str, Any]:
    values = asdict(row) | {"options": msgspec.json.encode(row.options).decode(), "pending": row.rated}
    return {name: value for name, value in values.items() if name not in PARTS}

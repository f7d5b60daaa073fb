"""Games over days: which clocks run out when, whose turn it is, vacations, and when no server was up."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from sqlalchemy import Connection, delete, select, update

from ..table import PersonId
from . import schema
from .database import Database
from .sql import among, upsert

KEEP_OUTAGES = 120 * 86400.0
"""Outages older than this are forgotten: no decision waits for so long."""


class Outage(Struct, frozen=True):
    """A time during which no server was up, in seconds since 1970."""

    began: float
    ended: float


class TurnRow(Struct, frozen=True):
    """A table over days that waits for a person."""

    code: str
    game: str
    asked: float
    due: float | None


class VacationRow(Struct, frozen=True):
    """A person's vacation days of one year."""

    person: PersonId
    year: int
    used: float
    """Seconds of the vacations that are over."""
    began: float | None
    """When the present vacation began; None: the person is not on vacation."""


class Correspondence:
    """Queries and changes for games over days."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, now: float, *, was_down: bool, least: float) -> list[Outage]:
        """Note that a server is up, and return the outages.

        `was_down`: this server was not up, or could not reach the database. Then the time since the last beat of any
        server is an outage, if it is at least `least` seconds long; the clocks that ran are put off by it.
        """
        found: list[Outage] = []

        def work(connection: Connection) -> None:
            uptime, outages, tables = schema.uptime, schema.outages, schema.tables
            last = connection.execute(select(uptime.c.at).where(uptime.c.name == "last").with_for_update()).scalar()
            upsert(connection, uptime, [{"name": "last", "at": now if last is None else max(now, last)}])
            if was_down and last is not None and now - last >= max(least, 0.001):
                upsert(connection, outages, [{"began": last, "ended": now}])
                late = update(tables).where(tables.c.due > 0).values(due=tables.c.due + (now - last))
                connection.execute(late)
                connection.execute(delete(outages).where(outages.c.ended < now - KEEP_OUTAGES))
            rows = connection.execute(select(outages.c.began, outages.c.ended).order_by(outages.c.began))
            found[:] = [Outage(*row) for row in rows]

        await self._database.write_apart(work, is_heartbeat=True)
        return found

    # Clocks.

    async def due(self, now: float, most: int) -> list[str]:
        """Return the tables on which a clock has run out or a bot must act, the longest due first."""
        tables = schema.tables.c
        wanted = select(tables.code).where(tables.due <= now).order_by(tables.due, tables.code).limit(most)
        return [code for (code,) in await self._database.query(wanted)]

    async def give_up(self, code: str) -> None:
        """Stop waking a table that cannot be opened."""
        tables = schema.tables

        def work(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.code == code).values(due=None))

        await self._database.write(work)

    # Whose turn it is.

    async def turns(self, person: PersonId, most: int) -> list[TurnRow]:
        """Return the tables over days that wait for a person, the longest waiting first."""
        tables, sitting = schema.tables.c, schema.sitting.c
        found = schema.tables.join(schema.sitting, sitting.code == tables.code)
        wanted = select(tables.code, tables.game, sitting.asked, tables.due).select_from(found)
        theirs = wanted.where(sitting.person == person, sitting.asked.is_not(None), tables.days > 0)
        return [TurnRow(*row) for row in await self._database.query(theirs.order_by(sitting.asked).limit(most))]

    async def asked(self, person: PersonId) -> dict[str, float]:
        """Return the tables that wait for a person, as far as the index knows, and since when."""
        sitting = schema.sitting.c
        wanted = select(sitting.code, sitting.asked).where(sitting.person == person, sitting.asked.is_not(None))
        return dict(tuple(row) for row in await self._database.query(wanted))

    async def games_of(self, person: PersonId) -> list[str]:
        """Return the tables over days where a person plays or waits for a match."""
        tables, sitting = schema.tables.c, schema.sitting.c
        found = schema.tables.join(schema.sitting, sitting.code == tables.code)
        wanted = select(tables.code).select_from(found).where(sitting.person == person, tables.days > 0)
        rows = await self._database.query(wanted.where(tables.status.in_(["waiting", "playing"])))
        return [code for (code,) in rows]

    # Vacations.

    async def vacation(self, person: PersonId, year: int) -> VacationRow:
        """Return the present vacation of a person, or else what they used of a year."""
        vacations = schema.vacations.c
        mine = (vacations.person == person) & (vacations.began.is_not(None) | (vacations.year == year))
        rows = await self._database.query(select(schema.vacations).where(mine).order_by(vacations.year))
        found = [VacationRow(*row) for row in rows]
        away = next((row for row in found if row.began is not None), None)
        return away or (found[-1] if found else VacationRow(person, year, 0.0, None))

    async def away(self, people: Collection[PersonId]) -> set[PersonId]:
        """Return those of some people who are on vacation."""
        vacations = schema.vacations.c
        wanted = select(vacations.person).where(vacations.began.is_not(None), among(vacations.person, people))
        return {person for (person,) in await self._database.query(wanted)}

    async def vacations(self, person: PersonId) -> list[VacationRow]:
        """Return the vacations of a person in every year."""
        mine = select(schema.vacations).where(schema.vacations.c.person == person).order_by(schema.vacations.c.year)
        return [VacationRow(*row) for row in await self._database.query(mine)]

    async def save_vacation(self, row: VacationRow) -> None:
        values = {"person": row.person, "year": row.year, "used": row.used, "began": row.began}
        await self._database.write(lambda connection: upsert(connection, schema.vacations, [values]))

    async def vacations_over(self, now: float, allowance: float) -> list[PersonId]:
        """Return the people whose vacation has used up the allowance of its year."""
        vacations = schema.vacations.c
        is_over = vacations.began + allowance - vacations.used <= now
        rows = await self._database.query(select(vacations.person).where(vacations.began.is_not(None), is_over))
        return [person for (person,) in rows]

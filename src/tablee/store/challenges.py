"""Challenges: a host asks a bot to take a seat, and the bot answers, perhaps through another server."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, delete, func, select, update

from ..core.game import Seat
from ..table import PersonId
from . import schema
from .database import Database

C = schema.challenges.c
FORGET_SECONDS = 3600.0

Status = Literal["open", "accepted", "declined", "withdrawn", "gone"]


class ChallengeRow(Struct, frozen=True):
    id: str
    code: str
    bot: PersonId
    person: PersonId
    """The host who asked."""
    seat: Seat
    at: float
    status: Status = "open"
    why: str = ""
    """Why the bot declined, as it said."""


class Challenges:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, challenge: ChallengeRow, *, since: float, most: int) -> bool:
        """Keep a challenge; return False, and keep nothing, if the host or the bot has too many open since then."""
        added = False

        def work(connection: Connection) -> None:
            nonlocal added
            connection.execute(delete(schema.challenges).where(C.at < challenge.at - FORGET_SECONDS))
            theirs = (C.person == challenge.person) | (C.bot == challenge.bot)
            count = select(func.count()).select_from(schema.challenges).where(theirs, C.status == "open", C.at >= since)
            added = connection.execute(count).scalar_one() < most
            if added:
                connection.execute(schema.challenges.insert(), [asdict(challenge)])

        await self._database.write(work)
        return added

    async def get(self, id: str) -> ChallengeRow | None:
        rows = await self._database.query(select(schema.challenges).where(C.id == id))
        return ChallengeRow(**rows[0]._mapping) if rows else None

    async def open_for(self, bot: PersonId, since: float) -> list[ChallengeRow]:
        """Return the open challenges of a bot that were made since then, oldest first."""
        wanted = select(schema.challenges).where(C.bot == bot, C.status == "open", C.at >= since)
        return [ChallengeRow(**row._mapping) for row in await self._database.query(wanted.order_by(C.at, C.id))]

    async def settle(self, id: str, status: Status, why: str = "") -> bool:
        """End an open challenge; return False if it was not open, so that one of two answers counts."""
        settled = False

        def work(connection: Connection) -> None:
            nonlocal settled
            change = update(schema.challenges).where(C.id == id, C.status == "open").values(status=status, why=why)
            settled = connection.execute(change).rowcount > 0

        await self._database.write(work)
        return settled

    async def lose(self, id: str) -> None:
        """Note that the seat of an accepted challenge was gone."""

        def work(connection: Connection) -> None:
            connection.execute(update(schema.challenges).where(C.id == id).values(status="gone"))

        await self._database.write(work)

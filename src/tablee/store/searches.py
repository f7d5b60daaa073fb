"""Searches for opponents, which all servers share. A person has one search, held by the newest connection.

Each server writes the searches of its own connections. One server for each game, the home of its searches, pairs
people and ends what is over. Every change names what it expects, so a server that is late changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, Executable, bindparam, delete, func, select, update

from ..table import PersonId
from ..table.pairing import Conduct, struck
from ..table.ratings import Rating, first_rating
from . import schema
from .database import Database
from .sql import among, upsert

SearchStatus = Literal["searching", "found", "seated", "missed", "failed"]
Again = Literal["", "declined", "missed"]
"""Why a search goes on after opponents were found: one of them declined, or did not accept in time."""
RESUMED_SECONDS = 20.0
"""A person who comes back within this time goes on with the search that was lost."""

S, W, C = schema.searches.c, schema.pairings.c, schema.conduct.c


class SearchRow(Struct, frozen=True):
    """The search of one person."""

    person: PersonId
    ticket: str
    server: str
    changed: float
    game: str
    pace: str
    seats: int
    rating: float
    deviation: float
    since: float
    ready: float
    avoid: str = "[]"
    status: SearchStatus = "searching"
    again: Again = ""
    pairing: str = ""
    salt: str = ""

    @property
    def pool(self) -> str:
        """Who can play together: the same game, pace and number of seats."""
        return f"{self.game} {self.seats} {self.pace}"


class PairingRow(Struct, frozen=True):
    """People who were found for each other, before all of them have accepted."""

    id: str
    code: str
    secret: str
    people: int
    bots: str
    deadline: float


class Situation(Struct, frozen=True):
    """All searches and open pairings at one moment."""

    searches: dict[PersonId, SearchRow]
    pairings: dict[str, PairingRow]


class Searches:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self) -> Situation:
        """Return every search and every pairing."""

        def question(connection: Connection) -> Situation:
            # First the pairings: then a pairing without a search is over, and not newer than what was read.
            pairings = [PairingRow(*row) for row in connection.execute(select(*schema.pairings.c))]
            searches = [SearchRow(*row) for row in connection.execute(select(*schema.searches.c))]
            return Situation({row.person: row for row in searches}, {row.id: row for row in pairings})

        return await self._database.read(question)

    async def standing(self, game: str, person: PersonId) -> tuple[Rating, Conduct]:
        """Return a person's rating in a game, and how often they left lately."""
        ratings = schema.ratings.c

        def question(connection: Connection) -> tuple[Rating, Conduct]:
            mine = (ratings.game == game) & (ratings.person == person) & (ratings.level == "")
            wanted = select(ratings.value, ratings.deviation, ratings.volatility).where(mine)
            rated = connection.execute(wanted).first()
            known = connection.execute(select(C.strikes, C.at).where(C.person == person)).first()
            rating = first_rating(game, (person, "")) if rated is None else Rating(*rated)
            return rating, Conduct() if known is None else Conduct(*known)

        return await self._database.read(question)

    async def conduct(self, person: PersonId) -> Conduct:
        """Return how often a person left lately."""
        rows = await self._database.query(select(C.strikes, C.at).where(C.person == person))
        return Conduct(*rows[0]) if rows else Conduct()

    async def strengths(self, game: str, levels: Sequence[str]) -> dict[str, float]:
        """Return the ratings of a game's levels, in the order given."""
        ratings = schema.ratings.c
        rows = await self._database.query(
            select(ratings.level, ratings.value).where(ratings.game == game, ratings.person == "")
        )
        rated = dict(map(tuple, rows))
        return {level: rated.get(level, first_rating(game, ("", level)).value) for level in levels}

    async def enter(self, row: SearchRow) -> SearchRow:
        """Begin a search. It replaces the person's other search, and goes on with a lost one for the same match."""
        entered = row

        def work(connection: Connection) -> None:
            nonlocal entered
            found = connection.execute(select(*schema.searches.c).where(S.person == row.person)).first()
            entered = row if found is None else _resumed(SearchRow(*found), row)
            upsert(connection, schema.searches, [asdict(entered)])

        await self._database.write_apart(work)
        return entered

    async def leave(self, person: PersonId, ticket: str) -> SearchRow | None:
        """End a search and return it; None if the person searches elsewhere, or no longer."""
        left: list[SearchRow] = []

        def work(connection: Connection) -> None:
            mine = (S.person == person) & (S.ticket == ticket)
            gone = connection.execute(delete(schema.searches).where(mine).returning(*schema.searches.c))
            left[:] = [SearchRow(*row) for row in gone]

        await self._database.write_apart(work)
        return left[0] if left else None

    async def lose(self, person: PersonId, ticket: str, at: float) -> None:
        """Note that the connection of a search is lost."""
        mine = (S.person == person) & (S.ticket == ticket)
        lost = update(schema.searches).where(mine).values(server="", changed=at)
        await self._execute(lost)

    async def accept(self, person: PersonId, ticket: str, pairing: str, salt: str, now: float) -> bool:
        """Accept the opponents that were found; return False if it is too late."""
        accepted = False

        def work(connection: Connection) -> None:
            nonlocal accepted
            is_open = select(W.id).where(W.id == pairing, W.deadline > now).exists()
            mine = (S.person == person) & (S.ticket == ticket) & (S.pairing == pairing) & (S.status == "found")
            done = connection.execute(update(schema.searches).where(mine, is_open).values(salt=salt))
            accepted = done.rowcount > 0

        await self._database.write_apart(work)
        return accepted

    async def strike(self, people: Iterable[PersonId], now: float) -> None:
        """Remember that people have left once more."""
        who = sorted(set(people))

        def work(connection: Connection) -> None:
            rows = connection.execute(select(C.person, C.strikes, C.at).where(among(C.person, who)))
            known = {person: Conduct(strikes, at) for person, strikes, at in rows}
            after = {person: struck(known.get(person, Conduct()), now) for person in who}
            upsert(connection, schema.conduct, [{"person": one, **asdict(after[one])} for one in who])

        if who:
            await self._database.write_apart(work)

    # What only the home of a game's searches does.

    async def propose(self, pairings: Sequence[tuple[PairingRow, Sequence[SearchRow]]], now: float) -> None:
        """Write pairings; drop each whose people do not all search as they did when they were read."""
        chosen = [
            {"of_person": row.person, "of_ticket": row.ticket, "of_server": row.server, "of_pairing": pairing.id}
            for pairing, rows in pairings
            for row in rows
        ]
        sizes = {pairing.id: pairing.people for pairing, _ in pairings}

        def work(connection: Connection) -> None:
            as_read = (
                (S.person == bindparam("of_person"))
                & (S.ticket == bindparam("of_ticket"))
                & (S.server == bindparam("of_server"))
                & (S.status == "searching")
            )
            found = {"status": "found", "pairing": bindparam("of_pairing"), "salt": "", "again": "", "changed": now}
            connection.execute(update(schema.searches).where(as_read).values(**found), chosen)
            counted = select(S.pairing, func.count()).where(among(S.pairing, sizes)).group_by(S.pairing)
            counts = dict(map(tuple, connection.execute(counted)))
            broken = [id for id, size in sizes.items() if counts.get(id, 0) != size]
            _release(connection, broken, "", now)
            upsert(connection, schema.pairings, [asdict(one) for one, _ in pairings if one.id not in broken])

        if chosen:
            await self._database.write_apart(work)

    async def release(
        self, pairings: Sequence[str], why: Again, now: float, *, missed: Iterable[PersonId] = ()
    ) -> None:
        """End pairings that will not be played. Those who missed theirs are out; the others search on."""
        ids, out = list(pairings), sorted(missed)

        def work(connection: Connection) -> None:
            late = among(S.pairing, ids) & among(S.person, out) & (S.salt == "") & (S.status == "found")
            ended = update(schema.searches).where(late).values(status="missed", pairing="", changed=now)
            connection.execute(ended)
            _release(connection, ids, why, now)
            connection.execute(delete(schema.pairings).where(among(W.id, ids)))

        if ids:
            await self._database.write_apart(work)

    async def finish(self, pairing: str, status: Literal["seated", "failed"], now: float) -> None:
        """Say that the people of a pairing are seated, or that no table could be opened for them."""
        theirs = (S.pairing == pairing) & (S.status == "found")
        done = update(schema.searches).where(theirs).values(status=status, changed=now)
        await self._execute(done)

    async def tidy(
        self, lost_with: Iterable[str], people: Iterable[SearchRow], pairings: Iterable[str], now: float
    ) -> None:
        """Mark the searches of dead servers as lost, and delete searches and pairings that are over."""
        dead, ids = sorted(lost_with), list(pairings)
        over = [{"of_person": row.person, "of_ticket": row.ticket} for row in people]

        def work(connection: Connection) -> None:
            connection.execute(update(schema.searches).where(among(S.server, dead)).values(server="", changed=now))
            mine = (S.person == bindparam("of_person")) & (S.ticket == bindparam("of_ticket"))
            if over:
                connection.execute(delete(schema.searches).where(mine, S.server == ""), over)
            connection.execute(delete(schema.pairings).where(among(W.id, ids)))

        if dead or over or ids:
            await self._database.write_apart(work)

    async def _execute(self, statement: Executable) -> None:
        def work(connection: Connection) -> None:
            connection.execute(statement)

        await self._database.write_apart(work)


def _release(connection: Connection, pairings: Sequence[str], why: Again, now: float) -> None:
    """Let the people of some pairings search on, with the time that they have waited."""
    theirs = among(S.pairing, pairings) & (S.status == "found")
    again = {"status": "searching", "pairing": "", "salt": "", "again": why, "changed": now}
    connection.execute(update(schema.searches).where(theirs).values(**again))


def _resumed(old: SearchRow, new: SearchRow) -> SearchRow:
    """Return the search of a person who comes back, from another tab or after a lost connection."""
    is_fresh = old.server != "" or new.changed - old.changed < RESUMED_SECONDS
    if old.pool != new.pool or not is_fresh or old.status in ("missed", "failed"):
        return new
    ready = old.ready if new.ready <= new.since else new.ready
    kept = replace(new, since=min(old.since, new.since), ready=ready, again=old.again)
    if old.status == "searching":
        return kept
    return replace(kept, status=old.status, pairing=old.pairing, salt=old.salt)


def people_in(avoid: str) -> frozenset[PersonId]:
    """Return the people of the column `avoid`."""
    return frozenset(msgspec.json.decode(avoid, type=list[str]))

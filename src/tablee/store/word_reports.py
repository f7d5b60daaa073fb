"""Words that players report: each is reported as one that should, or should not, be valid in a list of a game."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from . import schema
from .database import Database
from .sql import insert

MOST_OPEN = 1000
"""The most undecided reports; further ones are not kept."""

Status = Literal["open", "accepted", "rejected"]


class WordReport(Struct, frozen=True):
    """A reported word; who reported it is not kept."""

    game: str
    list: str
    """The name of the list."""
    word: str
    wanted: bool
    """Whether it should be valid."""
    ref: str
    """The list with its hash when the word was first reported."""
    at: float
    reports: int
    """How often it was reported."""
    status: Status


rows = schema.word_reports.c


def same(game: str, list: str, word: str, wanted: bool) -> ColumnElement[bool]:
    return and_(rows.game == game, rows.list == list, rows.word == word, rows.wanted == wanted)


class WordReports:
    """The reported words of every game."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, game: str, list: str, word: str, wanted: bool, ref: str, at: float) -> bool:
        """Keep a report or count it again; return whether it was kept. A decided one stays decided."""
        kept = False

        def work(connection: Connection) -> None:
            nonlocal kept
            again = update(schema.word_reports).where(same(game, list, word, wanted))
            kept = connection.execute(again.values(reports=rows.reports + 1)).rowcount > 0
            waiting = select(func.count()).select_from(schema.word_reports).where(rows.status == "open")
            if not kept and connection.execute(waiting).scalar_one() < MOST_OPEN:
                row = {"game": game, "list": list, "word": word, "wanted": wanted, "ref": ref, "at": at}
                new = insert(connection, schema.word_reports).on_conflict_do_nothing()
                connection.execute(new, [{**row, "reports": 1, "status": "open"}])
                kept = True

        await self._database.write(work)
        return kept

    async def latest(self, most: int) -> list[WordReport]:
        """Return the open reports, those that most players made first."""
        found = select(schema.word_reports).where(rows.status == "open")
        ordered = found.order_by(rows.reports.desc(), rows.at.desc(), rows.word).limit(most)
        return [WordReport(**row._mapping) for row in await self._database.query(ordered)]

    async def decide(self, game: str, list: str, word: str, wanted: bool, *, accepts: bool) -> bool:
        """Accept or reject a report and return whether there is one; what contradicts an accepted one is rejected."""
        found = False

        def work(connection: Connection) -> None:
            nonlocal found
            change = update(schema.word_reports)
            status = "accepted" if accepts else "rejected"
            found = connection.execute(change.where(same(game, list, word, wanted)).values(status=status)).rowcount > 0
            if found and accepts:
                connection.execute(change.where(same(game, list, word, not wanted)).values(status="rejected"))

        await self._database.write(work)
        return found

    async def accepted(self) -> dict[tuple[str, str], dict[str, bool]]:
        """Return the accepted words by game and list, and whether each is valid."""
        found: dict[tuple[str, str], dict[str, bool]] = {}
        chosen = select(rows.game, rows.list, rows.word, rows.wanted).where(rows.status == "accepted")
        for game, list, word, wanted in await self._database.query(chosen.order_by(rows.game, rows.list, rows.word)):
            found.setdefault((game, list), {})[word] = wanted
        return found

"""Attempts at puzzles. The first attempt of a person at a puzzle counts, once, whatever tab or server it comes from.

A row of `puzzle_attempts` says how far the first attempt is. It changes only if it still is where the answer found it,
so of two answers at once one counts. The answer that ends the attempt also changes both ratings, in the same
transaction.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, and_, select, update

from ..table import PersonId
from ..table.ratings import NEW, Rating, glicko
from . import schema
from .database import Database
from .sql import insert

A, R, D = schema.puzzle_attempts.c, schema.puzzle_ratings.c, schema.puzzle_days.c
FIRST_DEVIATION = 150.0
"""The deviation of a puzzle that nobody has tried: its first rating is a guess."""

Status = Literal["open", "solved", "failed"]


class Attempt(Struct, frozen=True):
    """The first attempt of a person at a puzzle."""

    puzzle: str
    ply: int = 0
    """How much of the line is played."""
    status: Status = "open"
    at: float = 0.0
    before: float | None = None
    after: float | None = None
    """The person's rating before and after; None while the attempt is open."""


class Standing(Struct, frozen=True):
    """A rating, after how many attempts, and how many of those found the solution."""

    rating: Rating
    attempts: int = 0
    solved: int = 0


class Answer(Struct, frozen=True, kw_only=True):
    """An answer to a puzzle, and what it makes of the attempt."""

    person: PersonId
    game: str
    puzzle: str
    first_rating: float
    """The rating of the puzzle before anybody has tried it."""
    found_at: int
    """The ply that it answers."""
    ply: int
    status: Status
    at: float
    day: int | None = None
    """The day whose daily puzzle this is."""


def same(person: PersonId, game: str, puzzle: str) -> ColumnElement[bool]:
    return and_(A.person == person, A.game == game, A.puzzle == puzzle)


class PuzzleAttempts:
    """The attempts of everybody, and the ratings that follow from them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def attempt(self, person: PersonId, game: str, puzzle: str) -> Attempt | None:
        """Return the first attempt of a person at a puzzle."""
        rows = await self._database.query(_attempts().where(same(person, game, puzzle)))
        return Attempt(**rows[0]._mapping) if rows else None

    async def attempts(self, person: PersonId, game: str) -> list[Attempt]:
        """Return all first attempts of a person in a game, oldest first."""
        wanted = _attempts().where(A.person == person, A.game == game).order_by(A.at, A.puzzle)
        return [Attempt(**row._mapping) for row in await self._database.query(wanted)]

    async def standing(self, person: PersonId, game: str) -> Standing:
        """Return the puzzle rating of a person in a game."""
        rows = await self._database.query(_ratings().where(R.game == game, R.person == person))
        return _standing(rows[0]) if rows else Standing(NEW)

    async def ratings(self, game: str) -> dict[str, float]:
        """Return the rating of each puzzle that somebody has tried."""
        wanted = select(R.puzzle, R.value).where(R.game == game, R.person == "")
        return {row.puzzle: row.value for row in await self._database.query(wanted)}

    async def puzzle_standing(self, game: str, puzzle: str, first: float) -> Standing:
        """Return the rating of a puzzle."""
        rows = await self._database.query(_ratings().where(R.game == game, R.puzzle == puzzle, R.person == ""))
        return _standing(rows[0]) if rows else Standing(Rating(first, FIRST_DEVIATION))

    async def days(self, person: PersonId, game: str) -> dict[int, bool]:
        """Return the days on which a person finished the daily puzzle, and whether they solved it."""
        wanted = select(D.day, D.solved).where(D.person == person, D.game == game).order_by(D.day)
        return {day: bool(solved) for day, solved in await self._database.query(wanted)}

    async def answer(self, answer: Answer) -> bool:
        """Write an answer; return False, and write nothing, if another answer came first."""
        counted = False

        def work(connection: Connection) -> None:
            nonlocal counted
            counted = _write(connection, answer)

        await self._database.write_apart(work)
        return counted


def _attempts() -> Any:
    return select(*(A[field] for field in Attempt.__struct_fields__))


def _ratings() -> Any:
    return select(R.value, R.deviation, R.volatility, R.attempts, R.solved)


def _standing(row: Any) -> Standing:
    return Standing(Rating(row.value, row.deviation, row.volatility), row.attempts, row.solved)


def _write(connection: Connection, answer: Answer) -> bool:
    key = {"person": answer.person, "game": answer.game, "puzzle": answer.puzzle}
    new = {**key, "ply": 0, "status": "open", "at": answer.at}
    connection.execute(insert(connection, schema.puzzle_attempts).on_conflict_do_nothing(), [new])
    here = same(answer.person, answer.game, answer.puzzle)
    is_current = and_(here, A.status == "open", A.ply == answer.found_at)
    change = update(schema.puzzle_attempts).values(ply=answer.ply, status=answer.status, at=answer.at)
    if connection.execute(change.where(is_current)).rowcount == 0:
        return False
    if answer.status == "open":
        return True
    before, after = _rate(connection, answer, solved=answer.status == "solved")
    connection.execute(update(schema.puzzle_attempts).where(here).values(before=before, after=after))
    if answer.day is not None:
        done = {**key, "day": answer.day, "solved": answer.status == "solved"}
        connection.execute(insert(connection, schema.puzzle_days).on_conflict_do_nothing(), [done])
    return True


def _rate(connection: Connection, answer: Answer, *, solved: bool) -> tuple[float, float]:
    """Change the ratings of the person and the puzzle; return the person's rating before and after."""
    # Everybody locks a person before a puzzle, so two transactions never wait for each other.
    person = _locked(connection, answer.game, "", answer.person, NEW)
    puzzle = _locked(connection, answer.game, answer.puzzle, "", Rating(answer.first_rating, FIRST_DEVIATION))
    score = 1.0 if solved else 0.0
    rated = glicko(person.rating, [(puzzle.rating, score)]), glicko(puzzle.rating, [(person.rating, 1 - score)])
    for (name, whose), old, new in zip(
        (("", answer.person), (answer.puzzle, "")), (person, puzzle), rated, strict=True
    ):
        here = and_(R.game == answer.game, R.puzzle == name, R.person == whose)
        counts = {"attempts": old.attempts + 1, "solved": old.solved + solved}
        connection.execute(update(schema.puzzle_ratings).where(here).values(**asdict(new), **counts))
    return person.rating.value, rated[0].value


def _locked(connection: Connection, game: str, puzzle: str, person: PersonId, first: Rating) -> Standing:
    """Return a rating, which starts as given, and lock it until the end of the transaction."""
    key = {"game": game, "puzzle": puzzle, "person": person}
    row = {**key, **asdict(first), "attempts": 0, "solved": 0}
    connection.execute(insert(connection, schema.puzzle_ratings).on_conflict_do_nothing(), [row])
    here = and_(R.game == game, R.puzzle == puzzle, R.person == person)
    return _standing(connection.execute(_ratings().where(here).with_for_update()).one())

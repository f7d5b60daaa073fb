"""Figures over finished matches: leaderboards, ratings and personal statistics."""

from __future__ import annotations

import sqlite3
from typing import Any

from msgspec import Struct

from ..core.discover import find
from ..table import PersonId
from ..table.ratings import SURE_OF_MORE, SURE_OF_TWO, Rating
from .database import Database
from .rows import RatingRow

MOST_POINTS = 500
"""Points of a curve over time; older ones are left out."""


class Moment(Struct, frozen=True):
    """A personal best: its value, its time and its match."""

    value: float
    ended: float
    match: str


class Point(Struct, frozen=True):
    """One match on a person's curve over time."""

    match: str
    ended: float
    rating: float | None
    score: int
    place: int


class Tally(Struct, frozen=True, kw_only=True):
    """A person's figures in one game; stopped matches do not count."""

    game: str
    matches: int
    wins: int
    draws: int
    mean_score: float
    places: dict[int, int]
    streak: int
    """Matches won in a row, up to the last one."""
    best_score: Moment | None
    """The lowest score if low scores win."""
    best_streak: Moment | None
    biggest_upset: Moment | None
    fastest_win: Moment | None
    """In actions; only matches that nobody left."""
    points: list[Point]
    """Oldest first."""


class Statistics:
    """Questions about finished matches that count or compare them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaders(self, game: str, most: int) -> list[RatingRow]:
        """Return the bots of a game and its best rated people; provisional ratings come last."""
        sure = SURE_OF_TWO if find(game).rules.info.seats == (2, 2) else SURE_OF_MORE
        where = "game = ? ORDER BY person <> '', deviation > ?, value DESC LIMIT ?"
        return await self._ratings(where, (game, sure, most))

    async def ratings_of(self, person: PersonId) -> list[RatingRow]:
        return await self._ratings("person = ? ORDER BY game", (person,))

    async def tallies(self, person: PersonId) -> list[Tally]:
        """Return a person's figures in every game they played, the most played first."""
        return await self._database.read(lambda connection: tallies(connection, person))

    async def _ratings(self, where: str, values: tuple[Any, ...]) -> list[RatingRow]:
        rows = await self._database.query(
            f"SELECT game, person, level, value, deviation, volatility, matches FROM ratings WHERE {where}",  # noqa: S608
            values,
        )
        return [
            RatingRow(game, person, level, Rating(*rating), matches) for game, person, level, *rating, matches in rows
        ]


def tallies(connection: sqlite3.Connection, person: PersonId) -> list[Tally]:
    rows = connection.execute(
        "SELECT game, count(*), sum(result = 'win'), sum(result = 'draw'), avg(score), 2 * sum(low_wins) > count(*) "
        "FROM players WHERE person = ? AND result <> 'none' GROUP BY game ORDER BY count(*) DESC, game",
        (person,),
    )
    return [_tally(connection, person, *row) for row in rows.fetchall()]


def _tally(
    connection: sqlite3.Connection,
    person: PersonId,
    game: str,
    matches: int,
    wins: int,
    draws: int,
    mean_score: float,
    low_wins: int,
) -> Tally:
    mine = "FROM players WHERE person = :person AND game = :game AND result <> 'none'"
    values = {"person": person, "game": game}

    def moment(what: str, order: str) -> Moment | None:
        sql = f"SELECT {what}, ended, match {mine} AND {what} IS NOT NULL ORDER BY {what} {order}, ended LIMIT 1"
        found = connection.execute(sql, values).fetchone()
        return None if found is None else Moment(*found)

    places = connection.execute(f"SELECT place, count(*) {mine} GROUP BY place ORDER BY place", values)
    points = connection.execute(
        f"SELECT match, ended, after, score, place {mine} ORDER BY ended DESC, match DESC LIMIT :most",
        {**values, "most": MOST_POINTS},
    ).fetchall()
    streak, best_streak = _streaks(connection, mine, values)
    return Tally(
        game=game,
        matches=matches,
        wins=wins,
        draws=draws,
        mean_score=mean_score,
        places=dict(places.fetchall()),
        streak=streak,
        best_score=moment("score", "ASC" if low_wins else "DESC"),
        best_streak=best_streak,
        biggest_upset=moment("upset", "DESC"),
        fastest_win=moment("fast", "ASC"),
        points=[Point(*point) for point in reversed(points)],
    )


def _streaks(connection: sqlite3.Connection, mine: str, values: dict[str, str]) -> tuple[int, Moment | None]:
    """Return the present run of wins and the longest one: in a run, the count of matches not won stays the same."""
    rows = connection.execute(
        f"""
        SELECT count(*) - (lost > 0), max(ended), match FROM (
            SELECT ended, match, sum(result <> 'win') OVER (ORDER BY ended, match) AS lost {mine}
        ) GROUP BY lost ORDER BY lost
        """,  # noqa: S608
        values,
    ).fetchall()
    if not rows:
        return 0, None
    length, ended, match = max(rows, key=lambda row: row[0])
    return rows[-1][0], Moment(length, ended, match) if length else None

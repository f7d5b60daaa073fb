"""Figures over finished matches: leaderboards, ratings and personal statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from ..core.discover import find
from ..table import PersonId
from ..table.ratings import SURE_OF_MORE, SURE_OF_TWO, Rating
from . import schema
from .database import Database
from .rows import RatingRow, Result

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
    result: Result
    deviation: float | None
    """How sure the rating is."""


class RivalRow(Struct, frozen=True):
    """How a person did against another player in their last matches."""

    person: PersonId | None
    level: str | None
    """The level of a bot."""
    name: str
    avatar: int
    ahead: int
    """Matches in which the person was placed before this player."""
    even: int
    behind: int


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
    rivals: list[RivalRow]
    """The most met first."""


class Statistics:
    """Questions about finished matches that count or compare them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaders(self, game: str, most: int) -> list[RatingRow]:
        """Return the bots of a game and its best rated people; provisional ratings come last."""
        sure = SURE_OF_TWO if find(game).rules.info.seats == (2, 2) else SURE_OF_MORE
        ratings = schema.ratings.c
        order = ratings.person != "", ratings.deviation > sure, ratings.value.desc()
        return await self._ratings(select(schema.ratings).where(ratings.game == game).order_by(*order).limit(most))

    async def ratings_of(self, person: PersonId) -> list[RatingRow]:
        ratings = schema.ratings.c
        return await self._ratings(select(schema.ratings).where(ratings.person == person).order_by(ratings.game))

    async def tallies(self, person: PersonId) -> list[Tally]:
        """Return a person's figures in every game they played, the most played first."""
        return await self._database.read(lambda connection: tallies(connection, person))

    async def _ratings(self, wanted: Select[Any]) -> list[RatingRow]:
        rows = await self._database.query(wanted)
        return [
            RatingRow(game, person, level, Rating(*rating), matches) for game, person, level, *rating, matches in rows
        ]


P = schema.players.c


def tallies(connection: Connection, person: PersonId) -> list[Tally]:
    count = func.count()
    figures = (
        P.game,
        count,
        func.sum(case((P.result == "win", 1), else_=0)),
        func.sum(case((P.result == "draw", 1), else_=0)),
        func.sum(P.score),
        func.sum(case((P.low_wins, 1), else_=0)),
    )
    wanted = select(*figures).where(P.person == person, P.result != "none").group_by(P.game)
    rows = connection.execute(wanted.order_by(count.desc(), P.game)).fetchall()
    return [_tally(connection, person, *row) for row in rows]


def _tally(
    connection: Connection,
    person: PersonId,
    game: str,
    matches: int,
    wins: int,
    draws: int,
    score: int,
    low_wins: int,
) -> Tally:
    mine = (P.person == person, P.game == game, P.result != "none")

    def moment(what: ColumnElement[Any], *, lowest: bool = False) -> Moment | None:
        best = what.asc() if lowest else what.desc()
        wanted = select(what, P.ended, P.match).where(*mine, what.is_not(None)).order_by(best, P.ended).limit(1)
        found = connection.execute(wanted).first()
        return None if found is None else Moment(*found)

    places = connection.execute(select(P.place, func.count()).where(*mine).group_by(P.place).order_by(P.place))
    latest = P.ended.desc(), P.match.desc()
    shown = P.match, P.ended, P.after, P.score, P.place, P.result
    points: Sequence[Any] = connection.execute(
        select(*shown).where(*mine).order_by(*latest).limit(MOST_POINTS)
    ).fetchall()
    table = _table(connection, select(P.match).where(*mine).order_by(*latest).limit(MOST_POINTS))
    deviations = {seat.match: seat.deviation for seat in table if seat.person == person}
    streak, best_streak = _streaks(connection, mine)
    return Tally(
        game=game,
        matches=matches,
        wins=wins,
        draws=draws,
        mean_score=score / matches,
        places={row[0]: row[1] for row in places},
        streak=streak,
        best_score=moment(P.score, lowest=2 * low_wins > matches),
        best_streak=best_streak,
        biggest_upset=moment(P.upset),
        fastest_win=moment(P.fast, lowest=True),
        points=[
            Point(match, ended, rating, score, place, result, deviations.get(match))
            for match, ended, rating, score, place, result in reversed(points)
        ],
        rivals=rivals_of(person, table),
    )


def _table(connection: Connection, matches: Select[Any]) -> Sequence[Any]:
    """Return every player of some matches, oldest match first."""
    seat = schema.players.alias("seat").c
    wanted = select(seat.match, seat.person, seat.level, seat.name, seat.avatar, seat.place, seat.gone, seat.deviation)
    return connection.execute(wanted.where(seat.match.in_(matches)).order_by(seat.ended, seat.match)).fetchall()


def rivals_of(person: PersonId, table: Sequence[Any]) -> list[RivalRow]:
    """Count a person's matches against each other player; a player who left is behind those who stayed."""
    own = {seat.match: (seat.gone, seat.place) for seat in table if seat.person == person}
    counts: dict[tuple[PersonId | None, str | None], list[int]] = {}
    faces: dict[tuple[PersonId | None, str | None], tuple[str, int]] = {}
    for seat in table:
        is_guest = seat.person is None and seat.level is None
        if seat.person != person and not is_guest:
            who = (seat.person, None if seat.person else seat.level)
            mine, theirs = own[seat.match], (seat.gone, seat.place)
            counts.setdefault(who, [0, 0, 0])[(mine >= theirs) + (mine > theirs)] += 1
            faces[who] = seat.name, seat.avatar
    order = sorted(counts, key=lambda who: -sum(counts[who]))
    return [RivalRow(*who, *faces[who], *counts[who]) for who in order]


def _streaks(connection: Connection, mine: tuple[ColumnElement[bool], ...]) -> tuple[int, Moment | None]:
    """Return the present run of wins and the longest one: in a run, the count of matches not won stays the same."""
    lost = func.sum(case((P.result != "win", 1), else_=0)).over(order_by=(P.ended, P.match)).label("lost")
    runs = select(P.ended, lost).where(*mine).subquery()
    rows = connection.execute(
        select(func.count(), runs.c.lost, func.max(runs.c.ended)).group_by(runs.c.lost).order_by(runs.c.lost)
    ).fetchall()
    if not rows:
        return 0, None
    lengths = [(count - (lost > 0), ended) for count, lost, ended in rows]
    length, ended = max(lengths, key=lambda run: run[0])
    if not length:
        return lengths[-1][0], None
    match = connection.execute(select(func.max(P.match)).where(*mine, P.ended == ended)).scalar_one()
    return lengths[-1][0], Moment(length, ended, match)

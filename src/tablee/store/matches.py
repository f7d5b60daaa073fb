"""What is said to SQLite about finished matches: keeping, rating, paging, counting.

Everything here follows from the logs and can be made again from them. A match is kept and rated once, by its id, in one
transaction: neither a second server nor a second try changes a rating twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from ..core.discover import UnknownGame, find
from ..core.game import Outcome
from ..core.match import UNDECIDED
from ..table import PersonId
from ..table.history import Finished, lower_wins, ranked_places
from ..table.ratings import SURE_OF_MORE, SURE_OF_TWO, Player, Rating, after_match, first_rating

Result = Literal["win", "draw", "loss", "none"]
"""Of one player; none: the match was stopped before its end, and counts for nobody."""
MOST_POINTS = 500
"""Points of a curve over time; older ones are left out."""


class PlayerRow(Struct, frozen=True):
    """Somebody in a finished match, as they were then."""

    seat: int
    person: PersonId | None
    level: str | None
    name: str
    avatar: int
    gone: bool
    place: int
    score: int
    result: Result
    low_wins: bool = False
    """The better places had the lower scores."""
    fast: int | None = None
    """The actions of a match that was won with everyone there."""
    before: float | None = None
    after: float | None = None
    upset: float | None = None
    """By how much the best of those whom a winner beat was rated higher."""


class MatchRow(Struct, frozen=True, kw_only=True):
    id: str
    game: str
    public: bool
    started: float
    ended: float
    plies: int
    reason: str
    rated: bool
    computers: int
    options: dict[str, Any]
    players: tuple[PlayerRow, ...]


def match_row(
    code: str, match: Finished, names: Sequence[tuple[str, int]], *, started: float | None, ended: float
) -> MatchRow:
    """A finished match as it is kept, with the name and face of each seat."""
    outcome = match.outcome
    who = match.occupants
    results = [result_of(outcome, seat, gone=one.left) for seat, one in enumerate(who)]
    all_there = not any(one.left for one in who)
    return MatchRow(
        id=f"{code}-{match.number}",
        game=match.game,
        public=match.public,
        started=ended if started is None else started,
        ended=ended,
        plies=match.plies,
        reason=outcome.reason,
        rated=match.rated,
        computers=sum(one.person is None for one in who),
        options=match.options,
        players=tuple(
            PlayerRow(
                seat=seat,
                person=one.person,
                level=one.level,
                name=name,
                avatar=avatar,
                gone=one.left,
                place=outcome.places[seat],
                score=outcome.scores[seat],
                result=results[seat],
                low_wins=lower_wins(outcome),
                fast=match.plies if results[seat] == "win" and all_there else None,
            )
            for seat, (one, (name, avatar)) in enumerate(zip(who, names, strict=True))
        ),
    )


def result_of(outcome: Outcome, seat: int, *, gone: bool) -> Result:
    """Who is gone has lost; a first place that everyone shares is a draw."""
    if outcome.reason in UNDECIDED:
        return "none"
    if gone or outcome.places[seat] != 1:
        return "loss"
    return "draw" if max(outcome.places) == 1 else "win"


# Writing: inside a transaction of the writer.


def keep(connection: sqlite3.Connection, row: MatchRow, *, rate: bool = True, by_log: bool = False) -> None:
    """Keep a match, unless it is kept; `by_log`: the log tells when it began, and that it ended no later than now."""
    code = row.id.partition("-")[0]
    started, ended = _times(connection, code, row) if by_log else (row.started, row.ended)
    options = msgspec.json.encode(row.options).decode()
    cursor = connection.execute(
        "INSERT OR IGNORE INTO matches (id, game, public, started, ended, plies, reason, rated, computers, options) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row.id, row.game, row.public, started, ended, row.plies, row.reason, row.rated, row.computers, options),
    )
    if cursor.rowcount == 0:
        return
    players = _rate(connection, row.game, row.players) if rate and row.rated else row.players
    connection.executemany(
        "INSERT INTO players (match, game, ended, seat, person, level, name, avatar, gone, place, score, result, "
        "low_wins, fast, before, after, upset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(row.id, row.game, ended, *astuple(player)) for player in players],
    )


def _times(connection: sqlite3.Connection, code: str, row: MatchRow) -> tuple[float, float]:
    """When the last match of a table began and ended, by the log: a server that was down keeps it long after."""
    last = connection.execute("SELECT at FROM events WHERE code = ? ORDER BY n DESC LIMIT 1", (code,)).fetchone()
    ended = row.ended if last is None else min(row.ended, last[0])
    first = connection.execute(
        'SELECT at FROM events WHERE code = ? AND at <= ? AND body LIKE \'{"type":"started"%\' ORDER BY n DESC LIMIT 1',
        (code, ended),
    ).fetchone()
    return (ended if first is None else first[0]), ended


def _rate(connection: sqlite3.Connection, game: str, players: Sequence[PlayerRow]) -> Sequence[PlayerRow]:
    """Rate everyone who played, and say how; a person who was replaced answers for the seat."""
    try:
        seats = find(game).rules.info.seats
    except UnknownGame:
        return players
    who: list[Player] = [(one.person, "") if one.person else ("", one.level or "") for one in players]
    before = {player: _rating(connection, game, player) for player in set(who)}
    outcome = Outcome(tuple(one.score for one in players), tuple(one.place for one in players), "")
    places = ranked_places(outcome, [one.gone for one in players])
    after = after_match(seats, who, places, before)
    connection.executemany(
        "INSERT INTO ratings (game, person, level, value, deviation, volatility, matches) VALUES (?, ?, ?, ?, ?, ?, 1) "
        "ON CONFLICT (game, person, level) DO UPDATE SET value = excluded.value, deviation = excluded.deviation, "
        "volatility = excluded.volatility, matches = matches + 1",
        [(game, *player, *astuple(rating)) for player, rating in after.items()],
    )
    values = [before[player].value for player in who]
    return [
        replace(
            one,
            before=values[seat],
            after=after[who[seat]].value,
            upset=_upset(values, places, seat) if one.result == "win" else None,
        )
        for seat, one in enumerate(players)
    ]


def _rating(connection: sqlite3.Connection, game: str, player: Player) -> Rating:
    found = connection.execute(
        "SELECT value, deviation, volatility FROM ratings WHERE game = ? AND person = ? AND level = ?", (game, *player)
    ).fetchone()
    return first_rating(game, player) if found is None else Rating(*found)


def _upset(ratings: Sequence[float], places: Sequence[int], mine: int) -> float | None:
    """By how much the best of those whom a winner beat was rated higher; None: by nothing."""
    beaten = [rating for rating, place in zip(ratings, places, strict=True) if place > places[mine]]
    above = max(beaten, default=0.0) - ratings[mine]
    return above if above > 0 else None


def rate_again(connection: sqlite3.Connection) -> None:
    """Forget every rating and rate every match in the order in which they ended."""
    connection.execute("DELETE FROM ratings")
    connection.execute("UPDATE players SET before = NULL, after = NULL, upset = NULL WHERE before IS NOT NULL")
    for id, game in connection.execute("SELECT id, game FROM matches WHERE rated ORDER BY ended, id").fetchall():
        connection.executemany(
            "UPDATE players SET before = ?, after = ?, upset = ? WHERE match = ? AND seat = ?",
            [
                (one.before, one.after, one.upset, id, one.seat)
                for one in _rate(connection, game, _players(connection, [id])[id])
            ],
        )


# Reading.

_MATCH = "m.id, m.game, m.public, m.started, m.ended, m.plies, m.reason, m.rated, m.computers, m.options"
_OPPONENTS = {None: "", "people": " AND m.computers = 0", "computer": " AND m.computers > 0"}


class Cursor(Struct, frozen=True):
    """The last match of a page: the next page goes on with older ones."""

    ended: float
    id: str


def match_of(connection: sqlite3.Connection, id: str) -> MatchRow | None:
    found = _read(connection, f"SELECT {_MATCH} FROM matches m WHERE m.id = ?", (id,))  # noqa: S608
    return found[0] if found else None


_STARTS = 'FROM events WHERE code = ? AND body GLOB \'{"type":"started"*\''


def begun(connection: sqlite3.Connection, code: str) -> int:
    """How many matches were begun at a table; this reads its log, on a connection of its own."""
    (count,) = connection.execute(f"SELECT count(*) {_STARTS}", (code,)).fetchone()
    return int(count)


def start_of(connection: sqlite3.Connection, code: str, number: int) -> str:
    """How a match began, in the words of the log; this reads it, on a connection of its own."""
    sql = f"SELECT body {_STARTS} ORDER BY n LIMIT 1 OFFSET ?"
    return str(connection.execute(sql, (code, number - 1)).fetchone()[0])


def log_of(connection: sqlite3.Connection, code: str) -> Iterator[str]:
    """All that happened at a table, in order; on a connection of its own."""
    for (body,) in connection.execute("SELECT body FROM events WHERE code = ? ORDER BY n", (code,)):
        yield body


def public_matches(
    connection: sqlite3.Connection, *, game: str | None, opponents: str | None, before: Cursor | None, most: int
) -> list[MatchRow]:
    """Public matches, newest first."""
    sql = f"SELECT {_MATCH} FROM matches m WHERE m.public{_OPPONENTS[opponents]}"  # noqa: S608
    return _page(connection, sql, "m.ended, m.id", (), game, before, most, "m.game")


def matches_of(
    connection: sqlite3.Connection,
    person: PersonId,
    *,
    game: str | None = None,
    opponents: str | None = None,
    result: str | None = None,
    before: Cursor | None = None,
    most: int = -1,
) -> list[MatchRow]:
    """The matches that somebody played in, newest first."""
    sql = f"SELECT {_MATCH} FROM players p JOIN matches m ON m.id = p.match WHERE p.person = ?{_OPPONENTS[opponents]}"  # noqa: S608
    values: tuple[Any, ...] = (person,)
    if result is not None:
        sql += " AND p.result = ?"
        values += (result,)
    return _page(connection, sql, "p.ended, p.match", values, game, before, most, "p.game")


def private_among(connection: sqlite3.Connection, matches: Iterable[str]) -> set[str]:
    """Those of some matches that only who has their id may see."""
    wanted = msgspec.json.encode(list(matches)).decode()
    rows = connection.execute(
        "SELECT id FROM matches WHERE id IN (SELECT value FROM json_each(?)) AND NOT public", (wanted,)
    )
    return {id for (id,) in rows}


def _page(
    connection: sqlite3.Connection,
    sql: str,
    order: str,
    values: tuple[Any, ...],
    game: str | None,
    before: Cursor | None,
    most: int,
    game_column: str,
) -> list[MatchRow]:
    if game is not None:
        sql += f" AND {game_column} = ?"
        values += (game,)
    if before is not None:
        sql += f" AND ({order}) < (?, ?)"
        values += (before.ended, before.id)
    descending = ", ".join(f"{column} DESC" for column in order.split(", "))
    return _read(connection, f"{sql} ORDER BY {descending} LIMIT ?", (*values, most))


def _read(connection: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> list[MatchRow]:
    rows = connection.execute(sql, values).fetchall()
    players = _players(connection, [row[0] for row in rows])
    return [
        MatchRow(
            id=id,
            game=game,
            public=bool(public),
            started=started,
            ended=ended,
            plies=plies,
            reason=reason,
            rated=bool(rated),
            computers=computers,
            options=msgspec.json.decode(options),
            players=tuple(players.get(id, ())),
        )
        for id, game, public, started, ended, plies, reason, rated, computers, options in rows
    ]


def _players(connection: sqlite3.Connection, matches: Iterable[str]) -> dict[str, list[PlayerRow]]:
    found: dict[str, list[PlayerRow]] = {}
    for match, seat, person, level, name, avatar, gone, place, score, result, low_wins, *rest in connection.execute(
        "SELECT match, seat, person, level, name, avatar, gone, place, score, result, low_wins, fast, before, after, "
        "upset FROM players WHERE match IN (SELECT value FROM json_each(?)) ORDER BY match, seat",
        (msgspec.json.encode(list(matches)).decode(),),
    ):
        player = PlayerRow(seat, person, level, name, avatar, bool(gone), place, score, result, bool(low_wins), *rest)
        found.setdefault(match, []).append(player)
    return found


class RatingRow(Struct, frozen=True):
    game: str
    person: PersonId
    level: str
    rating: Rating
    matches: int


def leaders(connection: sqlite3.Connection, game: str, most: int) -> list[RatingRow]:
    """The computer players of a game and the best rated people; who is provisional takes nobody's place."""
    sure = SURE_OF_TWO if find(game).rules.info.seats == (2, 2) else SURE_OF_MORE
    where = "game = ? ORDER BY person <> '', deviation > ?, value DESC LIMIT ?"
    return _ratings(connection, where, (game, sure, most))


def ratings_of(connection: sqlite3.Connection, person: PersonId) -> list[RatingRow]:
    return _ratings(connection, "person = ? ORDER BY game", (person,))


def _ratings(connection: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[RatingRow]:
    rows = connection.execute(
        f"SELECT game, person, level, value, deviation, volatility, matches FROM ratings WHERE {where}",  # noqa: S608
        values,
    )
    return [RatingRow(game, person, level, Rating(*rating), matches) for game, person, level, *rating, matches in rows]


class Moment(Struct, frozen=True):
    """Something worth remembering: how much, when, in which match."""

    value: float
    ended: float
    match: str


class Point(Struct, frozen=True):
    match: str
    ended: float
    rating: float | None
    score: int
    place: int


class Tally(Struct, frozen=True, kw_only=True):
    """What somebody has done in one game; matches that were stopped are left out."""

    game: str
    matches: int
    wins: int
    draws: int
    mean_score: float
    places: dict[int, int]
    streak: int
    """Matches won in a row, up to the last one."""
    best_score: Moment | None
    """The lowest one in a game where points are bad."""
    best_streak: Moment | None
    biggest_upset: Moment | None
    fastest_win: Moment | None
    """In actions; nobody was gone."""
    points: list[Point]
    """Oldest first."""


def tallies(connection: sqlite3.Connection, person: PersonId) -> list[Tally]:
    """Somebody's figures in every game they played, the most played first."""
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
    """The present run of wins and the longest: in a run, the number of matches that were not won stays the same."""
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

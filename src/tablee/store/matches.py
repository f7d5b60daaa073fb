"""Finished matches and the ratings that follow from them.

Everything here follows from the logs and can be rebuilt from them. A match is kept and rated once, by its id, in one
transaction: neither a second server nor a second try changes a rating twice.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from ..core.discover import UnknownGame, find
from ..core.game import Outcome
from ..table import PersonId
from ..table.history import ranked_places
from ..table.ratings import Player, Rating, after_match, first_rating
from .database import Database, json_list
from .rows import Cursor, MatchRow, PlayerRow

MATCH_COLUMNS = "m.id, m.game, m.public, m.started, m.ended, m.plies, m.reason, m.rated, m.computers, m.options"
OPPONENTS = {None: "", "people": " AND m.computers = 0", "computer": " AND m.computers > 0"}
STARTS = "FROM events INDEXED BY starts WHERE code = ? AND kind = 'started'"
"""Without the hint SQLite reads the whole log of the table."""


class Matches:
    """The finished matches of every table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, row: MatchRow, *, by_log: bool = False) -> asyncio.Future[None]:
        """Keep and rate a match, unless it is kept already; `by_log`: take its times from the log.

        It is written in turn with the log, also if nobody awaits the future.
        """
        return self._database.write(lambda connection: keep(connection, row, by_log=by_log))

    async def rebuild(self, rows: Iterable[MatchRow]) -> None:
        """Keep every match that is not kept yet, then rate all matches again in order."""

        def work(connection: sqlite3.Connection) -> None:
            for row in rows:
                keep(connection, row, rate=False)
            rate_again(connection)

        await self._database.write(work)

    async def rate_again(self) -> None:
        """Forget every rating and rate every match in the order in which they ended."""
        await self._database.write(rate_again)

    async def are_missing(self) -> bool:
        """Return whether there are logs but no kept match: they are older than the archive."""
        (found,) = await self._database.query(
            "SELECT EXISTS (SELECT 1 FROM events) AND NOT EXISTS (SELECT 1 FROM matches)"
        )
        return bool(found[0])

    async def find(self, id: str) -> MatchRow | None:
        sql = f"SELECT {MATCH_COLUMNS} FROM matches m WHERE m.id = ?"  # noqa: S608
        found = await self._database.read(lambda connection: _read(connection, sql, (id,)))
        return found[0] if found else None

    async def begun(self, code: str) -> int:
        """Return how many matches have begun at a table, by its log."""
        ((count,),) = await self._database.query(f"SELECT count(*) {STARTS}", (code,))
        return int(count)

    async def start_of(self, code: str, number: int) -> str:
        """Return the event that began a match."""
        ((body,),) = await self._database.query(f"SELECT body {STARTS} ORDER BY n LIMIT 1 OFFSET ?", (code, number - 1))
        return str(body)

    async def public(
        self, *, game: str | None = None, opponents: str | None = None, before: Cursor | None = None, most: int
    ) -> list[MatchRow]:
        """Return public matches, newest first."""
        sql = f"SELECT {MATCH_COLUMNS} FROM matches m WHERE m.public{OPPONENTS[opponents]}"  # noqa: S608
        return await self._page(sql, (), ("m.ended", "m.id"), "m.game", game, before, most)

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
        sql = f"SELECT {MATCH_COLUMNS} {_played_by(opponents)}"
        values: tuple[Any, ...] = (person,)
        if result is not None:
            sql += " AND p.result = ?"
            values += (result,)
        return await self._page(sql, values, ("p.ended", "p.match"), "p.game", game, before, most)

    async def all_of(self, person: PersonId) -> list[MatchRow]:
        """Return every match of a person, newest first; no other read waits for this one."""
        sql = f"SELECT {MATCH_COLUMNS} {_played_by(None)} ORDER BY p.ended DESC, p.match DESC"
        return await self._database.read_apart(lambda connection: _read(connection, sql, (person,)))

    async def private_among(self, matches: Iterable[str]) -> set[str]:
        """Return those of some matches that are not public."""
        rows = await self._database.query(
            "SELECT id FROM matches WHERE id IN (SELECT value FROM json_each(?)) AND NOT public", (json_list(matches),)
        )
        return {id for (id,) in rows}

    async def _page(
        self,
        sql: str,
        values: tuple[Any, ...],
        order: tuple[str, str],
        game_column: str,
        game: str | None,
        before: Cursor | None,
        most: int,
    ) -> list[MatchRow]:
        if game is not None:
            sql += f" AND {game_column} = ?"
            values += (game,)
        if before is not None:
            sql += f" AND ({', '.join(order)}) < (?, ?)"
            values += (before.ended, before.id)
        sql += f" ORDER BY {', '.join(f'{column} DESC' for column in order)} LIMIT ?"
        values += (most,)
        return await self._database.read(lambda connection: _read(connection, sql, values))


def _played_by(opponents: str | None) -> str:
    return f"FROM players p JOIN matches m ON m.id = p.match WHERE p.person = ?{OPPONENTS[opponents]}"


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
        (json_list(matches),),
    ):
        player = PlayerRow(seat, person, level, name, avatar, bool(gone), place, score, result, bool(low_wins), *rest)
        found.setdefault(match, []).append(player)
    return found


# Writing, inside a transaction of the writer.


def keep(connection: sqlite3.Connection, row: MatchRow, *, rate: bool = True, by_log: bool = False) -> None:
    """Keep a match unless it is kept already; `by_log`: take its times from the log."""
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
    """Return when the last match of a table began and ended: a server that was down keeps it long after its end."""
    last = connection.execute("SELECT at FROM events WHERE code = ? ORDER BY n DESC LIMIT 1", (code,)).fetchone()
    ended = row.ended if last is None else min(row.ended, last[0])
    first = connection.execute(
        f"SELECT at {STARTS} AND at <= ? ORDER BY n DESC LIMIT 1",
        (code, ended),
    ).fetchone()
    return (ended if first is None else first[0]), ended


def _rate(connection: sqlite3.Connection, game: str, players: Sequence[PlayerRow]) -> Sequence[PlayerRow]:
    """Rate every player and return them with their ratings; a replaced person answers for the seat."""
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
    """Return how much higher the best beaten player was rated; None if not higher."""
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

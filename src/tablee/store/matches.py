"""Finished matches and the ratings that follow from them.

Everything here follows from the logs and can be rebuilt from them. A match is kept and rated once, by its id, in one
transaction: neither a second server nor a second try changes a rating twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    text,
    tuple_,
    update,
)

from ..core.discover import UnknownGame, find
from ..core.game import Outcome
from ..table import PersonId
from ..table.history import ranked_places
from ..table.ratings import Player, Rating, after_match, first_rating, match_weight
from . import schema
from .database import Database
from .rows import Cursor, MatchRow, PlayerRow
from .sql import among, insert

M, P, E = schema.matches.c, schema.players.c, schema.events.c
IS_PUBLIC = text("matches.public")
"""Written as in the index, which SQLite does not find by `public = 1`."""
STARTED: ColumnElement[str] = literal_column("'started'")
"""A literal, so that the index of starts answers."""
IS_START = E.kind == STARTED
RATING_LOCK = 0x72617465


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

        def work(connection: Connection) -> None:
            for row in rows:
                keep(connection, row, rate=False)
            rate_again(connection)

        await self._database.write(work)

    async def rate_again(self) -> None:
        """Forget every rating and rate every match in the order in which they ended."""
        await self._database.write(rate_again)

    async def are_missing(self) -> bool:
        """Return whether there are logs but no kept match: they are older than the archive."""
        events, matches = select(schema.events.c.code).exists(), select(M.id).exists()
        ((found,),) = await self._database.query(select(events & ~matches))
        return bool(found)

    async def find(self, id: str) -> MatchRow | None:
        found = await self._read(select(schema.matches).where(M.id == id))
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
        wanted = _against(select(schema.matches).where(IS_PUBLIC), opponents)
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
        """Return those of some matches that are not public."""
        rows = await self._database.query(select(M.id).where(among(M.id, matches), ~M.public))
        return {id for (id,) in rows}

    async def _read(self, wanted: Select[Any]) -> list[MatchRow]:
        return await self._database.read(lambda connection: _read(connection, wanted))


def _played_by(person: PersonId) -> Select[Any]:
    found = schema.players.join(schema.matches, M.id == P.match)
    return select(schema.matches).select_from(found).where(P.person == person)


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
    players = _players(connection, [row["id"] for row in rows])
    return [
        MatchRow(
            **{**row, "options": msgspec.json.decode(row["options"]), "players": tuple(players.get(row["id"], ()))}
        )
        for row in rows
    ]


PLAYER_COLUMNS = [P[field] for field in PlayerRow.__struct_fields__]


def _players(connection: Connection, matches: Iterable[str]) -> dict[str, list[PlayerRow]]:
    found: dict[str, list[PlayerRow]] = {}
    wanted = select(P.match, *PLAYER_COLUMNS).where(among(P.match, matches)).order_by(P.match, P.seat)
    for match, *player in connection.execute(wanted):
        found.setdefault(match, []).append(PlayerRow(*player))
    return found


# Writing, inside a transaction of the writer.


def keep(connection: Connection, row: MatchRow, *, rate: bool = True, by_log: bool = False) -> None:
    """Keep a match unless it is kept already; `by_log`: take its times from the log."""
    code = row.id.partition("-")[0]
    started, ended = _times(connection, code, row) if by_log else (row.started, row.ended)
    values = asdict(row) | {"started": started, "ended": ended, "options": msgspec.json.encode(row.options).decode()}
    del values["players"]
    statement = insert(connection, schema.matches).on_conflict_do_nothing().returning(M.id)
    if connection.execute(statement, values).first() is None:
        return
    if rate and row.rated:
        _lock_ratings(connection)
    players = _rate(connection, row.game, row.options, row.players) if rate and row.rated else row.players
    common = {"match": row.id, "game": row.game, "ended": ended}
    connection.execute(insert(connection, schema.players), [common | asdict(player) for player in players])


def _times(connection: Connection, code: str, row: MatchRow) -> tuple[float, float]:
    """Return when the last match of a table began and ended: a server that was down keeps it long after its end."""
    newest = select(E.at).where(E.code == code).order_by(E.n.desc()).limit(1)
    last = connection.execute(newest).scalar()
    ended = row.ended if last is None else min(row.ended, last)
    first = connection.execute(newest.where(IS_START, E.at <= ended)).scalar()
    return (ended if first is None else first), ended


def _lock_ratings(connection: Connection) -> None:
    """Let other servers wait until this transaction has rated its match."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(RATING_LOCK)))


def _rate(
    connection: Connection, game: str, options: Mapping[str, Any], players: Sequence[PlayerRow]
) -> Sequence[PlayerRow]:
    """Rate every player and return them with their ratings; a replaced person answers for the seat."""
    try:
        seats = find(game).rules.info.seats
    except UnknownGame:
        return players
    who: list[Player] = [(one.person, "") if one.person else ("", one.level or "") for one in players]
    before = {player: _rating(connection, game, player) for player in set(who)}
    outcome = Outcome(tuple(one.score for one in players), tuple(one.place for one in players), "")
    places = ranked_places(outcome, [one.gone for one in players])
    after = after_match(seats, who, places, before, match_weight(game, options))
    statement = insert(connection, schema.ratings)
    changed: dict[str, Any] = {name: statement.excluded[name] for name in ("value", "deviation", "volatility")}
    changed["matches"] = schema.ratings.c.matches + 1
    connection.execute(
        statement.on_conflict_do_update(index_elements=["game", "person", "level"], set_=changed),
        [
            {"game": game, "person": person, "level": level, "matches": 1} | asdict(rating)
            for (person, level), rating in after.items()
        ],
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


def _rating(connection: Connection, game: str, player: Player) -> Rating:
    person, level = player
    ratings = schema.ratings.c
    wanted = select(ratings.value, ratings.deviation, ratings.volatility)
    found = connection.execute(
        wanted.where(ratings.game == game, ratings.person == person, ratings.level == level)
    ).first()
    return first_rating(game, player) if found is None else Rating(*found)


def _upset(ratings: Sequence[float], places: Sequence[int], mine: int) -> float | None:
    """Return how much higher the best beaten player was rated; None if not higher."""
    beaten = [rating for rating, place in zip(ratings, places, strict=True) if place > places[mine]]
    above = max(beaten, default=0.0) - ratings[mine]
    return above if above > 0 else None


def rate_again(connection: Connection) -> None:
    """Forget every rating and rate every match in the order in which they ended."""
    _lock_ratings(connection)
    connection.execute(delete(schema.ratings))
    connection.execute(update(schema.players).where(P.before.is_not(None)).values(before=None, after=None, upset=None))
    rated = select(M.id, M.game, M.options).where(M.rated).order_by(M.ended, M.id)
    change = update(schema.players).where(P.match == bindparam("of_match"), P.seat == bindparam("of_seat"))
    for id, game, options in connection.execute(rated).fetchall():
        rows = _rate(connection, game, msgspec.json.decode(options), _players(connection, [id])[id])
        connection.execute(
            change,
            [
                {"of_match": id, "of_seat": one.seat, "before": one.before, "after": one.after, "upset": one.upset}
                for one in rows
            ],
        )

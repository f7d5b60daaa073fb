"""The ratings. They follow from the logs alone: matches count in the order of their ends, as the log has them.

A match that ends is kept at once and rated a moment later, off the path of the moves. If it ended before others that
are rated already, because it was kept late or another server's clock is behind, the matches from there on are rated
again. So the ratings are always those of a rebuild, whichever server kept which match when.

`rating_progress` says how far each game is rated. A server reads it, computes the next matches, and writes them only if
nobody changed that row meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, bindparam, delete, select, text, tuple_, update

from ..core.discover import UnknownGame, find
from ..core.game import Outcome
from ..table.history import ranked_places
from ..table.ratings import Player, Rating, after_match, first_rating, match_weight
from . import schema
from .database import Database
from .errors import StoreClosed
from .rows import PlayerRow
from .sql import among, insert, upsert

M, P, R, G = schema.matches.c, schema.players.c, schema.ratings.c, schema.rating_progress.c
IS_RATED, IS_PENDING = text("matches.rated"), text("matches.pending")
"""Written as in the indexes, which SQLite does not find by `rated = 1`."""
MOST_AT_ONCE = 50
"""Matches that are rated in one transaction."""
RETRY_SECONDS = 1.0
PATIENCE = 1.0
REST = 3
"""After rating, a server rests this many times as long as that took."""
Moment = tuple[float, str]
"""The end of a match and its id: the order in which matches count."""
BEGINNING: Moment = (float("-inf"), "")

PLAYER_COLUMNS = [P[field] for field in PlayerRow.__struct_fields__]

failed_writes_log = logging.getLogger("tablee.failed_writes")


class Outdated(Exception):
    """Another server rated the same matches first."""


class Standing(Struct, frozen=True):
    """A player's rating, and after how many matches."""

    rating: Rating
    played: int


class Progress(Struct, frozen=True):
    """How far a game is rated."""

    step: int = 0
    last: Moment = BEGINNING
    top: Moment = BEGINNING


class Chunk(Struct, frozen=True):
    """Some matches of a game in order, rated but not yet written."""

    game: str
    before: Progress
    after: Progress
    matches: list[str]
    players: list[dict[str, Any]]
    standings: dict[Player, Standing]


class Ratings:
    """Rates the matches of each game, in order."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._behind: set[str] = set()
        self._passes: Counter[str] = Counter()
        self._passed = asyncio.Event()
        self._closing = False

    def wake(self, game: str) -> None:
        """Rate the new matches of a game soon, without waiting for it."""
        if self._closing:
            return
        if game in self._tasks:
            self._again.add(game)
            return
        self._tasks[game] = asyncio.get_running_loop().create_task(self._work(game))

    async def wake_all(self) -> None:
        """Rate whatever a server that died left unrated."""
        for game in await self._games():
            self.wake(game)

    async def catch_up(self) -> None:
        """Wait until the matches that this server has kept are rated, but not for long."""
        # The pass that is under way may not know them yet.
        waiting = {game: self._passes[game] + 2 for game in self._tasks if game not in self._behind}
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while any(game in self._tasks and self._passes[game] < due for game, due in waiting.items()):
                    await self._passed.wait()

    async def settle(self) -> None:
        """Wait until nothing is left to rate."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def close(self) -> None:
        """Stop after the matches that are being written; the next server goes on."""
        self._closing = True
        self._again.clear()
        await self.settle()

    async def rate_again(self) -> None:
        """Forget every rating and rate every match in order; return when it is done."""
        await self._database.write_apart(forget)
        for game in await self._games():
            while await self._rate_some(game):
                pass

    async def _games(self) -> list[str]:
        return [game for (game,) in await self._database.query(select(M.game).where(IS_RATED).distinct())]

    async def _work(self, game: str) -> None:
        try:
            start = perf_counter()
            while await self._rate_some(game) and not self._closing:
                await asyncio.sleep(REST * (perf_counter() - start))  # the moves come first
                start = perf_counter()
        except StoreClosed:
            pass
        except Exception as error:
            failed_writes_log.warning("the matches of %s are not rated yet, trying again: %s", game, error)
            if not self._closing:
                self._again.add(game)
                await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._tasks[game]
            self._pass(game)
            if game in self._again:
                self._again.discard(game)
                self.wake(game)

    async def _rate_some(self, game: str) -> bool:
        """Rate the next matches of a game; return whether there may be more."""
        chunk = await self._database.read_apart(lambda connection: next_chunk(connection, game))
        if chunk is not None:
            with suppress(Outdated):
                await self._database.write_apart(lambda connection: write_chunk(connection, chunk))
        if chunk is not None and len(chunk.matches) == MOST_AT_ONCE:
            self._behind.add(game)
        else:
            self._behind.discard(game)
        self._pass(game)
        return chunk is not None

    def _pass(self, game: str) -> None:
        self._passes[game] += 1
        self._passed.set()
        self._passed = asyncio.Event()


def next_chunk(connection: Connection, game: str) -> Chunk | None:
    """Rate the next matches of a game in memory; None if all are rated, or if the game is not installed."""
    try:
        seats = find(game).rules.info.seats
    except UnknownGame:
        return None
    before = _progress(connection, game)
    moment = tuple_(M.ended, M.id)
    rated = select(M.ended, M.id, M.options).where(IS_RATED, M.game == game).order_by(M.ended, M.id).limit(MOST_AT_ONCE)
    late = connection.execute(
        select(M.ended, M.id).where(IS_PENDING, M.game == game).order_by(M.ended, M.id).limit(1)
    ).first()
    if late is not None and tuple(late) <= before.last:
        rows = connection.execute(rated.where(moment >= tuple_(*late))).fetchall()
    else:
        rows = connection.execute(rated.where(moment > tuple_(*before.last))).fetchall()
    if not rows:
        return None
    matches: list[Moment] = [(ended, id) for ended, id, _ in rows]
    players = players_of(connection, [id for _, id in matches])
    met = {player for _, id in matches for player in map(_player, players[id])}
    if before.top == BEGINNING:  # nobody has a rating yet, whatever the table of ratings says
        standings = {player: Standing(first_rating(game, player), 0) for player in met}
    elif matches[0] > before.top:
        standings = _latest(connection, game, met)
    else:
        standings = _standings_before(connection, game, met, matches[0])
    changed: list[dict[str, Any]] = []
    for _, id, options in rows:
        weight = match_weight(game, msgspec.json.decode(options))
        changed += [{"of_match": id} | one for one in _rate(seats, weight, players[id], standings)]
    after = Progress(before.step + 1, matches[-1], max(before.top, matches[-1]))
    return Chunk(game, before, after, [id for _, id in matches], changed, standings)


def write_chunk(connection: Connection, chunk: Chunk) -> None:
    """Write rated matches; raise `Outdated` if somebody else changed the progress of the game meanwhile."""
    after = _columns(chunk.after)
    if chunk.before.step:
        mine = (G.game == chunk.game) & (G.step == chunk.before.step)
        done = connection.execute(update(schema.rating_progress).where(mine).values(**after).returning(G.step))
    else:
        new = insert(connection, schema.rating_progress).values(game=chunk.game, **after)
        done = connection.execute(new.on_conflict_do_nothing().returning(G.step))
    if done.first() is None:
        raise Outdated
    if chunk.before.top == BEGINNING:
        connection.execute(delete(schema.ratings).where(R.game == chunk.game))  # of an older copy, or a rebuild
    change = update(schema.players).where(P.match == bindparam("of_match"), P.seat == bindparam("of_seat"))
    connection.execute(change, chunk.players)
    upsert(
        connection,
        schema.ratings,
        [
            {"game": chunk.game, "person": person, "level": level, "matches": one.played} | asdict(one.rating)
            for (person, level), one in sorted(chunk.standings.items())
        ],
    )
    connection.execute(update(schema.matches).where(among(M.id, chunk.matches)).values(pending=False))


def forget(connection: Connection) -> None:
    """Forget every rating, so that all matches are rated again."""
    for game in connection.execute(select(M.game).where(IS_RATED).distinct()).scalars().all():
        rate_from(connection, game, BEGINNING[0])
    connection.execute(delete(schema.ratings))
    beginning = {"top_ended": BEGINNING[0], "top_match": BEGINNING[1]}
    connection.execute(update(schema.rating_progress).values(**beginning))


def rate_from(connection: Connection, game: str, ended: float) -> None:
    """Let the matches of a game that ended then or later be rated again; a server that is rating them starts over."""
    nothing = Progress(1)
    new = insert(connection, schema.rating_progress).values(game=game, **_columns(nothing))
    connection.execute(new.on_conflict_do_update(index_elements=["game"], set_={"step": G.step + 1}))
    found = _progress(connection, game)  # nobody else changes the row now
    earlier = replace(found, last=min(found.last, (ended, "")))
    connection.execute(update(schema.rating_progress).where(G.game == game).values(**_columns(earlier)))


def _progress(connection: Connection, game: str) -> Progress:
    wanted = select(G.step, G.ended, G.match, G.top_ended, G.top_match).where(G.game == game)
    found = connection.execute(wanted).first()
    if found is None:
        return Progress()
    step, ended, match, top_ended, top_match = found
    return Progress(step, (ended, match), (top_ended, top_match))


def _columns(progress: Progress) -> dict[str, Any]:
    (ended, match), (top_ended, top_match) = progress.last, progress.top
    return {"step": progress.step, "ended": ended, "match": match, "top_ended": top_ended, "top_match": top_match}


def players_of(connection: Connection, matches: Iterable[str]) -> dict[str, list[PlayerRow]]:
    """Return the players of some matches, by match and in the order of their seats."""
    found: dict[str, list[PlayerRow]] = {}
    wanted = select(P.match, *PLAYER_COLUMNS).where(among(P.match, matches)).order_by(P.match, P.seat)
    for match, *player in connection.execute(wanted):
        found.setdefault(match, []).append(PlayerRow(*player))
    return found


def _player(one: PlayerRow) -> Player:
    """Return whose rating a seat changes: that of a replaced person, not of the replacement."""
    return (one.person, "") if one.person else ("", one.level or "")


def _latest(connection: Connection, game: str, met: set[Player]) -> dict[Player, Standing]:
    """Return the standings of some players after all their matches."""
    wanted = select(R.person, R.level, R.value, R.deviation, R.volatility, R.matches)
    rows = connection.execute(wanted.where(R.game == game, among(R.person, {person for person, _ in met})))
    found = {(row[0], row[1]): Standing(Rating(*row[2:5]), row[5]) for row in rows}
    return {player: found.get(player) or Standing(first_rating(game, player), 0) for player in met}


def _standings_before(connection: Connection, game: str, met: set[Player], first: Moment) -> dict[Player, Standing]:
    """Return the standings of some players before a match, from the last match that each played before it."""
    return {player: _standing_before(connection, game, player, first) for player in met}


def _standing_before(connection: Connection, game: str, player: Player, first: Moment) -> Standing:
    person, level = player
    bot = P.person.is_(None) & (P.level == level if level else P.level.is_(None))
    whose = (P.person == person) if person else bot
    found = connection.execute(
        select(P.after, P.deviation, P.volatility, P.played)
        .where(whose, P.game == game, P.played.is_not(None), tuple_(P.ended, P.match) < tuple_(*first))
        .order_by(P.ended.desc(), P.match.desc())
        .limit(1)
    ).first()
    if found is None:
        return Standing(first_rating(game, player), 0)
    return Standing(Rating(*found[:3]), found[3])


def _rate(
    seats: tuple[int, int], weight: float, players: Sequence[PlayerRow], standings: dict[Player, Standing]
) -> list[dict[str, Any]]:
    """Rate a match, change the standings of its players, and return what its rows get."""
    who = [_player(one) for one in players]
    before = {player: standings[player].rating for player in who}
    outcome = Outcome(tuple(one.score for one in players), tuple(one.place for one in players), "")
    places = ranked_places(outcome, [one.gone for one in players])
    for player, rating in after_match(seats, who, places, before, weight).items():
        standings[player] = Standing(rating, standings[player].played + 1)
    values = [before[player].value for player in who]
    return [
        {
            "of_seat": one.seat,
            "before": values[seat],
            "after": standings[who[seat]].rating.value,
            "upset": _upset(values, places, seat) if one.result == "win" else None,
            "deviation": standings[who[seat]].rating.deviation,
            "volatility": standings[who[seat]].rating.volatility,
            "played": standings[who[seat]].played,
        }
        for seat, one in enumerate(players)
    ]


def _upset(ratings: Sequence[float], places: Sequence[int], mine: int) -> float | None:
    """Return how much higher the best beaten player was rated; None if not higher."""
    beaten = [rating for rating, place in zip(ratings, places, strict=True) if place > places[mine]]
    above = max(beaten, default=0.0) - ratings[mine]
    return above if above > 0 else None

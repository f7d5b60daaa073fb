"""Finished matches: history, replays, downloads, statistics and leaderboards.

Everything here follows from the logs. Nobody waits while a match is kept. A table that is restored with its match over
keeps it again, so that no match is lost if the server dies in between.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec

from ..core.discover import UnknownGame, find, games
from ..core.fairness import draws
from ..core.game import Refused, Seat
from ..core.record import Record
from ..core.replay import Replay
from ..store import PersonRow, Store, StoreClosed, StoreDown, TableRow, open_store
from ..store.rows import Cursor, MatchRow, RatingRow, match_row
from ..store.statistics import Moment, Tally
from ..table import Occupant, PersonId, Table
from ..table.events import Started, decode
from ..table.history import Finished, Played, finished, played
from ..table.ratings import first_rating, is_provisional
from . import branches
from .bodies import (
    Best,
    Draws,
    GameStats,
    History,
    Leader,
    Leaders,
    MatchCard,
    MatchPage,
    MatchPlayer,
    Me,
    NewBranch,
    RatingInfo,
    Rival,
    SeriesPoint,
    Stats,
)
from .branches import Beginning
from .clock import Clock
from .logs import failed_writes_log
from .people import People, face_of, unnamed
from .replays import Replayer, page_of
from .shared_files import SharedFiles
from .tell import branch_info

RETRY_SECONDS = 1.0
MOST_LEADERS = 100
MOST_RIVALS = 10
MATCH_ID = re.compile(r"([0-9A-Z]{1,16})-([1-9][0-9]{0,8})")

log = logging.getLogger("tablee.archive")
read_start = msgspec.json.Decoder(Started).decode


class Archive:
    """The finished matches of every table."""

    def __init__(self, store: Store, people: People, time: Clock, files: SharedFiles | None = None) -> None:
        self._store = store
        self._people = people
        self._time = time
        self._replayer = Replayer(files)

    # Keep.

    def keep(self, table: Table, at: float) -> None:
        """Keep the finished match of a table, once, without waiting for it."""
        self._keep(self._row(table.code, finished(table), ended=at))

    def _keep(self, row: MatchRow) -> None:
        """Keep a match before the next one begins; try again if the store fails."""

        def settle(done: asyncio.Future[None]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None:
                failed_writes_log.error(
                    "match %s was not kept, trying again: %s",
                    row.id,
                    error,
                    exc_info=None if isinstance(error, StoreDown) else error,
                )
                self._time.call_at(self._time.now() + RETRY_SECONDS, lambda: self._keep(row))

        try:
            self._store.matches.keep(row, by_log=True).add_done_callback(settle)
        except StoreClosed:
            log.warning("match %s will be kept when its table is restored", row.id)

    def _row(self, code: str, match: Finished, *, ended: float, started: float | None = None) -> MatchRow:
        return match_row(code, match, [self._face(who) for who in match.occupants], started=started, ended=ended)

    def _face(self, who: Occupant) -> tuple[str, int]:
        if who.person is None:
            return "", 0
        return face_of(who, self._people.get(who.person))

    async def is_missing(self) -> bool:
        """Return whether there are logs but no kept match, because they are older than the archive."""
        return await self._store.matches.are_missing()

    async def rebuild(self) -> int:
        """Read every log, keep missing matches, and rate all matches again; return how many were found.

        Nothing else may write meanwhile. Matches under older rules stay as they were kept.
        """
        rows: list[MatchRow] = []
        tables: list[TableRow] = []
        for code in await self._store.codes():
            try:
                table, matches = await self._read_again(code)
            except Refused as refused:
                log.warning("table %s: its log cannot be read: %s", code, refused)
                continue
            except Exception:
                log.exception("table %s: its log cannot be read", code)
                continue
            tables.append(table)
            rows += matches
        await self._store.save_tables(tables)
        await self._store.matches.rebuild(rows)
        return len(rows)

    async def _read_again(self, code: str) -> tuple[TableRow, list[MatchRow]]:
        """Return a table's row and those of its matches that the current rules play to the end."""

        def read(log: list[tuple[float, str]]) -> tuple[TableRow, list[tuple[Finished, float, float]]]:
            events = [decode(body) for _, body in log]
            found = []
            for one in played(events):
                try:
                    over = one.finish()
                except (Refused, UnknownGame):
                    continue
                if over is not None:
                    found.append((over, log[one.first][0], log[one.last][0]))
            return TableRow.of(Table.restore(code, events), log[-1][0], 0.0, at_rest=True), found

        table, over = await asyncio.to_thread(read, await self._store.read_timed(code))
        await self._people.load_all({who.person for match, _, _ in over for who in match.occupants if who.person})
        return table, [self._row(code, match, started=started, ended=ended) for match, started, ended in over]

    # Find.

    async def history(
        self,
        person: PersonId | None,
        *,
        game: str | None = None,
        opponents: str | None = None,
        result: str | None = None,
        before: str | None = None,
        limit: int = 20,
    ) -> History:
        """Return a page of a person's matches, or of the public ones, newest first."""
        wanted: dict[str, Any] = {"game": game, "opponents": opponents, "most": limit + 1}
        wanted["before"] = None if before is None else read_cursor(before)
        if person is None:
            rows = await self._store.matches.public(**wanted)
        else:
            rows = await self._store.matches.of(person, result=result, **wanted)
        page = rows[:limit]
        more = f"{page[-1].ended!r}~{page[-1].id}" if len(rows) > limit else None
        return History([card(row) for row in page], more)

    async def page(self, id: str) -> MatchPage:
        row = await self._find(id)
        code, number = read_id(row.id)
        dealt = read_start(await self._store.matches.start_of(code, number))
        replayable = row.game in games() and find(row.game).rules.info.version == dealt.version
        return MatchPage(
            card=card(row),
            version=dealt.version,
            replayable=replayable,
            proof=dealt.proof,
            formats=["json", *find(row.game).formats] if replayable else [],
            branch=branch_info(dealt),
        )

    async def _find(self, id: str) -> MatchRow:
        """Return a finished match; raise `Refused` if it is running or unknown."""
        code, number = read_id(id)
        row = await self._store.matches.find(f"{code}-{number}")
        if row is None:
            if number > await self._store.matches.begun(code):
                raise Refused("unknown_match", id=id[:32])
            await self._store.flush()  # it may have ended this moment
            row = await self._store.matches.find(f"{code}-{number}")
        if row is None:
            raise Refused("not_over", id=id[:32])
        if row.rated and row.players[0].before is None:  # it is being rated this moment
            await self._store.flush()  # or is about to be: the event loop may not know yet that it is written
            await self._store.matches.ratings.catch_up()
            row = await self._store.matches.find(row.id) or row
        return row

    def _played(self, id: str) -> Played:
        """Read a match from its log, which may be long; call it in a worker thread."""
        code, number = read_id(id)
        return played(map(decode, self._store.stream(code)))[number - 1]

    # Replay.

    async def replay(self, id: str, seat: Seat | None, first: int, last: int | None) -> bytes:
        """Return a part of a match as a `ReplayPage` in JSON."""
        row = await self._find(id)
        made = await self.whole_replay(row.id)
        names = [player.name for player in row.players]
        return await asyncio.to_thread(page_of, made, names, card(row), seat, first, last)

    async def id_of(self, id: str) -> str:
        """Return the id of a finished match as it is kept; raise `Refused` if it is running or unknown."""
        return (await self._find(id)).id

    async def whole_replay(self, id: str) -> Replay:
        """Return every state of a match that is known to be finished."""
        made = self._replayer.known(id)
        return made or await self._replayer.replay(id, lambda: self._played(id).replay())

    def uploaded_replay(self, text: bytes, format: str) -> Callable[[], Awaitable[Replay]]:
        """Return a function that replays an uploaded file."""
        return lambda: self._replayer.upload(text, format)

    async def replay_of(self, text: bytes, format: str, seat: Seat | None, first: int, last: int | None) -> bytes:
        """Return a part of an uploaded record as a `ReplayPage` in JSON."""
        made = await self._replayer.upload(text, format)
        return await asyncio.to_thread(page_of, made, made.names, None, seat, first, last)

    async def begin_branch(self, id: str, new: NewBranch) -> Beginning:
        """Return the branch at a moment of a match."""
        row = await self._find(id)

        def find_branch() -> Beginning:
            record = self._played(row.id).play().record()
            return branches.begin(record, new.ply, row.id, new.actor, new.action)

        return await self._replayer.run(find_branch)

    async def begin_branch_of(self, text: bytes, format: str, new: NewBranch) -> Beginning:
        """Return the branch at a moment of an uploaded record."""
        replay = await self._replayer.upload(text, format)

        def find_branch() -> Beginning:
            record = Record.from_json(text) if format == "json" else branches.record_of(replay)
            return branches.begin(record, new.ply, None, new.actor, new.action)

        return await self._replayer.run(find_branch)

    async def download(self, id: str, suffix: str) -> bytes:
        """Return a match as a file: a record, or a format of another program."""
        row = await self._find(id)
        writer = None if suffix == "json" else find(row.game).formats.get(suffix)
        if suffix != "json" and writer is None:
            raise Refused("unknown_format", format=suffix[:16])
        names = [player.name or player.level or "" for player in row.players]

        def write() -> bytes:
            match = self._played(row.id)
            return match.record().to_json() if writer is None else writer.write(match.play(), names).encode()

        return await self._replayer.run(write)

    async def draws(self, id: str) -> Draws:
        row = await self._find(id)

        def draw() -> Draws:
            match = self._played(row.id)
            played = match.play()
            return Draws(match.dealt.seed, match.dealt.proof, draws(played), list(played.origins))

        return await self._replayer.run(draw)

    # Count.

    async def stats(self, person: PersonId, *, own: bool) -> Stats:
        """Return a person's statistics; hide the ids of private matches from others."""
        await self._store.flush()
        await self._store.matches.ratings.catch_up()  # the match that has just ended counts
        tallies = await self._store.statistics.tallies(person)
        moments = [moment.match for tally in tallies for _, moment in moments_of(tally)]
        hidden = set() if own else await self._store.matches.private_among(moments)
        rated = await self.ratings_of(person)
        who = await self._people.load(person)
        games = [game_stats(tally, rated.get(tally.game), hidden, own=own) for tally in tallies]
        return Stats(Me(who.id, who.name, who.avatar), games)

    async def leaders(self, game: str) -> Leaders:
        """Return the leaderboard of a game; raise `UnknownGame` if there is none."""
        find(game)
        rows = await self._store.statistics.leaders(game, MOST_LEADERS)
        met = {row.level for row in rows}
        rows += [
            RatingRow(game, "", level, first_rating(game, ("", level)), 0)
            for level in find(game).strengths
            if level not in met
        ]
        rows.sort(key=lambda row: -row.rating.value)
        named = await self._store.people(row.person for row in rows if row.person)
        found = [leader(row, named.get(row.person)) for row in rows]
        return Leaders(game, sorted(found, key=lambda one: one.rating.provisional))

    async def ratings_of(self, person: PersonId) -> dict[str, RatingInfo]:
        rows = await self._store.statistics.ratings_of(person)
        return {row.game: rating_info(row) for row in rows}

    async def matches_of(self, person: PersonId) -> list[MatchCard]:
        """Return every match of a person, newest first."""
        return [card(row) for row in await self._store.matches.all_of(person)]


async def rebuild(url: str) -> int:
    """Rebuild the archive of a stopped server from its logs; return how many matches were found."""
    store = await open_store(url)
    try:
        return await Archive(store, People(store), Clock()).rebuild()
    finally:
        await store.close()


def read_id(id: str) -> tuple[str, int]:
    """Split a match id into its table and number; raise `Refused` if it is not valid."""
    found = MATCH_ID.fullmatch(id.upper())
    if found is None:
        raise Refused("unknown_match", id=id[:32])
    return found[1], int(found[2])


def read_cursor(text: str) -> Cursor:
    ended, _, id = text.partition("~")
    try:
        return Cursor(float(ended), id)
    except ValueError:
        raise Refused("bad_request", field="before", problem="not the `next` of a page") from None


def card(row: MatchRow) -> MatchCard:
    return MatchCard(
        id=row.id,
        game=row.game,
        options=row.options,
        started=row.started,
        ended=row.ended,
        plies=row.plies,
        reason=row.reason,
        public=row.public,
        rated=row.rated,
        players=[
            MatchPlayer(
                seat=player.seat,
                person=player.person,
                name=player.name,
                avatar=player.avatar,
                level=player.level,
                left=player.gone,
                place=player.place,
                score=player.score,
                result=player.result,
                rating_before=rounded(player.before),
                rating_after=rounded(player.after),
            )
            for player in row.players
        ],
    )


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def rating_info(row: RatingRow) -> RatingInfo:
    seats = find(row.game).rules.info.seats if row.game in games() else (2, 2)
    value, deviation = round(row.rating.value, 1), round(row.rating.deviation, 1)
    return RatingInfo(value, deviation, is_provisional(row.rating, seats), row.matches)


def leader(row: RatingRow, named: PersonRow | None) -> Leader:
    if row.level:
        return Leader(None, row.level, "", 0, rating_info(row))
    who = named or unnamed(row.person)
    return Leader(row.person, None, who.name, who.avatar, rating_info(row))


def moments_of(tally: Tally) -> Iterator[tuple[Any, Moment]]:
    """Yield the personal bests, each with its kind."""
    kinds = ("score", tally.best_score), ("streak", tally.best_streak), ("upset", tally.biggest_upset)
    for kind, moment in (*kinds, ("fastest", tally.fastest_win)):
        if moment is not None:
            yield kind, moment


def game_stats(tally: Tally, rating: RatingInfo | None, hidden: set[str], *, own: bool) -> GameStats:
    return GameStats(
        game=tally.game,
        matches=tally.matches,
        wins=tally.wins,
        draws=tally.draws,
        win_rate=round(tally.wins / tally.matches, 4),
        places=[tally.places.get(place, 0) for place in range(1, max(tally.places) + 1)],
        mean_score=round(tally.mean_score, 2),
        best_score=None if tally.best_score is None else tally.best_score.value,
        streak=tally.streak,
        longest_streak=0 if tally.best_streak is None else int(tally.best_streak.value),
        rating=rating,
        best=[
            Best(kind, round(moment.value, 1), moment.ended, None if moment.match in hidden else moment.match)
            for kind, moment in moments_of(tally)
        ],
        series=[
            SeriesPoint(
                point.ended,
                rounded(point.rating),
                rounded(point.deviation),
                point.score,
                point.place,
                point.result,
            )
            for point in tally.points
        ],
        rivals=[
            Rival(one.person, one.level, one.name, one.avatar, one.ahead, one.even, one.behind)
            for one in tally.rivals
            if own or one.person is None
        ][:MOST_RIVALS],
    )

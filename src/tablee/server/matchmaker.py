"""« Jouer maintenant »: the searches of this server's connections, and of all games whose searches are at home here.

The searches lie in the store, so that they survive a server and all servers see the same. Each server shows its own
people how their searches stand. For each game one server, its home, pairs people and seats those who accepted.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core.game import Refused
from ..store import StoreClosed, StoreDown
from ..store.searches import PairingRow, SearchRow, Situation
from ..table import PersonId
from ..table.pace import PRESETS
from ..table.pairing import nearest_level, ready_at
from ..table.seating import own_levels
from .correspondence import demand_few_games
from .driver import new_seed
from .found_tables import found_table, open_found_table
from .frames import to_json
from .limits import Limiter
from .lobby import Lobby, new_code
from .logs import failed_writes_log, words_of
from .news import Searched
from .search_frames import FoundFrame, Search, SearchEndedFrame, SearchingFrame, SeatedFrame
from .search_plan import ACCEPT_SECONDS, Plan, by_pairing, plan
from .search_tell import found_frame, searching_frame, timeless

TICK_SECONDS = 1.0
GAP_SECONDS = 0.1
"""At least so long between two passes, so that many changes share one."""
PAIRING_SECONDS = 300.0
"""A pairing that no search names any more is deleted after this time."""
SEARCHES_PER_MINUTE = 20
"""Searches that one person may begin."""
MOST_SEATED_AT_ONCE = 16
STRENGTH_SECONDS = 60.0
MOST_AVOIDED = 8

log = logging.getLogger("tablee.searches")


class SearchLine(Protocol):
    """A connection of a person who searches."""

    person: PersonId

    def post(self, frame: bytes) -> None: ...


class Seeker(Struct, eq=False):
    """A person who searches through this server."""

    line: SearchLine
    row: SearchRow
    level: str
    """The bot of the same strength."""
    shown: SearchingFrame | FoundFrame | None = None


class Matchmaker:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._services = lobby.services
        self._store = lobby.services.store.searches
        self._cluster = lobby.services.cluster
        self._time = lobby.services.time
        self._seekers: dict[PersonId, Seeker] = {}
        self._known_strengths: dict[str, tuple[float, dict[str, float]]] = {}
        self._limit = Limiter(SEARCHES_PER_MINUTE / 60, SEARCHES_PER_MINUTE, self._time)
        self._woken = asyncio.Event()
        self._is_asked = True  # a server that died may have left searches
        self._is_busy = False
        """Whether the last pass found searches."""
        self._is_failing = False

    # What a person asks for.

    async def begin(self, line: SearchLine, wanted: Search) -> None:
        """Begin a search, or go on with the same one after a lost connection."""
        self._limit.demand(line.person)
        seats = found_table(wanted.game, wanted.pace, wanted.seats, line.person).seats
        await demand_few_games(self._lobby.services, line.person, PRESETS.get(wanted.pace))
        rating, conduct = await self._store.standing(wanted.game, line.person)
        strengths = await self._strengths(wanted.game)
        avoid = [] if wanted.after is None else await self._met(line.person, wanted.after)
        now = self._time.wall()
        row = SearchRow(
            person=line.person,
            ticket=secrets.token_hex(8),
            server=self._cluster.id,
            changed=now,
            game=wanted.game,
            pace=wanted.pace,
            seats=seats,
            rating=rating.value,
            deviation=rating.deviation,
            since=now,
            ready=ready_at(conduct, now),
            avoid=msgspec.json.encode(avoid).decode(),
        )
        entered = await self._store.enter(row)
        before = self._seekers.get(line.person)
        if before is not None and before.line is not line:
            before.line.post(to_json(SearchEndedFrame("moved")))
        self._seekers[line.person] = Seeker(line, entered, nearest_level(strengths, [rating.value]))
        self._changed()

    async def leave(self, line: SearchLine, pairing: str | None = None) -> None:
        """End a search. If opponents were found they are declined, and that is remembered."""
        seeker = self._demand(line)
        if pairing is not None and seeker.row.pairing != pairing:
            raise Refused("no_pairing")
        left = await self._store.leave(line.person, seeker.row.ticket)
        declines = left is not None and left.status == "found"
        if declines:
            await self._store.strike([line.person], self._time.wall())
        self._drop(seeker)
        line.post(to_json(SearchEndedFrame("declined" if declines else "cancelled")))
        self._changed()

    async def accept(self, line: SearchLine, pairing: str, salt: str) -> None:
        """Accept the opponents that were found; raise `Refused` if they are no longer there."""
        seeker = self._demand(line)
        if not await self._store.accept(line.person, seeker.row.ticket, pairing, salt, self._time.wall()):
            raise Refused("no_pairing")
        self._changed()

    async def lose(self, line: SearchLine) -> None:
        """Keep the search of a connection that closed for a while: its person may come back."""
        seeker = self._seekers.get(line.person)
        if seeker is not None and seeker.line is line:
            self._drop(seeker)
            with suppress(StoreClosed, StoreDown):
                await self._store.lose(line.person, seeker.row.ticket, self._time.wall())
            self._changed()

    def wake(self) -> None:
        """Look at the searches soon."""
        self._is_asked = True
        self._woken.set()

    async def _strengths(self, game: str) -> dict[str, float]:
        """Return the ratings of a game's levels, not older than a minute."""
        known = self._known_strengths.get(game)
        if known is None or known[0] < self._time.now():
            fresh = await self._store.strengths(game, own_levels(game))
            known = self._known_strengths[game] = self._time.now() + STRENGTH_SECONDS, fresh
        return known[1]

    def _changed(self) -> None:
        self.wake()
        self._cluster.tell(Searched())

    def _demand(self, line: SearchLine) -> Seeker:
        seeker = self._seekers.get(line.person)
        if seeker is None or seeker.line is not line:
            raise Refused("not_searching")
        return seeker

    def _drop(self, seeker: Seeker) -> None:
        if self._seekers.get(seeker.line.person) is seeker:
            del self._seekers[seeker.line.person]

    async def _met(self, person: PersonId, code: str) -> list[PersonId]:
        """Return whom a person met at a table; nobody if the person did not play there."""
        try:
            table = (await self._lobby.open(code)).table
        except Refused:
            return []
        people = [who.person for who in table.players if who is not None and who.person]
        return sorted(set(people) - {person})[:MOST_AVOIDED] if person in people else []

    # What time and the others bring.

    async def run_forever(self) -> None:
        """Look at the searches each second while there are any, and soon after each change."""
        while True:
            alarm = self._time.call_at(self._time.now() + TICK_SECONDS, self._woken.set)
            await self._woken.wait()
            alarm.cancel()
            self._woken.clear()
            if self._is_asked or self._is_busy or self._seekers or self._cluster.is_shared:
                self._is_asked = False
                await self._try_pass()
            await self._time.sleep(GAP_SECONDS)

    async def _try_pass(self) -> None:
        try:
            await self.look()
            self._is_failing = False
        except Exception as error:
            if not self._is_failing:
                failed_writes_log.warning("the searches cannot be read or written: %s", words_of(error))
            self._is_failing = True

    async def look(self) -> None:
        """Do what is due as the home of searches, and show this server's people how theirs stand."""
        seekers = list(self._seekers.values())  # each of them entered before the searches are read
        situation = await self._store.read()
        now = self._time.wall()
        if await self._lead(situation, now):
            self._changed()
            situation = await self._store.read()
        self._is_busy = bool(situation.searches or situation.pairings)
        found = by_pairing(situation.searches.values())
        for seeker in seekers:
            if self._seekers.get(seeker.line.person) is seeker:
                await self._show(seeker, situation, found, now)

    async def _lead(self, situation: Situation, now: float) -> bool:
        """Carry out the plan for the games whose searches are at home here; return whether something changed."""
        games = {row.game for row in situation.searches.values()}
        mine = {game for game in games if self._cluster.is_home(f"searches of {game}")}
        rows = {person: row for person, row in situation.searches.items() if row.game in mine}
        named = {row.pairing for row in situation.searches.values()}
        unused = [
            id for id, one in situation.pairings.items() if id not in named and now - one.deadline > PAIRING_SECONDS
        ]
        if not rows and not unused:
            return False
        due = await asyncio.to_thread(plan, rows, situation.pairings, set(self._cluster.live), now)
        await self._store.tidy(due.dead, due.over, unused, now)
        await self._store.release(due.declined, "declined", now)
        if due.missed:
            late = {person for people in due.missed.values() for person in people}
            await self._store.release(list(due.missed), "missed", now, missed=late)
            await self._store.strike(late, now)
        await self._seat(due, situation, now)
        await self._propose(due, rows, now)
        return due.has_work

    async def _seat(self, due: Plan, situation: Situation, now: float) -> None:
        """Open the tables of pairings that everybody accepted."""
        limit = asyncio.Semaphore(MOST_SEATED_AT_ONCE)

        async def seat(pairing: PairingRow, rows: list[SearchRow]) -> None:
            async with limit:
                try:
                    await open_found_table(self._lobby, pairing, rows)
                except (StoreDown, StoreClosed):
                    raise  # the next pass tries again
                except Exception:
                    log.exception("no table could be opened for people who accepted each other")
                    await self._store.finish(pairing.id, "failed", now)
                else:
                    await self._store.finish(pairing.id, "seated", now)

        await asyncio.gather(*(seat(situation.pairings[id], rows) for id, rows in due.accepted.items()))

    async def _propose(self, due: Plan, rows: dict[PersonId, SearchRow], now: float) -> None:
        """Propose people to each other."""
        made = []
        for group in due.groups:
            members = [rows[person] for person in group.people]
            bots: list[str] = []
            if group.bots:
                strengths = await self._strengths(members[0].game)
                bots = [nearest_level(strengths, [row.rating for row in members])] * group.bots
            pairing = PairingRow(
                id=secrets.token_hex(8),
                code=new_code(),
                secret=new_seed(),
                people=len(members),
                bots=msgspec.json.encode(bots).decode(),
                deadline=now + ACCEPT_SECONDS,
            )
            made.append((pairing, members))
        await self._store.propose(made, now)

    async def _show(self, seeker: Seeker, situation: Situation, found: dict[str, list[SearchRow]], now: float) -> None:
        """Tell a person what became of the search, if that changed."""
        row = situation.searches.get(seeker.line.person)
        if row is None or row.ticket != seeker.row.ticket:
            self._drop(seeker)
            seeker.line.post(to_json(SearchEndedFrame("failed" if row is None else "moved")))
            return
        seeker.row = row
        pairing = situation.pairings.get(row.pairing)
        match row.status:
            case "missed" | "failed":
                await self._end(seeker, to_json(SearchEndedFrame(row.status)))
            case "seated" if pairing is not None:
                await self._end(seeker, to_json(SeatedFrame(pairing.code)))
            case "found" if pairing is not None:
                others = [one for one in found[pairing.id] if one is not row]
                self._show_frame(seeker, found_frame(row, pairing, others, now))
            case "searching":
                self._show_frame(seeker, searching_frame(row, seeker.level, now))
        if (
            row.server != self._cluster.id and seeker.line.person in self._seekers
        ):  # the others believed that this server was dead
            await self._store.enter(replace(row, server=self._cluster.id, changed=now))
            self.wake()

    def _show_frame(self, seeker: Seeker, frame: SearchingFrame | FoundFrame) -> None:
        if seeker.shown is None or timeless(frame) != timeless(seeker.shown):
            seeker.line.post(to_json(frame))
        seeker.shown = frame

    async def _end(self, seeker: Seeker, frame: bytes) -> None:
        """Say how a search ended and delete it."""
        self._drop(seeker)
        seeker.line.post(frame)
        await self._store.leave(seeker.row.person, seeker.row.ticket)

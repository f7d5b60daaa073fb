"""All tables in memory: create, open, restore, list and drop them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Collection, Sequence
from itertools import islice
from weakref import WeakValueDictionary

import msgspec

from ..core.game import Refused, Seat
from ..store import Conflict, StoreDown, TableRow
from ..table import Event, PersonId, Table, Verb, dealing, hosting, playing, seating
from ..table.events import Created
from ..table.guests import seat_guest
from ..table.pace import over_days
from ..table.vacations import set_vacation
from . import tell
from .bodies import TableCard
from .branches import Continuation
from .cluster import NOBODY
from .driver import RETRY_SECONDS, new_seed
from .frames import NoticeFrame, to_json
from .listing import Listing
from .logs import failed_writes_log, words_of
from .news import Announced, Erased, Renamed
from .room import BEAT_SECONDS, Room
from .services import Services, known_people, read_table

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 6
MOST_SHOWN = 100
"""Tables in the public list."""
MOST_OF_ONE_HOST = 3
INDEX_SECONDS = 2
SWEEP_SECONDS = 60
RESTORE_SECONDS = 48 * 3600
"""A restart opens the tables that changed within this time; older ones open when somebody comes."""
NOTICE_FILE = "notice.json"
"""The operator's message, if several servers share the store."""

log = logging.getLogger("tablee.lobby")


class Lobby:
    """Every open room, by its table's code."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._time = services.time
        self._rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listing = Listing(MOST_OF_ONE_HOST)
        self.foreign: list[TableCard] = []
        """Public tables that only other servers hold."""

    async def create(
        self,
        created: Created,
        bots: list[str],
        *,
        guests: Sequence[str] = (),
        seat: Seat = 0,
        start: bool,
        continuation: Continuation | None = None,
    ) -> Room:
        """Store a new table under a free code, with its host, guests and bots seated, and open its room."""
        await self.services.people.load(created.host)
        is_long = start and over_days(created.pace)
        away = await self.services.store.correspondence.away([created.host]) if is_long else set()
        while True:
            code = new_code()
            table = Table(code, created)
            furniture = furnish(
                table,
                bots,
                self._time.now(),
                guests=guests,
                seat=seat,
                start=start,
                away=away,
                continuation=continuation,
            )
            events = [created, *furniture]
            at = self._time.wall()
            async with self._opening.setdefault(code, asyncio.Lock()):
                try:
                    row = TableRow.of(table, at, self._time.now())
                    await self.services.store.append(code, 0, events, at=at, table=row)
                except Conflict:
                    continue
                room = self._add(Room(table, self.services))
            self.services.cluster.grew(code, table.length)
            return room

    async def open(self, code: str) -> Room:
        """Return a table's room, read from its log if it is not in memory; raise `Refused` if there is none."""
        code = code.upper()
        room = self._rooms.get(code)
        if room is not None:
            room.touched = self._time.now()
            if self.services.cluster.is_shared:
                await room.follow()
                room.touched = self._time.now()
            if self._rooms.get(code) is room:  # it may have been dropped while the database was slow
                return room
        if len(code) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in code):
            raise Refused("unknown_table", code=code[:16])
        async with self._opening.setdefault(code, asyncio.Lock()):
            return self._rooms.get(code) or self._add(Room(await read_table(self.services, code), self.services))

    def _add(self, room: Room) -> Room:
        self._rooms[room.table.code] = room
        self.services.unlisted.add(room.table.code)
        if room.table.status == "over":  # the server may have stopped before it archived the match
            self.services.archive.keep(room.table, self._time.wall())
        elif over_days(room.table.pace):  # the server may have stopped before it indexed the last move
            self.services.unindexed.add(room.table.code)
        room.wake()
        return room

    async def restore(self) -> None:
        """Open the tables whose home is here and that were in use: those with a match first, then the public ones.

        It takes breaks as long as the work, so that those who are already playing do not notice.
        """
        while True:
            try:
                rows = await self.services.store.tables_in_use(since=self._time.wall() - RESTORE_SECONDS)
                break
            except StoreDown as down:
                failed_writes_log.error("the index of tables cannot be read: %s", down)
                await self._time.sleep(RETRY_SECONDS)
        for row in rows:
            while row.code not in self._rooms and self.services.cluster.is_home(row.code):
                begun = self._time.now()
                try:
                    await self.open_quietly(row.code)
                except StoreDown as down:
                    failed_writes_log.error("table %s cannot be restored yet: %s", row.code, down)
                    await self._time.sleep(RETRY_SECONDS)
                    continue
                await self._time.sleep(self._time.now() - begun)
                break

    async def open_quietly(self, code: str) -> None:
        """Open a table that nobody asked for; log why it cannot be opened."""
        try:
            await self.open(code)
        except StoreDown:
            raise
        except Refused as refused:
            log.warning("table %s cannot be restored: %s", code, refused)
        except Exception:
            log.exception("table %s cannot be restored", code)

    async def index(self) -> None:
        """Bring the index of tables up to date. It follows from the logs, so nobody waits for it."""
        codes = self.services.unindexed.copy()
        self.services.unindexed.clear()
        rooms = [self._rooms[code] for code in codes & self._rooms.keys()]
        if rooms:
            try:
                await self.services.store.save_tables([self._row(room) for room in rooms])
            except Exception as error:
                self.services.unindexed |= codes
                failed_writes_log.error("the index of tables was not written: %s", words_of(error))

    def _row(self, room: Room) -> TableRow:
        room.is_indexed_at_rest = room.is_asleep and room.driver.is_home
        return TableRow.of(room.table, self._time.wall(), self._time.now(), at_rest=room.is_indexed_at_rest)

    async def index_forever(self) -> None:
        while True:
            await self._time.sleep(INDEX_SECONDS)
            await self.index()

    async def beat_forever(self) -> None:
        """Ask every connection for a heartbeat now and then, to measure the network's delay.

        Each table has its own rhythm: ten thousand heartbeats at once would hold up the moves.
        """
        number = 0
        while True:
            await self._time.sleep(1.0)
            number += 1
            now = self._time.now()
            for room in self.rooms():
                if room.beat_at <= now and room.connections:
                    room.beat_at = now + BEAT_SECONDS
                    for line in room.connections.copy():
                        line.beat(number)

    async def sweep_forever(self) -> None:
        """Drop the rooms that nobody has used for long; their logs stay. Give tables whose host is away a new one."""
        while True:
            await self._time.sleep(SWEEP_SECONDS)
            for room in self.rooms():
                if room.is_asleep and room.touched < self._time.now() - self._patience_with(room):
                    self.put_away(room)
                elif room.driver.is_home and (heir := heir_of(room)) is not None:
                    try:
                        await room.change(_hand_over_to(heir))
                    except Exception:
                        log.exception("table %s did not get a new host", room.table.code)

    def _patience_with(self, room: Room) -> float:
        """Return for how many seconds a room without anybody stays in memory."""
        if not over_days(room.table.pace):
            return self.services.config.idle_minutes * 60
        # An open table over days stays in the public list until somebody comes.
        return RESTORE_SECONDS if is_listed(room.table) and room.table.status == "waiting" else SWEEP_SECONDS

    def put_away(self, room: Room) -> None:
        """Drop a room that nobody uses, once the index says whose turn it is."""
        if room.table.status == "playing" and not room.is_indexed_at_rest:
            self.services.unindexed.add(room.table.code)
        self.drop(room)

    def drop(self, room: Room) -> None:
        """Forget a room, once its row is in the index."""
        code = room.table.code
        if code not in self.services.unindexed:
            room.close()
            self._rooms.pop(code, None)
            self.services.cluster.gathered(code, NOBODY)
            self._listing.drop(code)

    def rooms(self) -> list[Room]:
        return list(self._rooms.values())

    def room(self, code: str) -> Room | None:
        """Return a table's room if it is in memory."""
        return self._rooms.get(code)

    def cards(self) -> list[TableCard]:
        """List public tables: free seats first, then tables with people; only a few of each host."""
        while self.services.unlisted:
            self._list(self.services.unlisted.pop())
        faces = self.services.people.get
        codes = islice(self._listing.codes(), MOST_SHOWN)
        cards = [tell.table_card(self._rooms[code].table, faces) for code in codes]
        if self.foreign:
            cards = sorted([*cards, *(card for card in self.foreign if card.code not in self._rooms)], key=_openness)
        return cards[:MOST_SHOWN]

    def _list(self, code: str) -> None:
        """Put a table into its place in the public list."""
        room = self._rooms.get(code)
        if room is None or not is_listed(room.table):
            self._listing.drop(code)
        else:
            card = tell.table_card(room.table, self.services.people.get)
            self._listing.put(code, (*_openness(card), not room.audience.people()), room.table.host)

    def refresh_person(self, person: PersonId) -> None:
        """Show a person's new name or avatar at the tables where they are, on every server."""
        self.show_person(person)
        self.services.cluster.tell(Renamed(person))

    def show_person(self, person: PersonId) -> None:
        for room in self._rooms.values():
            if any(line.person == person for line in room.connections) or person in known_people(room.table):
                room.audience.show_table()

    def waits_for(self, code: str, seat: Seat) -> tuple[bool, float] | None:
        """Whether the match at a table waits for a seat, and for how long; None if the table is not in memory."""
        room = self._rooms.get(code)
        if room is None:
            return None
        return seat in room.table.turn.must, room.table.clock.waited(seat, self._time.now()) or 0.0

    async def forget(self, person: PersonId) -> None:
        """Close the connections of an erased person on every server, and read the tables that knew them again."""
        self.services.cluster.tell(Erased(person))
        await self.read_again(person)

    async def read_again(self, person: PersonId) -> None:
        """Close the connections of an erased person here, and read the tables that knew them again."""
        for room in self.rooms():
            for line in room.connections.copy():
                if line.person == person:
                    line.hang_up(1012, "erased")
            if person in known_people(room.table) | room.table.banished:
                try:
                    await room.reread()
                except StoreDown as down:  # the log says that it was rewritten: the room reads it later
                    failed_writes_log.error("table %s cannot be read again: %s", room.table.code, down)

    async def announce(self, text: str) -> None:
        """Show the operator's message to everyone now and to those who come later; an empty text ends it."""
        cluster, at = self.services.cluster, self._time.wall()
        self.show_notice(text, at)
        if cluster.is_shared:
            await self.services.store.files.put(NOTICE_FILE, to_json(self.services.notice))
            cluster.tell(Announced(text, at))

    def show_notice(self, text: str, at: float) -> None:
        """Show a message of the operator on this server."""
        self.services.notice = NoticeFrame(text, at)
        for room in self._rooms.values():
            room.post(to_json(self.services.notice))

    async def drop_notice(self) -> None:
        """End the announcement of the time before the restart."""
        if self.services.cluster.is_shared:
            await self.services.store.files.delete(NOTICE_FILE)

    async def load_notice(self) -> None:
        """Show what the operator announced through another server."""
        if self.services.cluster.is_shared and (kept := await self.services.store.files.get(NOTICE_FILE)):
            notice = msgspec.json.decode(kept, type=NoticeFrame)
            if notice.at > self.services.notice.at:
                self.show_notice(notice.text, notice.at)

    @property
    def size(self) -> tuple[int, int]:
        """The number of open rooms and of their connections."""
        return len(self._rooms), sum(len(room.connections) for room in self._rooms.values())

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()


def new_code() -> str:
    """Return a random code for a table; another table may have it already."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def furnish(
    table: Table,
    bots: list[str],
    now: float,
    *,
    guests: Sequence[str] = (),
    seat: Seat = 0,
    start: bool,
    away: Collection[PersonId] = (),
    continuation: Continuation | None = None,
) -> list[Event]:
    """Commit to the first deal, seat the host, guests beside and bots last, start if asked; return the events."""
    events: list[Event] = []

    def apply(more: list[Event]) -> None:
        table.apply_all(more, now)
        events.extend(more)

    apply(dealing.hide_secret(table, new_seed()))
    apply(seating.sit(table, table.host, seat))
    if len(bots) + len(guests) >= len(table.seats):
        raise Refused("table_full")
    free = [at for at in range(len(table.seats)) if table.is_free(at)]
    for at, level in zip(free[len(free) - len(bots) :], bots, strict=True):
        apply(hosting.seat_bot(table, table.host, at, level))
    for at, name in zip(free, guests, strict=False):
        apply(seat_guest(table, table.host, at, name))
    if start:
        apply(dealing.start(table, table.host, new_seed(), None if continuation is None else continuation.branch))
        if table.host in away:
            apply(set_vacation(table, table.host, away=True, now=now))
    if continuation is not None and continuation.action is not None:
        apply(playing.act_first(table, continuation.actor, continuation.action, now))
    return events


def heir_of(room: Room) -> PersonId | None:
    """Choose a new host for a table whose host is away between matches."""
    table = room.table
    here = room.audience.people()
    if table.status == "playing" or table.host in here:
        return None
    return next((person for person in seating.heirs(table) if person in here), None)


def is_listed(table: Table) -> bool:
    """Whether a table belongs in the public list."""
    return table.public and not table.closed and (table.status != "over" or table.has_room)


def _hand_over_to(person: PersonId) -> Verb:
    return lambda table, now: seating.hand_over(table, person)


def _openness(card: TableCard) -> tuple[bool, bool]:
    """Sort tables that one can join before tables that one can watch."""
    return card.taken >= card.seats, card.status != "waiting"

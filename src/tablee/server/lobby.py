"""All tables in memory: create, open, restore, list and drop them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from weakref import WeakValueDictionary

from ..core.game import Refused, Seat
from ..store import Conflict, StoreDown, TableRow
from ..table import Event, PersonId, Table, Verb, dealing, hosting, seating
from ..table.events import Created
from . import tell
from .bodies import TableCard
from .frames import NoticeFrame, to_json
from .logs import failed_writes_log
from .room import Room, Services, known_people, new_seed, read_table

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 6
MOST_SHOWN = 100
"""Tables in the public list."""
MOST_OF_ONE_HOST = 3
INDEX_SECONDS = 2
BEAT_SECONDS = 30
SWEEP_SECONDS = 60
RESTORE_SECONDS = 48 * 3600
"""A restart opens the tables that changed within this time; older ones open when somebody comes."""

log = logging.getLogger("tablee.lobby")


class Lobby:
    """Every open room, by its table's code."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._time = services.time
        self._rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(self, created: Created, bots: list[str], *, start: bool) -> Room:
        """Store a new table under a free code, with its host and bots seated, and open its room."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            table = Table(code, created)
            events = [created, *furnish(table, bots, self._time.now(), start=start)]
            at = self._time.wall()
            try:
                await self.services.store.append(code, 0, events, at=at, table=TableRow.of(table, at))
            except Conflict:
                continue
            await self.services.people.load(created.host)
            return self._add(Room(table, self.services))

    async def open(self, code: str) -> Room:
        """Return a table's room, read from its log if it is not in memory; raise `Refused` if there is none."""
        code = code.upper()
        room = self._rooms.get(code)
        if room is not None:
            room.touched = self._time.now()
            return room
        if len(code) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in code):
            raise Refused("unknown_table", code=code[:16])
        async with self._opening.setdefault(code, asyncio.Lock()):
            return self._rooms.get(code) or self._add(Room(await read_table(self.services, code), self.services))

    def _add(self, room: Room) -> Room:
        self._rooms[room.table.code] = room
        if room.table.status == "over":  # the server may have stopped before it archived the match
            self.services.archive.keep(room.table, self._time.wall())
        room.wake()
        return room

    async def restore(self) -> None:
        """Open the tables that were in use when the server stopped."""
        for row in await self.services.store.tables(since=self._time.wall() - RESTORE_SECONDS):
            try:
                await self.open(row.code)
            except Refused as refused:
                log.warning("table %s cannot be restored: %s", row.code, refused)
            except Exception:
                log.exception("table %s cannot be restored", row.code)

    async def index(self) -> None:
        """Bring the index of tables up to date. It follows from the logs, so nobody waits for it."""
        rooms = [room for room in self._rooms.values() if room.is_unindexed]
        for room in rooms:
            room.is_unindexed = False
        if rooms:
            try:
                await self.services.store.save_tables([TableRow.of(room.table, self._time.wall()) for room in rooms])
            except Exception as error:
                for room in rooms:
                    room.is_unindexed = True
                is_down = isinstance(error, StoreDown)
                self.services.metrics.failed_writes.inc(is_down)
                failed_writes_log.error("the index of tables was not written: %s", error, exc_info=not is_down)

    async def index_forever(self) -> None:
        while True:
            await self._time.sleep(INDEX_SECONDS)
            await self.index()

    async def beat_forever(self) -> None:
        """Ask every connection for a heartbeat now and then, to measure the network's delay."""
        number = 0
        while True:
            await self._time.sleep(BEAT_SECONDS)
            number += 1
            for room in self.rooms():
                for line in room.connections.copy():
                    line.beat(number)

    async def sweep_forever(self) -> None:
        """Drop the rooms that nobody has used for long; their logs stay. Give tables whose host is away a new one."""
        while True:
            await self._time.sleep(SWEEP_SECONDS)
            before = self._time.now() - self.services.config.idle_minutes * 60
            for room in self.rooms():
                if room.is_asleep and not room.is_unindexed and room.touched < before:
                    del self._rooms[room.table.code]
                elif (heir := heir_of(room)) is not None:
                    try:
                        await room.change(_hand_over_to(heir))
                    except StoreDown as down:
                        failed_writes_log.error("table %s did not get a new host: %s", room.table.code, down)
                    except Exception:
                        log.exception("table %s did not get a new host", room.table.code)

    def rooms(self) -> list[Room]:
        return list(self._rooms.values())

    def cards(self) -> list[TableCard]:
        """List public tables: free seats first, then tables with people; only a few of each host."""
        faces = self.services.people.get
        rooms = [
            (room, tell.table_card(room.table, faces))
            for room in self._rooms.values()
            if room.table.public and (room.table.status != "over" or room.table.has_room)
        ]
        rooms.sort(key=lambda one: (*_openness(one[1]), not one[0].connections, one[1].code))
        of_host: Counter[PersonId] = Counter()
        shown = []
        for room, card in rooms:
            of_host[room.table.host] += 1
            if of_host[room.table.host] <= MOST_OF_ONE_HOST:
                shown.append(card)
        return shown[:MOST_SHOWN]

    def refresh_person(self, person: PersonId) -> None:
        """Show a person's new name or avatar at the tables where they are."""
        for room in self._rooms.values():
            if any(line.person == person for line in room.connections):
                room.broadcast_table()

    def waits_for(self, code: str, seat: Seat) -> bool | None:
        """Whether the match at a table waits for a seat; None if the table is not in memory."""
        room = self._rooms.get(code)
        return None if room is None else seat in room.table.turn.must

    async def forget(self, person: PersonId) -> None:
        """Close the connections of an erased person, and read the tables again that knew them."""
        for room in self.rooms():
            for line in room.connections.copy():
                if line.person == person:
                    line.hang_up(1012, "erased")
            if person in known_people(room.table) | room.table.banished:
                await room.reread()

    @property
    def notice(self) -> NoticeFrame:
        return self.services.notice

    def announce(self, text: str) -> None:
        """Show the operator's message to everyone now and to those who come later; an empty text ends it."""
        self.services.notice = NoticeFrame(text, self._time.wall())
        for room in self._rooms.values():
            room.post(to_json(self.services.notice))

    @property
    def size(self) -> tuple[int, int]:
        """The number of open rooms and of their connections."""
        return len(self._rooms), sum(len(room.connections) for room in self._rooms.values())

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()


def furnish(table: Table, bots: list[str], now: float, *, start: bool) -> list[Event]:
    """Commit to the first deal, seat the host first and the bots last, start if asked; return the events."""
    events: list[Event] = []

    def apply(more: list[Event]) -> None:
        table.apply_all(more, now)
        events.extend(more)

    apply(dealing.hide_secret(table, new_seed()))
    apply(seating.sit(table, table.host, None))
    if len(bots) >= len(table.seats):
        raise Refused("table_full")
    for seat, level in enumerate(bots, len(table.seats) - len(bots)):
        apply(hosting.seat_bot(table, table.host, seat, level))
    if start:
        apply(dealing.start(table, table.host, new_seed()))
    return events


def heir_of(room: Room) -> PersonId | None:
    """Choose a new host for a table whose host is away between matches."""
    table = room.table
    here = {line.person for line in room.connections}
    if table.status == "playing" or table.host in here:
        return None
    people = (table.seats[seat] for seat in table.present())
    return next((who.person for who in people if who is not None and who.person in here), None)


def _hand_over_to(person: PersonId) -> Verb:
    return lambda table, now: seating.hand_over(table, person)


def _openness(card: TableCard) -> tuple[bool, bool]:
    """Sort tables that one can join before tables that one can watch."""
    return card.taken >= card.seats, card.status != "waiting"

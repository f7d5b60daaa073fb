"""One table in memory, with its connections.

A room does one thing at a time: decide, write, apply, broadcast. It broadcasts only after the commit. A room can be
dropped at any moment and read again from its log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..core.discover import UnknownGame
from ..core.game import Cause, Refused, Seat
from ..store import Conflict, Store, StoreClosed, StoreDown
from ..table import Event, PersonId, Settled, Table, Verb, dealing, playing, proposals, seating
from ..table.clock import MOST_LAG
from ..table.events import (
    Acted,
    Ended,
    Lapsed,
    Paused,
    Proposed,
    Reported,
    Resumed,
    Said,
    Salted,
    Started,
    TakenBack,
    Unsaid,
    decode,
)
from . import tell
from .archive import Archive
from .bot_players import BotPlayers, Decider
from .clock import Alarm, Clock
from .config import Config
from .frames import DoneFrame, NoticeFrame, SaidFrame, SettledFrame, StorageFrame, TableFrame, UnsaidFrame, to_json
from .line import Line
from .logs import failed_writes_log
from .metrics import Metrics
from .people import People
from .presence import Attendance

RETRY_SECONDS = 1.0
PROPOSAL_SECONDS = 60.0
"""How long a proposal waits for answers."""

log = logging.getLogger("tablee.room")


class Services(Struct, eq=False):
    """The parts of the server that all rooms share."""

    store: Store
    people: People
    bot_pool: Decider
    archive: Archive
    metrics: Metrics
    config: Config
    time: Clock
    notice: NoticeFrame
    """The operator's message to everyone."""


class Request(Struct, frozen=True):
    """A client's command: who gets the answer, and which frame it is."""

    line: Line
    id: int
    is_move: Callable[[Table], bool]
    """Whether `moved` answers the command at a table as it was before; otherwise `done` does."""


class Room:
    """One table, its connections and its bots."""

    def __init__(self, table: Table, services: Services) -> None:
        self.table = table
        self.connections: set[Line] = set()
        self.services = services
        self.time = services.time
        self.touched = self.time.now()
        """When somebody last came, left or did something."""
        self.is_unindexed = False
        """Whether the table's row in the index of tables is out of date."""
        self._attendance = Attendance(services.config.patience_minutes * 60)
        self._actions = services.metrics.actions.labels(table.game.info.key)
        self._answer_by = self.touched + PROPOSAL_SECONDS
        self._lock = asyncio.Lock()
        self._is_behind_log = False
        self._late = 0
        """How many verbs of the server itself wait until the store works."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm: Alarm | None = None
        self._is_closed = False
        self._bots = BotPlayers(
            services.bot_pool, services.config, services.metrics, self.time, self._insist, self._spawn, self.post
        )

    async def change(self, verb: Verb, request: Request | None = None) -> None:
        """Run a verb: decide, write, apply, broadcast. Raise `Refused` and change nothing if the verb is refused."""
        async with self._lock:
            self.touched = now = self.time.now()
            while True:
                if self._is_behind_log:
                    await self._catch_up()
                events = verb(self.table, now=now)
                is_move = request is not None and request.is_move(self.table)
                if await self._write(events):
                    break
            self._apply(events, now, request if is_move else None)
            if request is not None and not is_move:
                request.line.post(to_json(DoneFrame(request.id)))
            self.wake()
            self.services.metrics.change_seconds.observe(self.time.now() - now)

    async def _insist(self, verb: Verb) -> None:
        """Run a verb of the server itself, which no client would repeat: retry until the store works."""
        is_late = False
        try:
            while True:
                try:
                    return await self.change(verb)
                except (Refused, StoreClosed):
                    raise
                except Exception as error:
                    failed_writes_log.error(
                        "table %s: what the table plays was not saved, trying again: %s",
                        self.table.code,
                        error or type(error).__name__,
                        exc_info=not isinstance(error, StoreDown),  # anything else is a bug
                    )
                if not is_late:
                    is_late = True
                    self._count_late(1)
                await self.time.sleep(RETRY_SECONDS)
        finally:
            if is_late:
                self._count_late(-1)

    def _count_late(self, more: int) -> None:
        """Count the verbs that wait for the store; tell the table when the first begins and the last ends."""
        was_late, self._late = bool(self._late), self._late + more
        if was_late != bool(self._late):
            self.post(to_json(StorageFrame(works=was_late)))

    async def reread(self) -> None:
        """Read the table again after its log was rewritten."""
        async with self._lock:
            await self._catch_up(anew=True)

    async def _catch_up(self, *, anew: bool = False) -> None:
        """Read the log again; if it has new events, or if `anew`, rebuild the table from it and broadcast it."""
        table = await read_table(self.services, self.table.code)
        self._is_behind_log = False
        if anew or table.length > self.table.length:
            table.keep_time(self.table)
            if table.length > self.table.length:
                self._answer_by = self.time.now() + PROPOSAL_SECONDS
            self.table = table
            self._broadcast_life(anew=True)
            self.wake()

    async def _write(self, events: list[Event]) -> bool:
        """Commit events to the log; return False if another writer was first and the table must be read again."""
        if not events:
            return True
        try:
            await self.services.store.append(self.table.code, self.table.length, events, at=self.time.wall())
        except Conflict:
            self._is_behind_log = True
            return False
        except BaseException as error:
            if isinstance(error, StoreDown):
                self.services.metrics.failed_writes.inc()
            # Only the log knows whether the events were written.
            self._is_behind_log = True
            raise
        return True

    def _apply(self, events: list[Event], now: float, mover: Request | None) -> None:
        """Apply committed events and broadcast each; the mover's connection gets its answer with the move."""
        status = self.table.status
        for event in events:
            settled = self.table.apply(event, now)
            match event:
                case Acted():
                    self._actions.inc()
                    self._broadcast_move(mover)
                case Said(_, person):
                    self._attendance.stir(person, now, objects=Lapsed("back") in events)
                    self.services.metrics.messages.inc()
                    self.post(to_json(SaidFrame(tell.chat_line(event, self.services.people.get))))
                case Unsaid(n):
                    self.post(to_json(UnsaidFrame(n)))
                case Proposed():
                    self._answer_by = now + PROPOSAL_SECONDS
            if settled is not None:
                self._settle(settled, now)
        if self.table.status == "over" and any(isinstance(event, Acted | Ended | Started) for event in events):
            game = self.table.game.info.key
            log.info("table %s: a match is over", self.table.code, extra={"table": self.table.code, "game": game})
            self.services.metrics.matches.labels(game).inc()
            self.services.archive.keep(self.table, self.time.wall())
        if any(map(is_life, events)) or self.table.status != status:
            anew = any(isinstance(event, Started | TakenBack | Paused | Resumed | Ended) for event in events)
            self._broadcast_life(anew=anew)

    def _settle(self, settled: Settled, now: float) -> None:
        """Tell the seat that made a proposal why it will not happen."""
        frame = to_json(SettledFrame(settled.proposal.kind, settled.how, settled.by))
        for line in self.connections:
            if line.seat == settled.proposal.seat:
                line.post(frame)
        objector = settled.objector
        who = None if objector is None else self.table.seats[objector]
        if who is not None and who.person is not None:
            self._attendance.stir(who.person, now, objects=True)

    def _broadcast_move(self, mover: Request | None) -> None:
        """Send the last action to each connection as its seat sees it; encode each distinct view once."""
        seats = {line.view_seat for line in self.connections}
        frames = tell.moved_frames(self.table, seats, self.time.now())
        texts: dict[Seat | None, bytes] = {}
        for line in self.connections:
            seat = line.view_seat
            if mover is not None and line is mover.line:
                line.post(to_json(replace(frames[seat], reply=mover.id)))
            else:
                if seat not in texts:
                    texts[seat] = to_json(frames[seat])
                line.post(texts[seat])

    def _broadcast_life(self, *, anew: bool) -> None:
        """Send the table to everyone, and the state to each connection whose view changed, or to all if `anew`."""
        changed = set()
        for line in self.connections.copy():
            try:
                admit(self.table, line.person)
            except Refused as refused:
                self.connections.discard(line)
                line.turn_away(refused)
            before = line.view_seat
            place(line, self.table)
            if anew or line.view_seat != before:
                changed.add(line)
        self.broadcast_table()
        if self.table.match is not None:
            for line in changed & self.connections:
                line.post(to_json(tell.state_frame(self.table, line.view_seat, self.time.now(), [])))
        self.is_unindexed = True

    def broadcast_table(self) -> None:
        """Send the `table` frame to every connection: seats, settings and presence."""
        here = {line.person: line.is_slow for line in self.connections if line.person is not None}
        self._attendance.look(self.table, here, self.time.now())
        frame = self._table_frame()
        texts: dict[tuple[Seat | None, Seat | None], bytes] = {}
        for line in self.connections:
            places = line.seat, line.view_seat
            if places not in texts:
                texts[places] = to_json(tell.for_seat(frame, self.table, *places))
            line.post(texts[places])

    def _table_frame(self) -> TableFrame:
        around = tell.Surroundings(
            faces=self.services.people.get,
            attendance=self._attendance,
            spectators=len({line.person for line in self.connections if line.seat is None}),
            now=self.time.now(),
            answer_by=self._answer_by,
        )
        return tell.table_frame(self.table, around)

    def post(self, frame: bytes) -> None:
        """Send a frame to every connection."""
        for line in self.connections:
            line.post(frame)

    def join(self, line: Line) -> None:
        """Add a connection and send it the table, then the match. A person's newer connection replaces the older."""
        for other in self.connections.copy():
            if other.person == line.person is not None:
                self.connections.discard(other)
                other.hang_up(4409, "taken_over")
        self.connections.add(line)
        self.touched = self.time.now()
        place(line, self.table)
        self.broadcast_table()
        if self.table.match is not None:
            line.post(to_json(tell.state_frame(self.table, line.view_seat, self.touched, [])))
        line.post(to_json(tell.chat_frame(self.table, self.services.people.get)))
        line.post(to_json(self.services.notice))
        if self._late:
            line.post(to_json(StorageFrame(works=False)))
        line.beat(0)
        self.wake()
        person = line.person
        if person is not None and proposals.welcome(self.table, person, self.idle()):
            self._spawn(self._insist(lambda table, now: proposals.welcome(table, person, self.idle())))

    def part(self, line: Line) -> None:
        """Remove a connection."""
        if line in self.connections:
            self.connections.discard(line)
            self.touched = self.time.now()
            self.broadcast_table()
            self._set_alarm()

    def sync(self, line: Line, match: int, ply: int) -> None:
        """Send one connection the table, the match and the steps that it missed."""
        line.post(to_json(tell.for_seat(self._table_frame(), self.table, line.seat, line.view_seat)))
        if self.table.match is not None:
            missed = list(tell.steps_since(self.table, line.view_seat, ply)) if match == self.table.matches else []
            line.post(to_json(tell.state_frame(self.table, line.view_seat, self.time.now(), missed)))

    def wake(self) -> None:
        """Let bots think, set the alarm, and commit to the next deal."""
        now = self.time.now()
        idle = self._attendance.idle(now)
        self._attendance.follow(self.table, now)
        if self._attendance.idle(now) != idle:
            self.broadcast_table()
        self._bots.wake(self.table)
        self._set_alarm()
        if self.table.secret is None and self.table.status != "playing" and self.connections:
            self._spawn(self._insist(lambda table, now: dealing.hide_secret(table, new_seed())))

    def _set_alarm(self) -> None:
        """Set the alarm for the next thing that is due.

        That is a clock that runs out (a person's waits for the network too), a player who was absent or idle for too
        long, or a proposal that nobody answered.
        """
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        now = self.time.now()
        due = [self._attendance.next_change(self.table.grace, now)]
        if self.table.proposal is not None:
            due.append(self._answer_by)
        expiry = self.table.clock.expiry() if self.table.status == "playing" else None
        if expiry is not None:
            lags = [line.lag for line in self.connections if line.seat == expiry.seat]
            lag = 0.0 if expiry.cause is Cause.MATCH_CLOCK else min(min(lags, default=0.0), MOST_LAG)
            due.append(self.table.clock.since + expiry.seconds + lag)
        when = min((at for at in due if at is not None), default=None)
        if when is not None and not self._is_closed:
            self._alarm = self.time.call_at(max(now + 0.01, when), lambda: self._spawn(self._ring()))

    async def _ring(self) -> None:
        """Do what is due."""
        self._alarm = None
        for person in self._attendance.overdue(self.table.grace, self.time.now()):
            with suppress(Refused):
                await self._insist(partial(self._give_up, person))
        if self.table.proposal is not None:
            await self._insist(lambda table, now: proposals.lapse(table, now) if self._answer_by <= now else [])
        await self._insist(lambda table, now: playing.expire(table, now))
        self.broadcast_table()
        self._set_alarm()

    def _give_up(self, person: PersonId, table: Table, now: float) -> list[Event]:
        """Make an absent person leave, unless they came back or the match ended before this is written."""
        return seating.leave(table, person, now) if person in self._attendance.overdue(table.grace, now) else []

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the room."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Stop the alarm, the bots and every task."""
        self._is_closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks:
            task.cancel()

    def expected(self) -> set[PersonId]:
        """Return the people who are connected or lost their connection a moment ago."""
        return self._attendance.expected(self.time.now())

    def idle(self) -> set[Seat]:
        """Return the seats whose players let the others wait too long."""
        return self._attendance.idle(self.time.now())

    @property
    def is_asleep(self) -> bool:
        """Whether nobody is connected and nothing is under way."""
        return not (self.connections or self._tasks or self._alarm or self._lock.locked())


async def read_table(services: Services, code: str) -> Table:
    """Read a table from its log, and load its people; raise `Refused` if there is none."""
    bodies = await services.store.read(code)
    if not bodies:
        raise Refused("unknown_table", code=code)
    try:
        table = await asyncio.to_thread(
            lambda: Table.restore(code, [decode(body) for body in bodies], services.time.now())
        )
    except UnknownGame as error:
        raise Refused("unknown_game", game=str(error)) from error
    for person in known_people(table):
        await services.people.load(person)
    return table


def known_people(table: Table) -> set[PersonId]:
    """Return everyone whose name a table shows: its host, its players past and present, and the authors of messages."""
    players = {who.person for who in (*table.seats, *table.players) if who is not None and who.person is not None}
    return {table.host, *players, *(said.person for said in table.chat.messages.values())}


def admit(table: Table, person: PersonId | None) -> None:
    """Raise `Refused` if a person may not even watch."""
    if table.closed:
        raise Refused("table_closed")
    if person in table.banished:
        raise Refused("banished")
    is_seated = person is not None and any(who is not None and who.person == person for who in table.seats)
    if not table.watchable and table.status == "playing" and not is_seated:
        raise Refused("not_watchable")


def place(line: Line, table: Table) -> None:
    """Note where a connection's person sits, and whose view they get."""
    line.seat = None if line.person is None else table.seat_of(line.person)
    line.view_seat = None if line.person is None else table.view_seat_of(line.person)


def is_life(event: Event) -> bool:
    """Whether an event changes the `table` frame; moves and messages have frames of their own."""
    if isinstance(event, Acted):
        return event.cause is Cause.LEAVE
    return not isinstance(event, Said | Unsaid | Reported | Salted)


def new_seed() -> str:
    return secrets.token_hex(16)

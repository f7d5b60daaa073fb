"""One table in memory, with its connections.

A room does one thing at a time: decide, write, apply, broadcast. It broadcasts only after the commit. A room can be
dropped at any moment and read again from its log.

Several servers can hold the same table. Each accepts actions; the log decides who was first, and the others apply what
was appended. Only the table's home drives its clocks, bots and absences.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..core.game import Refused, Seat
from ..store import Conflict, StoreDown
from ..table import Event, PersonId, Settled, Table, Verb, guests, planning, proposals, vacations
from ..table.events import (
    Acted,
    Advised,
    Ended,
    Lapsed,
    Planned,
    Proposed,
    Rewritten,
    Said,
    Started,
    Unplanned,
    Unsaid,
    decode,
)
from ..table.pace import over_days
from . import tell
from .audience import Audience
from .driver import Driver
from .event_kinds import SHOWN_ANEW, is_abandonment, is_life, named_in
from .frames import DoneFrame, SaidFrame, SettledFrame, StorageFrame, UnsaidFrame, to_json, with_reply
from .line import Line, Request, admit, place
from .lock import Lock
from .services import Services, read_table
from .shared_files import with_files

BEAT_SECONDS = 30
PROPOSAL_SECONDS = 60.0
"""How long a proposal waits for answers."""
REFUSAL_SECONDS = 0.2
"""A refusal makes the room read the log, but not more often than this: refusals must not slow a table down."""
MOST_STEPS_BEHIND = 200
"""A room that missed more events is read anew."""

log = logging.getLogger("tablee.room")


class Room:
    """One table, its connections and its bots."""

    def __init__(self, table: Table, services: Services) -> None:
        self.table = table
        self.services = services
        self.time = services.time
        self.audience = Audience(
            lambda: self.table,
            services.people.get,
            services.cluster,
            services.time,
            services.config.patience_minutes * 60,
        )
        self.touched = self.time.now()
        """When somebody last came, left or did something."""
        self.is_indexed_at_rest = False
        """Whether the index says whose turn it is, because nobody was here when it was written."""
        self.beat_at = self.touched + BEAT_SECONDS
        """When to ask the connections for their next heartbeat."""
        self.audience.answer_by = self.touched + PROPOSAL_SECONDS
        self._attendance = self.audience.attendance
        self._actions = services.metrics.moves.actions(table.game.info.key)
        self._lock = Lock()
        self._is_behind_log = False
        self._following: asyncio.Task[None] | None = None
        self._asked_at = self.touched - REFUSAL_SECONDS
        """When the log was last read because of a refusal."""
        self.driver = Driver(lambda: self.table, self.audience, self.change, services)

    async def change(self, verb: Verb, request: Request | None = None) -> None:
        """Run a verb: decide, write, apply, broadcast. Raise `Refused` and change nothing if the verb is refused."""
        async with self._lock:
            now = self._touch()
            while True:
                if self._is_behind_log:
                    await with_files(self.services.files, self._catch_up)
                try:
                    events = planning.with_replies(self.table, verb(self.table, now=now))
                except Refused:
                    # Another server may have appended what the verb lacks: refuse it only by the latest state.
                    if not await self._has_news():
                        raise
                    continue
                if vacations.starts_over_days(self.table, events):
                    events = await self._with_vacations(events)
                is_move = request is not None and request.is_move(self.table)
                if await self._write(events):
                    break
            self._conclude(events, now, request, is_move)

    def play(self, verb: Verb, request: Request, done: Callable[[Exception | None], None]) -> bool:
        """Play a move as `change` does, but without a task; return False if `change` has to do it.

        `done` is called at the end, with the error if there was one. After a `Conflict` `change` has to decide again.
        """
        if self._is_behind_log or not self._lock.take():
            return False
        try:
            now = self._touch()
            events = planning.with_replies(self.table, verb(self.table, now=now))
            written = self.services.store.append(self.table.code, self.table.length, events, at=self.time.wall())
        except Exception:
            self._lock.release()
            return False
        written.add_done_callback(partial(self._written, events, now, request, done))
        return True

    def _written(
        self,
        events: list[Event],
        now: float,
        request: Request,
        done: Callable[[Exception | None], None],
        written: asyncio.Future[None],
    ) -> None:
        """Apply a move that was written, or say why it was not."""
        error: Exception | None = None
        try:
            written.result()
        except Exception as problem:
            self._note_failure(problem)
            error = problem
        else:
            try:
                self._conclude(events, now, request, is_move=True)
            except Exception as problem:
                error = problem
        self._lock.release()
        done(error)

    def _touch(self) -> float:
        """Note that somebody does something now; return the time."""
        self.touched = now = self.time.now()
        self.is_indexed_at_rest = False
        return now

    def _conclude(self, events: list[Event], now: float, request: Request | None, is_move: bool) -> None:
        """Apply and broadcast events that were written, and answer the request for them."""
        self._apply(events, now, request if is_move else None)
        if events:
            self.services.cluster.grew(self.table.code, self.table.length)
        if request is not None and not is_move:
            request.line.post(to_json(DoneFrame(request.id)))
        self.driver.wake()
        self.services.metrics.moves.observe(self.time.now() - now)

    async def _with_vacations(self, events: list[Event]) -> list[Event]:
        """Add to the start of a match over days that the clocks of players on vacation stand still."""
        people = [who.account for who in self.table.seats if who is not None and who.account]
        away = await self.services.store.correspondence.away(people)
        return vacations.resting_from_start(self.table, events, away)

    async def reread(self) -> None:
        """Read the table again after its log was rewritten."""
        async with self._lock:
            await self._read_anew()

    async def follow(self) -> None:
        """Apply what other servers appended."""
        if self._following is None:
            self._following = asyncio.create_task(self._follow())
        await asyncio.shield(self._following)

    async def _follow(self) -> None:
        """Read the log once for everyone who asked before the reading began."""
        async with self._lock:
            self._following = None
            await with_files(self.services.files, self._catch_up)

    def take_in(self, start: int, bodies: Sequence[str], at: float) -> bool:
        """Apply what other servers appended, as `follow` does, but without a task; return False if `follow` has to.

        `bodies` are the events from number `start` on; the last one was appended `at` this time or just before.
        """
        if self._is_behind_log or start > self.table.length or not self._lock.take():
            return False
        try:
            events = [decode(body) for body in bodies[self.table.length - start :]]
            if any(isinstance(event, Rewritten) for event in events) or not self.services.people.know(named_in(events)):
                return False
            self._apply_foreign(events, at)
        except Exception:
            return False  # `follow` fetches what is missing, or reports what is wrong
        finally:
            self._lock.release()
        return True

    async def _has_news(self) -> bool:
        """Return whether other servers appended something; ask a few times a second at most."""
        now, length = self.time.now(), self.table.length
        if not self.services.cluster.is_shared or now < self._asked_at + REFUSAL_SECONDS:
            return False
        self._asked_at = now
        await with_files(self.services.files, self._catch_up)
        return self.table.length > length

    async def _catch_up(self) -> None:
        """Read what others appended, and apply it event by event, so that players see moves and not a jump."""
        bodies = await self.services.store.read(self.table.code, self.table.length)
        self._is_behind_log = False
        events = [decode(body) for body in bodies[: MOST_STEPS_BEHIND + 1]]
        if len(events) > MOST_STEPS_BEHIND or any(isinstance(event, Rewritten) for event in events):
            await self._read_anew()
            return
        await self.services.people.load_all(named_in(events))
        self._apply_foreign(events, self.time.now())

    def _apply_foreign(self, events: list[Event], at: float) -> None:
        """Apply events of other servers; the clocks run since `at`."""
        for event in events:
            self._apply([event], at, None, is_own=False, among=events)
        if events:
            self.driver.wake()

    async def _read_anew(self) -> None:
        """Rebuild the table from its whole log and broadcast it."""
        table = await read_table(self.services, self.table.code)
        self._is_behind_log = False
        table.keep_time(self.table)
        if table.length > self.table.length:
            self.audience.answer_by = self.time.now() + PROPOSAL_SECONDS
        plans, self.table = self.table.plans, table
        self._broadcast_life(anew=True)
        self._show_plans(plans)
        self.services.unindexed.add(table.code)
        if self.driver.is_home and table.status == "over":
            self._end_match(is_own=False)
        self.driver.wake()

    async def _write(self, events: list[Event]) -> bool:
        """Commit events to the log; return False if another writer was first and the table must be read again."""
        if not events:
            return True
        try:
            await self.services.store.append(self.table.code, self.table.length, events, at=self.time.wall())
        except Conflict as conflict:
            self._note_failure(conflict)
            return False
        except BaseException as error:
            self._note_failure(error)
            raise
        return True

    def _note_failure(self, error: BaseException) -> None:
        """Note that only the log knows whether events were written."""
        if isinstance(error, StoreDown):
            self.services.metrics.failed_writes.inc()
        self._is_behind_log = True

    def _apply(
        self,
        events: list[Event],
        now: float,
        mover: Request | None,
        *,
        is_own: bool = True,
        among: list[Event] | None = None,
    ) -> None:
        """Apply committed events and broadcast each; the mover's connection gets its answer with the move.

        `is_own`: this server wrote them. `among`: the events that came with them from another server.
        """
        status, plans = self.table.status, self.table.plans
        for event in events:
            if is_own and isinstance(event, Started) and self.table.status == "over":
                # The server that wrote the end of the match before may have died before it kept it.
                self.services.archive.keep(self.table, self.time.wall())
            settled = self.table.apply(event, now)
            match event:
                case Acted():
                    if is_own:
                        self._actions.inc()
                    self._broadcast_move(mover)
                    mover = None  # a planned reply may follow, which answers nobody's command
                case Said(_, person):
                    self._attendance.stir(person, now, objects=Lapsed("back") in (among or events))
                    if is_own:
                        self.services.metrics.messages.inc()
                    self.post(to_json(SaidFrame(tell.chat_line(event, self.services.people.get))))
                case Unsaid(n):
                    self.post(to_json(UnsaidFrame(n)))
                case Advised(seat):
                    self._show_advised(seat)
                case Proposed():
                    self.audience.answer_by = now + PROPOSAL_SECONDS
            if settled is not None:
                self._settle(settled, now)
        if self.table.plans is not plans:
            self._show_plans(plans)
        if is_own and self.table.found:
            self._count_leavers(events)
        # A plan must not show in the index: others see there when the table last changed.
        if over_days(self.table.pace) and not all(isinstance(event, Planned | Unplanned) for event in events):
            self.services.unindexed.add(self.table.code)
        if self.table.status == status and not any(map(is_life, events)):
            return
        if self.table.status == "over" and any(isinstance(event, Acted | Ended | Started) for event in events):
            self._end_match(is_own)
            self.driver.tell_end()
        self._broadcast_life(anew=any(isinstance(event, SHOWN_ANEW) for event in events))
        if is_own or self.driver.is_home:
            self.services.unindexed.add(self.table.code)

    def _count_leavers(self, events: list[Event]) -> None:
        """Remember who abandoned a match with strangers: they will wait longer for the next one."""
        seats = [event.seat for event in events if is_abandonment(event)]
        people = [who.person for seat in seats if (who := self.table.players[seat]) is not None and who.person]
        if people:
            self.driver.spawn(self.services.store.searches.strike(people, self.time.wall()))

    def _show_advised(self, seat: Seat) -> None:
        """Say that the match no longer counts: to everyone, or to the seat alone if it may only cut in."""
        if seat in self.table.advised_openly:
            self.audience.show_table()
            return
        for line in self.connections:
            if line.seat == seat:
                line.post(self.audience.frame_for(line))

    def _show_plans(self, before: Mapping[Seat, object]) -> None:
        """Send each seat whose planned lines changed its own list, and nothing to anybody else."""
        after = self.table.plans
        for line in self.connections:
            if line.seat is not None and before.get(line.seat) != after.get(line.seat):
                line.post(to_json(tell.plans_frame(self.table, line.seat)))

    def _end_match(self, is_own: bool) -> None:
        """Keep the match that has just ended. The home keeps it too, in case the server that wrote its end dies."""
        if is_own:
            game = self.table.game.info.key
            log.info("table %s: a match is over", self.table.code, extra={"table": self.table.code, "game": game})
            self.services.metrics.matches.labels(game).inc()
        if is_own or self.driver.is_home:
            self.services.archive.keep(self.table, self.time.wall())

    def _settle(self, settled: Settled, now: float) -> None:
        """Tell every seat why a proposal will not happen."""
        frame = to_json(SettledFrame(settled.proposal.kind, settled.proposal.seat, settled.how, settled.by))
        for line in self.connections:
            if line.seat is not None:
                line.post(frame)
        objector = settled.objector
        who = None if objector is None else self.table.seats[objector]
        if who is not None and who.person is not None:
            self._attendance.stir(who.person, now, objects=True)

    def _broadcast_move(self, mover: Request | None) -> None:
        """Send the last action to each connection as its seat sees it; encode each distinct view once."""
        table = self.table
        if not self.connections:  # a home that only follows
            return
        if guests.has_guests(table):  # their person acts for another seat now
            for line in self.connections:
                place(line, table)
        turn, clocks = tell.turn_info(table), table.clock.read(self.time.now())
        texts: dict[Seat | None, bytes] = {}
        for line in self.audience.connections:
            seat = line.view_seat
            text = texts.get(seat)
            if text is None:
                text = texts[seat] = to_json(tell.moved_frame(table, seat, turn, clocks))
            line.post(with_reply(text, mover.id) if mover is not None and line is mover.line else text)

    def _broadcast_life(self, *, anew: bool) -> None:
        """Send the table to everyone, and the state to each connection whose view changed, or to all if `anew`."""
        changed = set()
        for line in self.connections.copy():
            try:
                admit(self.table, line.person)
            except Refused as refused:
                self.audience.remove(line)
                line.turn_away(refused)
            before = line.view_seat
            place(line, self.table)
            if anew or line.view_seat != before:
                changed.add(line)
        self.audience.show_table()
        if self.table.match is not None:
            for line in changed & self.connections:
                line.post(to_json(tell.state_frame(self.table, line.view_seat, self.time.now(), [])))
        self.services.unlisted.add(self.table.code)

    def join(self, line: Line) -> None:
        """Add a connection and send it the table, then the match."""
        self.touched = self.time.now()
        if not self.audience.add(line):
            return
        place(line, self.table)
        self._note_seen(line)
        self.audience.show_soon(line.person)
        self.services.unlisted.add(self.table.code)
        line.post(self.audience.frame_for(line))
        if self.table.match is not None:
            line.post(to_json(tell.state_frame(self.table, line.view_seat, self.touched, [])))
            if line.seat in self.table.plans:
                line.post(to_json(tell.plans_frame(self.table, line.seat)))
        line.post(to_json(tell.chat_frame(self.table, self.services.people.get)))
        line.post(to_json(self.services.notice))
        if self.driver.is_late:
            line.post(to_json(StorageFrame(works=False)))
        line.beat(0)
        self.driver.wake()
        person = line.person
        if person is not None and proposals.welcome(self.table, person, self.idle()):
            self.driver.spawn(self.driver.insist(lambda table, now: proposals.welcome(table, person, self.idle())))

    def part(self, line: Line) -> None:
        """Remove a connection."""
        if line in self.connections:
            self.audience.remove(line)
            self.touched = self.time.now()
            self.audience.show_soon(line.person)
            self.services.unlisted.add(self.table.code)
            self.driver.set_alarm()
            self.driver.look_at_turns()

    def look(self, line: Line, *, hidden: bool) -> None:
        """Note whether the page of a connection is in the background, or in front again."""
        was_hidden, line.is_hidden = line.is_hidden, hidden
        if hidden != was_hidden:
            self._note_seen(line)
            self.audience.show_soon()
            self.driver.look_at_turns()

    def _note_seen(self, line: Line) -> None:
        """Note that a player looks at the table."""
        notifier = self.services.notifier
        if notifier is not None and line.person is not None and line.seat is not None and not line.is_hidden:
            notifier.saw(line.person, self.table.code)

    def sync(self, line: Line, match: int, ply: int) -> None:
        """Send one connection the table, the match and the steps that it missed."""
        line.post(self.audience.frame_for(line))
        if self.table.match is not None:
            missed = list(tell.steps_since(self.table, line.view_seat, ply)) if match == self.table.matches else []
            line.post(to_json(tell.state_frame(self.table, line.view_seat, self.time.now(), missed)))

    def settle_home(self) -> None:
        """Start or stop driving the table after the servers changed."""
        if self.driver.settle_home():
            if self.driver.is_home and self.table.status == "over":
                self._end_match(is_own=False)
            self.services.unindexed.add(self.table.code)
            self.driver.wake()

    def wake(self) -> None:
        """Let the table go on after it was opened."""
        self.driver.wake()

    def close(self) -> None:
        """Stop everything that the room does by itself."""
        self.audience.close()
        self.driver.close()

    @property
    def connections(self) -> set[Line]:
        """The connections of this server to the table."""
        return self.audience.connections

    def post(self, frame: bytes) -> None:
        """Send a frame to every connection."""
        self.audience.post(frame)

    def expected(self) -> set[PersonId]:
        """Return the people who are connected or lost their connection a moment ago."""
        return self._attendance.expected(self.time.now())

    def idle(self) -> set[Seat]:
        """Return the seats whose players let the others wait too long."""
        return self._attendance.idle(self.time.now())

    @property
    def is_asleep(self) -> bool:
        """Whether nobody is connected and nothing is under way."""
        return not (self.driver.is_busy or self._lock.is_held or self.audience.is_busy)

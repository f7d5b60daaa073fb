"""The tables in memory, and who looks at them.

A room serialises what happens at one table: decide, write down, apply, tell everyone. Nothing is told before it is on
disk. A room can be dropped at any moment and read again from its log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from ..core.discover import UnknownGame
from ..core.fairness import Proof
from ..core.game import Cause, Refused, Seat
from ..store import Conflict, SqliteStore, StoreClosed, TableRow
from ..store.reports import save_report
from ..table import Event, Occupant, PersonId, Table
from ..table.clock import MOST_LAG
from ..table.events import (
    Acted,
    Answered,
    Created,
    Ended,
    Lapsed,
    Paused,
    Proposed,
    Replaced,
    Reported,
    Resumed,
    Returned,
    Said,
    Salted,
    Started,
    TakenBack,
    Unsaid,
    decode,
    encode,
)
from ..table.proposals import Proposal
from .archive import Archive
from .bodies import TableCard
from .bot_pool import BotPool
from .clock import Alarm, Clock
from .config import Config
from .frames import (
    ChatFrame,
    ChatLine,
    DoneFrame,
    MovedFrame,
    NoticeFrame,
    Offer,
    ProposalInfo,
    SaidFrame,
    SeatInfo,
    SettledFrame,
    Settlement,
    StateFrame,
    Step,
    TableFrame,
    TurnInfo,
    UnsaidFrame,
)
from .metrics import Metrics
from .people import People
from .presence import Attendance, people_of

if TYPE_CHECKING:
    from .socket import Connection

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 6
MOST_MISSED = 500
"""A longer gap is told by the state alone."""
MOST_SHOWN = 100
"""Tables in the lobby."""
MOST_OF_ONE_HOST = 3
BEAT_SECONDS = 30
RETRY_SECONDS = 1.0
PROPOSAL_SECONDS = 60.0
"""What nobody answers within this time is no longer proposed."""
RESTORE_SECONDS = 48 * 3600
"""Tables touched within this time are awake after a restart; older ones wake when somebody comes."""

Verb = Callable[[Table, float], list[Event]]
"""What a command would do at a table, at a time of the monotonic clock."""

log = logging.getLogger("tablee.rooms")
to_json = msgspec.json.Encoder().encode


def new_seed() -> str:
    return secrets.token_hex(16)


def furnish(table: Table, bots: list[str], now: float, *, start: bool) -> list[Event]:
    """Promise the first deal, seat the host first and computer players last, begin if asked; return what happened."""
    events: list[Event] = []

    def happen(more: list[Event]) -> None:
        table.apply_all(more, now)
        events.extend(more)

    happen(table.hide_secret(new_seed()))
    happen(table.sit(table.host, None))
    if len(bots) >= len(table.seats):
        raise Refused("table_full")
    for seat, level in enumerate(bots, len(table.seats) - len(bots)):
        happen(table.seat_bot(table.host, seat, level))
    if start:
        happen(table.start(table.host, new_seed()))
    return events


class Room:
    """One table, its connections and its computer players."""

    def __init__(self, table: Table, house: Rooms) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.touched = house.time.now()
        self.time = house.time
        self._house = house
        self._attendance = Attendance(house.config.patience_minutes * 60)
        self._counted = house.metrics.actions.labels(table.game.info.key)
        self._proposed_until = self.touched + PROPOSAL_SECONDS
        self._lock = asyncio.Lock()
        self._behind_log = False
        self._thinking: dict[Seat, tuple[tuple[int, int, int], asyncio.Task[None]]] = {}
        """What each computer player is thinking about: the match, how often it was rewound, and the offer."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm: Alarm | None = None
        self._left = False
        """The house is done with this room: nothing rings here any more."""

    async def change(self, verb: Verb, by: Connection | None = None, reply: int | None = None) -> None:
        """Do one thing at the table; raises `Refused` and changes nothing where it may not be done."""
        async with self._lock:
            self.touched = now = self.time.now()
            start = perf_counter()
            written = False
            while not written:
                if self._behind_log:
                    await self._catch_up()
                events = verb(self.table, now)
                written = await self._write(events)
            self._happen(events, now, by, reply)
            self._house.metrics.change_seconds.observe(perf_counter() - start)

    async def _catch_up(self) -> None:
        """Read the log again; where it holds more than we know, everyone is told where the table stands."""
        read = await self._house.read_table(self.table.code)
        self._behind_log = False
        if read.length > self.table.length:
            read.keep_time(self.table)
            self.table = read
            self._proposed_until = self.time.now() + PROPOSAL_SECONDS
            self._tell_life(anew=True)
            self.wake()

    async def reread(self) -> None:
        """Read the table from its log, which was changed."""
        async with self._lock:
            read = await self._house.read_table(self.table.code)
            read.keep_time(self.table)
            self.table = read
            self._tell_life(anew=True)
        self.wake()

    def knows(self, person: PersonId) -> bool:
        table = self.table
        named = {table.host, *table.banished, *(said.person for said in table.chat.messages.values())}
        sitting = (*table.seats, *table.players)
        return person in named or any(who is not None and who.person == person for who in sitting)

    async def _insist(self, verb: Verb) -> None:
        """Do what nobody would ask for again: where the store fails, try until it does not."""
        while True:
            try:
                return await self.change(verb)
            except (Refused, StoreClosed):
                raise
            except Exception:
                log.exception("table %s: what the table plays was not written", self.table.code)
                await self.time.sleep(RETRY_SECONDS)

    def admit(self, person: PersonId | None) -> None:
        """Raise `Refused` where somebody may not even look."""
        if self.table.closed:
            raise Refused("table_closed")
        if person in self.table.banished:
            raise Refused("banished")
        seated = person is not None and any(who is not None and who.person == person for who in self.table.seats)
        if not self.table.watchable and self.table.status == "playing" and not seated:
            raise Refused("not_watchable")

    def join(self, connection: Connection) -> None:
        """Let somebody look: first the table, then where the match stands. A person has one line; the newer stays."""
        for other in self.connections.copy():
            if other.person == connection.person is not None:
                self.connections.discard(other)
                other.hang_up(4409, "taken_over")
        self.connections.add(connection)
        self.touched = self.time.now()
        self._place(connection)
        self.tell_table()
        if self.table.match is not None:
            connection.post(self._state(connection.eyes, []))
        connection.post(to_json(ChatFrame([self._chat_line(said) for said in self.table.chat.messages.values()])))
        connection.post(to_json(self._house.notice))
        connection.beat(0)
        self.wake()
        person = connection.person
        if person is not None and self.table.welcome(person, self.idle()):
            self._spawn(self._insist(lambda table, _: table.welcome(person, self.idle())))

    def part(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.discard(connection)
            self.touched = self.time.now()
            self.tell_table()
            self._set_alarm()

    def sync(self, connection: Connection, match: int, ply: int) -> None:
        """Tell one connection where the match stands and what it missed."""
        connection.post(to_json(self._table_frame(connection)))
        if self.table.match is not None:
            missed = list(self._steps_since(connection.eyes, ply)) if match == self.table.matches else []
            connection.post(self._state(connection.eyes, missed))

    def wake(self) -> None:
        """Let computer players think and clocks run, and promise the next deal."""
        now = self.time.now()
        idle = self._attendance.idle(now)
        self._attendance.follow(self.table, now)
        if self._attendance.idle(now) != idle:
            self.tell_table()
        self._wake_bots()
        self._set_alarm()
        if self.table.secret is None and self.table.status != "playing" and self.connections:
            self._spawn(self._insist(lambda table, _: table.hide_secret(new_seed())))

    def _wake_bots(self) -> None:
        """Let every computer player that must or may act think about it, once; what nobody asks any more is dropped.

        An offer's number comes again after a move was taken back and in the next match: a thought about the position
        before must not answer it.
        """
        before, self._thinking = self._thinking, {}
        for seat, level, number in self.table.bot_offers():
            asked = (self.table.matches, self.table.rewinds, number)
            if seat in before and before[seat][0] == asked:
                self._thinking[seat] = before.pop(seat)
            else:
                self._thinking[seat] = asked, self._spawn(self._think(seat, level, number))
        for _, thought in before.values():
            if thought is not asyncio.current_task():
                thought.cancel()

    def _set_alarm(self) -> None:
        """Ring when the next thing is due: a clock runs out (a person's waits for the network as well), somebody has
        stayed away or been idle too long, a proposal was not answered."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        now = self.time.now()
        due = [self._attendance.next_change(self.table.grace, now)]
        if self.table.proposal is not None:
            due.append(self._proposed_until)
        expiry = self.table.clock.expiry() if self.table.status == "playing" else None
        if expiry is not None:
            lag = 0.0 if expiry.cause is Cause.MATCH_CLOCK else self._lag_of(expiry.seat)
            due.append(self.table.clock.since + expiry.seconds + lag)
        when = min((at for at in due if at is not None), default=None)
        if when is not None and not self._left:
            self._alarm = self.time.call_at(max(now + 0.01, when), self._start_ringing)

    def _start_ringing(self) -> None:
        self._spawn(self._ring())

    async def _ring(self) -> None:
        """Do what is due."""
        self._alarm = None
        now = self.time.now()
        for person in self._attendance.overdue(self.table.grace, now):
            with suppress(Refused):
                await self._insist(partial(self._give_up, person))
        if self.table.proposal is not None:
            await self._insist(lambda table, now: table.lapse(now) if self._proposed_until <= now else [])
        await self._insist(lambda table, now: table.expire(now))
        self.tell_table()
        self._set_alarm()

    def _give_up(self, person: PersonId, table: Table, now: float) -> list[Event]:
        """Somebody has stayed away too long; unless they came back, or the match ended, before this was written."""
        return table.leave(person, now) if person in self._attendance.overdue(table.grace, now) else []

    def _lag_of(self, seat: Seat) -> float:
        lags = [connection.lag for connection in self.connections if connection.seat == seat]
        return min(min(lags, default=0.0), MOST_LAG)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Do nothing more here, whatever is still on its way out."""
        self._left = True
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks:
            task.cancel()

    def expected(self) -> set[PersonId]:
        """Who is here, or lost the line a moment ago."""
        return self._attendance.expected(self.time.now())

    def idle(self) -> set[Seat]:
        """Who has let the others wait for too long."""
        return self._attendance.idle(self.time.now())

    def seated(self) -> list[PersonId]:
        """The people who sit here."""
        return list(people_of(self.table))

    def heir(self) -> PersonId | None:
        """Who should be the host of a table whose host is away between matches."""
        here = {connection.person for connection in self.connections}
        if self.table.status == "playing" or self.table.host in here:
            return None
        people = (self.table.seats[seat] for seat in self.table.present())
        return next((who.person for who in people if who is not None and who.person in here), None)

    @property
    def is_idle(self) -> bool:
        return not (self.connections or self._tasks or self._alarm or self._lock.locked())

    def card(self) -> TableCard:
        table = self.table
        host = self._house.people.get(table.host)
        return TableCard(
            code=table.code,
            game=table.game.info.key,
            options=msgspec.to_builtins(table.options),
            status="waiting" if table.has_room else table.status,
            seats=len(table.seats),
            taken=sum(who is not None and not who.left for who in table.seats),
            host=host.name,
            host_avatar=host.avatar,
        )

    def row(self) -> TableRow:
        return TableRow.of(self.table, self.time.wall())

    async def _write(self, events: list[Event]) -> bool:
        """Put events on disk; False where another writer was first and the table must be read again."""
        if not events:
            return True
        try:
            await self._house.store.append(
                self.table.code,
                self.table.length,
                [encode(event) for event in events],
                at=self.time.wall(),
                work=self._work_beside(events),
            )
        except Conflict:
            self._behind_log = True
            return False
        except BaseException:
            # Written or not, who knows: the log does.
            self._behind_log = True
            raise
        return True

    def _work_beside(self, events: list[Event]) -> Callable[[sqlite3.Connection], None] | None:
        """What is written together with some events: who runs the site must not miss a report."""
        for event in events:
            if isinstance(event, Reported):
                return partial(save_report, code=self.table.code, n=event.n, by=event.by, at=event.at)
        return None

    def _happen(self, events: list[Event], now: float, by: Connection | None, reply: int | None) -> None:
        """Apply what is on disk and tell everyone."""
        status = self.table.status
        for event in events:
            proposal = self.table.proposal
            self.table.apply(event, now)
            match event:
                case Acted(seat):
                    self._counted.inc()
                    self._tell_act(event, by, reply)
                    if proposal is not None and self.table.proposal is None and self.table.status == "playing":
                        back = event.cause is None and proposal.is_about(seat)
                        self._settle(proposal, "back" if back else "overtaken", seat)
                case Answered(seat, False) if proposal is not None:
                    self._settle(proposal, "refused", seat)
                    who = self.table.seats[seat]
                    if proposal.is_about(seat) and who is not None and who.person is not None:
                        self._attendance.stir(who.person, now, objects=True)
                case Lapsed("unanswered" | "back" as why) if proposal is not None:
                    about = min(proposal.without, default=proposal.target)
                    self._settle(proposal, why, about if why == "back" else None)
                case Replaced(seat) if proposal is not None and proposal.target != seat:
                    self._settle(proposal, "overtaken", seat)
                case Returned(seat) if proposal is not None:
                    self._settle(proposal, "overtaken", seat)
                case Said(_, person):
                    self._attendance.stir(person, now, objects=Lapsed("back") in events)
                    self._house.metrics.messages.inc()
                    self._post(to_json(SaidFrame(self._chat_line(event))))
                case Unsaid(n):
                    self._post(to_json(UnsaidFrame(n)))
                case Proposed():
                    self._proposed_until = now + PROPOSAL_SECONDS
        if self.table.status == "over" and any(isinstance(event, Acted | Ended | Started) for event in events):
            self._tell_log("a match is over")
            self._house.metrics.matches.labels(self.table.game.info.key).inc()
            self._house.archive.keep(self.table, self.time.wall())
        if any(map(is_life, events)) or self.table.status != status:
            anew = any(isinstance(event, Started | TakenBack | Paused | Resumed | Ended) for event in events)
            self._tell_life(anew=anew)
        if by is not None and reply is not None and not (events and isinstance(events[0], Acted)):
            by.post(to_json(DoneFrame(reply)))
        self.wake()

    def _tell_log(self, what: str) -> None:
        log.info(
            "table %s: %s", self.table.code, what, extra={"table": self.table.code, "game": self.table.game.info.key}
        )

    def _tell_act(self, event: Acted, by: Connection | None, reply: int | None) -> None:
        """Tell each connection the action as its seat may see it; one frame serves all who see the same."""
        table = self.table
        assert table.match is not None
        ply = table.match.ply
        turn = TurnInfo(sorted(table.turn.must), table.turn.stage)
        clocks = table.clock.read(self.time.now())
        frames: dict[Seat | None, MovedFrame] = {}
        texts: dict[Seat | None, bytes] = {}
        for connection in self.connections:
            seat = connection.seat
            if seat not in frames:
                frames[seat] = MovedFrame(
                    match=table.matches,
                    step=self._seen(ply, event.seat, event.action, event.cause, seat),
                    view=table.match.view(seat),
                    turn=turn,
                    offer=self._offer(seat),
                    outcome=table.outcome,
                    clocks=clocks,
                )
            if connection is by:
                connection.post(to_json(replace(frames[seat], reply=reply)))
            else:
                if seat not in texts:
                    texts[seat] = to_json(frames[seat])
                connection.post(texts[seat])

    def _tell_life(self, *, anew: bool) -> None:
        """Tell everyone about the life of the table, and who sees the match with other eyes now where it stands."""
        changed = set()
        for connection in self.connections.copy():
            try:
                self.admit(connection.person)
            except Refused as refused:
                self.connections.discard(connection)
                connection.turn_away(refused)
            eyes = connection.eyes
            self._place(connection)
            if anew or connection.eyes != eyes:
                changed.add(connection)
        self.tell_table()
        if self.table.match is not None:
            for connection in changed & self.connections:
                connection.post(self._state(connection.eyes, []))
        self._house.to_index.add(self)

    def tell_table(self) -> None:
        """Tell everyone about the life of the table."""
        lines = [connection for connection in self.connections if connection.person is not None]
        here = {connection.person: connection.is_slow for connection in lines if connection.person is not None}
        self._attendance.look(self.table, here, self.time.now())
        texts: dict[tuple[Seat | None, Seat | None], bytes] = {}
        for connection in self.connections:
            place = connection.seat, connection.eyes
            if place not in texts:
                texts[place] = to_json(self._table_frame(connection))
            connection.post(texts[place])

    def _post(self, frame: bytes) -> None:
        for connection in self.connections:
            connection.post(frame)

    def _chat_line(self, said: Said) -> ChatLine:
        person = self._house.people.get(said.person)
        return ChatLine(said.n, said.person, person.name, person.avatar, said.kind, said.text, said.channel, said.at)

    def _settle(self, proposal: Proposal, how: Settlement, by: Seat | None) -> None:
        """Tell who proposed something why it will not happen."""
        frame = to_json(SettledFrame(proposal.kind, how, by))
        for connection in self.connections:
            if connection.seat == proposal.seat:
                connection.post(frame)

    def _place(self, connection: Connection) -> None:
        """Take note of where somebody sits, and of which seat's view of the match they have."""
        person = connection.person
        connection.seat = None if person is None else self.table.seat_of(person)
        connection.eyes = None if person is None else self.table.eyes_of(person)

    def _table_frame(self, connection: Connection) -> TableFrame:
        table = self.table
        seat = connection.seat
        return TableFrame(
            code=table.code,
            game=table.game.info.key,
            options=msgspec.to_builtins(table.options),
            public=table.public,
            status=table.status,
            match=table.matches,
            seats=tuple(self._seat_info(at, who) for at, who in enumerate(table.seats)),
            players=tuple(self._seat_info(at, who) for at, who in enumerate(table.players)),
            host=table.host,
            you=seat,
            eyes=connection.eyes,
            leaving=None if seat is None or table.status != "playing" else table.leaving(seat),
            watchers=len({connection.person for connection in self.connections if connection.seat is None}),
            move_time=table.move_time,
            grace=table.grace,
            watchable=table.watchable,
            takes_back=not table.game.info.hides,
            paused=table.clock.paused and table.status == "playing",
            proposal=self._proposal(),
            commit=table.commit,
            proof=proof_of(table),
        )

    def _proposal(self) -> ProposalInfo | None:
        proposal = self.table.proposal
        if proposal is None:
            return None
        left = max(0.0, round(self._proposed_until - self.time.now(), 1))
        return ProposalInfo(
            kind=proposal.kind,
            seat=proposal.seat,
            target=proposal.target,
            asked=sorted(proposal.asked),
            yes=sorted(proposal.yes),
            about=[seat for seat in self.table.present() if self.table.may_object(seat)],
            seconds=left,
        )

    def _seat_info(self, seat: Seat, who: Occupant | None) -> SeatInfo:
        if who is None:
            return SeatInfo("empty")
        if who.person is None:
            return SeatInfo("bot", level=who.level, left=who.left)
        person = self._house.people.get(who.person)
        now = self.time.now()
        return SeatInfo(
            "person",
            person=who.person,
            name=person.name,
            avatar=person.avatar,
            presence=self._attendance.of(who.person, now),
            away=self._attendance.time_left(who.person, self.table.grace, now),
            level=who.level,
            rematch=seat in self.table.rematch and self.table.seat_of(who.person) == seat,
            left=who.left,
        )

    def _state(self, seat: Seat | None, missed: list[Step]) -> bytes:
        table = self.table
        assert table.match is not None
        return to_json(
            StateFrame(
                match=table.matches,
                ply=table.match.ply,
                view=table.match.view(seat),
                turn=TurnInfo(sorted(table.turn.must), table.turn.stage),
                offer=self._offer(seat),
                outcome=table.outcome,
                clocks=table.clock.read(self.time.now()),
                rewinds=table.rewinds,
                missed=missed,
            )
        )

    def _offer(self, seat: Seat | None) -> Offer | None:
        table = self.table
        if seat is None or seat not in table.offers or table.match is None:
            return None
        legal = table.match.legal(seat) if table.game.info.sends_legal else None
        return Offer(table.offers[seat], seat in table.turn.must, legal)

    def _steps_since(self, seat: Seat | None, ply: int) -> Iterator[Step]:
        assert self.table.match is not None
        steps = self.table.match.steps
        if not 0 <= ply <= len(steps) or len(steps) - ply > MOST_MISSED:
            return
        for at in range(ply, len(steps)):
            yield self._seen(at + 1, steps[at].seat, steps[at].action, steps[at].cause, seat)

    def _seen(self, ply: int, actor: Seat, action: Any, cause: Cause | None, seat: Seat | None) -> Step:
        return Step(ply, actor, self.table.game.seen(actor, action, seat), cause)

    async def _decide(self, level: str, seat: Seat, view: bytes) -> bytes | None:
        key = self.table.game.info.key
        with self._house.metrics.think_seconds.labels(key).time():
            return await self._house.bot_pool.decide(key, level, seat, view)

    async def _think(self, seat: Seat, level: str, number: int) -> None:
        """Let a computer player act, from the view of its seat alone; what goes wrong there the table plays."""
        table = self.table
        assert table.match is not None
        view = to_json(table.match.view(seat))
        must = seat in table.turn.must
        # What holds computer players back is judged by what everyone sees; who cuts in does so in the middle of it.
        pause = self._house.config.pause(table.game.pause(table.match.view(None)))
        (action, _) = await asyncio.gather(
            self._decide(level, seat, view),
            self.time.sleep(pause if must else pause / 2),
            return_exceptions=True,
        )
        try:
            if isinstance(action, bytes):
                await self._insist(lambda table, now: table.act_bot(seat, number, action, now))
            elif must:
                log.error("table %s: the computer player %s of seat %d failed: %r", table.code, level, seat, action)
                await self._insist(lambda table, now: table.act_for(seat, number, Cause.CLOCK, now))
        except Refused as refused:
            if refused.refusal.code not in ("stale_offer", "not_your_turn", "over", "no_match"):
                log.error("table %s: seat %d, %s: %s", table.code, seat, level, refused)


def is_life(event: Event) -> bool:
    """Whether an event changes what is told of the table's life; moves and messages are told by themselves."""
    if isinstance(event, Acted):
        return event.cause is Cause.LEAVE
    return not isinstance(event, Said | Unsaid | Reported | Salted)


def proof_of(table: Table) -> Proof | None:
    """What the deal was made of, once it is no longer a secret."""
    return table.dealt.proof if table.dealt is not None and table.status == "over" else None


def _openness(card: TableCard) -> tuple[bool, bool]:
    """Sorts tables that one may join before those that one may watch."""
    return card.taken >= card.seats, card.status != "waiting"


class Rooms:
    """Every table that is awake, by code."""

    def __init__(
        self, store: SqliteStore, people: People, bot_pool: BotPool, config: Config, time: Clock | None = None
    ) -> None:
        self.time = time or Clock()
        self.metrics = Metrics()
        self.notice = NoticeFrame("", 0.0)
        """What who runs the site says to everyone."""
        self.store = store
        self.people = people
        self.bot_pool = bot_pool
        self.config = config
        self.archive = Archive(store, people)
        self.to_index: set[Room] = set()
        """Rooms whose row in the index of tables is old. It follows from the logs, so nobody waits for it."""
        self._rooms: dict[str, Room] = {}
        self._waking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(self, created: Created, bots: list[str], *, start: bool) -> Room:
        """Write a new table down under a code that nobody has: its host seated, and the computer players asked for."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            table = Table(code, created)
            events = [created, *furnish(table, bots, self.time.now(), start=start)]
            room = Room(table, self)
            try:
                await self.store.append(
                    code, 0, [encode(event) for event in events], at=self.time.wall(), table=room.row()
                )
            except Conflict:
                continue
            await self.people.load(created.host)
            return self._add(room)

    async def open(self, code: str) -> Room:
        """Return the room of a table, read from its log where it sleeps; raises `Refused`."""
        code = code.upper()
        room = self._rooms.get(code)
        if room is not None:
            room.touched = self.time.now()
            return room
        if len(code) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in code):
            raise Refused("unknown_table", code=code[:16])
        async with self._waking.setdefault(code, asyncio.Lock()):
            return self._rooms.get(code) or self._add(Room(await self.read_table(code), self))

    async def read_table(self, code: str) -> Table:
        """Read a table from its log; raises `Refused`."""
        bodies = await self.store.read(code)
        if not bodies:
            raise Refused("unknown_table", code=code)
        try:
            table = await asyncio.to_thread(
                lambda: Table.restore(code, [decode(body) for body in bodies], self.time.now())
            )
        except UnknownGame as error:
            raise Refused("unknown_game", game=str(error)) from error
        seated = {who.person for who in (*table.seats, *table.players) if who is not None and who.person}
        for person in {table.host, *seated, *(said.person for said in table.chat.messages.values())}:
            await self.people.load(person)
        return table

    async def restore(self) -> None:
        """Wake the tables that were alive when the server stopped."""
        for row in await self.store.tables(since=self.time.wall() - RESTORE_SECONDS):
            try:
                await self.open(row.code)
            except Refused as refused:
                log.warning("table %s cannot be restored: %s", row.code, refused)
            except Exception:
                log.exception("table %s cannot be restored", row.code)

    async def index(self) -> None:
        """Bring the index of tables up to date."""
        rooms, self.to_index = self.to_index, set()
        if rooms:
            try:
                await self.store.save_tables([room.row() for room in rooms])
            except Exception:
                self.to_index |= rooms
                log.exception("the index of tables was not written")

    async def index_forever(self) -> None:
        while True:
            await self.time.sleep(2)
            await self.index()

    async def beat_forever(self) -> None:
        """Ask every line for a sign of life now and then: it tells how long the network takes."""
        number = 0
        while True:
            await self.time.sleep(BEAT_SECONDS)
            number += 1
            for room in list(self._rooms.values()):
                for connection in room.connections.copy():
                    connection.beat(number)

    async def sweep_forever(self) -> None:
        """Drop the rooms where nobody has been for long; their logs stay. Hand over those whose host went away."""
        while True:
            await self.time.sleep(60)
            before = self.time.now() - self.config.idle_minutes * 60
            for code, room in list(self._rooms.items()):
                if room.is_idle and room.touched < before:
                    del self._rooms[code]
                elif (heir := room.heir()) is not None:
                    try:
                        await room.change(lambda table, _, heir=heir: table.hand_over(heir))  # type: ignore[misc]
                    except Exception:
                        log.exception("table %s was not handed over", code)

    def lobby(self) -> list[TableCard]:
        """The public tables, those with a free seat first, then those where somebody is; few of each host."""
        rooms = [
            (room, room.card())
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

    def tell_about(self, person: PersonId) -> None:
        """Tell the tables where somebody is that they have a new name or face."""
        for room in self._rooms.values():
            if any(connection.person == person for connection in room.connections):
                room.tell_table()

    def waits_for(self, code: str, seat: Seat) -> bool | None:
        """Whether the match at a table waits for a seat; None: the table sleeps."""
        room = self._rooms.get(code)
        return None if room is None else seat in room.table.turn.must

    async def forget(self, person: PersonId) -> None:
        """Somebody was erased from the logs: hang up on them, and read the tables again that knew them."""
        for room in list(self._rooms.values()):
            for connection in room.connections.copy():
                if connection.person == person:
                    connection.hang_up(1012, "erased")
            if room.knows(person):
                await room.reread()

    def awake(self) -> Iterator[Room]:
        yield from self._rooms.values()

    def announce(self, text: str) -> None:
        """Tell everyone something, and everyone who comes later; nothing: no longer."""
        self.notice = NoticeFrame(text, self.time.wall())
        for room in self._rooms.values():
            room._post(to_json(self.notice))

    @property
    def size(self) -> tuple[int, int]:
        """How many tables are awake, and how many connections they have."""
        return len(self._rooms), sum(len(room.connections) for room in self._rooms.values())

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()

    def _add(self, room: Room) -> Room:
        self._rooms[room.table.code] = room
        if room.table.status == "over":  # it may have ended just before the server did
            self.archive.keep(room.table, self.time.wall())
        room.wake()
        return room

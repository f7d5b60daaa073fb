"""One WebSocket: reads frames, refuses what is wrong with them, does what they ask, and posts the answers."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from ..core.game import Refused, Seat
from ..core.match import explain
from ..store import StoreClosed
from ..table import PersonId, Table
from .config import Config
from .frames import (
    Act,
    Answer,
    Banish,
    Beat,
    BeatFrame,
    ClearSeat,
    ClientFrame,
    Configure,
    DoneFrame,
    LeaveSeat,
    Ping,
    Preview,
    PreviewFrame,
    Propose,
    RefusedFrame,
    Rematch,
    Report,
    Resume,
    Salt,
    Say,
    SeatBot,
    Sit,
    Start,
    Sync,
    Unsay,
    Watch,
    Withdraw,
)
from .identity import Identity
from .limits import Bucket, Limiter, address_of, too_many
from .moderation import Filter, clean_message
from .rooms import Room, Rooms, Verb, new_seed, to_json

LARGEST_FRAME = 4096
MOST_WAITING = 256
"""Frames that may wait for a slow reader before the connection is given up; it will resync."""
MOST_BYTES = 1_000_000
"""What these frames may hold together."""
SYNC_COST = 10
"""A short question with a long answer counts as so many frames."""
CROWD = 20
"""One address may send as many frames as so many lines."""
MOST_WARNINGS = 40
"""Frames over the limit that are answered in a row; then the connection is closed."""

SLOW_TRIP = 1.0
"""Seconds there and back above which a connection is called slow."""
MOST_UNANSWERED = 3
"""Signs of life that may stay unanswered in a row."""
SECONDS_A_MESSAGE = 2.0
"""What one person may say in the long run; some may come at once."""
MESSAGES_AT_ONCE = 6
FRAMES_A_CHANGE = 20
"""Who changes a table without playing may do so for one in so many of the frames that a line may send: it is kept."""
VOICES = 10
"""One address may say as much as so many people: cookies are free, addresses are not."""

log = logging.getLogger("tablee.socket")
read_frame = msgspec.json.Decoder(ClientFrame).decode


class _AnyFrame(Struct):
    id: int | None = None


read_id = msgspec.json.Decoder(_AnyFrame).decode


class Connection:
    """A person's, or a spectator's, line to one table."""

    def __init__(self, person: PersonId | None, address: str, room: Room, desk: Desk, send: Any) -> None:
        self.person = person
        self._address = address
        self.room = room
        self._desk = desk
        config = desk.config
        self.seat: Seat | None = None
        self.eyes: Seat | None = None
        """The seat of the match whose view this line gets; after a match one may sit elsewhere, or nowhere."""
        self._send = send
        self._bucket = Bucket(config.frames_per_second, 3 * config.frames_per_second)
        self._warnings = 0
        self._outbox: deque[bytes] = deque()
        self._waiting = 0
        """Bytes in the outbox."""
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._beats: deque[tuple[int, float]] = deque(maxlen=4)
        self._trips: deque[float] = deque(maxlen=4)
        self._unanswered = 0

    @property
    def lag(self) -> float:
        """Seconds that the network takes there and back, by the best of the last beats."""
        return min(self._trips, default=0.0)

    @property
    def is_slow(self) -> bool:
        """The last sign of life took long, or did not come before the next was asked for."""
        return self._unanswered > 1 or (bool(self._trips) and self._trips[-1] > SLOW_TRIP)

    def beat(self, number: int) -> None:
        """Ask the other end for a sign of life; who gives none three times in a row is gone."""
        was_slow = self.is_slow
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            self.hang_up(1001, "no sign of life")
            return
        self._beats.append((number, self.room.time.now()))
        self.post(to_json(BeatFrame(number)))
        if self.is_slow != was_slow:
            self.room.tell_table()

    def _heard(self, number: int) -> None:
        was_slow = self.is_slow
        for sent, at in self._beats:
            if sent == number:
                self._trips.append(self.room.time.now() - at)
                self._unanswered = 0
        if self.is_slow != was_slow:
            self.room.tell_table()

    def post(self, frame: bytes) -> None:
        """Send a frame as soon as the line is free, in order; never waits."""
        if len(self._outbox) >= MOST_WAITING or self._waiting + len(frame) > MOST_BYTES:
            self.hang_up(1013, "too slow")
            return
        self._outbox.append(frame)
        self._waiting += len(frame)
        self._wake.set()

    def hang_up(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    def turn_away(self, refused: Refused) -> None:
        """Say why, and hang up for good."""
        self.refuse(refused, None)
        self.hang_up(CLOSE_CODES.get(refused.refusal.code, 4400), refused.refusal.code)

    def refuse(self, refused: Refused, reply: int | None) -> None:
        self.post(to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), reply)))

    async def deliver(self) -> None:
        """Send what is posted until the line is hung up."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox:
                frame = self._outbox.popleft()
                self._waiting -= len(frame)
                await self._send({"type": "websocket.send", "text": frame.decode()})
            if self._closing is not None:
                code, reason = self._closing
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
                return

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks; whatever is wrong with it is answered, and harms nobody else.

        Who was hung up on is not heard any more, however slowly they read on.
        """
        if self._closing is not None:
            return
        wait = self._take(1)
        if wait:
            self._warnings += 1
            if self._warnings > MOST_WARNINGS:
                self.hang_up(1008, "too many frames")
            elif self._warnings <= MOST_WARNINGS // 2:
                self.refuse(too_many(wait), None)
            return
        self._warnings = 0
        if len(data) > LARGEST_FRAME:
            self.refuse(Refused("too_large", limit=LARGEST_FRAME), None)
            return
        try:
            frame = read_frame(data)
        except (ValidationError, DecodeError, UnicodeError, RecursionError) as error:
            self.refuse(_bad_frame(error), _id_of(data))
            return
        try:
            await self._do(frame)
        except Refused as refused:
            self.refuse(refused, frame.id)
        except StoreClosed:
            self.refuse(Refused("server_closing"), frame.id)
        except Exception:
            log.exception("table %s: a frame of type %s failed", self.room.table.code, type(frame).__name__)
            self.refuse(Refused("server_error"), frame.id)

    async def _do(self, frame: ClientFrame) -> None:
        room = self.room
        match frame:
            case Act(id, offer, action):
                person = self._somebody()
                await room.change(lambda table, now: table.act(person, offer, action, now, self.lag), self, id)
            case Preview(id, offer, action):
                self.post(to_json(PreviewFrame(id, *room.table.preview(self._somebody(), offer, action))))
            case Beat(number):
                self._heard(number)
            case Ping(id):
                self.post(to_json(DoneFrame(id)))
            case Sync(id, match, ply):
                if wait := self._take(SYNC_COST - 1):
                    raise too_many(wait)
                room.sync(self, match, ply)
                self.post(to_json(DoneFrame(id)))
            case _:
                person = self._somebody()
                self._desk.changing.demand(person)
                await room.change(self._verb(frame, person), self, frame.id)

    def _take(self, count: int) -> float:
        """Count some frames of this line and of its address; return the seconds to wait where they are too many."""
        return self._bucket.take(count) or self._desk.frames_from.take(self._address, count)

    def _somebody(self) -> PersonId:
        if self.person is None:
            raise Refused("unknown_person")
        return self.person

    def _verb(self, frame: ClientFrame, person: PersonId) -> Verb:
        """What a frame about the life of the table asks of it."""
        match frame:
            case Sit(_, seat):
                return lambda table, _: table.sit(person, seat)
            case LeaveSeat():
                return lambda table, now: table.leave(person, now)
            case SeatBot(_, at, level):
                return lambda table, _: table.seat_bot(person, at, level)
            case ClearSeat(_, at):
                return lambda table, _: table.clear_seat(person, at)
            case Configure(_, options, seats, public, move_time, grace):
                return lambda table, _: table.configure(person, options, seats, public, move_time, grace)
            case Salt(_, salt):
                return lambda table, _: table.salt(person, salt)
            case Propose(_, what, seat):
                return lambda table, now: table.propose(person, what, seat, self.room.expected(), now, self.room.idle())
            case Answer(_, yes):
                return lambda table, now: table.answer(person, yes, now)
            case Withdraw():
                return lambda table, _: table.withdraw(person)
            case Resume():
                return lambda table, _: table.resume(person)
            case Watch(_, is_open):
                return lambda table, _: table.watch(person, is_open)
            case Banish(_, target):
                return lambda table, _: table.banish(person, target)
            case Say(_, text, kind):
                said = clean_message(text, self._desk.unwanted) if kind == "text" else text
                self._desk.demand_to_speak(person, self._address)
                return lambda table, _: table.say(person, kind, said, self.room.time.wall())
            case Unsay(_, n):
                return lambda table, _: table.unsay(person, n)
            case Report(_, n):
                return lambda table, _: table.report(person, n, self.room.time.wall())
            case Start():
                return lambda table, _: promised(table).start(person, new_seed())
            case Rematch(_, wanted):
                return lambda table, _: promised(table).ask_rematch(person, new_seed(), wanted=wanted)
        raise AssertionError(f"no verb for {type(frame).__name__}")


def promised(table: Table) -> Table:
    """Nothing is dealt before it was promised: not even to who asks in the same breath as the match before ends."""
    if table.secret is None and table.status == "over":
        raise Refused("no_commitment")
    return table


def _bad_frame(error: Exception) -> Refused:
    if isinstance(error, ValidationError):
        return Refused("bad_frame", **explain(error))
    return Refused("bad_frame", field="", problem=str(error))


def _id_of(data: str | bytes) -> int | None:
    """The number to answer to, where at least that can be read."""
    try:
        return read_id(data).id
    except (DecodeError, UnicodeError, RecursionError):
        return None


class Desk:
    """What every line needs to know of the house."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.unwanted = Filter(config.data)
        self.frames_from = Limiter(CROWD * config.frames_per_second, 3 * CROWD * config.frames_per_second)
        self.changing = Limiter(config.frames_per_second / FRAMES_A_CHANGE, config.frames_per_second)
        self._speaking = Limiter(1 / SECONDS_A_MESSAGE, MESSAGES_AT_ONCE)
        self._speaking_from = Limiter(VOICES / SECONDS_A_MESSAGE, VOICES * MESSAGES_AT_ONCE)

    def demand_to_speak(self, person: PersonId, address: str) -> None:
        try:
            self._speaking.demand(person)
            self._speaking_from.demand(address)
        except Refused as refused:
            raise Refused("chat_too_fast", **refused.refusal.values) from None


class SocketServer:
    """Answers every WebSocket of the site: `/ws/CODE`."""

    def __init__(self, rooms: Rooms, identity: Identity, requests: Limiter, config: Config) -> None:
        self._requests = requests
        self._rooms = rooms
        self._identity = identity
        self._config = config
        self._desk = Desk(config)
        self._lines: Counter[str] = Counter()
        """How many lines each person holds, or each address of people without a cookie."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        person = self._identity.read(headers.get(b"cookie"))
        address = address_of(scope["client"])
        try:
            demand_same_origin(headers)
            self._requests.demand(address)
            mine, all_here = self._config.connections_per_person, self._config.connections_per_address
            with self._line(f"address {address}", all_here), self._line(person or f"nobody at {address}", mine):
                room = await self._rooms.open(scope["path"].removeprefix("/ws/"))
                if person is not None:
                    await self._rooms.people.load(person)
                room.admit(person)
                await _attend(Connection(person, address, room, self._desk, send), receive)
        except Refused as refused:
            await _turn_away(send, refused)

    @contextmanager
    def _line(self, holder: str, most: int) -> Iterator[None]:
        """Count a line from before the first wait, so that a storm of them is counted too."""
        if self._lines[holder] >= most:
            raise Refused("too_many_connections", most=most)
        self._lines[holder] += 1
        try:
            yield
        finally:
            self._lines[holder] -= 1
            if not self._lines[holder]:
                del self._lines[holder]


async def _attend(connection: Connection, receive: Any) -> None:
    """Let somebody look and act until they go."""
    delivery = asyncio.create_task(connection.deliver())
    connection.room.join(connection)
    try:
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            await connection.receive(message.get("bytes") or b"" if text is None else text)
    finally:
        delivery.cancel()
        connection.room.part(connection)


CLOSE_CODES = {
    "unknown_table": 4404,
    "foreign_origin": 4403,
    "banished": 4410,
    "not_watchable": 4411,
    "table_closed": 4412,
    "missing_resource": 4413,
    "too_many": 1008,
    "too_many_connections": 1008,
}


async def _turn_away(send: Any, refused: Refused) -> None:
    code = refused.refusal.code
    frame = to_json(RefusedFrame(code, dict(refused.refusal.values)))
    await send({"type": "websocket.send", "text": frame.decode()})
    await send({"type": "websocket.close", "code": CLOSE_CODES.get(code, 4400), "reason": code})


def demand_same_origin(headers: dict[bytes, str]) -> None:
    """Refuse what a page of another site asks in a visitor's name; programs that are no browser send no origin."""
    origin = headers.get(b"origin")
    if origin is not None and origin.partition("://")[2] != headers.get(b"host"):
        raise Refused("foreign_origin", origin=origin[:100])

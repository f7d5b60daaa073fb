"""One WebSocket: reads frames, refuses what is wrong with them, does what they ask, and posts the answers."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from ..core.game import Refused, Seat
from ..core.match import explain
from ..store import StoreClosed
from ..table import PersonId
from .config import Config
from .frames import (
    Act,
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
    RefusedFrame,
    Rematch,
    SeatBot,
    Sit,
    Start,
    Sync,
)
from .identity import Identity
from .limits import Bucket, Limiter, too_many
from .rooms import Room, Rooms, Verb, new_seed, to_json

LARGEST_FRAME = 4096
MOST_WAITING = 256
"""Frames that may wait for a slow reader before the connection is given up; it will resync."""
MOST_WARNINGS = 40
"""Frames over the limit that are answered in a row; then the connection is closed."""

log = logging.getLogger("tablee.socket")
read_frame = msgspec.json.Decoder(ClientFrame).decode


class _AnyFrame(Struct):
    id: int | None = None


read_id = msgspec.json.Decoder(_AnyFrame).decode


class Connection:
    """A person's, or a spectator's, line to one table."""

    def __init__(self, person: PersonId | None, room: Room, config: Config, send: Any) -> None:
        self.person = person
        self.room = room
        self.seat: Seat | None = None
        self._send = send
        self._bucket = Bucket(config.frames_per_second, 3 * config.frames_per_second)
        self._warnings = 0
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._beats: deque[tuple[int, float]] = deque(maxlen=4)
        self._trips: deque[float] = deque(maxlen=4)

    @property
    def lag(self) -> float:
        """Seconds that the network takes there and back, by the best of the last beats."""
        return min(self._trips, default=0.0)

    def beat(self, number: int) -> None:
        """Ask the other end for a sign of life."""
        self._beats.append((number, monotonic()))
        self.post(to_json(BeatFrame(number)))

    def _heard(self, number: int) -> None:
        for sent, at in self._beats:
            if sent == number:
                self._trips.append(monotonic() - at)

    def post(self, frame: bytes) -> None:
        """Send a frame as soon as the line is free, in order; never waits."""
        if len(self._outbox) >= MOST_WAITING:
            self.hang_up(1013, "too slow")
            return
        self._outbox.append(frame)
        self._wake.set()

    def hang_up(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    def refuse(self, refused: Refused, reply: int | None) -> None:
        self.post(to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), reply)))

    async def deliver(self) -> None:
        """Send what is posted until the line is hung up."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox:
                await self._send({"type": "websocket.send", "text": self._outbox.popleft().decode()})
            if self._closing is not None:
                code, reason = self._closing
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
                return

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks; whatever is wrong with it is answered, and harms nobody else."""
        wait = self._bucket.take()
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
                room.sync(self, match, ply)
                self.post(to_json(DoneFrame(id)))
            case _:
                await room.change(self._verb(frame, self._somebody()), self, frame.id)

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
            case Configure(_, options, seats, public, move_time):
                return lambda table, _: table.configure(person, options, seats, public, move_time)
            case Start():
                return lambda table, _: table.start(person, new_seed())
            case Rematch():
                return lambda table, _: table.ask_rematch(person, new_seed())
        raise AssertionError(f"no verb for {type(frame).__name__}")


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


class SocketServer:
    """Answers every WebSocket of the site: `/ws/CODE`."""

    def __init__(self, rooms: Rooms, identity: Identity, requests: Limiter, config: Config) -> None:
        self._requests = requests
        self._rooms = rooms
        self._identity = identity
        self._config = config
        self._lines: Counter[str] = Counter()
        """How many lines each person holds, or each address of people without a cookie."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        person = self._identity.read(headers.get(b"cookie"))
        address = scope["client"][0] if scope["client"] else ""
        try:
            demand_same_origin(headers)
            self._requests.demand(address)
            with self._line(person or f"address {address}"):
                room = await self._rooms.open(scope["path"].removeprefix("/ws/"))
                if person is not None:
                    await self._rooms.people.load(person)
                await _attend(Connection(person, room, self._config, send), receive)
        except Refused as refused:
            await _turn_away(send, refused)

    @contextmanager
    def _line(self, holder: str) -> Iterator[None]:
        """Count a line from before the first wait, so that a storm of them is counted too."""
        if self._lines[holder] >= self._config.connections_per_person:
            raise Refused("too_many_connections", most=self._config.connections_per_person)
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


CLOSE_CODES = {"unknown_table": 4404, "foreign_origin": 4403, "too_many": 1008, "too_many_connections": 1008}


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

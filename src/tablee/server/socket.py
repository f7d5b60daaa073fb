"""WebSockets: reads frames, enforces the limits, and posts the answers. `commands.py` does what frames ask for."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from ..core.game import Refused, Seat
from ..core.match import explain
from ..store import StoreClosed, StoreDown
from ..table import PersonId
from .clock import Clock
from .commands import Commands
from .config import Config
from .frames import Beat, BeatFrame, RefusedFrame, Sync, read_frame, to_json
from .identity import Identity
from .limits import Bucket, Limiter, address_of, too_many
from .lobby import Lobby
from .logs import failed_writes_log
from .people import People
from .room import Room, admit
from .wire import Wire

LARGEST_FRAME = 4096
MOST_WAITING = 256
"""Frames that may wait for a slow reader before the connection is closed; the client will resync."""
MOST_BYTES = 1_000_000
"""Bytes that these frames may have together."""
SYNC_COST = 10
"""The number of frames that a `sync` counts as: it is short, but its answer is long."""
CROWD = 20
"""One address may send as many frames as this many connections."""
MOST_WARNINGS = 40
"""Frames over the limit in a row before the connection is closed."""
SLOW_TRIP = 1.0
"""A connection is slow if its round trip takes more seconds than this."""
MOST_UNANSWERED = 3
"""Heartbeats that may stay unanswered in a row."""
CLOSE_CODES = {
    "unknown_table": 4404,
    "foreign_origin": 4403,
    "banished": 4410,
    "not_watchable": 4411,
    "table_closed": 4412,
    "missing_resource": 4413,
    "too_many": 1008,
    "too_many_connections": 1008,
    "server_closing": 1012,
    "store_down": 1013,
}

SEARCHES = "/ws/searches"
Search = Callable[[PersonId, Wire], Awaitable[None]]
"""Serves the connection of a person who searches for opponents."""

log = logging.getLogger("tablee.socket")


class _AnyFrame(Struct):
    id: int | None = None


read_id = msgspec.json.Decoder(_AnyFrame).decode


class Desk:
    """The parts of the server that all connections share."""

    def __init__(self, config: Config, time: Clock) -> None:
        self.config = config
        self.time = time
        self.commands = Commands(config, time)
        rate = CROWD * config.frames_per_second
        self.frames_from = Limiter(rate, 3 * rate, time)


class Outlet(Protocol):
    """Where a connection sends its frames: `wire.Wire`, or a test's."""

    @property
    def is_full(self) -> bool:
        """Whether the client is behind."""

    def send_text(self, payload: bytes, /) -> None: ...
    def hang_up(self, code: int, reason: str, /) -> None: ...
    def cut_soon(self) -> None:
        """Cut the connection in a few seconds, whatever was not sent by then."""


class Connection:
    """The connection of a person or a spectator to one table."""

    def __init__(self, person: PersonId | None, address: str, room: Room, desk: Desk, wire: Outlet) -> None:
        self.person = person
        self.seat: Seat | None = None
        self.view_seat: Seat | None = None
        self.is_hidden = False
        self.room = room
        self._address = address
        self._desk = desk
        self._time = desk.time
        self._wire = wire
        rate = desk.config.frames_per_second
        self._bucket = Bucket(rate, 3 * rate, desk.time)
        self._warnings = 0
        self._outbox: deque[bytes] = deque()
        self._waiting = 0
        """Bytes in the outbox."""
        self._closing: tuple[int, str] | None = None
        self._beats: deque[tuple[int, float]] = deque(maxlen=4)
        self._trips: deque[float] = deque(maxlen=4)
        self.lag = 0.0
        """Seconds that the network takes there and back: the best of the last heartbeats."""
        self._unanswered = 0

    @property
    def is_slow(self) -> bool:
        """Whether the last heartbeat took long, or did not come before the next was due."""
        return self._unanswered > 1 or (bool(self._trips) and self._trips[-1] > SLOW_TRIP)

    def beat(self, number: int) -> None:
        """Ask the client for a heartbeat; hang up after three that it did not answer."""
        was_slow = self.is_slow
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            self.hang_up(1001, "no heartbeat")
            return
        self._beats.append((number, self._time.now()))
        self.post(to_json(BeatFrame(number)))
        if self.is_slow != was_slow:
            self.room.audience.show_soon()

    def _hear(self, number: int) -> None:
        """Measure the round trip of a heartbeat."""
        was_slow = self.is_slow
        for sent, at in self._beats:
            if sent == number:
                self._trips.append(self._time.now() - at)
                self.lag = min(self._trips)
                self._unanswered = 0
        if self.is_slow != was_slow:
            self.room.audience.show_soon()

    def post(self, frame: bytes) -> None:
        """Send a frame, or queue it if the client is behind; never wait. Hang up if too much is queued."""
        if self._closing is not None:
            return
        if not self._wire.is_full and not self._outbox:
            self._wire.send_text(frame)
        elif len(self._outbox) >= MOST_WAITING or self._waiting + len(frame) > MOST_BYTES:
            self.hang_up(1013, "too slow")
        else:
            self._outbox.append(frame)
            self._waiting += len(frame)

    def hang_up(self, code: int, reason: str) -> None:
        """Close the connection once the queued frames are sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wire.cut_soon()
            self.flush()

    def flush(self) -> None:
        """Send queued frames while the client keeps up, then close the connection if we hung up."""
        while self._outbox and not self._wire.is_full:
            frame = self._outbox.popleft()
            self._waiting -= len(frame)
            self._wire.send_text(frame)
        if self._closing is not None and not self._outbox:
            self._wire.hang_up(*self._closing)

    def turn_away(self, refused: Refused) -> None:
        """Send a refusal, then close the connection for good."""
        self._refuse(refused, None)
        self.hang_up(CLOSE_CODES.get(refused.refusal.code, 4400), refused.refusal.code)

    def _refuse(self, refused: Refused, reply: int | None) -> None:
        self.post(to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), reply)))

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks, or refuse it. Ignore frames that come after we hung up."""
        if self._closing is not None or not self._is_within_limit():
            return
        if len(data) > LARGEST_FRAME:
            self._refuse(Refused("too_large", limit=LARGEST_FRAME), None)
            return
        try:
            frame = read_frame(data)
        except (ValidationError, DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(bad_frame(error), id_of(data))
            return
        try:
            if isinstance(frame, Beat):
                self._hear(frame.id)
                return
            if isinstance(frame, Sync):
                self._count_sync()
            await self._desk.commands.carry_out(frame, self, self.room, self._address)
        except Refused as refused:
            self._refuse(refused, frame.id)
        except StoreClosed:
            self._refuse(Refused("server_closing"), frame.id)
        except StoreDown as down:
            failed_writes_log.error("table %s: a command was refused: %s", self.room.table.code, down)
            self._refuse(Refused("store_down"), frame.id)
        except Exception:
            log.exception("table %s: a frame of type %s failed", self.room.table.code, type(frame).__name__)
            self._refuse(Refused("server_error"), frame.id)

    def _is_within_limit(self) -> bool:
        """Count a frame; if it is one too many, warn, and hang up after too many warnings in a row."""
        wait = self._bucket.take() or self._desk.frames_from.take(self._address)
        if not wait:
            self._warnings = 0
            return True
        self._warnings += 1
        if self._warnings > MOST_WARNINGS:
            self.hang_up(1008, "too many frames")
        elif self._warnings <= MOST_WARNINGS // 2:
            self._refuse(too_many(wait), None)
        return False

    def _count_sync(self) -> None:
        """Count a `sync` as the many frames that it is worth; raise `Refused` if there are too many."""
        more = SYNC_COST - 1
        wait = self._bucket.take(more) or self._desk.frames_from.take(self._address, more)
        if wait:
            raise too_many(wait)


def bad_frame(error: Exception) -> Refused:
    """Return the refusal of a frame that cannot be read."""
    if isinstance(error, ValidationError):
        return Refused("bad_frame", **explain(error))
    return Refused("bad_frame", field="", problem=str(error))


def id_of(data: str | bytes) -> int | None:
    """Return the `id` of a bad frame if at least that can be read."""
    try:
        return read_id(data).id
    except (DecodeError, UnicodeError, RecursionError):
        return None


class SocketServer:
    """Answers every WebSocket of the site: `/ws/CODE`, and `/ws/searches` for people who look for opponents."""

    def __init__(
        self,
        lobby: Lobby,
        people: People,
        identity: Identity,
        requests: Limiter,
        config: Config,
        time: Clock,
        search: Search,
    ) -> None:
        self._lobby = lobby
        self._search = search
        self._people = people
        self._identity = identity
        self._requests = requests
        self._config = config
        self._desk = Desk(config, time)
        self._open: Counter[str] = Counter()
        """How many connections each person has, and each address for those without a cookie."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        wire: Wire = scope["wire"]
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        person = self._identity.read(headers.get(b"cookie"))
        address = address_of(scope["client"])
        try:
            demand_same_origin(headers)
            self._requests.demand(address)
            most, most_here = self._config.connections_per_person, self._config.connections_per_address
            with self._count(f"address {address}", most_here), self._count(person or f"nobody at {address}", most):
                if person is not None:
                    await self._people.load(person)
                if scope["path"] == SEARCHES:
                    if person is None:
                        raise Refused("unknown_person")
                    await self._search(person, wire)
                    return
                room = await self._lobby.open(scope["path"].removeprefix("/ws/"))
                admit(room.table, person)
                # In a task of its own, so that a move does not wake every layer above this one.
                await asyncio.create_task(_attend(Connection(person, address, room, self._desk, wire), wire))
        except Refused as refused:
            _turn_away(wire, refused)
        except StoreClosed:
            _turn_away(wire, Refused("server_closing"))
        except StoreDown as down:
            failed_writes_log.error("a table cannot be opened: %s", down)
            _turn_away(wire, Refused("store_down"))

    @contextmanager
    def _count(self, holder: str, most: int) -> Iterator[None]:
        """Count a connection before the first wait, so that a storm of them is counted too."""
        if self._open[holder] >= most:
            raise Refused("too_many_connections", most=most)
        self._open[holder] += 1
        try:
            yield
        finally:
            self._open[holder] -= 1
            if not self._open[holder]:
                del self._open[holder]


async def _attend(connection: Connection, wire: Wire) -> None:
    """Serve a connection until it closes."""
    wire.on_drain = connection.flush
    connection.room.join(connection)
    try:
        while (message := await wire.next()) is not None:
            await connection.receive(message)
    finally:
        connection.room.part(connection)


async def refuse_socket(scope: Any, receive: Any, send: Any) -> None:
    """Turn a client away while the server starts; it will come back."""
    await receive()
    await send({"type": "websocket.accept"})
    _turn_away(scope["wire"], Refused("server_closing"))


def _turn_away(wire: Wire, refused: Refused) -> None:
    code = refused.refusal.code
    wire.send_text(to_json(RefusedFrame(code, dict(refused.refusal.values))))
    wire.hang_up(CLOSE_CODES.get(code, 4400), code)


def demand_same_origin(headers: dict[bytes, str]) -> None:
    """Refuse requests that a page of another site makes in a visitor's name; other programs send neither header."""
    origin = headers.get(b"origin")
    is_foreign = origin is not None and origin.partition("://")[2] != headers.get(b"host")
    if is_foreign or headers.get(b"sec-fetch-site") == "cross-site":
        raise Refused("foreign_origin", origin=(origin or "")[:100])

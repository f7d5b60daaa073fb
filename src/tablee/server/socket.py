"""The WebSockets of tables: reads frames and posts the answers. `commands.py` does what frames ask for."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ..core.game import Refused, Seat
from ..store import Conflict, StoreClosed, StoreDown
from ..table import PersonId
from .channel import CLOSE_CODES, Channel, FrameLimits, Outlet
from .clock import Clock
from .commands import Commands, move_of
from .config import Config
from .event_socket import EventConnection, EventStreams
from .frames import Act, Beat, ClientFrame, RefusedFrame, Sync, read_frame, to_json
from .identity import Identity
from .limits import Limiter, address_of
from .line import admit
from .lobby import Lobby
from .logs import failed_writes_log
from .people import People
from .room import Room
from .tokens import Tokens
from .turnstile import Turnstile
from .wire import Wire

SEARCHES = "/ws/searches"
SCREEN = b"screen"
"""The query of a large screen that shows a table."""
Search = Callable[[PersonId, str, FrameLimits, Wire], Awaitable[None]]
"""Serves the connection of a person at an address who searches for opponents."""
SYNC_COST = 10
"""The number of frames that a `sync` counts as: it is short, but its answer is long."""

log = logging.getLogger("tablee.socket")


class Desk:
    """The parts of the server that all connections share."""

    def __init__(self, config: Config, time: Clock) -> None:
        self.config = config
        self.time = time
        self.commands = Commands(config, time)
        self.frames = FrameLimits(config, time)


class Connection(Channel):
    """The connection of a person or a spectator to one table."""

    def __init__(
        self,
        person: PersonId | None,
        address: str,
        room: Room,
        desk: Desk,
        wire: Outlet,
        arrived: float | None = None,
    ) -> None:
        """`arrived` is when the client opened the connection; None: now."""
        super().__init__(address, desk.frames, wire)
        self.person = person
        self.arrived = desk.time.now() if arrived is None else arrived
        self.seat: Seat | None = None
        self.view_seat: Seat | None = None
        self.is_hidden = False
        self.room = room
        self._desk = desk

    def _speed_changed(self) -> None:
        self.room.audience.show_soon()

    def read(self, data: str | bytes) -> ClientFrame | None:
        """Count and decode a message. Play a move at once if nothing is under way; return any other frame."""
        frame: ClientFrame | None = self._decode(data, read_frame) if self._admits(data) else None
        if isinstance(frame, Act) and self._wire.is_idle and self._play(frame):
            return None
        return frame

    def _play(self, move: Act) -> bool:
        """Play a move without a task; return False if that is not possible now."""
        if self.person is None:
            return False
        verb, request = move_of(move, self, self.person)
        if not self.room.play(verb, request, lambda error: self._played(move, error)):
            return False
        self._wire.hold()
        return True

    def _played(self, move: Act, error: Exception | None) -> None:
        """Go on after a move; decide it again if another writer was first."""
        if isinstance(error, Conflict):
            self._wire.release(again=move)
            return
        if error is not None:
            self._report(error, move)
        self._wire.release()

    async def carry_out(self, frame: ClientFrame) -> None:
        """Do what a frame asks, or refuse it."""
        try:
            if isinstance(frame, Beat):
                self._hear(frame.id)
                return
            if isinstance(frame, Sync):
                self._count_more(SYNC_COST - 1)
            await self._desk.commands.carry_out(frame, self, self.room, self._address)
        except Exception as error:
            self._report(error, frame)

    def _report(self, error: Exception, frame: ClientFrame) -> None:
        """Refuse a frame because of an error."""
        match error:
            case Refused():
                refused = error
            case StoreClosed():
                refused = Refused("server_closing")
            case StoreDown():
                failed_writes_log.error("table %s: a command was refused: %s", self.room.table.code, error)
                refused = Refused("store_down")
            case _:
                name = type(frame).__name__
                log.error("table %s: a frame of type %s failed", self.room.table.code, name, exc_info=error)
                refused = Refused("server_error")
        self._refuse(refused, frame.id)


class SocketServer:
    """Answers every WebSocket of the site: tables, `/ws/searches` for people, and `/ws/me` for the events of a bot."""

    def __init__(
        self,
        lobby: Lobby,
        people: People,
        identity: Identity,
        requests: Limiter,
        config: Config,
        time: Clock,
        search: Search,
        tokens: Tokens,
        streams: EventStreams,
    ) -> None:
        self._lobby = lobby
        self._search = search
        self._people = people
        self._identity = identity
        self._requests = requests
        self._config = config
        self._tokens = tokens
        self._streams = streams
        self._desk = Desk(config, time)
        self._joining = Turnstile()
        self._open: Counter[str] = Counter()
        """How many connections each person has, and each address for those without a cookie."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        arrived = self._desk.time.now()
        await receive()
        await send({"type": "websocket.accept"})
        wire: Wire = scope["wire"]
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address = address_of(scope["client"])
        try:
            demand_same_origin(headers)
            self._requests.demand(address)
            with self._count(f"address {address}", self._config.connections_per_address):
                await self._admit(scope, headers, address, arrived)
        except Refused as refused:
            _turn_away(wire, refused)
        except StoreClosed:
            _turn_away(wire, Refused("server_closing"))
        except StoreDown as down:
            failed_writes_log.error("a table cannot be opened: %s", down)
            _turn_away(wire, Refused("store_down"))

    async def _admit(self, scope: Any, headers: dict[bytes, str], address: str, arrived: float) -> None:
        """Find out who wants to connect, and serve the connection until it closes."""
        wire: Wire = scope["wire"]
        authorization = headers.get(b"authorization")
        access = None if authorization is None else await self._tokens.read(authorization)
        if access is None:
            person = self._identity.read(headers.get(b"cookie"))
        else:
            person = access.person if access.scope == "play" else None  # who can only read watches
        if scope.get("query_string") == SCREEN:
            person = None  # it shows what any spectator may see, even in the browser of a player
        with self._count(person or f"nobody at {address}", self._config.connections_per_person):
            if person is not None:
                await self._people.load(person)
            if scope["path"] == SEARCHES:
                if person is None or access is not None:
                    raise Refused("unknown_person" if access is None else "out_of_scope")
                await self._search(person, address, self._desk.frames, wire)
                return
            path = scope["path"].removeprefix("/ws/")
            if path == "me":
                if access is None or person is None:
                    raise Refused("bad_token" if access is None else "out_of_scope", scope="read")
                stream = EventConnection(person, address, self._desk.frames, wire, self._streams)
                with self._tokens.holding(access, stream):
                    await asyncio.create_task(self._streams.attend(stream, wire))
                return
            room = await self._lobby.open(path)
            await self._joining.wait()
            if self._lobby.room(room.table.code) is not room:  # it was dropped while others joined
                room = await self._lobby.open(path)
            admit(room.table, person)
            connection = Connection(person, address, room, self._desk, wire, arrived)
            with nullcontext() if access is None else self._tokens.holding(access, connection):
                # In a task of its own, so that a move does not wake every layer above this one.
                await asyncio.create_task(_attend(connection, wire))

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
    wire.read_with(connection.read)
    connection.room.join(connection)
    try:
        while (frame := await wire.next()) is not None:
            await connection.carry_out(frame)
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

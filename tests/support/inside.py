"""The tables of a server without its network, for tests that look inside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from tablee.bus import LocalBus
from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.cluster import Cluster
from tablee.server.config import Config
from tablee.server.frames import NoticeFrame
from tablee.server.lobby import Lobby
from tablee.server.metrics import Metrics
from tablee.server.people import People
from tablee.server.room import Room
from tablee.server.services import Services
from tablee.server.socket import Connection, Desk
from tablee.store import Store, connect


class SlowBots:
    """Bots that answer when a test lets them."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[bytes, asyncio.Future[bytes]]] = asyncio.Queue()

    async def decide(self, key: str, level: str, seat: int, view: bytes, seed: str) -> bytes:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((view, answer))
        return await answer

    async def advise(self, key: str, seat: int, view: bytes) -> bytes:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((view, answer))
        return await answer


class Paper:
    """Keeps what a connection sends. It is full after some bytes, until it is read."""

    def __init__(self, room: float = float("inf")) -> None:
        self.frames: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.cut = False
        self.is_idle = True
        self.put_back: Any = None
        """A frame that the connection has to carry out after all."""
        self.released = asyncio.Event()
        self._room = room

    @property
    def is_full(self) -> bool:
        return sum(map(len, self.frames)) >= self._room

    def hold(self) -> None:
        self.is_idle = False
        self.released.clear()

    def release(self, again: Any = None) -> None:
        self.is_idle = True
        self.put_back = again
        self.released.set()

    def send_text(self, payload: bytes) -> None:
        assert self.closed is None
        self.frames.append(payload)

    def hang_up(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)

    def cut_soon(self) -> None:
        self.cut = True

    def read(self) -> int:
        """Empty it; return how many bytes there were."""
        size = sum(map(len, self.frames))
        self.frames.clear()
        return size


class Wire:
    """A connection of a test."""

    def __init__(self, room: Room, person: str, desk: Desk | None = None, *, opened: float = 0.0) -> None:
        """`opened`: how many seconds ago the client opened it."""
        desk = desk or Desk(room.services.config, room.time)
        self.paper = Paper()
        self.line = Connection(person, "127.0.0.1", room, desk, self.paper, room.time.now() - opened)
        room.join(self.line)

    async def do(self, **frame: Any) -> None:
        """Send a frame, and wait until all it asks for is done."""
        left = self.line.read(msgspec.json.encode({"id": 1} | frame))
        if not self.paper.is_idle:
            await self.paper.released.wait()
            left = self.paper.put_back
        if left is not None:
            await self.line.carry_out(left)

    def frames(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(frame) for frame in self.paper.frames]


def services_of(
    data: Path,
    bot_pool: Any = None,
    time: Clock | None = None,
    store: Store | None = None,
    cluster: Cluster | None = None,
    **config: Any,
) -> Services:
    """What rooms need of a server, with bots that the test controls."""
    store = store or Store(connect(f"sqlite:///{data / 'tablee.db'}"))
    people = People(store)
    time = time or Clock()
    return Services(
        store=store,
        people=people,
        bot_pool=bot_pool or SlowBots(),
        archive=Archive(store, people, time),
        metrics=Metrics(),
        config=Config(data=data, **config),
        time=time,
        cluster=cluster or Cluster(store, LocalBus(), time),
        notice=NoticeFrame("", 0.0),
    )


@asynccontextmanager
async def lobby_of(data: Path, bot_pool: Any = None) -> AsyncIterator[Lobby]:
    """The tables of a server without the server."""
    lobby = Lobby(services_of(data, bot_pool, bot_pause=0.0))
    try:
        yield lobby
    finally:
        lobby.close()
        await lobby.services.store.close()

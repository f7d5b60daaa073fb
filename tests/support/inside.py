"""The tables of a server without its network, for tests that look inside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from tablee.server.config import Config
from tablee.server.people import People
from tablee.server.rooms import Room, Rooms
from tablee.server.socket import Connection, Desk
from tablee.store import SqliteStore


class Slow:
    """Computer players that answer when a test lets them."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[bytes, asyncio.Future[bytes]]] = asyncio.Queue()

    async def decide(self, key: str, level: str, seat: int, view: bytes) -> bytes:
        answer = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((view, answer))
        return await answer


class Wire:
    """A line that nobody reads: what is posted to it stays in its outbox."""

    def __init__(self, room: Room, person: str, desk: Desk | None = None) -> None:
        self.line = Connection(person, "127.0.0.1", room, desk or Desk(room._house.config), None)
        room.join(self.line)

    async def do(self, **frame: Any) -> None:
        await self.line.receive(msgspec.json.encode({"id": 1} | frame))

    def told(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(frame) for frame in self.line._outbox]


@asynccontextmanager
async def rooms_of(tmp_path: Path, bot_pool: Any = None) -> AsyncIterator[Rooms]:
    """The tables of a server without one, whose computer players the test holds in its hand."""
    store = SqliteStore(tmp_path / "tablee.db")
    rooms = Rooms(store, People(store), bot_pool or Slow(), Config(data=tmp_path, bot_pause=0.0))
    try:
        yield rooms
    finally:
        rooms.close()
        await store.close()

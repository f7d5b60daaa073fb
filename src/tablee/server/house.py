"""Everything that lives as long as the server does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ..core.discover import prepare
from ..store import SqliteStore
from .clockwork import Clockwork
from .config import Config
from .identity import Identity
from .limits import Limiter
from .people import People
from .rooms import Rooms
from .socket import SocketServer
from .static import StaticFiles
from .thinkers import Thinkers


class House:
    """The parts of a running server, tied together."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.identity = Identity(config.data)
        self.store = SqliteStore(config.data / "tablee.db")
        self.people = People(self.store)
        self.thinkers = Thinkers(config.workers, config.bot_seconds, warm=config.warm_up)
        self.time = Clockwork()
        self.rooms = Rooms(self.store, self.people, self.thinkers, config, self.time)
        self.requests = Limiter(config.requests_per_second, 10 * config.requests_per_second)
        self.sockets = SocketServer(self.rooms, self.identity, self.requests, config)
        self.static = StaticFiles()
        self.creations = Limiter(config.tables_per_minute / 60, 3 * config.tables_per_minute)


@asynccontextmanager
async def open_house(config: Config) -> AsyncIterator[House]:
    """Start every part, and stop them in an order that keeps every promise."""
    house = House(config)
    rooms = house.rooms
    await asyncio.to_thread(prepare)
    await rooms.restore()
    chores = [
        asyncio.create_task(chore)
        for chore in (rooms.sweep_forever(), rooms.index_forever(), rooms.beat_forever(), house.thinkers.warm_up())
    ]
    try:
        yield house
    finally:
        rooms.close()
        for chore in chores:
            chore.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await chore
        await rooms.index()
        await house.store.close()
        house.thinkers.close()

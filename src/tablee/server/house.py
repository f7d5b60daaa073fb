"""Everything that lives as long as the server does."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ..core.discover import broken, prepare
from ..store import SqliteStore
from .bot_pool import BotPool
from .clock import Clock
from .config import Config
from .identity import Identity
from .limits import Limiter
from .moderation import Filter
from .people import People
from .rooms import Rooms
from .socket import SocketServer
from .static import StaticFiles

REPLAYS_PER_MINUTE = 60
"""Parts of uploaded records that one address may watch."""
RECOVERIES_PER_MINUTE = 6
"""Recovery codes that one address may make or try."""
SEARCHES_PER_MINUTE = 3
"""How often one address may have every log read for its data, to take along or to erase."""


GUESSES_PER_MINUTE = 10
"""Wrong tokens that one address may try."""


class House:
    """The parts of a running server, tied together."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.identity = Identity(config.data)
        self.store = SqliteStore(config.data / "tablee.db")
        self.people = People(self.store, Filter(config.data))
        self.bot_pool = BotPool(config.workers, config.bot_seconds, warm=config.warm_up)
        self.time = Clock()
        self.rooms = Rooms(self.store, self.people, self.bot_pool, config, self.time)
        self.archive = self.rooms.archive
        self.metrics = self.rooms.metrics
        self.opened = self.time.now()
        self.loop_lag = 0.0
        """Seconds by which the event loop was late when it was last looked at."""
        self.token = config.admin_token or secrets.token_urlsafe(18)
        """Opens the page of who runs the site."""
        self.guesses = Limiter(GUESSES_PER_MINUTE / 60, GUESSES_PER_MINUTE)
        self.requests = Limiter(config.requests_per_second, 10 * config.requests_per_second)
        self.sockets = SocketServer(self.rooms, self.identity, self.requests, config)
        self.static = StaticFiles()
        self.creations = Limiter(config.tables_per_minute / 60, 3 * config.tables_per_minute)
        self.replays = Limiter(REPLAYS_PER_MINUTE / 60, REPLAYS_PER_MINUTE)
        self.recoveries = Limiter(RECOVERIES_PER_MINUTE / 60, RECOVERIES_PER_MINUTE)
        self.searches = Limiter(SEARCHES_PER_MINUTE / 60, SEARCHES_PER_MINUTE)

    async def watch_loop(self) -> None:
        """Look every second how late the event loop is: nothing slow may run on it."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + 1.0
            await asyncio.sleep(1.0)
            self.loop_lag = max(0.0, loop.time() - due)


log = logging.getLogger("tablee.server")


@asynccontextmanager
async def open_house(config: Config) -> AsyncIterator[House]:
    """Start every part, and stop them in an order that keeps every promise."""
    house = House(config)
    rooms = house.rooms
    await asyncio.to_thread(prepare)
    for name, error in broken().items():
        log.error("skipped the game %s: %s", name, error)
    if await house.archive.is_missing():
        await house.archive.rebuild()
    await rooms.restore()
    chores = [
        asyncio.create_task(chore)
        for chore in (
            rooms.sweep_forever(),
            rooms.index_forever(),
            rooms.beat_forever(),
            house.bot_pool.warm_up(),
            house.watch_loop(),
        )
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
        house.bot_pool.close()

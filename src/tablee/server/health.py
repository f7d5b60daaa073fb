"""Whether the server works, for monitoring (`/healthz`) and for load balancers (`/readyz`)."""

from __future__ import annotations

import asyncio
from typing import Literal

from .. import __version__
from ..store import StoreClosed, StoreDown
from .bodies import Health, Ready
from .clock import Clock
from .house import House
from .logs import failed_writes_log

KEPT_SECONDS = 1.0
"""An answer of the store is kept for this long, so that nobody can load the store with health checks."""
STORE_SECONDS = 5.0
"""A store that takes longer to write one row does not work."""

Phase = Literal["starting", "running", "stopping"]


class HealthCheck:
    """Looks at the parts of a server, before it has started too."""

    def __init__(self, time: Clock) -> None:
        self.phase: Phase = "starting"
        self.house: House | None = None
        self._time = time
        self._lock = asyncio.Lock()
        self._store_works = False
        self._next_look = time.now()

    async def health(self) -> Health:
        """Name the parts that do not work: the store, the bus, and the games whose bots fail."""
        if self.house is None:
            return Health("starting", __version__, 0, 0, [])
        tables, connections = self.house.lobby.size
        failing = [f"bots of {game}" for game in self.house.bot_pool.broken]
        if not self.house.bus.is_up:
            failing.insert(0, "bus")
        if not await self.does_store_work():
            return Health("failing", __version__, tables, connections, ["store", *failing])
        return Health("degraded" if failing else "ok", __version__, tables, connections, failing)

    async def ready(self) -> Ready:
        """Say whether to send traffic here."""
        if self.phase != "running":
            return Ready(False, self.phase)
        return Ready(True, None) if await self.does_store_work() else Ready(False, "store")

    async def does_store_work(self) -> bool:
        """Write one row and read it again, at most once a second."""
        if self.house is None:
            return False
        async with self._lock:
            if self._time.now() >= self._next_look:
                self._store_works = await self._try_store(self.house)
                self._next_look = self._time.now() + KEPT_SECONDS
            return self._store_works

    async def _try_store(self, house: House) -> bool:
        try:
            await asyncio.wait_for(house.store.check(), STORE_SECONDS)
        except TimeoutError:
            failed_writes_log.error("the store did not answer a health check within %g seconds", STORE_SECONDS)
        except StoreDown as down:
            house.metrics.failed_writes.inc()
            failed_writes_log.error("the store failed a health check: %s", down)
        except StoreClosed:
            return False
        else:
            return True
        return False

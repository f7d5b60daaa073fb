"""Several servers in one process, without their network, on one store: for tests that look inside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from inside import SlowBots

from tablee.bus import Bus, LocalBus
from tablee.bus.bus import Receive
from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.cluster import Cluster
from tablee.server.config import Config
from tablee.server.frames import NoticeFrame
from tablee.server.lobby import Lobby
from tablee.server.metrics import Metrics
from tablee.server.neighbours import Neighbours
from tablee.server.people import People
from tablee.server.services import Services
from tablee.store import open_store

LATEST_SECONDS = 0.4
"""How late a message of a jumbled bus may come."""


class CutBus:
    """An end of a bus that a test can cut: then it neither sends nor receives."""

    def __init__(self, bus: LocalBus) -> None:
        self._bus = bus
        self.reaches_others = True
        self.is_up = True
        self.silent = False
        """Whether messages get lost although the bus seems to work."""
        self.jumbled: Random | None = None
        """Whether each message comes twice, late and in any order."""

    def publish(self, subject: str, message: bytes) -> None:
        if not self.is_up or self.silent:
            return
        if self.jumbled is None:
            self._bus.publish(subject, message)
            return
        for _ in range(2):
            late = self.jumbled.uniform(0, LATEST_SECONDS)
            asyncio.get_running_loop().call_later(late, self._bus.publish, subject, message)

    def subscribe(self, subject: str, receive: Receive) -> None:
        self._bus.subscribe(subject, lambda message: receive(message) if self.is_up and not self.silent else None)

    async def start(self) -> None: ...
    async def close(self) -> None: ...


class Ration(Clock):
    """A clock for one sleeper. It goes on while that one sleeps, but no further than a test allows."""

    def __init__(self) -> None:
        self.passed = 0.0
        self._allowed = 0.0
        self._more = asyncio.Event()

    def now(self) -> float:
        return self.passed

    def allow(self, seconds: float) -> None:
        """Let so much time pass from now on, and no more."""
        self._allowed = self.passed + seconds
        self._more.set()

    async def sleep(self, seconds: float) -> None:
        while self.passed + seconds > self._allowed:
            self._more.clear()
            await self._more.wait()
        self.passed += seconds
        await asyncio.sleep(0)


class Node:
    """One of the servers."""

    def __init__(self, services: Services, bus: CutBus, bots: SlowBots, polls: Clock) -> None:
        """It asks the store for the news of others by the clock `polls`."""
        self.services = services
        self.cluster = services.cluster
        self.store = services.store
        self.bus = bus
        self.bots = bots
        self.lobby = Lobby(services)
        self.neighbours = Neighbours(self.lobby)
        self.neighbours._time = polls
        self.chores: list[asyncio.Task[None]] = []

    async def start(self) -> Node:
        await self.cluster.start()
        chores = (
            self.cluster.beat_forever(),
            self.cluster.refresh_forever(),
            self.neighbours.poll_forever(),
            self.lobby.index_forever(),
            self.lobby.restore(),
        )
        self.chores = [asyncio.create_task(chore) for chore in chores]
        return self

    async def die(self) -> None:
        """Stop without a word, as a killed server does."""
        self.lobby.close()
        self.neighbours.close()
        for chore in self.chores:
            chore.cancel()
        await asyncio.gather(*self.chores, return_exceptions=True)
        self.chores = []
        self.bus.is_up = False


@asynccontextmanager
async def several(
    url: str, data: Path, count: int = 2, polls: Callable[[], Clock] = Clock
) -> AsyncIterator[list[Node]]:
    """Start servers on one database and wait until they know each other."""
    hub = LocalBus()
    nodes = [await _node(url, data, CutBus(hub), polls()) for _ in range(count)]
    try:
        for node in nodes:
            await node.start()
        await until(lambda: all(len(node.cluster.live) == count for node in nodes))
        yield nodes
    finally:
        for node in nodes:
            await node.die()
            await node.store.close()


async def _node(url: str, data: Path, bus: CutBus, polls: Clock, **config: Any) -> Node:
    store = await open_store(url)
    people, time, bots = People(store), Clock(), SlowBots()
    end: Bus = bus
    services = Services(
        store=store,
        people=people,
        bot_pool=bots,
        archive=Archive(store, people, time),
        metrics=Metrics(),
        config=Config(data=data, database=url, bot_pause=0.0, **config),
        time=time,
        cluster=Cluster(store, end, time, is_shared=True),
        notice=NoticeFrame("", 0.0),
    )
    return Node(services, bus, bots, polls)


async def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds; fail after a minute."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)

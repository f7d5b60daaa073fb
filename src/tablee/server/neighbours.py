"""Reacts to what other servers do: applies what they append, shows who is connected through them, takes tables over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ..table import PersonId
from . import tell
from .follower import Follower
from .lobby import MOST_SHOWN, Lobby
from .logs import failed_writes_log, words_of
from .people import unnamed
from .room import Room

POLL_SECONDS = 1.0
"""How often a server asks whether others appended to its tables: news may be lost."""
LOST_POLL_SECONDS = 0.5
"""How often while it knows that this server or another one has lost the bus."""
AGAIN_SECONDS = 0.25
"""How often it looks whether to ask, and how soon it asks again if the store did not answer."""
SLOW_POLL_SECONDS = 15.0
"""How often it asks about tables that nobody here watches."""
LIST_SECONDS = 1.5
"""How often it asks which public tables other servers hold."""
LISTED_SECONDS = 900.0
"""A public table that did not change for so long is no longer shown on other servers."""
MOST_OPENING = 4
"""Tables that are taken over at the same time."""
LEAVE_SECONDS = 10.0
"""How long a table whose home is elsewhere stays in memory without a connection."""


class Neighbours:
    """The `Listener` of a cluster: keeps the tables of this server in step with the others."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._services = lobby.services
        self._cluster = lobby.services.cluster
        self._time = lobby.services.time
        self._tasks: set[asyncio.Task[None]] = set()
        self._restoring: asyncio.Task[None] | None = None
        self._is_behind = False
        """Whether something could not be read from the store."""
        self._adopting: set[str] = set()
        self._opening = asyncio.Semaphore(MOST_OPENING)
        self._follower = Follower(lobby, self._spawn)
        self.on_searched: Callable[[], None] = lambda: None
        """Called when another server changed searches for opponents."""
        self._cluster.listener = self

    async def poll_forever(self) -> None:
        """Ask the store what other servers appended, in case their news got lost."""
        polled = asked_all = listed = self._time.now()
        while self._cluster.is_shared:
            await self._time.sleep(AGAIN_SECONDS)
            now = self._time.now()
            # From start to start: a slow store makes players wait for its answer, not for the next question too.
            if not self._is_behind and now < polled + self._poll_seconds:
                continue
            polled, self._is_behind = now, False
            try:
                self._drop_unused()
                everything = now >= asked_all + SLOW_POLL_SECONDS
                await self._poll(everything=everything)
                asked_all = now if everything else asked_all
                if now >= listed + LIST_SECONDS:
                    await self._list_foreign()
                    listed = now
            except Exception as error:
                self._is_behind = True
                failed_writes_log.warning("the logs of other servers cannot be read: %s", words_of(error))

    @property
    def _poll_seconds(self) -> float:
        return LOST_POLL_SECONDS if self._cluster.is_cut_off else POLL_SECONDS

    def _drop_unused(self) -> None:
        """Drop tables whose home is elsewhere and that nobody uses through this server."""
        old = self._time.now() - LEAVE_SECONDS
        for room in self._lobby.rooms():
            if not room.driver.is_home and not room.connections and room.touched < old:
                self._lobby.drop(room)

    async def _poll(self, *, everything: bool) -> None:
        codes = [room.table.code for room in self._lobby.rooms() if everything or self._may_grow(room)]
        if codes:
            for code, length in (await self._services.store.lengths(codes)).items():
                self.log_grew(code, length)
        if everything:
            await self._lobby.load_notice()
            if self._cluster.is_cut_off:
                await self._services.people.refresh()

    def _may_grow(self, room: Room) -> bool:
        """Whether another server may append to a table soon."""
        return bool(room.connections) or not room.driver.is_home or self._cluster.is_used(room.table.code)

    async def _list_foreign(self) -> None:
        """Learn which public tables only other servers hold."""
        if self._cluster.is_alone:
            self._lobby.foreign = []
            return
        rows = await self._services.store.public_tables(since=self._time.wall() - LISTED_SECONDS, most=MOST_SHOWN)
        foreign = [row for row in rows if self._lobby.room(row.code) is None]
        hosts = await self._services.store.people(row.host for row in foreign)
        self._lobby.foreign = [tell.row_card(row, hosts.get(row.host) or unnamed(row.host)) for row in foreign]

    def close(self) -> None:
        self._follower.close()
        for task in self._tasks:
            task.cancel()

    # What a cluster tells its listener.

    def log_grew(self, code: str, length: int) -> None:
        """Apply what another server appended; if the other one is behind, tell it."""
        room = self._lobby.room(code)
        if room is None:
            self._adopt(code)
        elif room.table.length < length:
            self._follower.hear(room, length)
        elif room.table.length > length:
            self._cluster.grew(code, room.table.length)

    def crowd_changed(self, code: str) -> None:
        """Show who came or left through another server."""
        room = self._lobby.room(code)
        if room is not None:
            room.audience.show_soon()
            room.driver.set_alarm()
            room.driver.look_at_turns()

    def length_of(self, code: str) -> int:
        room = self._lobby.room(code)
        return 0 if room is None else room.table.length

    def joined_elsewhere(self, code: str, person: PersonId, since: float, server: str) -> None:
        room = self._lobby.room(code)
        if room is not None:
            room.audience.joined_elsewhere(person, since, server)

    def servers_changed(self) -> None:
        """Drive the tables whose home is here now."""
        for room in self._lobby.rooms():
            room.settle_home()
        for code in self._cluster.used_elsewhere():  # somebody waits there: these tables come before all others
            if self._lobby.room(code) is None:
                self._adopt(code)
        if self._restoring is not None:
            self._restoring.cancel()
        self._restoring = self._spawn(self._lobby.restore())

    def was_announced(self, text: str, at: float) -> None:
        self._lobby.show_notice(text, at)

    def was_renamed(self, person: PersonId) -> None:
        self._spawn(self._reload(person))

    def was_erased(self, person: PersonId) -> None:
        self._services.people.forget(person)
        self._spawn(self._lobby.read_again(person))

    def searches_changed(self) -> None:
        self.on_searched()

    def was_called(self, person: PersonId) -> None:
        self._services.called(person)

    @property
    def size(self) -> tuple[int, int]:
        return self._lobby.size

    def _adopt(self, code: str) -> None:
        """Open a table whose home is here, because somebody uses it through another server."""
        if self._cluster.is_home(code) and code not in self._adopting:
            self._adopting.add(code)
            self._spawn(self._open(code))

    async def _open(self, code: str) -> None:
        try:
            async with self._opening:
                await self._lobby.open_quietly(code)
        finally:
            self._adopting.discard(code)

    async def _reload(self, person: PersonId) -> None:
        self._services.people.forget(person)
        await self._services.people.load(person)
        self._lobby.show_person(person)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._is_behind = True
            failed_writes_log.warning("the news of another server could not be applied: %s", words_of(error))

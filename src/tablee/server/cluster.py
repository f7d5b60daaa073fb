"""This server among others: which servers live, which tables are at home here, and who is connected where.

A single server is a cluster of one: it sends no news and writes no heartbeat.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Protocol

from msgspec import DecodeError
from msgspec.structs import replace

from .. import __version__
from ..bus import Bus
from ..store import Store
from ..store.servers import LIVE_SECONDS
from ..table import PersonId
from .clock import Clock
from .home import home_of
from .logs import failed_writes_log, words_of
from .news import (
    Announced,
    Called,
    Crowd,
    Erased,
    Grown,
    Here,
    Joined,
    Leaving,
    News,
    Note,
    Renamed,
    Searched,
    encode,
    read_news,
    read_note,
)

BEAT_SECONDS = 0.5
"""How often a server writes its heartbeat and looks at those of the others."""
REFRESH_SECONDS = 5.0
"""How often a server repeats who is connected through it, in case a message was lost."""
FORGET_SECONDS = 3 * REFRESH_SECONDS
"""Without a repetition for this long, the people of another server count as gone."""
LEAVE_SECONDS = 2.0
"""How long a server that stops waits for the database."""
MOST_IN_A_MESSAGE = 2000
"""People in one message; NATS accepts a megabyte."""

MOST_HOMES = 20_000
"""Homes in memory; the others are computed when needed."""

log = logging.getLogger("tablee.cluster")


class Listener(Protocol):
    """Learns what other servers did. The lobby is one."""

    def log_grew(self, code: str, length: int) -> None: ...
    def length_of(self, code: str) -> int: ...
    def crowd_changed(self, code: str) -> None: ...
    def joined_elsewhere(self, code: str, person: PersonId, since: float, server: str) -> None: ...
    def servers_changed(self) -> None: ...
    def was_announced(self, text: str, at: float) -> None: ...
    def was_renamed(self, person: PersonId) -> None: ...
    def was_erased(self, person: PersonId) -> None: ...
    def was_called(self, person: PersonId) -> None: ...
    def searches_changed(self) -> None: ...
    @property
    def size(self) -> tuple[int, int]: ...


class Cluster:
    def __init__(self, store: Store, bus: Bus, time: Clock, *, is_shared: bool = False) -> None:
        self.id = secrets.token_hex(4)
        self.is_shared = is_shared
        """Whether other servers may use the same store."""
        self.live: tuple[str, ...] = (self.id,)
        self.drivers: tuple[str, ...] = (self.id,)
        """The live servers that drive tables: all whose bots are ready, or simply all if there is none."""
        self.is_warm: Callable[[], bool] = lambda: True
        """Whether the bots of this server are ready."""
        self.listener: Listener | None = None
        self._store = store
        self._bus = bus
        self._time = time
        self._subject = ""
        self._offset = time.wall() - time.now()
        """What to add to our clock to get the database's."""
        self._trip = float("inf")
        """How long the database took to answer when the offset was measured."""
        self._mine: dict[str, Crowd] = {}
        self._others: defaultdict[str, dict[str, tuple[Crowd, float]]] = defaultdict(dict)
        """By table and server: its crowd, and when we last heard of it."""
        self._grown: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """By server: what to tell it about the logs of its tables."""
        self._unsent: set[str] = set()
        """Tables whose crowd on this server changed."""
        self._is_flushing = False
        self._steady_since = time.now()
        self._is_beating = True
        self._somebody_is_deaf = False
        self._cold: set[str] = set()
        """Servers whose bots are not ready."""
        self._is_leaving = False
        self._left: dict[str, float] = {}
        """Servers that signed off, and until when an older heartbeat of theirs may still be around."""
        self._beating = asyncio.Lock()

    # The servers.

    async def start(self) -> None:
        """Join the other servers."""
        if not self.is_shared:
            return
        installation = await self._store.files.put_new("installation", secrets.token_hex(8).encode())
        self._subject = f"tablee.{installation.decode()}"
        self._bus.subscribe(f"{self._subject}.all", self._receive)
        self._bus.subscribe(f"{self._subject}.{self.id}", self._receive)
        await self._bus.start()
        await self._beat()

    async def leave(self) -> None:
        """Tell the other servers that this one stops, so that its tables find a new home at once."""
        if not self.is_shared:
            return
        self._is_leaving = True
        if self.listener is not None:
            self.listener.servers_changed()
        self._publish("all", Leaving(self.id))
        try:
            async with asyncio.timeout(LEAVE_SECONDS), self._beating:
                await self._store.servers.leave(self.id)
        except Exception as error:
            failed_writes_log.warning("this server could not sign off: %s", words_of(error))
        await self._bus.close()

    async def beat_forever(self) -> None:
        """Write a heartbeat twice a second and learn which servers live."""
        while self.is_shared and not self._is_leaving:
            await self._time.sleep(BEAT_SECONDS)
            try:
                async with self._beating:
                    await self._beat()
            except Exception as error:
                if self._is_beating:
                    failed_writes_log.warning("no heartbeat could be written: %s", words_of(error))
                self._is_beating = False

    async def refresh_forever(self) -> None:
        """Repeat who is connected through this server, and forget servers that stopped doing so."""
        while self.is_shared:
            asleep_since = self._time.now()
            await self._time.sleep(REFRESH_SECONDS)
            self._unsent.update(self._mine)
            self._flush_soon()
            # A server that stood still heard nothing: that says nothing about the others.
            self._forget(FORGET_SECONDS + self._time.now() - asleep_since - REFRESH_SECONDS)

    def _forget(self, seconds: float) -> None:
        """Forget the people of servers that said nothing for so long."""
        old = self._time.now() - seconds
        for code, crowds in list(self._others.items()):
            for server in [server for server, (_, heard) in crowds.items() if heard < old]:
                self._drop(code, server)

    async def _beat(self) -> None:
        if self._is_leaving:
            return
        asked = self._time.now()
        rows = await self._store.servers.beat(self.id, encode(self._note()).decode())
        now = self._time.now()
        if not self._is_beating:
            self._is_beating, self._steady_since = True, now
        found = {row.id: _note_of(row.note) for row in rows}
        self._set_offset(next((row.at for row in rows if row.id == self.id), None), asked, now)
        self._somebody_is_deaf = any(note.is_deaf for note in found.values())
        self._left = {server: until for server, until in self._left.items() if now < until}
        live = {self.id, *found} - self._left.keys()
        if now < self._steady_since + LIVE_SECONDS:  # after an outage the others need a moment too
            live |= set(self.live) - self._left.keys()
        self._set_live(live, self._cold - found.keys() | {server for server, note in found.items() if note.is_cold})
        for server, other in found.items():
            if other.here is not None and server != self.id:
                self._take_all(server, other.here)

    def _set_offset(self, at: float | None, asked: float, answered: float) -> None:
        """Compare our clock with the database's; a quick answer tells more than a slow one."""
        self._trip *= 1.02  # clocks drift: believe a newer answer in the end
        if at is not None and answered - asked <= self._trip:
            self._trip = answered - asked
            self._offset = at - (asked + answered) / 2

    def _note(self) -> Note:
        tables, connections = self.listener.size if self.listener is not None else (0, 0)
        is_deaf = not (self._bus.is_up and self._bus.reaches_others)
        here = {code: self._crowd(code) for code in self._mine} if is_deaf or self._somebody_is_deaf else None
        return Note(__version__, tables, connections, is_deaf, here, not self.is_warm())

    def _crowd(self, code: str) -> Crowd:
        """Return who is connected to a table through this server, with the present length of its log."""
        crowd = self._mine.get(code, NOBODY)
        return crowd if self.listener is None else replace(crowd, length=self.listener.length_of(code))

    def _set_live(self, live: set[str], cold: set[str]) -> None:
        self._cold = cold & live
        drivers = live - cold or live
        if live == set(self.live) and drivers == set(self.drivers):
            return
        gone = set(self.live) - live
        self.live, self.drivers = tuple(sorted(live)), tuple(sorted(drivers))
        log.info("%d servers: %s", len(self.live), " ".join(self.live))
        if len(live) > 1 and not self._bus.reaches_others:
            log.warning("other servers use this database, but there is no --bus: their players see moves late")
        for code, crowds in list(self._others.items()):
            for server in gone & crowds.keys():
                self._drop(code, server)
        self._unsent.update(self._mine)
        self._flush_soon()
        if self.listener is not None:
            self.listener.servers_changed()

    def is_home(self, code: str) -> bool:
        """Whether this server drives a table."""
        return not self.is_shared or (not self._is_leaving and _home_of(code, self.drivers) == self.id)

    @property
    def is_alone(self) -> bool:
        """Whether no other server lives."""
        return self.live == (self.id,)

    def now(self) -> float:
        """Return the time by the database's clock, which all servers share."""
        return self.at(self._time.now())

    def at(self, when: float) -> float:
        """Return a time of our clock by that of the database."""
        return when + self._offset

    @property
    def is_cut_off(self) -> bool:
        """Whether this server or another one has lost the bus."""
        return self._somebody_is_deaf or not self._bus.is_up

    # News to the others.

    def grew(self, code: str, length: int) -> None:
        """Tell the servers that hold a table how long its log is now."""
        if self.is_shared:
            for server in {_home_of(code, self.drivers), *self._others.get(code, ())} - {self.id}:
                self._grown[server][code] = length
                self._flush_soon()

    def gathered(self, code: str, crowd: Crowd) -> None:
        """Tell the other servers who is connected to a table through this one."""
        if self.is_shared:
            before = self._mine.pop(code, NOBODY)
            if crowd.people or crowd.spectators:
                self._mine[code] = crowd
            if replace(before, length=crowd.length) != crowd:
                self._unsent.add(code)
                self._flush_soon()

    def tell(self, news: Joined | Announced | Renamed | Erased | Called | Searched) -> None:
        """Tell all other servers something."""
        if self.is_shared:
            self._publish("all", news)

    def _flush_soon(self) -> None:
        """Send what gathers until the event loop is free, so that many changes share a message."""
        if not self._is_flushing:
            self._is_flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flushing = False
        for server, tables in self._grown.items():
            self._publish(server, Grown(tables))
        self._grown.clear()
        unsent, self._unsent = self._unsent, set()
        for crowds in _portions({code: self._crowd(code) for code in unsent}):
            self._publish("all", Here(self.id, crowds))

    def _publish(self, to: str, news: News) -> None:
        self._bus.publish(f"{self._subject}.{to}", encode(news))

    # News from the others.

    def is_used(self, code: str) -> bool:
        """Whether somebody is connected to a table through another server."""
        return code in self._others

    def used_elsewhere(self) -> set[str]:
        """Return the tables that somebody is connected to through another server."""
        return set(self._others)

    def elsewhere(self, code: str) -> Iterator[Crowd]:
        """Yield the crowds of the other servers at a table."""
        for crowd, _ in self._others.get(code, {}).values():
            yield crowd

    def _receive(self, message: bytes) -> None:
        news = read_news(message)
        listener = self.listener
        if listener is None or getattr(news, "server", None) == self.id:
            return
        match news:
            case Grown(tables):
                for code, length in tables.items():
                    listener.log_grew(code, length)
            case Here(server, tables):
                for code, crowd in tables.items():
                    self._take(code, server, crowd)
            case Joined(server, code, person, since):
                listener.joined_elsewhere(code, person, since, server)
            case Leaving(server):
                self._left[server] = self._time.now() + LIVE_SECONDS
                self._set_live(set(self.live) - {server} | {self.id}, self._cold)
            case Announced(text, at):
                listener.was_announced(text, at)
            case Renamed(person):
                listener.was_renamed(person)
            case Erased(person):
                listener.was_erased(person)
            case Called(person):
                listener.was_called(person)
            case Searched():
                listener.searches_changed()

    def _take_all(self, server: str, tables: dict[str, Crowd]) -> None:
        """Take over everything that a server wrote beside its heartbeat."""
        for code in [code for code, crowds in self._others.items() if server in crowds and code not in tables]:
            self._drop(code, server)
        for code, crowd in tables.items():
            self._take(code, server, crowd)

    def _take(self, code: str, server: str, crowd: Crowd) -> None:
        """Note the connections of another server to a table."""
        if not crowd.people and not crowd.spectators:
            self._drop(code, server)
            return
        before = self._others[code].get(server)
        self._others[code][server] = crowd, self._time.now()
        if self.listener is not None:
            self.listener.log_grew(code, crowd.length)
            if before is None or replace(before[0], length=crowd.length) != crowd:
                self.listener.crowd_changed(code)
            for person, attendee in crowd.people.items():
                self.listener.joined_elsewhere(code, person, attendee.since, server)

    def _drop(self, code: str, server: str) -> None:
        crowds = self._others.get(code)
        if crowds is not None and crowds.pop(server, None) is not None:
            if not crowds:
                del self._others[code]
            if self.listener is not None:
                self.listener.crowd_changed(code)


NOBODY = Crowd(0, {}, 0)


@lru_cache(MOST_HOMES)
def _home_of(code: str, live: tuple[str, ...]) -> str:
    """Return the home of a table: every move asks for it."""
    return home_of(code, live)


def _note_of(text: str) -> Note:
    """Read what a server wrote beside its heartbeat; it may be of another version."""
    try:
        return read_note(text)
    except DecodeError:
        return Note("")


def _portions(tables: dict[str, Crowd]) -> Iterator[dict[str, Crowd]]:
    """Split crowds so that no message has too many people."""
    portion: dict[str, Crowd] = {}
    size = 0
    for code, crowd in tables.items():
        portion[code] = crowd
        size += 1 + len(crowd.people)
        if size >= MOST_IN_A_MESSAGE:
            yield portion
            portion, size = {}, 0
    if portion:
        yield portion

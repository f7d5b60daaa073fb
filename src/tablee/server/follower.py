"""Applies what other servers appended to the tables of this one: one read for all tables that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import islice
from typing import Any

from msgspec import Struct

from ..table import is_bot
from ..table.pace import over_days
from .clock import Alarm
from .lobby import Lobby
from .room import Room

MOST_TABLES = 500
"""Tables that share a read."""
MOST_EVENTS = 20
"""Events of a table in such a read. A table that missed more is read by itself."""
EVENTS_UNTIL_BREAK = 50
"""After so many events the server does other things first."""
LATER_SECONDS = 0.25
"""How long the news of a table may wait for those of others if nobody would notice."""
SOON_SECONDS = 4 * LATER_SECONDS
"""A table where something is due so soon is followed at once."""


class Heard(Struct, frozen=True):
    """News of a table."""

    length: int
    """The number of events in its log."""
    at: float
    """When this server heard of it."""


class Follower:
    """Keeps the rooms of a server in step with their logs."""

    def __init__(self, lobby: Lobby, spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]) -> None:
        """`spawn` starts a task, and reports its error."""
        self._lobby = lobby
        self._store = lobby.services.store
        self._time = lobby.services.time
        self._spawn = spawn
        self._waiting: dict[str, Heard] = {}
        """News that the next read is for, by the code of the table."""
        self._later: dict[str, Heard] = {}
        """News that may wait a little."""
        self._alarm: Alarm | None = None
        """Ends the wait."""
        self._is_reading = False

    def hear(self, room: Room, length: int) -> None:
        """Apply the events of a table up to a length soon. What is heard during a read shares the next one."""
        now = self._time.now()
        if may_wait(room, now):
            _note(self._later, room.table.code, Heard(length, now))
            if self._alarm is None:
                self._alarm = self._time.call_at(now + LATER_SECONDS, self._hurry)
        else:
            _note(self._waiting, room.table.code, Heard(length, now))
            self._begin()

    def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _hurry(self) -> None:
        """Follow the tables that waited."""
        self._alarm = None
        for code, heard in self._later.items():
            _note(self._waiting, code, heard)
        self._later.clear()
        self._begin()

    def _begin(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            self._spawn(self._follow_all())

    async def _follow_all(self) -> None:
        """Read and apply until nothing waits. If the store fails, the next poll finds the tables again."""
        try:
            while self._waiting:
                await self._follow(list(islice(self._waiting, MOST_TABLES)))
        finally:
            self._is_reading = False

    async def _follow(self, codes: list[str]) -> None:
        """Read the new events of some tables at once, and apply them table by table."""
        behind: list[tuple[Room, Heard]] = []
        for code in codes:
            heard, room = self._waiting.pop(code), self._lobby.room(code)
            if room is not None and room.table.length < heard.length:
                behind.append((room, heard))
        starts = {room.table.code: room.table.length for room, _ in behind}
        found = await self._store.read_next(starts, MOST_EVENTS) if starts else {}
        events = 0
        for room, heard in behind:
            code = room.table.code
            bodies = found.get(code, [])
            self._apply(room, starts[code], bodies, heard)
            events += len(bodies)
            if events >= EVENTS_UNTIL_BREAK:
                events = 0
                await self._time.sleep(0)

    def _apply(self, room: Room, start: int, bodies: list[str], heard: Heard) -> None:
        """Apply events to a room, unless it was dropped; if that needs more than a moment, a task does it."""
        if not bodies or self._lobby.room(room.table.code) is not room:
            return
        # The clocks run since the last event. If we heard of just this one, that was then, and not now.
        at = heard.at if start + len(bodies) == heard.length else self._time.now()
        if len(bodies) == MOST_EVENTS or not room.take_in(start, bodies, at):
            self._spawn(room.follow())


def may_wait(room: Room, now: float) -> bool:
    """Whether nobody would notice that this server follows a table a little late.

    That is a home without connections, while people play elsewhere and nothing is due. Their servers show and check
    their moves. If the home acted by what is out of date, the log would refuse it.
    """
    table = room.table
    if room.connections or table.status != "playing" or over_days(table.pace):
        return False
    if room.driver.due < now + SOON_SECONDS:
        return False
    return not any(who is not None and (who.level is not None or is_bot(who.person)) for who in table.seats)


def _note(news: dict[str, Heard], code: str, heard: Heard) -> None:
    """Keep the news of the longest log; if two say the same, the earlier one."""
    known = news.get(code)
    if known is None or known.length < heard.length:
        news[code] = heard

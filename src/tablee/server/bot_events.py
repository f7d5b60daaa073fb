"""What bots hear through their event streams (`event_socket.py`): challenges, their matches and their turns.

A bot hears of its matches whichever server holds the table. The store knows which bots are connected; news between
servers only make it quick.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from ..core.discover import games
from ..core.game import Refused, Seat
from ..store import StoreClosed, StoreDown
from ..table import PersonId, Table, is_bot
from .bot_bodies import MatchEvent, OverEvent, TurnEvent, Welcome
from .frames import to_json
from .lobby import Lobby
from .logs import failed_writes_log
from .news import Called

MOST_STREAMS = 4
"""Event streams of one bot through one server."""
SEEN_SECONDS = 10.0
"""How often a server notes which bots are connected to it."""
CONNECTED_SECONDS = 25.0
"""A bot that no server has noted for so long is not connected."""


class Stream(Protocol):
    """One event stream."""

    def post(self, frame: bytes, /) -> None: ...
    def beat(self, number: int, /) -> None: ...


class Situation(Struct, frozen=True):
    """What a bot knows of a table from its events."""

    match: int
    offer: int | None
    """The offer that it must answer."""
    is_over: bool


class BotEvents:
    """The event streams of this server."""

    def __init__(self, lobby: Lobby) -> None:
        services = lobby.services
        self._lobby = lobby
        self._store = services.store
        self._people = services.people
        self._cluster = services.cluster
        self._time = services.time
        self._streams: defaultdict[PersonId, set[Stream]] = defaultdict(set)
        self._games: dict[PersonId, list[str]] = {}
        """What each bot that is connected here plays."""
        self._told: defaultdict[PersonId, dict[str, Situation]] = defaultdict(dict)
        """By bot and table: what its streams were told last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._beats = 0
        self.tell_challenges: Callable[[PersonId, bool], Awaitable[None]] = _nothing
        """Called to tell a bot of its challenges: of all, or of those that it does not know."""

    # Come and go.

    async def join(self, bot: PersonId, stream: Stream) -> None:
        """Add an event stream; tell it what waits for its bot."""
        if len(self._streams.get(bot, ())) >= MOST_STREAMS:
            raise Refused("too_many_connections", most=MOST_STREAMS)
        self._streams[bot].add(stream)
        face = await self._people.load(bot)
        stream.post(to_json(Welcome(bot, face.name)))
        self._told.pop(bot, None)  # all its streams hear everything again
        await self.tell_challenges(bot, True)
        await self.look(bot)
        stream.beat(0)

    async def part(self, bot: PersonId, stream: Stream) -> None:
        """Remove an event stream; after the last one the bot is no longer listed."""
        streams = self._streams.get(bot, set())
        if stream not in streams:  # it was turned away
            return
        streams.discard(stream)
        if not streams:
            del self._streams[bot]
            self._told.pop(bot, None)
            if self._games.pop(bot, None) is not None:
                await self._store.bots.saw({bot: []}, 0.0)

    async def offer(self, bot: PersonId, offered: list[str]) -> None:
        """Note which games a bot can be invited to."""
        unknown = [game for game in offered if game not in games()]
        if unknown:
            raise Refused("unknown_game", game=unknown[0][:32])
        self._games[bot] = sorted(set(offered))
        await self._store.bots.saw({bot: self._games[bot]}, self._time.wall())

    async def note_forever(self) -> None:
        """Note which bots are connected; with several servers also look for what news did not bring."""
        while True:
            await self._time.sleep(SEEN_SECONDS)
            try:
                if self._games:
                    await self._store.bots.saw(self._games, self._time.wall())
                if self._cluster.is_shared:
                    for bot in list(self._streams):
                        await self.look(bot)
                self._beat()
            except StoreDown as down:
                failed_writes_log.error("the connected bots cannot be noted: %s", down)

    def _beat(self) -> None:
        """Ask every stream for a heartbeat, so that a dead one is noticed."""
        self._beats += 1
        for streams in list(self._streams.values()):
            for stream in streams.copy():
                stream.beat(self._beats)

    # What bots hear.

    def stirred(self, table: Table) -> None:
        """Tell the bots at a table what changed for them; a room calls this after every change."""
        for seat, who in enumerate(table.seats):
            if who is None or who.person is None or not is_bot(who.person):
                continue
            if who.person in self._streams:
                self._tell(who.person, seat, table)
            elif self._cluster.is_home(table.code):
                self._cluster.tell(Called(who.person))

    def called(self, bot: PersonId) -> None:
        """React to another server: something waits for a bot that may be connected here."""
        if bot in self._streams:
            task = asyncio.create_task(self._look_quietly(bot))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _look_quietly(self, bot: PersonId) -> None:
        try:
            await self.look(bot)
        except (StoreDown, StoreClosed) as error:
            failed_writes_log.warning("a bot was not told what waits for it: %s", error)

    async def look(self, bot: PersonId) -> None:
        """Tell a bot about its open challenges and its running matches, as the store knows them."""
        await self.tell_challenges(bot, False)
        for row in await self._store.tables_of(bot, waiting_since=self._time.wall()):
            try:
                room = await self._lobby.open(row.code)
            except Refused:
                continue
            seat = room.table.seat_of(bot)
            if seat is not None:
                self._tell(bot, seat, room.table)

    def _tell(self, bot: PersonId, seat: Seat, table: Table) -> None:
        """Post the events that lead from what a bot knows of a table to what is true."""
        if table.match is None:
            return
        offer = table.offers.get(seat) if seat in table.turn.must and table.outcome is None else None
        now = Situation(table.matches, offer, table.outcome is not None)
        before = self._told[bot].get(table.code)
        if now == before:
            return
        self._told[bot][table.code] = now
        code, game = table.code, table.game.info.key
        if table.outcome is not None:
            if before is not None:
                self.post(bot, to_json(OverEvent(code, game, now.match, seat, table.outcome)))
            return
        if before is None or before.match != now.match:
            self.post(bot, to_json(MatchEvent(code, game, now.match, seat)))
        if offer is not None:
            self.post(bot, to_json(TurnEvent(code, game, now.match, seat, offer)))

    def hears(self, bot: PersonId) -> bool:
        """Whether a bot has an event stream through this server."""
        return bot in self._streams

    def call(self, bot: PersonId) -> None:
        """Tell the other servers that something waits for a bot."""
        self._cluster.tell(Called(bot))

    def post(self, bot: PersonId, frame: bytes) -> None:
        """Send an event to every stream of a bot."""
        for stream in self._streams.get(bot, set()).copy():
            stream.post(frame)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()


async def _nothing(bot: PersonId, anew: bool) -> None:
    pass

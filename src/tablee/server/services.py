"""The parts of a server that all rooms share, and the way to read a table from its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from ..core.discover import UnknownGame
from ..core.game import Refused
from ..store import Store
from ..table import Event, PersonId, Table
from ..table.events import MOVES_CLOCK, decode
from .archive import Archive
from .bot_players import Decider
from .clock import Clock
from .cluster import Cluster
from .config import Config
from .frames import NoticeFrame
from .metrics import Metrics
from .notifier import Notifier
from .people import People
from .shared_files import SharedFiles, with_files
from .uptime import Uptime


class Services(Struct, eq=False):
    """The parts of the server that all rooms share."""

    store: Store
    people: People
    bot_pool: Decider
    archive: Archive
    metrics: Metrics
    config: Config
    time: Clock
    cluster: Cluster
    notice: NoticeFrame
    """The operator's message to everyone."""
    stirred: Callable[[Table], None] = lambda table: None
    """Called after every change of a table: bots hear what it means for them."""
    called: Callable[[PersonId], None] = lambda person: None
    """Called if another server says that something waits for a bot."""
    files: SharedFiles | None = None
    """None if no other server uses the store."""
    notifier: Notifier | None = None
    """Tells people who are away that it is their turn; None: nobody does."""
    uptime: Uptime | None = None
    """Knows when no server was up; None: nobody asks."""
    unindexed: set[str] = msgspec.field(default_factory=set)
    """Tables whose row in the index of tables is out of date."""
    unlisted: set[str] = msgspec.field(default_factory=set)
    """Tables whose place in the public list is out of date."""


async def read_table(services: Services, code: str) -> Table:
    """Read a table from its log, and load its people; raise `Refused` if there is none.

    A clock over days has run on since the last event, except while no server was up.
    """
    log = await services.store.read_timed(code)
    if not log:
        raise Refused("unknown_table", code=code)

    def restore() -> Table:
        events = [decode(body) for _, body in log]
        now = services.time.now()
        table = Table.restore(code, events, now)
        if table.clock.over_days and services.uptime is not None:
            table.clock.since = now - services.uptime.charged(log[last_clock_event(events)][0])
        return table

    try:
        table = await with_files(services.files, lambda: asyncio.to_thread(restore))
    except UnknownGame as error:
        raise Refused("unknown_game", game=str(error)) from error
    await services.people.load_all(known_people(table))
    return table


def last_clock_event(events: Sequence[Event]) -> int:
    """Return the number of the event since which the clocks run."""
    return max((n for n, event in enumerate(events) if isinstance(event, MOVES_CLOCK)), default=0)


def known_people(table: Table) -> set[PersonId]:
    """Return everyone whose name a table shows: its host, its players past and present, and the authors of messages."""
    players = {who.person for who in (*table.seats, *table.players) if who is not None and who.person is not None}
    return {table.host, *players, *(said.person for said in table.chat.messages.values())}

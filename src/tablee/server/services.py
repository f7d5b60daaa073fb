"""The parts of a server that all rooms share, and the way to read a table from its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from msgspec import Struct

from ..core.discover import UnknownGame
from ..core.game import Refused
from ..store import Store
from ..table import PersonId, Table
from ..table.events import decode
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
    unindexed: set[str] = msgspec.field(default_factory=set)
    """Tables whose row in the index of tables is out of date."""
    unlisted: set[str] = msgspec.field(default_factory=set)
    """Tables whose place in the public list is out of date."""


async def read_table(services: Services, code: str) -> Table:
    """Read a table from its log, and load its people; raise `Refused` if there is none."""
    bodies = await services.store.read(code)
    if not bodies:
        raise Refused("unknown_table", code=code)

    def restore() -> Table:
        return Table.restore(code, [decode(body) for body in bodies], services.time.now())

    try:
        table = await with_files(services.files, lambda: asyncio.to_thread(restore))
    except UnknownGame as error:
        raise Refused("unknown_game", game=str(error)) from error
    for person in known_people(table):
        await services.people.load(person)
    return table


def known_people(table: Table) -> set[PersonId]:
    """Return everyone whose name a table shows: its host, its players past and present, and the authors of messages."""
    players = {who.person for who in (*table.seats, *table.players) if who is not None and who.person is not None}
    return {table.host, *players, *(said.person for said in table.chat.messages.values())}

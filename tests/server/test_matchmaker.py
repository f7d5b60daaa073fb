"""Searches on several servers: one dies, two pair at once, a thousand people come and leave. All time is injected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inside import services_of
from msgspec.structs import asdict

from tablee.bus import LocalBus
from tablee.server.clock import Clock
from tablee.server.cluster import Cluster
from tablee.server.found_tables import open_found_table
from tablee.server.home import home_of
from tablee.server.lobby import Lobby
from tablee.server.matchmaker import Matchmaker
from tablee.server.search_frames import Search
from tablee.server.search_plan import ACCEPT_SECONDS, LOST_SECONDS, by_pairing
from tablee.store import Store, open_store, schema
from tablee.store.searches import SearchRow
from tablee.store.sql import upsert


class Hands:
    """An alarm that nobody waits for."""

    def cancel(self) -> None: ...


class StillClock(Clock):
    """Stands still until a test turns it."""

    def __init__(self) -> None:
        self.at = 1000.0

    def now(self) -> float:
        return self.at

    def wall(self) -> float:
        return self.at

    def call_at(self, when: float, callback: Callable[[], object]) -> Hands:
        return Hands()


class Member(Cluster):
    """A server whose view of the others a test sets."""

    def is_home(self, code: str) -> bool:
        return home_of(code, self.live) == self.id


class Line:
    def __init__(self, person: str) -> None:
        self.person = person
        self.frames: list[dict[str, Any]] = []

    def post(self, frame: bytes) -> None:
        self.frames.append(msgspec.json.decode(frame))

    @property
    def last(self) -> dict[str, Any]:
        return self.frames[-1]


class Site:
    """Servers that share a store and a clock."""

    def __init__(self, store: Store, data: Path, time: StillClock, count: int) -> None:
        self.store = store
        self.time = time
        self.servers: list[Matchmaker] = []
        self.lobbies: list[Lobby] = []
        for number in range(count):
            cluster = Member(store, LocalBus(), time)
            cluster.id = f"s{number}"
            services = services_of(data, time=time, store=store, cluster=cluster)
            self.lobbies.append(Lobby(services))
            self.servers.append(Matchmaker(self.lobbies[-1]))
        self.set_live(*range(count))

    def set_live(self, *numbers: int) -> None:
        for lobby in self.lobbies:
            lobby.services.cluster.live = tuple(f"s{number}" for number in numbers)

    def home(self, game: str = "kora") -> int:
        return int(home_of(f"searches of {game}", self.lobbies[0].services.cluster.live)[1:])

    async def begin(self, server: int, person: str, game: str = "kora") -> Line:
        line = Line(person)
        await self.servers[server].begin(line, Search(1, game))
        return line

    async def look(self, *servers: int) -> None:
        for server in servers or range(len(self.servers)):
            await self.servers[server].look()

    async def accept(self, server: int, *lines: Line) -> None:
        for line in lines:
            await self.servers[server].accept(line, line.last["pairing"], "0a")


@pytest.fixture
async def site(url: str, tmp_path: Path) -> AsyncIterator[Site]:
    async with AsyncExitStack() as stack:
        store = await open_store(url)
        stack.push_async_callback(store.close)
        made = Site(store, tmp_path, StillClock(), 2)
        for lobby in made.lobbies:
            stack.callback(lobby.close)
        yield made


async def found_pair(site: Site) -> tuple[int, int, Line, Line]:
    """Pair somebody of the home with somebody of the other server; return the servers and their connections."""
    home = site.home()
    one, two = await site.begin(home, "anne"), await site.begin(1 - home, "basile")
    await site.look(home, 1 - home)
    assert one.last["type"] == two.last["type"] == "found"
    return home, 1 - home, one, two


async def test_a_person_whose_server_died_goes_on_elsewhere(site: Site) -> None:
    _, other, _, two = await found_pair(site)
    site.set_live(other)  # the home dies, with anne's connection
    await site.look(other)
    back = await site.begin(other, "anne")
    await site.look(other)
    assert back.last["pairing"] == two.last["pairing"]
    await site.accept(other, back, two)
    await site.look(other)
    assert back.last == two.last == {"type": "seated", "code": back.last["code"]}
    table = (await site.lobbies[other].open(back.last["code"])).table
    assert {who.person for who in table.players if who} == {"anne", "basile"}
    await site.look(other)
    assert (await site.store.searches.read()).searches == {}


async def test_those_who_do_not_come_back_after_their_server_died_are_forgotten(site: Site) -> None:
    _, other, _, two = await found_pair(site)
    site.set_live(other)
    await site.accept(other, two)
    await site.look(other)
    site.time.at += ACCEPT_SECONDS
    await site.look(other)
    assert two.last["type"] == "searching"
    assert two.last["again"] == "missed"
    site.time.at += LOST_SECONDS
    await site.look(other)
    assert set((await site.store.searches.read()).searches) == {"basile"}


async def test_a_server_that_was_thought_dead_takes_its_searches_back(site: Site) -> None:
    home = site.home()
    other = 1 - home
    one = await site.begin(other, "anne")
    site.set_live(home)
    await site.look(home)
    assert (await site.store.searches.read()).searches["anne"].server == ""
    site.set_live(home, other)
    await site.look(other)
    two = await site.begin(home, "basile")
    await site.look(home, other)
    assert one.last["type"] == two.last["type"] == "found"


async def test_a_home_that_dies_after_it_opened_a_table_opens_no_second_one(site: Site) -> None:
    home, other, one, two = await found_pair(site)
    await site.accept(home, one)
    await site.accept(other, two)
    situation = await site.store.searches.read()
    [(id, rows)] = by_pairing(situation.searches.values()).items()
    await open_found_table(site.lobbies[home], situation.pairings[id], rows)
    site.set_live(other)
    await site.look(other)
    assert two.last["type"] == "seated"
    assert len(await site.store.tables_in_use(since=0.0)) == 1


async def test_two_servers_that_both_pair_give_nobody_two_opponents(site: Site) -> None:
    lines = [await site.begin(number % 2, f"p{number}") for number in range(6)]
    for number, lobby in enumerate(site.lobbies):
        lobby.services.cluster.is_home = lambda code: True  # type: ignore[method-assign]
        assert number in (0, 1)
    await asyncio.gather(*(server.look() for server in site.servers), return_exceptions=True)
    await site.look()
    situation = await site.store.searches.read()
    groups = by_pairing(situation.searches.values())
    assert sorted(len(group) for group in groups.values()) == [2, 2, 2]
    assert all(line.last["type"] == "found" for line in lines)
    for number, line in enumerate(lines):
        await site.accept(number % 2, line)
    await asyncio.gather(*(server.look() for server in site.servers), return_exceptions=True)
    await site.look()
    assert all(line.last["type"] == "seated" for line in lines)
    assert len(await site.store.tables_in_use(since=0.0)) == 3


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_thousand_people_queue_and_all_leave(site: Site) -> None:
    home = site.home("dames")
    rows = [search_row(f"p{number}", f"s{home}", site.time.at) for number in range(940)]
    await site.store.database.write(lambda writer: upsert(writer, schema.searches, [asdict(row) for row in rows]))
    lines = await asyncio.gather(*(site.begin(home, f"q{number}", "dames") for number in range(60)))
    await site.look(home)
    assert all(line.last["type"] == "found" for line in lines)
    await asyncio.gather(*(site.servers[home].leave(line) for line in lines[:30]))
    await asyncio.gather(*(site.servers[home].lose(line) for line in lines[30:]))
    site.set_live(1 - home)  # the server dies with everybody else
    for seconds in (0.0, ACCEPT_SECONDS, LOST_SECONDS, 600.0):
        site.time.at += seconds
        await site.look(1 - home)
    situation = await site.store.searches.read()
    assert (situation.searches, situation.pairings) == ({}, {})
    assert await site.store.tables_in_use(since=0.0) == []
    one, two = await site.begin(1 - home, "anne", "dames"), await site.begin(1 - home, "basile", "dames")
    await site.look(1 - home)
    assert one.last["type"] == two.last["type"] == "found"


def search_row(person: str, server: str, at: float) -> SearchRow:
    return SearchRow(person, person, server, at, "dames", "", 2, 1500.0, 350.0, at, at)

"""A server follows the tables that others append to: one read for all of them, and each is applied by itself."""

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from msgspec import Raw
from several import Node, several, until

from tablee.server.follower import MOST_EVENTS
from tablee.server.room import MOST_STEPS_BEHIND, Room
from tablee.store.backend import EventRow
from tablee.table import Table, hosting, playing


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tablee.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


class Reads:
    """Counts what a server reads of its logs, and holds the shared reads up while it is told to."""

    def __init__(self, node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shared: list[list[str]] = []
        """The tables of each shared read."""
        self.single: list[str] = []
        """The tables that were read by themselves."""
        self.ended = 0
        """How many shared reads have ended."""
        self.may_end = asyncio.Event()
        self.may_end.set()
        read, read_next = node.store.read, node.store.read_next

        async def count(code: str, start: int = 0) -> list[str]:
            self.single.append(code)
            return await read(code, start)

        async def count_shared(starts: Mapping[str, int], most: int) -> dict[str, list[str]]:
            self.shared.append(sorted(starts))
            found = await read_next(starts, most)
            await self.may_end.wait()
            self.ended += 1
            return found

        monkeypatch.setattr(node.store, "read", count)
        monkeypatch.setattr(node.store, "read_next", count_shared)


async def deafen(nodes: list[Node]) -> None:
    """Let servers hear only what the test tells them."""
    for node in nodes:
        node.bus.silent = True
        for chore in node.chores:
            chore.cancel()
        await asyncio.gather(*node.chores, return_exceptions=True)
        node.chores = []


async def open_tables(nodes: list[Node], count: int) -> list[tuple[Room, Room]]:
    """Create tables at the first server; return the rooms of each at both."""
    mine = [
        await nodes[0].lobby.create(Table.create("kora", {"deals": 10}, None, False, "anne"), [], start=False)
        for _ in range(count)
    ]
    return [(room, await nodes[1].lobby.open(room.table.code)) for room in mine]


async def change(room: Room) -> None:
    await room.change(lambda table, now: hosting.watch(table, "anne", not table.watchable))


def tell(node: Node, room: Room) -> None:
    node.neighbours.log_grew(room.table.code, room.table.length)


def same(pairs: list[tuple[Room, Room]]) -> bool:
    return all(other.table.length == room.table.length for room, other in pairs)


async def test_all_tables_of_some_news_share_one_read(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        pairs = await open_tables(nodes, 5)
        reads = Reads(nodes[1], monkeypatch)
        for number, (room, _) in enumerate(pairs):
            for _ in range(1 + number % 2):
                await change(room)
        for room, _ in pairs:
            tell(nodes[1], room)
            tell(nodes[1], room)  # a message may come twice
        await until(lambda: same(pairs))
        assert reads.shared == [sorted(room.table.code for room, _ in pairs)]
        assert reads.single == []
        assert all(other.table.watchable == room.table.watchable for room, other in pairs)


async def test_news_during_a_read_share_the_next_one(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        pairs = await open_tables(nodes, 3)
        reads = Reads(nodes[1], monkeypatch)
        reads.may_end.clear()
        first = pairs[0][0]
        await change(first)
        tell(nodes[1], first)
        await until(lambda: reads.shared)
        for room, _ in pairs:
            await change(room)
            tell(nodes[1], room)
        reads.may_end.set()
        await until(lambda: same(pairs))
        assert reads.shared[0] == [first.table.code]
        assert len(reads.shared) == 2
        assert reads.single == []


@pytest.mark.parametrize("missed", [MOST_EVENTS - 1, MOST_EVENTS, MOST_STEPS_BEHIND + 1])
async def test_a_table_that_missed_much_catches_up_too(url: str, tmp_path: Path, missed: int) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        pairs = await open_tables(nodes, 2)
        for _ in range(missed):
            await change(pairs[0][0])
        await change(pairs[1][0])
        for room, _ in pairs:
            tell(nodes[1], room)
        await until(lambda: same(pairs))


async def test_a_table_that_cannot_be_followed_does_not_stop_the_others(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        pairs = await open_tables(nodes, 3)
        for room, _ in pairs:
            await change(room)
        broken = pairs[0][0].table
        await nodes[0].store.database.write(
            events=[EventRow(broken.code, broken.length, 0.0, "", Raw(b'{"type":"of a later version"}'))]
        )
        nodes[1].neighbours.log_grew(broken.code, broken.length + 1)
        for room, _ in pairs[1:]:
            tell(nodes[1], room)
        await until(lambda: same(pairs[1:]))
        await until(lambda: "could not be applied" in caplog.text)


async def test_a_table_that_changes_itself_meanwhile_misses_nothing(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        ((room, other),) = pairs = await open_tables(nodes, 1)
        reads = Reads(nodes[1], monkeypatch)
        reads.may_end.clear()
        await change(room)
        tell(nodes[1], room)
        await until(lambda: reads.shared)
        await change(other)  # it meets a conflict, catches up, and appends
        assert other.table.length == room.table.length + 1
        reads.may_end.set()
        await until(lambda: reads.ended)
        assert other.table.length == room.table.length + 1
        nodes[0].neighbours.log_grew(other.table.code, other.table.length)
        await until(lambda: same(pairs))
        assert room.table.watchable == other.table.watchable


async def test_clocks_run_since_the_news_and_not_since_a_slow_read(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url, tmp_path) as nodes:
        await deafen(nodes)
        created = Table.create("dames", {}, None, False, "anne", move_time=30)
        room = await nodes[0].lobby.create(created, ["facile"], start=True)
        other = await nodes[1].lobby.open(room.table.code)
        reads = Reads(nodes[1], monkeypatch)
        reads.may_end.clear()
        seat = min(room.table.turn.must)
        match = room.table.match
        assert match is not None
        await room.change(partial(playing.act_first, seat=seat, action=match.offers(seat)[0]))
        begun = other.time.now()
        tell(nodes[1], room)
        heard = other.time.now()
        await until(lambda: reads.shared)
        await asyncio.sleep(0.1)
        reads.may_end.set()
        await until(lambda: other.table.length == room.table.length)
        assert begun <= other.table.clock.since <= heard

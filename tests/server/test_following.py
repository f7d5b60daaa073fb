"""A server follows the tables that others append to: one read for all of them, and each is applied by itself."""

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from inside import Wire
from msgspec import Raw
from several import Node, several, until

from tablee.core.game import Cause
from tablee.server import follower
from tablee.server.follower import MOST_EVENTS
from tablee.server.room import MOST_STEPS_BEHIND, Room
from tablee.store.backend import EventRow
from tablee.table import BOT_ACCOUNT, PersonId, Table, hosting, playing
from tablee.table.events import Acted, decode

UNTIMED = {"variant": "international", "move_time": 0, "match_time": 0, "player_time": 0}
"""Options of Dames: no clock but that of the table."""


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


async def test_news_during_a_read_shares_the_next_one(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        created = Table.create("dames", UNTIMED, None, False, "anne", move_time=30)
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


# A home that nobody is connected to.

EVEN_LATER = 1000.0


async def play(room: Room) -> None:
    """Play the first action of the seat that must act."""
    match = room.table.match
    assert match is not None
    seat = min(room.table.turn.must)
    await room.change(partial(playing.act_first, seat=seat, action=match.offers(seat)[0]))


async def match_at_another_home(
    nodes: list[Node], opponent: PersonId | None, move_time: int | None = None
) -> tuple[Room, Node]:
    """Begin a match at the first server whose home is the second; return its room, and the home. None: a bot."""
    while True:
        created = Table.create("dames", UNTIMED, None, False, "anne", move_time=move_time)
        room = await nodes[0].lobby.create(created, ["facile"] if opponent is None else [], start=False)
        if nodes[1].cluster.is_home(room.table.code):
            break
    anne = Wire(room, "anne")
    if opponent is not None:
        await Wire(room, opponent).do(type="sit")
    await until(lambda: room.table.secret is not None)
    await anne.do(type="start")
    assert room.table.status == "playing"
    await until(lambda: (there := nodes[1].lobby.room(room.table.code)) and there.table.length == room.table.length)
    return room, nodes[1]


def held(node: Node, room: Room) -> Room:
    found = node.lobby.room(room.table.code)
    assert found is not None
    return found


async def test_a_home_without_connections_follows_a_match_of_people_a_few_times_a_second(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several(url, tmp_path) as nodes:
        matches = [await match_at_another_home(nodes, "basile") for _ in range(3)]
        home = nodes[1]
        await deafen(nodes)
        reads = Reads(home, monkeypatch)
        start = home.services.time.now()
        for _ in range(5):
            for room, _ in matches:
                await play(room)
                begun = room.time.now()
                tell(home, room)
                heard = room.time.now()
        await until(lambda: same([(room, held(home, room)) for room, _ in matches]))
        assert begun <= held(home, matches[-1][0]).table.clock.since <= heard
        assert len(reads.shared) <= 1 + (room.time.now() - start) / follower.LATER_SECONDS
        assert reads.single == []


async def test_a_home_without_connections_hurries_for_a_connection(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LATER_SECONDS", EVEN_LATER)
    async with several(url, tmp_path) as nodes:
        room, home = await match_at_another_home(nodes, "basile")
        before = room.table.length
        await play(room)
        await asyncio.sleep(0.1)
        assert held(home, room).table.length == before
        watched = await home.lobby.open(room.table.code)
        assert watched.table.length == before + 1
        Wire(watched, "claire")
        await play(room)
        await until(lambda: watched.table.length == before + 2)


@pytest.mark.parametrize("opponent", [None, f"{BOT_ACCOUNT}1"], ids=["bot", "bot account"])
async def test_a_home_without_connections_lets_bots_play_at_once(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opponent: PersonId | None
) -> None:
    monkeypatch.setattr(follower, "LATER_SECONDS", EVEN_LATER)
    async with several(url, tmp_path) as nodes:
        stirred: list[int] = []
        nodes[1].services.stirred = lambda table: stirred.append(table.length)
        room, home = await match_at_another_home(nodes, opponent)
        if 0 not in room.table.turn.must:
            await play(room)
        asked = home.bots.asked.qsize()
        await play(room)
        await until(lambda: room.table.length in stirred)
        if opponent is None:
            await until(lambda: home.bots.asked.qsize() == asked + 1)


async def test_a_home_without_connections_follows_at_once_what_is_due_soon(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LATER_SECONDS", EVEN_LATER)
    monkeypatch.setattr(follower, "SOON_SECONDS", 40.0)
    async with several(url, tmp_path) as nodes:
        slow, home = await match_at_another_home(nodes, "basile", move_time=300)
        quick, _ = await match_at_another_home(nodes, "basile", move_time=30)
        before = slow.table.length
        for room in (slow, quick):
            await play(room)
        await until(lambda: held(home, quick).table.length == quick.table.length)
        assert held(home, slow).table.length == before


async def test_a_home_without_connections_flags_a_clock_in_time(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        room, home = await match_at_another_home(nodes, "basile", move_time=2)
        begun = room.time.now()
        await play(room)
        moved = room.table.length
        await until(lambda: room.table.length > moved)
        assert begun + 2 <= room.time.now() < begun + 12
        flagged = decode((await home.store.read(room.table.code, moved))[0])
        assert isinstance(flagged, Acted)
        assert flagged.cause is Cause.CLOCK


async def test_a_home_that_is_behind_flags_no_clock_that_was_not_out(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LATER_SECONDS", EVEN_LATER)
    monkeypatch.setattr(follower, "SOON_SECONDS", 0.0)
    async with several(url, tmp_path) as nodes:
        room, home = await match_at_another_home(nodes, "basile", move_time=3)
        await deafen(nodes)  # the home hears nothing of the move
        await play(room)
        await until(lambda: held(home, room).table.length == room.table.length)
        events = [decode(body) for body in await home.store.read(room.table.code)]
        assert [event.cause for event in events if isinstance(event, Acted)] == [None]

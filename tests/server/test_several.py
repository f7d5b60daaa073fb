"""Several servers on one store: the log decides, news spreads, presence is shared, and each table has one home."""

import asyncio
import gc
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from inside import Wire
from msgspec import Raw
from several import LATEST_SECONDS, Node, Ration, several, until

from tablee.core.game import Refused
from tablee.server.home import home_of
from tablee.server.room import Room
from tablee.store import PersonRow
from tablee.table import Table, playing


class Seats:
    """Two people at one table of Kora, each through another server."""

    def __init__(self, rooms: list[Room], wires: list[Wire]) -> None:
        self.rooms = rooms
        self.wires = wires
        self.code = rooms[0].table.code

    def latest(self, wire: int, *types: str) -> dict[str, Any]:
        """Return the last frame of some types; empty if there is none."""
        frames = reversed(self.wires[wire].frames())
        return next((frame for frame in frames if frame["type"] in types), {})

    def plies(self, wire: int) -> list[int]:
        return [frame["step"]["ply"] for frame in self.wires[wire].frames() if frame["type"] == "moved"]

    async def act(self) -> int:
        """Play the first legal action of the seat that must act; return the ply."""
        room = max(self.rooms, key=lambda room: room.table.length)
        seat = min(room.table.turn.must)
        match = room.table.match
        assert match is not None
        ply = match.ply
        await until(lambda: self.latest(seat, "state", "moved").get("offer"))
        offer = self.latest(seat, "state", "moved")["offer"]
        await self.wires[seat].do(type="act", offer=offer["number"], action=offer["legal"][0])
        return ply + 1


async def seat_two(nodes: list[Node]) -> Seats:
    first, second = nodes[:2]
    while True:
        room = await first.lobby.create(Table.create("kora", {"deals": 10}, None, False, "anne"), [], start=False)
        anne = Wire(room, "anne")
        other = await second.lobby.open(room.table.code)
        basile = Wire(other, "basile")
        await basile.do(type="sit")
        await until(lambda: room.table.seat_of("basile") == 1)  # noqa: B023
        await anne.do(type="start")
        await until(lambda: other.table.length == room.table.length and other.table.match is not None)  # noqa: B023
        if room.table.status == "playing":
            return Seats([room, other], [anne, basile])


async def test_a_move_through_one_server_is_seen_through_another(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        last = 0
        for _ in range(8):
            last = await seats.act()
            await until(lambda last=last: last in seats.plies(0) and last in seats.plies(1))  # type: ignore[misc]
        assert seats.plies(0) == seats.plies(1) == list(range(1, last + 1))


@pytest.mark.parametrize("silent", [False, True])
async def test_without_a_bus_moves_come_two_seconds_late_at_most_and_one_by_one(
    url: str, tmp_path: Path, silent: bool
) -> None:
    clocks: list[Ration] = []

    def ration() -> Ration:
        clocks.append(Ration())
        return clocks[-1]

    async with several(url, tmp_path, polls=ration) as nodes:
        seats = await seat_two(nodes)
        for node in nodes:
            node.bus.is_up, node.bus.silent = silent, silent
        for _ in range(3):
            last = await seats.act()
            for clock in clocks:  # the servers may ask the store for two seconds more, however long it takes to answer
                clock.allow(2.0)
            await until(lambda last=last: last in seats.plies(0) and last in seats.plies(1))  # type: ignore[misc]
        assert seats.plies(0) == seats.plies(1) == [1, 2, 3]


async def test_who_begins_the_next_match_keeps_the_one_before(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The servers that wrote and followed its end died before they kept it."""
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        with monkeypatch.context() as dying:
            dying.setattr("tablee.server.archive.Archive.keep", lambda *match: None)
            while seats.rooms[0].table.status == "playing":
                last = await seats.act()
                await until(lambda last=last: last in seats.plies(0) and last in seats.plies(1))  # type: ignore[misc]
        matches = nodes[0].store.matches
        assert await matches.find(f"{seats.code}-1") is None
        for wire in seats.wires:
            await wire.do(type="rematch")
        await until(lambda: all(room.table.matches == 2 for room in seats.rooms))
        for node in nodes:
            await node.store.flush()
        assert await matches.find(f"{seats.code}-1") is not None


async def test_messages_that_come_twice_late_and_in_any_order_change_nothing(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        for number, node in enumerate(nodes):
            node.bus.jumbled = Random(number)
        seats = await seat_two(nodes)
        last, texts = 0, []
        for turn in range(12):
            texts.append(f"coup {turn}")
            await seats.wires[turn % 2].do(type="say", text=texts[-1], kind="text")
            last = await seats.act()
        await until(lambda: last in seats.plies(0) and last in seats.plies(1))
        await asyncio.sleep(2 * LATEST_SECONDS)  # the last copies come now
        assert seats.plies(0) == seats.plies(1) == list(range(1, last + 1))
        for wire in seats.wires:
            assert [frame["line"]["text"] for frame in wire.frames() if frame["type"] == "said"] == texts
        bodies = await nodes[0].store.read(seats.code)
        assert sum(msgspec.json.decode(body)["type"] == "acted" for body in bodies) == last
        assert seats.rooms[0].table.length == seats.rooms[1].table.length == len(bodies)


async def test_news_that_comes_while_a_server_ends_leaves_nothing_behind(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path, count=1) as (node,):
        room = await node.lobby.create(Table.create("kora", {}, None, False, "anne"), [], start=False)
        node.neighbours.log_grew(room.table.code, room.table.length + 1)
        await node.die()
    gc.collect()  # a coroutine that nobody awaited would warn now


async def test_of_two_actions_for_the_same_offer_only_one_counts(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        seat = min(seats.rooms[0].table.turn.must)
        person = ("anne", "basile")[seat]
        await until(lambda: seats.latest(seat, "state", "moved").get("offer"))
        offer = seats.latest(seat, "state", "moved")["offer"]
        action = Raw(msgspec.json.encode(offer["legal"][0]))
        act = partial(playing.act, person=person, offer=offer["number"], action=action, lag=0.0)
        done = await asyncio.gather(*(room.change(act) for room in seats.rooms), return_exceptions=True)
        assert done.count(None) == 1
        (refused,) = [result for result in done if isinstance(result, Refused)]
        assert refused.refusal.code in ("stale_offer", "not_your_turn")
        bodies = await nodes[0].store.read(seats.code)
        assert sum(msgspec.json.decode(body)["type"] == "acted" for body in bodies) == 1


async def test_a_person_is_present_through_any_server(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        for wire in (0, 1):
            await until(lambda wire=wire: _presences(seats, wire) == ["online", "online"])  # type: ignore[misc]
        watcher = Wire(seats.rooms[0], "claire")
        await until(lambda: _watchers(seats, 1) == 1)
        seats.rooms[0].part(watcher.line)
        seats.rooms[0].part(seats.wires[0].line)
        await until(lambda: _presences(seats, 1) == ["reconnecting", "online"])
        assert _watchers(seats, 1) == 0


async def test_presence_survives_the_loss_of_the_bus(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        for node in nodes:
            node.bus.is_up = False
        claire = Wire(seats.rooms[0], "claire")
        await until(lambda: _watchers(seats, 1) == 1)
        seats.rooms[0].part(claire.line)
        seats.rooms[0].part(seats.wires[0].line)
        await until(lambda: _presences(seats, 1) == ["reconnecting", "online"])


async def test_the_newer_connection_of_a_person_closes_the_older_on_another_server(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        newer = Wire(seats.rooms[1], "anne")
        await until(lambda: seats.wires[0].paper.closed)
        assert seats.wires[0].paper.closed == (4409, "taken_over")
        assert newer.paper.closed is None
        back = Wire(seats.rooms[0], "anne")
        await until(lambda: newer.paper.closed)
        assert back.paper.closed is None


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_connection_that_waited_long_does_not_close_a_newer_one_on_another_server(
    url: str, tmp_path: Path, is_known: bool
) -> None:
    """A page is reloaded while its first server waits for the store, and the second one is quicker."""
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        newer = Wire(seats.rooms[1], "claire")
        if is_known:
            await until(lambda: "claire" in seats.rooms[0].audience.people())
        older = Wire(seats.rooms[0], "claire", opened=5.0)
        await until(lambda: older.paper.closed)
        assert older.paper.closed == (4409, "taken_over")
        await until(lambda: "claire" not in {line.person for line in seats.rooms[0].connections})
        assert newer.paper.closed is None


async def test_a_connection_counts_as_newer_although_the_clock_of_the_database_was_set_back(tmp_path: Path) -> None:
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path) as nodes:
        seats = await seat_two(nodes)
        nodes[1].cluster._offset -= 3600
        newer = Wire(seats.rooms[1], "anne", opened=5.0)
        await until(lambda: seats.wires[0].paper.closed)
        assert newer.paper.closed is None


async def test_a_table_that_is_used_through_another_server_has_its_new_home_at_once(tmp_path: Path) -> None:
    """The new home need not wait until it has read the index, nor for news of the server with the player."""
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path, 3) as nodes:
        used, heir, dead = nodes
        while True:
            room = await used.lobby.create(Table.create("kora", {}, None, False, "anne"), ["facile"], start=False)
            ids = {node.cluster.id for node in nodes}
            homes = home_of(room.table.code, ids), home_of(room.table.code, ids - {dead.cluster.id})
            if homes == (dead.cluster.id, heir.cluster.id):
                break
        Wire(room, "anne")
        await until(lambda: heir.cluster.is_used(room.table.code))
        assert heir.lobby.room(room.table.code) is None
        heir.lobby.restore = asyncio.Event().wait  # type: ignore[method-assign, assignment]
        used.bus.silent = True
        await dead.die()
        await until(lambda: heir.lobby.room(room.table.code))


async def test_only_the_home_of_a_table_lets_its_bots_play_and_another_takes_over(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path, 3) as nodes:
        by_id = {node.cluster.id: node for node in nodes}
        room = await nodes[0].lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        code = room.table.code
        anne = Wire(room, "anne")
        if 0 in room.table.turn.must:
            offer = room.table.match.offers(0)[0]
            await anne.do(type="act", offer=room.table.offers[0], action=msgspec.to_builtins(offer))
        homes = [home_of(code, by_id)]
        await until(lambda: by_id[homes[0]].bots.asked.qsize() == 1)
        assert [node.bots.asked.qsize() for node in nodes if node.cluster.id != homes[0]] == [0, 0]
        if homes[0] == nodes[0].cluster.id:  # keep the server that has the connection
            return
        await by_id[homes[0]].die()
        homes.append(home_of(code, by_id.keys() - {homes[0]}))
        await until(lambda: by_id[homes[1]].bots.asked.qsize() == 1)
        assert by_id[homes[1]].cluster.is_home(code)


async def test_a_server_drives_no_table_until_its_bots_are_ready_unless_there_is_no_other(tmp_path: Path) -> None:
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path) as nodes:
        ready, cold = (node.cluster for node in nodes)
        cold.is_warm = lambda: False
        await until(lambda: ready.drivers == cold.drivers == (ready.id,))
        assert len(ready.live) == len(cold.live) == 2
        codes = [f"TABLE{number}" for number in range(20)]
        assert [code for code in codes if ready.is_home(code)] == codes
        assert not any(cold.is_home(code) for code in codes)
        await nodes[0].cluster.leave()
        await until(lambda: cold.live == (cold.id,))
        assert all(cold.is_home(code) for code in codes)


async def test_a_home_without_connections_hears_of_moves_without_a_bus(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path, 3) as nodes:
        for node in nodes:
            node.bus.is_up = False
        home, other = await _table_at_another_home(nodes)
        anne = Wire(other, "anne")
        await until(lambda: home.lobby.room(other.table.code))
        match = other.table.match
        assert match is not None
        first = msgspec.to_builtins(match.offers(0)[0])
        await anne.do(type="act", offer=other.table.offers[0], action=first)
        await until(lambda: home.bots.asked.qsize() == 1)
        assert [node.bots.asked.qsize() for node in nodes if node is not home] == [0, 0]


async def _table_at_another_home(nodes: list[Node]) -> tuple[Node, Room]:
    """Create tables with a bot until one has its home at another server and the person begins."""
    while True:
        room = await nodes[0].lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        home = next(node for node in nodes if node.cluster.is_home(room.table.code))
        if home is not nodes[0] and 0 in room.table.turn.must:
            return home, room


async def test_servers_without_a_bus_still_know_who_is_present(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        for node in nodes:
            node.bus.reaches_others, node.bus.silent = False, True
        seats = await seat_two(nodes)
        for wire in (0, 1):
            await until(lambda wire=wire: _presences(seats, wire) == ["online", "online"])  # type: ignore[misc]


async def test_names_announcements_and_erasures_reach_every_server(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        await nodes[0].services.people.change("anne", name="Anne-Lise", avatar=3)
        nodes[0].lobby.refresh_person("anne")
        await until(lambda: seats.latest(1, "table")["seats"][0]["name"] == "Anne-Lise")
        await nodes[1].lobby.announce("fin à minuit")
        await until(lambda: seats.latest(0, "notice")["text"] == "fin à minuit")
        await seats.wires[1].do(type="say", text="bonjour", kind="text")
        await until(lambda: seats.latest(0, "said").get("line", {}).get("text") == "bonjour")


async def test_an_erased_person_disappears_even_if_the_news_gets_lost(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        seats = await seat_two(nodes)
        await nodes[0].services.people.change("anne", name="Anne-Lise", avatar=3)
        await seats.wires[0].do(type="say", text="mon secret", kind="text")
        await until(lambda: seats.rooms[1].table.chat.messages)
        for node in nodes:
            node.bus.silent = True
        tables = await nodes[0].store.privacy.tables_naming("anne")
        await nodes[0].store.privacy.erase("anne", tables, lambda: PersonRow("stranger", "Lynx sage", 1), at=0.0)
        await until(lambda: seats.rooms[1].table.host == "stranger")
        assert "mon secret" not in str(seats.rooms[1].table.chat.messages)


async def test_a_public_table_is_listed_on_every_server(url: str, tmp_path: Path) -> None:
    async with several(url, tmp_path) as nodes:
        room = await nodes[0].lobby.create(Table.create("kora", {}, None, True, "anne"), [], start=False)
        Wire(room, "anne")
        code = room.table.code
        assert [card.code for card in nodes[0].lobby.cards()] == [code]
        await until(lambda: [card.code for card in nodes[1].lobby.cards()] == [code])


def _presences(seats: Seats, wire: int) -> list[str]:
    return [seat["presence"] for seat in seats.latest(wire, "table")["seats"]]


def _watchers(seats: Seats, wire: int) -> int:
    """Return the number of spectators that a connection last heard of."""
    frame = seats.latest(wire, "table", "watchers")
    return int(frame["watchers"] if frame["type"] == "table" else frame["count"])

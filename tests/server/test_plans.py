"""Conditional moves at a table: only their owner sees them, and they survive restarts and several servers."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inside import SlowBots, Wire, lobby_of
from live import LiveServer, Person, seat_two
from several import Node, several, until

from tablee.server.lobby import Lobby
from tablee.server.room import Room
from tablee.store import PersonRow
from tablee.table import Table, history
from tablee.table.events import decode
from tablee.table.pace import Days, Pace

FIRST, REPLY = [32, 28], [19, 23]
TIMED = {"variant": "international", "move_time": 0, "player_time": 600}


def move(path: list[int]) -> dict[str, Any]:
    return {"type": "move", "path": path}


def played(wire: Wire) -> list[list[int]]:
    return [frame["step"]["action"]["path"] for frame in wire.frames() if frame["type"] == "moved"]


async def seated(lobby: Lobby, pace: Pace | None = None, **options: Any) -> tuple[Room, Wire, Wire, Wire]:
    """Begin a match; return its room and the connections of red, black and a spectator."""
    room = await lobby.create(Table.create("dames", TIMED | options, None, False, "anne", pace=pace), [], start=False)
    anne, basile, watcher = Wire(room, "anne"), Wire(room, "basile"), Wire(room, "claire")
    await basile.do(type="sit")
    await until(lambda: room.table.secret is not None)
    await anne.do(type="start")
    return room, anne, basile, watcher


async def plan(wire: Wire, *line: list[int], ply: int = 0) -> dict[str, Any]:
    await wire.do(type="plan", id=7, ply=ply, line=[move(path) for path in line])
    return wire.frames()[-1]


async def test_a_planned_reply_is_played_and_nobody_else_learns_of_the_plan(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, watcher = await seated(lobby)
        before = len(anne.frames()), len(watcher.frames()), room.touched
        assert (await plan(basile, FIRST, REPLY, [28, 19], [14, 23])) == {"type": "done", "reply": 7}
        lines = basile.frames()[-2]
        assert lines == {
            "type": "plans",
            "match": 1,
            "lines": [
                [{"seat": seat, "action": move(path)} for seat, path in enumerate((FIRST, REPLY), 0)]
                + [{"seat": seat, "action": move(path)} for seat, path in enumerate(([28, 19], [14, 23]))]
            ],
        }
        assert (len(anne.frames()), len(watcher.frames())) == before[:2]
        await anne.do(type="act", id=9, offer=0, action=move(FIRST))
        for wire in (anne, basile, watcher):
            assert played(wire) == [FIRST, REPLY]
        own, reply = [frame for frame in anne.frames() if frame["type"] == "moved"]
        assert (own["reply"], reply.get("reply")) == (9, None)
        assert set(reply) - {"reply"} == set(own) - {"reply"}
        assert (reply["step"]["cause"], reply["clocks"]["players"][1]) == (None, 600.0)
        assert len(basile.frames()[-1]["lines"][0]) == 2
        for wire in (anne, watcher):
            assert b"plan" not in b"".join(wire.paper.frames)
        arrived = Wire(room, "anne"), Wire(room, "claire"), Wire(room, "basile")
        shown = [[frame["type"] for frame in wire.frames()].count("plans") for wire in arrived]
        assert shown == [0, 0, 1]


async def test_a_plan_changes_no_byte_of_what_the_others_receive(tmp_path: Path) -> None:
    seen = []
    for planned in (False, True):
        folder = tmp_path / str(planned)
        folder.mkdir()
        async with lobby_of(folder) as lobby:
            _, anne, basile, watcher = await seated(lobby, player_time=0)
            if planned:
                await plan(basile, FIRST, REPLY)
            await anne.do(type="act", offer=0, action=move(FIRST))
            if not planned:
                await basile.do(type="act", offer=1, action=move(REPLY))
            seen.append([frame for wire in (anne, watcher) for frame in wire.paper.frames if b'"moved"' in frame])
    assert len(seen[0]) == 4
    assert seen[0] == seen[1]


async def test_a_plan_does_not_touch_the_index_of_tables(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, _ = await seated(lobby, Days(3))
        lobby.services.unindexed.clear()
        await plan(basile, FIRST, REPLY)
        await basile.do(type="unplan", ply=0)
        assert not lobby.services.unindexed
        await anne.do(type="act", offer=0, action=move(FIRST))
        assert lobby.services.unindexed == {room.table.code}


async def test_a_replay_marks_the_planned_moves(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, _ = await seated(lobby)
        await plan(basile, FIRST, REPLY)
        await anne.do(type="act", offer=0, action=move(FIRST))
        (match,) = history.played(map(decode, await lobby.services.store.read(room.table.code)))
        assert match.replay().planned == (2,)


async def test_another_move_drops_the_plan_and_its_owner_is_told(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, _ = await seated(lobby)
        await plan(basile, FIRST, REPLY)
        await anne.do(type="act", offer=0, action=move([31, 27]))
        assert played(anne) == [[31, 27]]
        assert [frame["lines"] for frame in basile.frames() if frame["type"] == "plans"][-1] == []
        assert room.table.plans == {}


async def test_lines_are_cancelled_one_by_one_or_all_together(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, _ = await seated(lobby)
        await plan(basile, FIRST, REPLY)
        await plan(basile, [31, 27], [17, 21])
        await basile.do(type="unplan", ply=0, line=0)
        await anne.do(type="act", offer=0, action=move(FIRST))
        assert played(anne) == [FIRST]
        assert room.table.plans == {}
        await basile.do(type="unplan", ply=1)
        assert basile.frames()[-1]["code"] == "your_turn"


async def test_hostile_plans_are_refused(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        _, anne, basile, watcher = await seated(lobby)
        assert (await plan(watcher, FIRST, REPLY))["code"] == "not_seated"
        assert (await plan(anne, FIRST, REPLY))["code"] == "your_turn"
        assert (await plan(basile, FIRST))["code"] == "bad_frame"
        assert (await plan(basile, *[FIRST, REPLY] * 11))["code"] == "bad_frame"
        assert (await plan(basile, FIRST, REPLY, ply=4))["code"] == "stale_offer"
        nonsense: tuple[Any, ...] = (None, "", {}, {"type": "move", "path": [0] * 400})
        for action in nonsense:
            await basile.do(type="plan", ply=0, line=[action, action])
            assert basile.frames()[-1]["type"] == "refused"
        assert not any(frame["type"] == "plans" for wire in (anne, basile, watcher) for frame in wire.frames())


async def test_a_bot_s_move_is_answered_too(tmp_path: Path) -> None:
    slow = SlowBots()
    async with lobby_of(tmp_path, slow) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        await anne.do(type="act", offer=0, action=move(FIRST))
        _, answer = await slow.asked.get()
        await plan(anne, REPLY, [28, 19], ply=1)
        answer.set_result(msgspec.json.encode(move(REPLY)))
        await until(lambda: played(anne) == [FIRST, REPLY, [28, 19]])
        await slow.asked.get()  # the bot thinks again


async def test_erasing_a_person_erases_their_plans(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, anne, basile, _ = await seated(lobby)
        await plan(basile, FIRST, REPLY)
        store, code = lobby.services.store, room.table.code
        assert await store.privacy.plans_of("anne", [code]) == []
        (planned,) = await store.privacy.plans_of("basile", [code])
        assert (planned.table, planned.seat, planned.line[1]) == (code, 1, {"seat": 1, "action": move(REPLY)})
        await store.privacy.erase("basile", [code], lambda: PersonRow("stranger", "Lynx sage", 1), at=0.0)
        await lobby.forget("basile")
        events = map(msgspec.json.decode, await store.read(code))
        assert [event["line"] for event in events if event["type"] == "planned"] == [[]]
        await anne.do(type="act", offer=0, action=move(FIRST))
        assert played(anne) == [FIRST]


async def two_servers(nodes: list[Node]) -> tuple[Room, Room, Wire, Wire]:
    """Begin a match on two servers; return the rooms and the connections of red on the first, black on the second."""
    room = await nodes[0].lobby.create(Table.create("dames", TIMED, None, False, "anne"), [], start=False)
    other = await nodes[1].lobby.open(room.table.code)
    anne, basile = Wire(room, "anne"), Wire(other, "basile")
    await basile.do(type="sit")
    await until(lambda: room.table.seat_of("basile") == 1 and room.table.secret is not None)
    await anne.do(type="start")
    await until(lambda: other.table.status == "playing")
    return room, other, anne, basile


async def test_a_plan_of_one_server_is_played_by_another(tmp_path: Path) -> None:
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path) as nodes:
        room, _, anne, basile = await two_servers(nodes)
        await plan(basile, FIRST, REPLY, [28, 19], [14, 23])
        await until(lambda: 1 in room.table.plans)
        await anne.do(type="act", offer=0, action=move(FIRST))
        await until(lambda: played(basile) == [FIRST, REPLY])
        await anne.do(type="act", offer=2, action=move([28, 19]))
        await until(lambda: played(basile) == [FIRST, REPLY, [28, 19], [14, 23]])
        bodies = await nodes[0].store.read(room.table.code)
        assert sum(msgspec.json.decode(body)["type"] == "acted" for body in bodies) == 4


@pytest.mark.parametrize("first", ["act", "plan"])
async def test_a_plan_and_a_move_at_the_same_time_on_two_servers(tmp_path: Path, first: str) -> None:
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path) as nodes:
        room, other, anne, basile = await two_servers(nodes)
        act = anne.do(type="act", offer=0, action=move(FIRST))
        planned = basile.do(type="plan", ply=0, line=[move(FIRST), move(REPLY)])
        await asyncio.gather(*((act, planned) if first == "act" else (planned, act)))
        await until(lambda: room.table.length == other.table.length)
        # The log decides who was first: the plan is answered, or it is refused because its position is gone.
        codes = [frame["code"] for frame in basile.frames() if frame["type"] == "refused"]
        assert codes in ([], ["stale_offer"])
        await until(lambda: played(anne) == played(basile) == ([FIRST] if codes else [FIRST, REPLY]))
        assert room.table.plans == other.table.plans == {}


async def test_hostile_plans_are_refused_by_a_server_that_is_behind(tmp_path: Path) -> None:
    async with several(f"sqlite:///{tmp_path / 'tablee.db'}", tmp_path) as nodes:
        room, other, anne, basile = await two_servers(nodes)
        for node in nodes:
            node.bus.silent = True  # the second server does not hear of the move
        await anne.do(type="act", offer=0, action=move(FIRST))
        assert (await plan(basile, FIRST, REPLY))["code"] == "stale_offer"
        assert (await plan(Wire(other, "claire"), REPLY, [28, 19], ply=1))["code"] == "not_seated"
        assert (await plan(basile, FIRST, REPLY, ply=1))["code"] == "your_turn"
        await plan(anne, REPLY, [28, 19], ply=1)
        await basile.do(type="resign")
        assert (await plan(anne, [20, 24], [31, 27], ply=1))["code"] == "over"
        for ply in (1, 2):
            assert (await plan(anne, REPLY, [28, 19], ply=ply))["code"] == "over"
        assert room.table.plans == other.table.plans == {}


async def test_a_repeated_plan_is_done_and_does_not_make_the_log_longer(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room, _, basile, _ = await seated(lobby)
        await plan(basile, FIRST, REPLY)
        length = room.table.length
        assert (await plan(basile, FIRST, REPLY))["type"] == "done"
        assert room.table.length == length


def test_plans_survive_a_restart(own_server: LiveServer) -> None:
    code, people, (_, second) = seat_two(own_server, game="dames", options=TIMED)
    assert second.ask("plan", ply=0, line=[move(FIRST), move(REPLY)])["type"] == "done"
    own_server.kill()
    own_server.start()
    first = people[0].open(code)
    first.expect("state")
    first.ask("act", offer=0, action=move(FIRST))
    reply = first.expect("moved")
    assert (reply["step"]["seat"], reply["step"]["action"]) == (1, move(REPLY))
    watcher = Person(own_server).open(code)
    assert watcher.expect("state")["ply"] == 2

"""Moves without a task: their order, and what becomes of them if something goes wrong."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from inside import Wire, lobby_of
from live import LiveServer, seat_two

from tablee.server.lobby import Lobby
from tablee.server.room import Room
from tablee.store import StoreDown
from tablee.table import Table
from tablee.table.events import Said, decode


@pytest.fixture
async def lobby(tmp_path: Path) -> AsyncIterator[Lobby]:
    async with lobby_of(tmp_path) as made:
        yield made


async def start_match(lobby: Lobby) -> tuple[Room, Wire, Wire]:
    """Start a match of two people; return the one who is to move first."""
    room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
    anne, basile = Wire(room, "anne"), Wire(room, "basile")
    await basile.do(type="sit")
    await anne.do(type="start")
    return (room, anne, basile) if 0 in room.table.turn.must else (room, basile, anne)


def next_move(wire: Wire) -> dict[str, Any]:
    """The first legal action of a player, as the frame that plays it."""
    offer = [frame for frame in wire.frames() if frame["type"] in ("state", "moved")][-1]["offer"]
    return {"type": "act", "offer": offer["number"], "action": offer["legal"][0]}


async def test_a_move_is_committed_before_anybody_hears_of_it(lobby: Lobby) -> None:
    room, anne, basile = await start_match(lobby)
    known = [len(wire.paper.frames) for wire in (anne, basile)]
    move = asyncio.create_task(anne.do(**next_move(anne)))
    await asyncio.sleep(0)
    assert [len(wire.paper.frames) for wire in (anne, basile)] == known
    await move
    assert [wire.frames()[-1]["type"] for wire in (anne, basile)] == ["moved", "moved"]
    assert (anne.frames()[-1]["reply"], basile.frames()[-1]["reply"]) == (1, None)
    assert len(await lobby.services.store.read(room.table.code)) == room.table.length


async def test_a_move_is_decided_again_if_another_writer_was_first(lobby: Lobby) -> None:
    room, anne, basile = await start_match(lobby)
    length, said = room.table.length, Said(0, "basile", "text", "bonjour", "players", 1.0)
    await lobby.services.store.append(room.table.code, length, [said], at=1.0)
    await anne.do(**next_move(anne))
    kinds = [type(decode(body)).__name__ for body in await lobby.services.store.read(room.table.code, length)]
    assert kinds == ["Said", "Acted"]
    assert [frame["type"] for frame in basile.frames()[-2:]] == ["said", "moved"]
    await basile.do(**next_move(basile))
    assert anne.frames()[-1]["step"]["ply"] == 2


async def test_a_move_that_is_not_written_is_refused_and_may_be_repeated(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, anne, basile = await start_match(lobby)

    def fail(*_: Any, **__: Any) -> "asyncio.Future[None]":
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(StoreDown("the disk is full"))
        return failed

    with monkeypatch.context() as broken:
        broken.setattr(lobby.services.store, "append", fail)
        await anne.do(**next_move(anne))
    assert (anne.frames()[-1]["code"], anne.frames()[-1]["reply"]) == ("store_down", 1)
    assert basile.frames()[-1]["type"] != "moved"
    assert lobby.services.metrics.failed_writes._value.get() == 1
    assert room.table.match is not None
    assert room.table.match.ply == 0
    await anne.do(**next_move(anne))
    assert basile.frames()[-1]["step"]["ply"] == 1


async def test_an_illegal_move_is_refused_and_the_room_goes_on(lobby: Lobby) -> None:
    _, anne, basile = await start_match(lobby)
    move = next_move(anne)
    await basile.do(**move)
    assert basile.frames()[-1]["code"] == "not_your_turn"
    await anne.do(**move | {"offer": 7})
    assert anne.frames()[-1]["code"] == "stale_offer"
    await anne.do(**move)
    assert basile.frames()[-1]["step"]["ply"] == 1


async def test_an_error_at_one_table_does_not_silence_another(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    (broken, anne, _), (_, carla, david) = await start_match(lobby), await start_match(lobby)

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("a bug in the rules")

    monkeypatch.setattr(broken, "_apply", fail)
    await asyncio.gather(anne.do(**next_move(anne)), carla.do(**next_move(carla)))
    assert anne.frames()[-1]["code"] == "server_error"
    assert [wire.frames()[-1]["type"] for wire in (carla, david)] == ["moved", "moved"]
    assert not broken._lock.is_held


def test_what_a_client_sends_behind_a_move_waits_for_it(server: LiveServer) -> None:
    _, _, lines = seat_two(server, game="dames")
    line = lines[0] if lines[0].latest["offer"] else lines[1]
    offer = line.latest["offer"]
    line.ask("ping")
    asked = [line.send("act", offer=offer["number"], action=offer["legal"][0])]
    asked += [line.send("sync", match=1, ply=0), line.send("ping"), line.send("say", text="à toi")]
    answered: list[int] = []
    while len(answered) < len(asked):
        if (reply := line.next().get("reply")) is not None:
            answered.append(reply)
    assert answered == asked
    synced = next(frame for frame in line.frames if frame["type"] == "state" and frame["missed"])
    assert [step["ply"] for step in synced["missed"]] == [1]

"""Presence, grace and idle players, with a clock that the test turns."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from inside import Paper, Wire, lobby_of
from live import Line, LiveServer, Person, answer_beat, seat_two, until

from tablee.server.presence import Attendance
from tablee.server.socket import Connection, Desk
from tablee.table import Table, dealing, proposals, seating


def test_a_disconnected_player_is_reconnecting_then_offline_with_a_countdown(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10}, grace=120)
    second.close()
    lost = until(first, lambda table: table["seats"][1]["presence"] == "reconnecting")
    assert 100 < lost["seats"][1]["away"] <= 120
    hourglass.turn(40)
    away = until(first, lambda table: table["seats"][1]["presence"] == "offline")
    assert 60 < away["seats"][1]["away"] <= 80.1
    # Back within the grace: the same seat and the same match.
    again = people[1].open(code)
    assert again.expect("state")["ply"] == first.latest.get("ply", first.latest.get("step", {}).get("ply"))
    back = until(first, lambda table: table["seats"][1]["presence"] == "online")
    assert back["seats"][1]["away"] is None
    hourglass.turn(300)
    assert first.ask("ping")["type"] == "done"
    assert first.latest["outcome"] is None


async def test_a_connection_that_waited_for_the_store_takes_nothing_over(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        reloaded = Wire(room, "anne")
        left_behind = Paper()
        desk, arrived = Desk(room.services.config, room.time), reloaded.line.arrived - 1
        late = Connection("anne", "127.0.0.1", room, desk, left_behind, arrived)
        room.join(late)
        assert left_behind.closed == (4409, "taken_over")
        assert left_behind.frames == []
        assert room.connections == {reloaded.line}
        room.part(late)
        await Wire(room, "basile").do(type="sit")
        assert reloaded.paper.closed is None
        assert [seat["name"] != "" for seat in reloaded.frames()[-1]["seats"]] == [True, True]


def test_a_player_absent_for_the_whole_grace_loses(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, options={"deals": 10}, grace=60)
    second.close()
    until(first, lambda table: table["seats"][1]["presence"] != "online")
    hourglass.turn(61)
    moved = first.expect("moved")
    assert (moved["step"]["cause"], moved["step"]["action"]) == ("leave", {"type": "leave"})
    assert moved["outcome"]["places"] == [1, 2]
    assert until(first, lambda table: table["status"] == "over")["seats"][1]["left"]


@pytest.mark.one_server("a clock that jumps makes servers forget each other")
def test_an_abandoned_match_waits_until_a_player_opens_it_again(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10})
    second.close()
    first.close()
    hourglass.turn(14 * 24 * 3600)
    back = people[0].open(code)
    assert back.expect("state")["outcome"] is None
    waiting = until(back, lambda table: table["seats"][1]["presence"] == "offline")
    assert waiting["seats"][1]["away"] > 100


def test_one_missed_heartbeat_is_slow_and_three_disconnect(hourglass: LiveServer) -> None:
    first = seat_two(hourglass, options={"deals": 10})[2][0]

    def beat(line: Line) -> None:
        line.send_raw(f'{{"type": "beat", "id": {line.expect("beat")["number"]}}}')

    hourglass.turn(31)
    beat(first)
    until(first, lambda table: [seat["presence"] for seat in table["seats"]] == ["online", "slow"])
    for _ in range(2):
        hourglass.turn(31)
        beat(first)
    until(first, lambda table: table["seats"][1]["presence"] == "reconnecting")


@pytest.mark.one_server("a clock that jumps makes servers forget each other")
def test_without_a_clock_a_player_who_never_moves_becomes_idle(hourglass: LiveServer) -> None:
    untimed = {"move_time": 0, "match_time": 0, "player_time": 0}
    _, _, (first, second) = seat_two(hourglass, game="dames", options=untimed)
    assert second.refused("propose", kind="replace", seat=0)["code"] == "not_absent"
    hourglass.turn(301)
    until(second, lambda table: table["seats"][0]["presence"] == "idle")
    # After a move the other player may become idle.
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    until(second, lambda table: table["seats"][0]["presence"] != "idle")
    assert first.refused("propose", kind="replace", seat=1)["code"] == "not_absent"
    hourglass.turn(301)
    until(first, lambda table: table["seats"][1]["presence"] == "idle")
    # An idle player may say that they think.
    assert first.ask("propose", kind="replace", seat=1)["type"] == "done"
    asked = until(second, lambda table: table["proposal"] is not None)["proposal"]
    assert (asked["asked"], asked["about"]) == ([], [1])
    assert second.ask("answer", yes=False)["type"] == "done"
    assert first.expect("settled")["how"] == "refused"
    until(first, lambda table: table["seats"][1]["presence"] != "idle")
    assert first.refused("propose", kind="replace", seat=1)["code"] == "too_soon"
    for line in (first, second):
        answer_beat(line)
    hourglass.turn(301)
    # That works once; after that the others go on.
    for line in (first, second):
        until(line, lambda table: table["seats"][1]["presence"] == "idle")
    assert second.refused("propose", kind="pause")["code"] == "awaited"
    assert first.ask("propose", kind="replace", seat=1)["type"] == "done"
    held = until(second, lambda table: table["seats"][1]["left"])
    assert (held["seats"][1]["level"], held["you"]) == ("moyen", None)
    second.ask("sit")
    assert until(second, lambda table: table["you"] == 1)["seats"][1]["left"] is False


def over_by_agreement(hourglass: LiveServer, **table: Any) -> tuple[str, tuple[Person, Person], tuple[Line, Line]]:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10}, **table)
    first.ask("propose", kind="end")
    second.ask("answer", yes=True)
    for line in (first, second):
        until(line, lambda table: table["status"] == "over" and table["commit"])
        until(line, lambda state: state["outcome"] is not None, "state")
    return code, people, (first, second)


def test_an_absent_player_does_not_block_the_table_after_a_match(hourglass: LiveServer) -> None:
    code, people, (first, second) = over_by_agreement(hourglass, grace=60)
    assert first.ask("rematch")["type"] == "done"
    assert until(first, lambda table: table["seats"][0]["rematch"])
    assert first.ask("rematch", wanted=False)["type"] == "done"
    assert until(first, lambda table: not table["seats"][0]["rematch"])
    first.ask("rematch")
    second.close()
    assert until(first, lambda table: table["seats"][1]["presence"] != "online")["seats"][1]["away"] > 50
    assert first.refused("start")["code"] == "rematch_awaited"
    hourglass.turn(61)
    freed = until(first, lambda table: table["seats"][1]["kind"] == "empty")
    assert (freed["status"], freed["players"][1]["person"]) == ("over", people[1].id)
    assert first.ask("seat_bot", seat=1, level="facile")["type"] == "done"
    first.send("rematch")
    assert until(first, lambda state: state["match"] == 2, "state")
    # After the grace the match goes on without them.
    assert people[1].open(code).expect("table")["you"] is None


def test_leaving_after_a_match_frees_the_seat_and_keeps_the_result(hourglass: LiveServer) -> None:
    code, people, (first, second) = over_by_agreement(hourglass, public=True)
    before = {line: sum(frame["type"] == "state" for frame in line.frames) for line in (first, second)}
    first.ask("leave")
    claire = Person(hourglass)
    card = claire.http.get(f"/api/tables/{code}").json()
    assert (card["status"], card["taken"]) == ("waiting", 1)
    assert any(one["code"] == code for one in claire.http.get("/api/tables").json())
    third = claire.open(code)
    third.ask("sit")
    for line, you in ((first, None), (second, 1), (third, 0)):
        table = until(line, lambda one: one["seats"][0]["person"] == claire.id)
        assert (table["status"], table["you"], table["host"]) == ("over", you, people[1].id)
        assert [player["person"] for player in table["players"]] == [people[0].id, people[1].id]
    for line, known in before.items():
        line.ask("ping")
        assert sum(frame["type"] == "state" for frame in line.frames) == known
        assert line.latest["outcome"]["reason"] == "ended"
    second.send("rematch")
    assert until(third, lambda state: state["match"] == 2, "state")["outcome"] is None


async def test_a_player_back_before_the_commit_of_the_grace_keeps_the_seat(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        anne, basile = Wire(room, "anne"), Wire(room, "basile")
        await basile.do(type="sit")
        await anne.do(type="start")
        room.table.grace = 0
        room.part(basile.line)
        async with room._lock:  # the disk is busy
            ringing = asyncio.create_task(room.driver._ring())
            await asyncio.sleep(0)
            Wire(room, "basile")
        await ringing
        assert (room.table.status, room.table.seat_of("basile")) == ("playing", 1)


def test_no_player_is_idle_with_a_clock_or_just_after_arriving() -> None:
    def table(**options: Any) -> Table:
        made = Table("ABCDEF", Table.create("dames", options, None, False, "anne"))
        made.apply_all(seating.sit(made, "anne", 0))
        made.apply_all(seating.sit(made, "basile", 1))
        made.apply_all(dealing.start(made, "anne", "graine"))
        return made

    here = {"anne": False, "basile": False}
    for game, idle in ((table(move_time=20), set()), (table(move_time=0, match_time=0, player_time=0), {0})):
        attendance = Attendance(300.0)
        attendance.look(game, here, 0.0)
        assert attendance.idle(299.0) == set()
        assert attendance.idle(300.0) == idle
    assert attendance.next_change(120, 10.0) == 300.0
    assert attendance.of("anne", 300.0) == "idle"
    assert attendance.of("basile", 300.0) == "online"
    attendance.look(game, {"basile": False}, 400.0)
    assert attendance.of("anne", 500.0) == "offline"
    attendance.look(game, here, 500.0)
    assert attendance.idle(799.0) == set()
    for second in range(550, 800, 50):  # a reload is not a move
        attendance.look(game, {"basile": False}, second)
        attendance.look(game, here, second + 1.0)
    assert attendance.idle(800.0) == {0}
    attendance.stir("anne", 800.0)
    assert attendance.idle(1099.0) == set()
    attendance.stir("anne", 1090.0)  # a second message is not a move either
    assert attendance.idle(1100.0) == {0}
    attendance.stir("anne", 1100.0, objects=True)
    assert attendance.idle(1399.0) == set()
    attendance.look(game, {"anne": False}, 1200.0)  # nobody waits
    assert attendance.idle(1200.0) == set()
    attendance.look(game, here, 1300.0)
    game.apply_all(proposals.propose(game, "anne", "pause", None, {"anne"}))
    attendance.follow(game, 600.0)
    assert attendance.idle(10_000.0) == set()


def test_a_table_forgets_spectators() -> None:
    attendance = Attendance()
    table = Table("ABCDEF", Table.create("dames", {}, None, False, "anne"))
    for n in range(100):
        attendance.look(table, {f"spectator {n}": False}, float(n))
    assert attendance.of("spectator 98", 100.0) == "reconnecting"
    assert attendance.of("spectator 80", 100.0) == "offline"
    assert len(attendance.expected(100.0)) < 15
    assert len(attendance._lost) < 15

"""Rooms: deals, spectators, bots, the end of a match."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inside import SlowBots, Wire, lobby_of
from live import LiveServer, Person, seat_two, until
from websockets import ConnectionClosed

from tablee.bots.decide import decide, decide_again, decision_seed
from tablee.core.discover import find, games
from tablee.core.fairness import commitment, seed_of
from tablee.core.match import Match
from tablee.table import Table, hosting


def test_a_deal_has_a_commitment_before_and_a_proof_after(hourglass: LiveServer) -> None:
    host, guest = Person(hourglass), Person(hourglass)
    code = host.create()
    lines = host.open(code), guest.open(code)
    lines[1].ask("sit")
    promised = until(lines[1], lambda table: table["commit"])["commit"]
    for seat, line in enumerate(lines):
        assert line.ask("salt", salt=f"{seat:032x}")["type"] == "done"
    assert lines[0].refused("salt", salt="NOT HEX")["code"] == "bad_frame"
    lines[0].ask("start")
    running = until(lines[1], lambda table: table["match"] == 1)
    if running["status"] == "playing":
        assert running["commit"] == promised
        assert running["proof"] is None
        lines[1].ask("leave")
    proof = until(lines[0], lambda table: table["proof"])["proof"]
    assert proof["salts"] == [f"{seat:032x}" for seat in (0, 1)]
    assert commitment(proof["secret"]) == proof["commit"] == promised
    assert proof["seed"] == seed_of(proof["secret"], proof["salts"])
    following = until(lines[0], lambda table: table["commit"] not in (None, promised))
    assert following["proof"] == proof


def test_a_table_closed_to_spectators_turns_them_away_and_keeps_the_players(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10})
    watcher = Person(hourglass).open(code)
    watcher.expect("state")
    assert second.refused("watch", open=False)["code"] == "not_host"
    assert first.ask("watch", open=False)["type"] == "done"
    assert watcher.expect("refused")["code"] == "not_watchable"
    with pytest.raises(ConnectionClosed):
        watcher.next()
    late = Person(hourglass).open(code)
    assert late.expect("refused")["code"] == "not_watchable"
    assert people[1].open(code).expect("state")["outcome"] is None


def test_a_banned_person_stays_banned(hourglass: LiveServer) -> None:
    host, guest = Person(hourglass), Person(hourglass)
    code = host.create()
    mine, theirs = host.open(code), guest.open(code)
    theirs.ask("sit")
    assert mine.ask("banish", person=guest.id)["type"] == "done"
    assert theirs.expect("refused")["code"] == "banished"
    assert guest.open(code).expect("refused")["code"] == "banished"
    assert until(mine, lambda table: table["seats"][1]["kind"] == "empty")


def sees_the_end(wire: Wire) -> dict[str, Any]:
    """Return the last outcome that a connection received; check that nothing is left to do and no clock runs."""
    match = [frame for frame in wire.frames() if frame["type"] in ("state", "moved")][-1]
    table = [frame for frame in wire.frames() if frame["type"] == "table"][-1]
    assert (table["status"], table["proposal"]) == ("over", None)
    assert (match["offer"], match["turn"]["must"]) == (None, [])
    assert not (match["clocks"] and match["clocks"]["running"])
    outcome: dict[str, Any] = match["outcome"]
    return outcome


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("way", ["agreed", "alone", "left", "stayed away", "closed"])
async def test_however_a_match_ends_everyone_sees_it_at_once(key: str, way: str, tmp_path: Path) -> None:
    info = find(key).rules.info
    people = 1 if way == "alone" else 2
    async with lobby_of(tmp_path) as lobby:
        bots = ["facile"] * (info.seats[0] - people)
        room = await lobby.create(Table.create(key, {}, None, False, "anne"), bots, start=False)
        anne, watcher = Wire(room, "anne"), Wire(room, "claire")
        lines = [anne, watcher]
        if people == 2:
            basile = Wire(room, "basile")
            lines.append(basile)
            await basile.do(type="sit")
        await anne.do(type="start")
        while room.table.status != "playing":  # some deals are won before the first card
            for line in lines[::2]:
                await line.do(type="rematch")
        match way:
            case "agreed" | "alone":
                await anne.do(type="propose", kind="end")
                for line in lines[2:]:
                    assert room.table.status == "playing"
                    await line.do(type="answer", yes=True)
                expected = "ended"
            case "left":
                await basile.do(type="leave")
                expected = "left"
            case "stayed away":
                room.table.grace = 0
                room.part(basile.line)
                lines.remove(basile)
                await room.driver._ring()
                expected = "left"
            case "closed":
                await room.change(lambda table, now: hosting.close(table))
                assert [line.frames()[-1]["code"] for line in lines] == ["table_closed"] * 3
                assert room.table.outcome.reason == "closed"
                return
        if info.replaces_leavers and expected == "left":
            assert room.table.status == "playing"
            return
        for line in lines:
            outcome = sees_the_end(line)
            assert outcome == sees_the_end(anne)
            assert expected == "left" or outcome["reason"] == expected


async def test_a_bot_s_answer_to_a_taken_back_move_is_dropped(tmp_path: Path) -> None:
    slow = SlowBots()
    async with lobby_of(tmp_path, slow) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        first, other, *_ = room.table.match.legal(0)
        await anne.do(type="act", offer=0, action=first)
        _, late = await slow.asked.get()
        await anne.do(type="propose", kind="take_back")
        await anne.do(type="act", offer=0, action=other)
        view, answer = await slow.asked.get()
        assert late.cancelled()
        assert view == msgspec.json.encode(room.table.match.view(1))
        # Pauses do not pile up searches either.
        for _ in range(3):
            await anne.do(type="propose", kind="pause")
            await anne.do(type="resume")
            before, (view, answer) = answer, await slow.asked.get()
            assert before.cancelled()
        answer.set_result(msgspec.json.encode(room.table.match.legal(1)[0]))
        await asyncio.wait(room.driver._tasks)
        assert room.table.match.ply == 2


class SeededBots:
    """Bots that decide in this process at once, and note their seeds."""

    def __init__(self) -> None:
        self.seeds: list[str] = []

    async def decide(self, key: str, level: str, seat: int, view: bytes, seed: str) -> bytes | None:
        self.seeds.append(seed)
        return decide(key, level, seat, view, seed, 0.0)


async def test_every_decision_of_a_bot_can_be_repeated_from_the_record(tmp_path: Path) -> None:
    bots = SeededBots()
    async with lobby_of(tmp_path, bots) as lobby:
        room = await lobby.create(Table.create("kora", {"deals": 3}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        asked = 0
        while room.table.outcome is None:
            if 0 in room.table.turn.must:
                await anne.do(type="act", offer=room.table.offers[0], action=room.table.match.legal(0)[0])
            elif room.driver._tasks:
                await asyncio.wait(room.driver._tasks)
        record = room.table.match.record()
    match = Match.begin(record)
    for step in record.steps:
        if step.seat == 1:
            assert bots.seeds[asked] == decision_seed(match, 1)
            assert msgspec.to_builtins(decide_again(match, "facile", 1, 0.0)[0]) == step.action
            asked += 1
        match.replay_step(step)
    assert asked == len(bots.seeds) == len(set(bots.seeds)) > 5


async def test_a_bot_draws_again_after_a_move_was_taken_back(tmp_path: Path) -> None:
    bots = SeededBots()
    async with lobby_of(tmp_path, bots) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        first = room.table.match.legal(0)[0]
        for _ in range(2):
            await anne.do(type="act", offer=0, action=first)
            await asyncio.wait(room.driver._tasks)
            assert room.table.match.ply == 2
            await anne.do(type="propose", kind="take_back")
    one, other = bots.seeds
    assert one != other


async def test_erasing_a_person_does_not_reset_the_clocks(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {"move_time": 20}, None, False, "anne"), ["facile"], start=True)
        Wire(room, "anne")
        await Wire(room, "claire").do(type="say", text="bonjour")
        asked, before = room.table.clock.since, room.table
        await lobby.forget("claire")
        assert room.table is not before
        assert room.table.clock.since == asked


async def test_one_host_does_not_fill_the_lobby(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        for _ in range(5):
            await lobby.create(Table.create("dames", {}, None, True, "anne"), [], start=False)
        calm = [
            await lobby.create(Table.create("dames", {}, None, True, f"basile {n}"), [], start=False) for n in range(9)
        ]
        played = await lobby.create(Table.create("dames", {}, None, True, "claire"), ["facile"], start=True)
        Wire(calm[4], "basile 4")
        Wire(played, "claire")
        listed = [card.code for card in lobby.cards()]
        assert len(listed) == 3 + len(calm) + 1
        assert {room.table.code for room in calm} < set(listed)
        assert (listed[0], listed[-1]) == (calm[4].table.code, played.table.code)


async def test_frames_after_hanging_up_are_ignored(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne, watcher = Wire(room, "anne"), Wire(room, "claire")
        await anne.do(type="watch", open=False)
        assert watcher.frames()[-1]["code"] == "not_watchable"
        before = watcher.frames()
        await watcher.do(type="sync", match=1, ply=0)
        await watcher.do(type="say", text="encore moi")
        assert watcher.frames() == before
        assert not room.table.chat.messages


async def test_the_end_of_a_match_shows_the_commitment_of_the_next_one(tmp_path: Path) -> None:
    """Nobody who asks for another match at once is too early for its commitment."""
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        await anne.do(type="propose", kind="end")
        (shown,) = {
            frame["commit"] for frame in anne.frames() if frame["type"] == "table" and frame["status"] == "over"
        }
        await anne.do(type="rematch")
        assert room.table.status == "playing"
        assert commitment(room.table.dealt.secret or "") == shown


@pytest.mark.parametrize(("key", "answer"), [("dames", "moved"), ("president", "done")])
async def test_leaving_is_answered_as_a_move_only_if_it_is_one(key: str, answer: str, tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        created = Table.create(key, {}, None, False, "anne")
        room = await lobby.create(created, ["facile"] * (created.seats - 1), start=True)
        anne = Wire(room, "anne")
        await anne.do(id=7, type="leave")
        assert [frame["type"] for frame in anne.frames() if frame.get("reply") == 7] == [answer]
        await anne.do(id=8, type="say", text="à bientôt")
        assert [frame["type"] for frame in anne.frames() if frame.get("reply") == 8] == ["done"]

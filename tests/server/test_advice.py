"""« Un conseil »: from one's own view, noted, and dropped if it comes too late."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inside import SlowBots, Wire, lobby_of
from live import PATIENCE, Line, LiveServer, Person, until

from tablee.bots.coaching import Advice, judge_view
from tablee.core.coach import Judged, Judgement, Reason
from tablee.core.discover import games
from tablee.core.game import Refused
from tablee.server import bot_pool
from tablee.server.bot_pool import BotPool
from tablee.server.frames import to_json
from tablee.server.room import Room
from tablee.table import Table
from tablee.table.events import Advised, decode


async def kora_room(lobby: Any, **settings: Any) -> Room:
    # One deal in fourteen wins itself: another follows.
    created = Table.create("kora", {"deals": 5}, 2, False, "alix", **settings)
    room: Room = await lobby.create(created, ["facile"], start=True)
    return room


async def to_my_turn(room: Room, bots: SlowBots) -> None:
    """Let the bot play until it is the person's turn."""
    async with asyncio.timeout(PATIENCE):
        while 0 not in room.table.turn.must:
            if bots.asked.empty():
                await asyncio.sleep(0.01)
                continue
            _, answer = bots.asked.get_nowait()
            assert room.table.match is not None
            if not answer.done():
                answer.set_result(to_json(room.table.match.legal(1)[0]))


async def reply(wire: Wire, id: int) -> dict[str, Any]:
    """Wait for the answer to a command."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for frame in wire.frames():
                if frame.get("reply") == id:
                    return frame
            await asyncio.sleep(0.01)


def judged(room: Room) -> bytes:
    """An answer of a worker: the last legal action is best."""
    assert room.table.match is not None
    legal = room.table.match.legal(0)
    actions = tuple(Judged(action, (1.0 - n, n - 1.0), 0.1 * n) for n, action in enumerate(reversed(legal)))
    return to_json(Advice(Judgement((0.5, -0.5), actions), Reason("only")))


def test_advice_comes_from_the_own_view_and_is_noted_before_it_is_sent(tmp_path: Path) -> None:
    async def play() -> None:
        bots = SlowBots()
        async with lobby_of(tmp_path, bots) as lobby:
            room = await kora_room(lobby)
            mine, watcher = Wire(room, "alix"), Wire(room, "zoé")
            await to_my_turn(room, bots)
            table = room.table
            assert table.match is not None
            legal, ply = table.match.legal(0), table.match.ply
            await mine.do(type="advise", offer=table.offers[0], id=7)
            view, answer = await bots.asked.get()
            assert view == to_json(table.match.view(0))
            await mine.do(type="advise", offer=table.offers[0], id=8)
            assert (await reply(mine, 8))["code"] == "advice_pending"
            answer.set_result(judged(room))
            frame = await reply(mine, 7)
            assert (frame["reply"], frame["ply"], frame["unit"]) == (7, ply, "koras")
            assert frame["best"] == {
                "action": msgspec.to_builtins(legal[-1]),
                "value": 1.0,
                "error": 0.0,
                "worth": None,
            }
            second = frame["alternative"] and frame["alternative"]["action"]
            assert second == (msgspec.to_builtins(legal[-2]) if len(legal) > 1 else None)
            assert frame["reason"] == {"code": "only", "values": {}}
            assert decode((await lobby.services.store.read(table.code))[-1]) == Advised(0, ply)
            noted = [one for one in watcher.frames() if one["type"] == "table"][-1]
            assert (noted["advised"], noted["advisable"]) == ([0], None)
            assert not [one for one in watcher.frames() if one["type"] == "advice"]
            assert [one for one in mine.frames() if one["type"] == "table"][-1]["advisable"] == "free"

    asyncio.run(play())


def test_a_late_answer_is_dropped_and_not_noted(tmp_path: Path) -> None:
    async def play() -> None:
        bots = SlowBots()
        async with lobby_of(tmp_path, bots) as lobby:
            room = await kora_room(lobby)
            mine = Wire(room, "alix")
            await to_my_turn(room, bots)
            assert room.table.match is not None
            await mine.do(type="advise", offer=room.table.offers[0], id=7)
            _, answer = await bots.asked.get()
            late = judged(room)
            action = msgspec.to_builtins(room.table.match.legal(0)[0])
            await mine.do(type="act", offer=room.table.offers[0], action=action, id=8)
            answer.set_result(late)
            said = await reply(mine, 7)
            assert (said["type"], said["code"]) == ("refused", "advice_late")
            assert not room.table.advised

    asyncio.run(play())


def test_a_coach_that_fails_is_a_refusal_and_nothing_is_noted(tmp_path: Path) -> None:
    async def play() -> None:
        bots = SlowBots()
        async with lobby_of(tmp_path, bots) as lobby:
            room = await kora_room(lobby)
            mine = Wire(room, "alix")
            await to_my_turn(room, bots)
            for id in (7, 8):  # a failure does not block the next question
                await mine.do(type="advise", offer=room.table.offers[0], id=id)
                (await bots.asked.get())[1].set_exception(RuntimeError("broken"))
                assert (await reply(mine, id))["code"] == "advice_failed"
            assert not room.table.advised

    asyncio.run(play())


@pytest.mark.parametrize("settings", [{"rated": True}, {}])
def test_advice_is_refused_in_matches_that_count_and_against_people(
    server: LiveServer, settings: dict[str, Any]
) -> None:
    anne, zoe = Person(server), Person(server)
    code = anne.create("dames", bots=["facile"] if settings else [], **settings)
    line = anne.open(code)
    if not settings:
        zoe.open(code).ask("sit")
    until(line, lambda table: table["commit"] is not None)
    line.ask("start")
    offer = until(line, lambda state: state["offer"] is not None, "state")["offer"]["number"]
    assert line.refused("advise", offer=offer)["code"] == "advice_not_allowed"


def test_a_real_coach_answers_and_the_match_does_not_count(server: LiveServer) -> None:
    person = Person(server)
    deals = {"deals": 10}  # a match of one deal may be over before it began (K5)
    table = person.create("kora", bots=["facile"], rated=True, advice=True, start=True, options=deals)
    line: Line = person.open(table)
    assert line.expect("table")["advisable"] == "unrates"
    frame = line.expect("state")
    while frame["offer"] is None:
        frame = line.expect("moved")
    answer = line.ask("advise", offer=frame["offer"]["number"])
    assert answer["type"] == "advice", answer
    assert answer["best"]["action"] in frame["offer"]["legal"]
    assert until(line, lambda table: table["advised"] == [0])["advisable"] == "free"
    assert line.ask("act", offer=answer["offer"], action=answer["best"]["action"])["type"] == "moved"


def test_the_pool_sends_a_worker_nothing_but_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    async def keep(self: BotPool, search: Any, seconds: float) -> bytes:
        sent.append(search)
        return b""

    monkeypatch.setattr(BotPool, "_ask", keep)

    async def advise() -> None:
        pool = BotPool(1, 1.0, warm=False)
        await pool.advise("kora", 1, b"view")
        pool.close()

    asyncio.run(advise())
    (search,) = sent
    *given, seed, seconds = search.args
    assert (search.func, given) == (judge_view, ["kora", 1, b"view"])
    assert (len(seed), seconds) == (32, bot_pool.ADVICE_SECONDS)


def test_a_new_server_says_that_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "WARM_SECONDS", 0.0)

    async def advise() -> None:
        pool = BotPool(1, 1.0, warm=True)
        with pytest.raises(Refused, match="advice_warming"):
            await pool.advise("kora", 1, b"view")
        pool.close()

    asyncio.run(advise())


@pytest.mark.soak
@pytest.mark.parametrize("key", sorted(games()))
def test_every_game_gives_advice_that_can_be_followed(server: LiveServer, key: str) -> None:
    person = Person(server)
    seats = games()[key].rules.info.seats[0]
    line = person.open(person.create(key, bots=["facile"] * (seats - 1), start=True))
    frame = line.expect("state")
    while frame["offer"] is None:
        frame = line.expect("moved")
    answer = line.ask("advise", offer=frame["offer"]["number"])
    assert answer["type"] == "advice", answer
    assert line.ask("act", offer=answer["offer"], action=answer["best"]["action"])["type"] == "moved"

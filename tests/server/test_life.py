"""Presence, grace, proposals, spectators and talk over a real WebSocket, with a clock that the test turns."""

import asyncio
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inside import SlowBots, Wire, lobby_of
from live import ROOMY, Line, LiveServer, Person, seat_two
from websockets import ConnectionClosed

from tablee.core.discover import find, games
from tablee.core.fairness import commitment, seed_of
from tablee.core.game import Refused
from tablee.server.moderation import Filter, clean_message
from tablee.server.presence import Attendance
from tablee.server.room import PROPOSAL_SECONDS
from tablee.table import Table, dealing, hosting, proposals, seating


@pytest.fixture(scope="module")
def hourglass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose time the tests turn."""
    server = LiveServer(tmp_path_factory.mktemp("hourglass"), *ROOMY, turned=True).start()
    yield server
    server.stop()


def until(line: Line, holds: Any, kind: str = "table") -> dict[str, Any]:
    """Return the first frame of a kind, from the last one known on, of which something is true."""
    known = [frame for frame in line.frames if frame["type"] == kind][-1:]
    while not (known and holds(known[-1])):
        known = [line.expect(kind)]
    return known[-1]


def stay_on(line: Line) -> None:
    """Answer the last sign of life that was asked for."""
    number = [frame["number"] for frame in line.frames if frame["type"] == "beat"][-1]
    line.send_raw(f'{{"type": "beat", "id": {number}}}')
    line.ask("ping")


def test_who_loses_the_line_is_seen_coming_back_then_away_and_counted_down(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10}, grace=120)
    second.close()
    lost = until(first, lambda table: table["seats"][1]["presence"] == "reconnecting")
    assert 100 < lost["seats"][1]["away"] <= 120
    hourglass.turn(40)
    away = until(first, lambda table: table["seats"][1]["presence"] == "offline")
    assert 60 < away["seats"][1]["away"] <= 80.1
    # Back within the grace: the same seat, the same match, and nothing was lost.
    again = people[1].open(code)
    assert again.expect("state")["ply"] == first.latest.get("ply", first.latest.get("step", {}).get("ply"))
    back = until(first, lambda table: table["seats"][1]["presence"] == "online")
    assert back["seats"][1]["away"] is None
    hourglass.turn(300)
    assert first.ask("ping")["type"] == "done"
    assert first.latest["outcome"] is None


def test_who_stays_away_for_the_grace_has_left_and_the_other_wins(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, options={"deals": 10}, grace=60)
    second.close()
    until(first, lambda table: table["seats"][1]["presence"] != "online")
    hourglass.turn(61)
    moved = first.expect("moved")
    assert (moved["step"]["cause"], moved["step"]["action"]) == ("leave", {"type": "leave"})
    assert moved["outcome"]["places"] == [1, 2]
    assert until(first, lambda table: table["status"] == "over")["seats"][1]["left"]


def test_a_match_that_everyone_left_sleeps_until_somebody_opens_it_again(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, options={"deals": 10})
    second.close()
    first.close()
    hourglass.turn(14 * 24 * 3600)
    back = people[0].open(code)
    assert back.expect("state")["outcome"] is None
    waiting = until(back, lambda table: table["seats"][1]["presence"] == "offline")
    assert waiting["seats"][1]["away"] > 100


def test_a_missed_beat_is_a_slow_line_and_three_are_a_lost_one(hourglass: LiveServer) -> None:
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


def test_a_proposal_that_nobody_answers_lapses(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    assert first.ask("propose", kind="end")["type"] == "done"
    asked = until(second, lambda table: table["proposal"])["proposal"]
    assert (asked["kind"], asked["seat"], asked["asked"]) == ("end", 0, [1])
    assert first.refused("propose", kind="pause")["code"] == "proposal_pending"
    hourglass.turn(61)
    until(second, lambda table: table["proposal"] is None)
    assert second.refused("answer", yes=True)["code"] == "not_asked"


def test_who_proposed_learns_why_it_will_not_happen(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    second.expect("moved")

    def told() -> tuple[Any, ...]:
        frame = first.expect("settled")
        return frame["kind"], frame["how"], frame["by"]

    first.ask("propose", kind="pause")
    second.ask("answer", yes=False)
    assert told() == ("pause", "refused", 1)
    first.ask("propose", kind="end")
    hourglass.turn(61)
    assert told() == ("end", "unanswered", None)
    first.ask("propose", kind="take_back")
    offer = second.latest["offer"]
    second.ask("act", offer=offer["number"], action=offer["legal"][0])
    assert told() == ("take_back", "overtaken", 1)
    assert 0 < first.refused("propose", kind="end")["values"]["retry"] <= 60
    for line in (first, second):
        stay_on(line)
    hourglass.turn(61)
    assert first.ask("propose", kind="end")["type"] == "done"
    first.ask("withdraw")
    first.ask("ping")
    assert first.frames[-1]["type"] == "done"
    assert sum(frame["type"] == "settled" for frame in first.frames) == 3
    assert not any(frame["type"] == "settled" for frame in second.frames)


def test_who_never_moves_where_no_clock_runs_is_idle_and_the_others_go_on(hourglass: LiveServer) -> None:
    untimed = {"move_time": 0, "match_time": 0, "player_time": 0}
    _, _, (first, second) = seat_two(hourglass, game="dames", options=untimed)
    assert second.refused("propose", kind="replace", seat=0)["code"] == "not_absent"
    hourglass.turn(301)
    until(second, lambda table: table["seats"][0]["presence"] == "idle")
    # Whoever moves is back, and it is the other who may be idle next.
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    until(second, lambda table: table["seats"][0]["presence"] != "idle")
    assert first.refused("propose", kind="replace", seat=1)["code"] == "not_absent"
    hourglass.turn(301)
    until(first, lambda table: table["seats"][1]["presence"] == "idle")
    # Who thinks may say so, and has a minute for it.
    assert first.ask("propose", kind="replace", seat=1)["type"] == "done"
    asked = until(second, lambda table: table["proposal"] is not None)["proposal"]
    assert (asked["asked"], asked["about"]) == ([], [1])
    assert second.ask("answer", yes=False)["type"] == "done"
    assert first.expect("settled")["how"] == "refused"
    until(first, lambda table: table["seats"][1]["presence"] != "idle")
    assert first.refused("propose", kind="replace", seat=1)["code"] == "too_soon"
    for line in (first, second):
        stay_on(line)
    hourglass.turn(301)
    # They may say so once; who is still not playing is not waited for.
    until(first, lambda table: table["seats"][1]["presence"] == "idle")
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
    return code, people, (first, second)


def test_who_is_away_after_a_match_is_not_waited_for_without_end(hourglass: LiveServer) -> None:
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
    # Who comes too late finds a match that goes on without them.
    assert people[1].open(code).expect("table")["you"] is None


def test_who_leaves_after_a_match_frees_the_seat_and_takes_the_result_from_nobody(hourglass: LiveServer) -> None:
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
        told = until(line, lambda table: table["seats"][0]["person"] == claire.id)
        assert (told["status"], told["you"], told["host"]) == ("over", you, people[1].id)
        assert [player["person"] for player in told["players"]] == [people[0].id, people[1].id]
    for line, known in before.items():
        line.ask("ping")
        assert sum(frame["type"] == "state" for frame in line.frames) == known
        assert line.latest["outcome"]["reason"] == "ended"
    second.send("rematch")
    assert until(third, lambda state: state["match"] == 2, "state")["outcome"] is None


def test_a_take_back_is_agreed_and_everyone_sees_the_board_as_it_was(hourglass: LiveServer) -> None:
    code, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    watcher = Person(hourglass).open(code)
    before = watcher.expect("state")["view"]
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    first.ask("propose", kind="take_back")
    second.ask("answer", yes=True)
    for line in (first, second, watcher):
        state = until(line, lambda state: state["rewinds"], "state")
        assert (state["ply"], state["rewinds"], state["view"]) == (0, 1, before)
    assert first.latest["offer"]["number"] == 0


def test_a_pause_stops_the_clocks_and_whoever_sits_may_end_it(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 20, "match_time": 0})
    first.ask("propose", kind="pause")
    second.ask("answer", yes=True)
    paused = first.expect("state")
    assert until(first, lambda table: table["paused"])
    assert paused["clocks"]["running"] == []
    hourglass.turn(600)
    assert first.refused("act", offer=0, action=paused["offer"]["legal"][0])["code"] == "paused"
    second.ask("resume")
    assert first.expect("state")["clocks"]["running"] == [0]


def test_the_deal_is_promised_before_and_proven_after(hourglass: LiveServer) -> None:
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


def test_talk_is_told_kept_and_limited(hourglass: LiveServer) -> None:
    code, _, (first, second) = seat_two(hourglass)
    watcher = Person(hourglass).open(code)
    first.ask("say", text="  Bonjour à tous  ")
    line = second.expect("said")["line"]
    assert (line["text"], line["channel"], line["kind"]) == ("Bonjour à tous", "players", "text")
    watcher.ask("say", kind="emoji", text="🎉")
    assert first.expect("said")["line"]["channel"] == "watchers"
    assert first.refused("say", text="<b>gros</b>")["code"] == "chat_markup"
    assert first.refused("say", text="a\x00b")["code"] == "chat_control"
    assert first.refused("say", text="\u202eà l'envers")["code"] == "chat_control"
    assert first.refused("say", text="a" * 301)["code"] == "chat_too_long"
    assert first.refused("say", text=" \n ")["code"] == "chat_empty"
    first.send_raw(b'{"type": "say", "id": 77, "text": "' + b"a" * 10_000 + b'"}')
    assert first.expect("refused")["code"] == "too_large"
    first.ask("say", text="3 < 4 et I <3 U, quel Connard !")
    second.expect("said")
    assert second.expect("said")["line"]["text"] == "3 < 4 et I <3 U, quel ••••••• !"
    answers = [first.ask("say", text=f"message {n}")["type"] for n in range(12)]
    assert "refused" in answers
    assert first.frames[-1]["code"] == "chat_too_fast"
    late = Person(hourglass).open(code)
    assert [told["n"] for told in late.expect("chat")["lines"]][:3] == [0, 1, 2]
    nobody = Line(hourglass, code)
    assert nobody.refused("say", text="bonjour")["code"] == "unknown_person"


def test_a_message_is_removed_by_its_author_or_the_host_and_reported_once(hourglass: LiveServer) -> None:
    code, _, (first, second) = seat_two(hourglass)
    second.ask("say", text="un")
    second.ask("say", text="deux")
    assert first.ask("report", n=0)["type"] == "done"
    assert first.ask("report", n=0)["type"] == "done"
    assert second.ask("unsay", n=1)["type"] == "done"
    assert first.ask("unsay", n=0)["type"] == "done"
    assert until(second, lambda frame: frame["n"] == 0, "unsaid")
    assert Person(hourglass).open(code).expect("chat")["lines"] == []


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


def test_who_was_sent_away_stays_away(hourglass: LiveServer) -> None:
    host, guest = Person(hourglass), Person(hourglass)
    code = host.create()
    mine, theirs = host.open(code), guest.open(code)
    theirs.ask("sit")
    assert mine.ask("banish", person=guest.id)["type"] == "done"
    assert theirs.expect("refused")["code"] == "banished"
    assert guest.open(code).expect("refused")["code"] == "banished"
    assert until(mine, lambda table: table["seats"][1]["kind"] == "empty")


def test_a_lost_line_is_no_consent_and_no_absence(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    second.close()
    until(first, lambda table: table["seats"][1]["presence"] == "reconnecting")
    assert first.refused("propose", kind="replace", seat=1)["code"] == "not_absent"
    for kind in ("take_back", "end"):
        assert first.ask("propose", kind=kind)["type"] == "done"
        assert until(first, lambda table: table["proposal"])["proposal"]["asked"] == [1]
        first.ask("withdraw")
        until(first, lambda table: table["proposal"] is None)
    hourglass.turn(11)
    until(first, lambda table: table["seats"][1]["presence"] == "offline")
    assert first.ask("propose", kind="replace", seat=1)["type"] == "done"
    assert until(first, lambda table: table["seats"][1]["left"])["seats"][1]["level"] == "moyen"


def three_and_a_computer(hourglass: LiveServer) -> tuple[str, list[Person], list[Line]]:
    """Three people and a computer player at a table of Super Président whose match has begun."""
    people = [Person(hourglass) for _ in range(3)]
    code = people[0].create("president", bots=["facile"])
    lines = [person.open(code) for person in people]
    for line in lines[1:]:
        line.ask("sit")
    lines[0].ask("start")
    return code, people, lines


def test_who_comes_back_is_not_replaced_while_the_others_are_still_asked(hourglass: LiveServer) -> None:
    code, people, lines = three_and_a_computer(hourglass)
    lines[2].close()
    until(lines[0], lambda table: table["seats"][2]["presence"] == "reconnecting")
    hourglass.turn(11)
    assert lines[0].ask("propose", kind="replace", seat=2)["type"] == "done"
    assert until(lines[1], lambda table: table["proposal"])["proposal"]["asked"] == [1]
    people[2].open(code)
    until(lines[1], lambda table: table["proposal"] is None)
    assert lines[1].refused("answer", yes=True)["code"] == "not_asked"


def test_who_returns_to_a_seat_was_not_asked_and_has_what_was_proposed_asked_again(hourglass: LiveServer) -> None:
    _, _, lines = three_and_a_computer(hourglass)
    lines[2].ask("leave")
    lines[0].ask("propose", kind="end")
    lines[2].ask("sit")
    settled = lines[0].expect("settled")
    assert (settled["kind"], settled["how"], settled["by"]) == ("end", "overtaken", 2)
    assert lines[1].refused("answer", yes=True)["code"] == "not_asked"


def test_who_left_has_no_vote(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames")
    second.ask("leave")
    assert second.refused("answer", yes=True)["code"] == "not_seated"
    assert second.refused("propose", kind="end")["code"] == "not_seated"
    assert first.refused("propose", kind="end")["code"] == "no_match"


def test_talk_and_a_pause_survive_the_plug_being_pulled(tmp_path: Path) -> None:
    server = LiveServer(tmp_path).start()
    try:
        code, people, (first, second) = seat_two(server, game="dames")
        first.ask("say", text="encore là")
        Person(server, "Passante").open(code).ask("say", text="moi aussi")
        first.ask("propose", kind="pause")
        second.ask("answer", yes=True)
        server.kill()
        server.start()
        again = people[0].open(code)
        assert again.expect("table")["paused"]
        lines = again.expect("chat")["lines"]
        assert [line["text"] for line in lines] == ["encore là", "moi aussi"]
        assert lines[1]["name"] == "Passante"
    finally:
        server.stop()


def sees_the_end(wire: Wire) -> dict[str, Any]:
    """The outcome that a line was told of last; nothing is left to do there, and no clock runs."""
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
        while room.table.status != "playing":  # a deal may be won before a card is played
            await asyncio.wait(room._tasks)
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
                await room._ring()
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


async def test_a_thought_about_a_move_that_was_taken_back_answers_nothing(tmp_path: Path) -> None:
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
        # Neither do pauses heap up thoughts that nobody waits for.
        for _ in range(3):
            await anne.do(type="propose", kind="pause")
            await anne.do(type="resume")
            before, (view, answer) = answer, await slow.asked.get()
            assert before.cancelled()
        answer.set_result(msgspec.json.encode(room.table.match.legal(1)[0]))
        await asyncio.wait(room._tasks)
        assert room.table.match.ply == 2


async def test_who_erases_themselves_gives_nobody_time_to_think(tmp_path: Path) -> None:
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


async def test_who_was_hung_up_on_is_not_heard_any_more(tmp_path: Path) -> None:
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


async def test_who_comes_back_before_the_grace_was_written_down_keeps_the_seat(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        anne, basile = Wire(room, "anne"), Wire(room, "basile")
        await basile.do(type="sit")
        await anne.do(type="start")
        room.table.grace = 0
        room.part(basile.line)
        async with room._lock:  # the disk is busy
            ringing = asyncio.create_task(room._ring())
            await asyncio.sleep(0)
            Wire(room, "basile")
        await ringing
        assert (room.table.status, room.table.seat_of("basile")) == ("playing", 1)


async def test_nothing_is_dealt_before_it_was_promised(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        await anne.do(type="propose", kind="end")
        for way in ("start", "rematch"):  # before the server had a moment to promise
            await anne.do(type=way)
            assert anne.frames()[-1]["code"] == "no_commitment"
        await asyncio.wait(room._tasks)
        await anne.do(type="rematch")
        assert room.table.dealt.secret is not None


async def test_what_is_proposed_can_still_be_answered_after_a_restart(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        anne, basile = Wire(room, "anne"), Wire(room, "basile")
        await basile.do(type="sit")
        await anne.do(type="start")
        await anne.do(type="propose", kind="end")
    async with lobby_of(tmp_path) as lobby:
        again = Wire(await lobby.open(room.table.code), "basile")
        assert again.frames()[0]["proposal"]["seconds"] == PROPOSAL_SECONDS
        await again.do(type="answer", yes=True)
        assert again.line.room.table.status == "over"


def test_nobody_is_idle_where_a_clock_runs_or_who_has_only_just_come() -> None:
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
    for second in range(550, 800, 50):  # to open the page anew is not to play
        attendance.look(game, {"basile": False}, second)
        attendance.look(game, here, second + 1.0)
    assert attendance.idle(800.0) == {0}
    attendance.stir("anne", 800.0)
    assert attendance.idle(1099.0) == set()
    attendance.stir("anne", 1090.0)  # to talk on is not to play either
    assert attendance.idle(1100.0) == {0}
    attendance.stir("anne", 1100.0, objects=True)
    assert attendance.idle(1399.0) == set()
    attendance.look(game, {"anne": False}, 1200.0)  # nobody waits
    assert attendance.idle(1200.0) == set()
    attendance.look(game, here, 1300.0)
    game.apply_all(proposals.propose(game, "anne", "pause", None, {"anne"}))
    attendance.follow(game, 600.0)
    assert attendance.idle(10_000.0) == set()


def test_a_table_does_not_remember_everyone_who_ever_looked() -> None:
    attendance = Attendance()
    table = Table("ABCDEF", Table.create("dames", {}, None, False, "anne"))
    for n in range(100):
        attendance.look(table, {f"spectator {n}": False}, float(n))
    assert attendance.of("spectator 98", 100.0) == "reconnecting"
    assert attendance.of("spectator 80", 100.0) == "offline"
    assert len(attendance.expected(100.0)) < 15
    assert len(attendance._lost) < 15


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("quel con\u200bnard", "quel •••\u200b••••"),
        ("c\u0336onnard", "•\u0336••••••"),
        ("ｆｕｃｋ", "••••"),
        ("un 👩\u200d🚀 qui députe", "un 👩\u200d🚀 qui députe"),
    ],
)
def test_unseen_signs_hide_no_word(said: str, kept: str) -> None:
    assert clean_message(said, Filter()) == kept


@pytest.mark.parametrize(
    "said",
    ["\u2067abc\u2069", "abc\u200fdef", "\u061cabc", "a\u200eb", "une ligne\u2028puis une autre", "a\u2029b", "a\nb"],
)
def test_nothing_turns_the_text_round_or_begins_a_line(said: str) -> None:
    with pytest.raises(Refused, match="chat_control"):
        clean_message(said, Filter())


@pytest.mark.parametrize("said", ["", "  ", "\u200b", "\u3164 \u2800", "\u200d\ufe0f", "\u0301", "\u00ad\u2060\ufeff"])
def test_a_message_shows_something(said: str) -> None:
    with pytest.raises(Refused, match="chat_empty"):
        clean_message(said, Filter())


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Z" + "\u0335" * 250 + "oé", "Z\u0335\u0335\u0335oé"),
        ("a" + "\u0335\u200d" * 100, "a" + "\u0335\u200d" * 3 + "\u200d" * 97),
        ("\u0301\u0301 bien", "bien"),
    ],
)
def test_a_letter_bears_few_marks(said: str, kept: str) -> None:
    assert clean_message(said, Filter()) == kept


@pytest.mark.parametrize(
    "said",
    [
        "Déjà, ça y est ! « Ô »",
        "Việt Nam",
        "ภูเขาที่นี่",
        "👩\u200d❤\ufe0f\u200d👩 👍🏽 1\ufe0f\u20e3 🇫🇷",
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
)
def test_accents_and_emoji_are_kept(said: str) -> None:
    assert clean_message(said, Filter()) == unicodedata.normalize("NFC", said)

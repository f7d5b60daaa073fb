"""Proposals over a WebSocket: the seats that are asked, and the settlement."""

from pathlib import Path
from typing import Any

from inside import Wire, lobby_of
from live import Line, LiveServer, Person, answer_beat, seat_two, until

from tablee.server.room import PROPOSAL_SECONDS
from tablee.table import Table


def test_a_proposal_that_nobody_answers_lapses(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    assert first.ask("propose", kind="end")["type"] == "done"
    asked = until(second, lambda table: table["proposal"])["proposal"]
    assert (asked["kind"], asked["seat"], asked["asked"]) == ("end", 0, [1])
    assert first.refused("propose", kind="pause")["code"] == "proposal_pending"
    hourglass.turn(61)
    until(second, lambda table: table["proposal"] is None)
    assert second.refused("answer", yes=True)["code"] == "not_asked"


def test_the_players_learn_why_a_proposal_failed(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames", options={"move_time": 0, "match_time": 0})
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    second.expect("moved")

    def settlement() -> tuple[Any, ...]:
        frame = first.expect("settled")
        return frame["kind"], frame["how"], frame["by"]

    first.ask("propose", kind="pause")
    second.ask("answer", yes=False)
    assert settlement() == ("pause", "refused", 1)
    first.ask("propose", kind="end")
    hourglass.turn(61)
    assert settlement() == ("end", "unanswered", None)
    first.ask("propose", kind="take_back")
    offer = second.latest["offer"]
    second.ask("act", offer=offer["number"], action=offer["legal"][0])
    assert settlement() == ("take_back", "overtaken", 1)
    assert 0 < first.refused("propose", kind="end")["values"]["retry"] <= 60
    for line in (first, second):
        answer_beat(line)
    hourglass.turn(61)
    assert first.ask("propose", kind="end")["type"] == "done"
    first.ask("withdraw")
    first.ask("ping")
    assert first.frames[-1]["type"] == "done"
    second.ask("ping")
    for line in (first, second):
        assert [frame["seat"] for frame in line.frames if frame["type"] == "settled"] == [0, 0, 0]


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


def test_a_pause_stops_the_clocks_and_any_player_can_end_it(hourglass: LiveServer) -> None:
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


def test_a_short_disconnection_is_neither_consent_nor_absence(hourglass: LiveServer) -> None:
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


def three_and_a_bot(hourglass: LiveServer) -> tuple[str, list[Person], list[Line]]:
    """Seat three people and a bot at Super Président and start the match."""
    people = [Person(hourglass) for _ in range(3)]
    code = people[0].create("president", bots=["facile"])
    lines = [person.open(code) for person in people]
    for line in lines[1:]:
        line.ask("sit")
    lines[0].ask("start")
    return code, people, lines


def test_coming_back_ends_the_proposal_to_replace_a_player(hourglass: LiveServer) -> None:
    code, people, lines = three_and_a_bot(hourglass)
    lines[2].close()
    until(lines[0], lambda table: table["seats"][2]["presence"] == "reconnecting")
    hourglass.turn(11)
    assert lines[0].ask("propose", kind="replace", seat=2)["type"] == "done"
    assert until(lines[1], lambda table: table["proposal"])["proposal"]["asked"] == [1]
    people[2].open(code)
    until(lines[1], lambda table: table["proposal"] is None)
    assert lines[1].refused("answer", yes=True)["code"] == "not_asked"


def test_returning_to_a_seat_ends_a_proposal_made_meanwhile(hourglass: LiveServer) -> None:
    _, _, lines = three_and_a_bot(hourglass)
    lines[2].ask("leave")
    lines[0].ask("propose", kind="end")
    lines[2].ask("sit")
    settled = lines[0].expect("settled")
    assert (settled["kind"], settled["how"], settled["by"]) == ("end", "overtaken", 2)
    assert lines[1].refused("answer", yes=True)["code"] == "not_asked"


def test_a_player_who_left_has_no_vote(hourglass: LiveServer) -> None:
    _, _, (first, second) = seat_two(hourglass, game="dames")
    second.ask("leave")
    assert second.refused("answer", yes=True)["code"] == "not_seated"
    assert second.refused("propose", kind="end")["code"] == "not_seated"
    assert first.refused("propose", kind="end")["code"] == "no_match"


async def test_a_proposal_can_still_be_answered_after_a_restart(tmp_path: Path) -> None:
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

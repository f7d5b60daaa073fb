"""Tables over a WebSocket: create, join, play, rematch, watch, leave."""

from typing import Any

import msgspec
import pytest
from live import Line, LiveServer, Person, play_on, two_players
from websockets import ConnectionClosed


def test_two_people_play_a_whole_match_and_see_the_same(server: LiveServer) -> None:
    _, first, second = two_players(server)
    play_on((first, second))
    assert first.latest["outcome"] == second.latest["outcome"]
    assert first.latest["outcome"] is not None
    assert first.expect("table")["status"] == "over"


def test_an_action_is_answered_with_the_moved_frame_that_everyone_gets(server: LiveServer) -> None:
    _, first, second = two_players(server, options={"betting": "open"})
    actor, other = (first, second) if first.latest["offer"] else (second, first)
    answer = actor.ask("act", offer=0, action={"type": "propose", "stake": 3})
    moved = other.expect("moved")
    assert answer["step"] == moved["step"]
    assert (moved["step"]["ply"], moved["step"]["action"]) == (1, {"type": "propose", "stake": 3})
    assert moved["reply"] is None
    assert moved["offer"]["legal"] == [{"type": "accept"}, {"type": "refuse"}]
    assert answer["offer"] is None


def test_ten_thousand_stakes_are_offered_as_one_range(server: LiveServer) -> None:
    _, first, second = two_players(server, options={"betting": "open", "bank": 10_000})
    actor = first if first.latest["offer"] else second
    offer = actor.latest["offer"]
    assert len(msgspec.json.encode(actor.latest)) < 2048
    propose = {"type": "propose", "stake": 1}
    assert (offer["legal"], offer["ranges"]) == (
        [],
        [{"action": propose, "field": "stake", "least": 1, "most": 10_000}],
    )
    assert actor.ask("act", offer=0, action={**propose, "stake": 9_999})["type"] == "moved"


def test_rematch_begins_when_every_person_has_asked(server: LiveServer) -> None:
    _, first, second = two_players(server)
    play_on((first, second))
    assert first.ask("rematch")["type"] == "done"
    table = second.expect("table")
    while not any(seat["rematch"] for seat in table["seats"]):
        table = second.expect("table")
    assert [seat["rematch"] for seat in table["seats"]] == [True, False]
    second.send("rematch")
    assert first.expect("state")["match"] == second.expect("state")["match"] == 2


def test_a_person_plays_against_each_level(server: LiveServer) -> None:
    for level in ("facile", "moyen", "difficile"):
        person = Person(server)
        line = person.open(person.create(bots=[level], start=True, options={"deals": 3}))
        line.expect("state")
        while line.latest["outcome"] is None:
            offer = line.latest["offer"]
            if offer is None:
                line.expect("moved")
            else:
                line.ask("act", offer=offer["number"], action=offer["legal"][0])
        assert line.latest["outcome"]["reason"] in ("deals", "bank")
        # Nobody waits for a bot before a rematch.
        line.send("rematch")
        assert line.expect("state")["match"] == 2
        line.close()


def test_leaving_a_match_gives_it_to_the_other_and_the_seat_back(server: LiveServer) -> None:
    _, first, second = two_players(server)
    first.ask("leave")
    moved = second.expect("moved")
    assert (moved["step"]["action"], moved["step"]["cause"]) == ({"type": "leave"}, "leave")
    assert moved["outcome"]["places"] == [2, 1]
    table = second.expect("table")
    assert table["status"] == "over"
    assert table["seats"][0]["left"] is True
    assert second.ask("rematch")["type"] == "done"
    assert second.refused("start")["code"] == "seats_empty"
    # The remaining player is the host now, seats a bot and goes on.
    assert second.ask("seat_bot", seat=0, level="facile")["type"] == "done"
    assert second.ask("start")["type"] == "done"


def test_a_spectator_never_receives_a_hidden_card(server: LiveServer) -> None:
    code, first, second = two_players(server, options={"deals": 3})
    watcher = Line(server, code)
    watcher.expect("state")
    public: set[str] = set()
    while first.latest["outcome"] is None:
        hidden = {card["card"] for line in (first, second) for card in line.latest["view"]["hand"]}
        play_on((first, second), 1)
        frame = watcher.expect("moved")
        view = frame["view"]
        assert view["hand"] == []
        assert frame["offer"] is None
        public |= {card for trick in view["tricks"] for card in (trick["led"], trick["reply"])} | {view["led"]}
        still_hidden = hidden - {(frame["step"]["action"] or {}).get("card")}
        text = msgspec.json.encode({**frame, "view": {**view, "last_deal": None}}).decode()
        assert not [card for card in still_hidden if f'"{card}"' in text]
    assert watcher.frames[0]["watchers"] >= 1


def test_sync_sends_the_steps_missed_in_a_gap(server: LiveServer) -> None:
    _, first, second = two_players(server, options={"deals": 10})
    play_on((first, second), 5)
    first.send("sync", match=1, ply=2)
    state = first.expect("state")
    assert state["ply"] == 5
    assert [step["ply"] for step in state["missed"]] == [3, 4, 5]
    assert state["view"] == first.latest["view"]


def test_the_same_person_in_two_tabs_has_one_seat_and_the_newer_takes_over(server: LiveServer) -> None:
    person = Person(server)
    code = person.create(bots=["facile"], start=True)
    one = person.open(code)
    one.expect("state")
    two = person.open(code)
    two.expect("chat")
    hands = [{held["card"] for held in line.latest["view"]["hand"]} for line in (one, two)]
    assert hands[0] == hands[1]
    assert one.frames[0]["you"] == two.frames[0]["you"] == 0
    with pytest.raises(ConnectionClosed) as closed:
        one.expect("nothing")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4409
    assert two.ask("ping")["type"] == "done"


def test_a_new_name_is_broadcast_at_the_table(server: LiveServer) -> None:
    person = Person(server, "Zoé")
    line = person.open(person.create())
    assert line.expect("table")["seats"][0]["name"] == "Zoé"
    person.http.patch("/api/me", json={"name": "  Zoé\u202e \t Martin ", "avatar": 7})
    seat = line.expect("table")["seats"][0]
    assert (seat["name"], seat["avatar"]) == ("Zoé Martin", 7)


def test_public_tables_are_listed_and_private_ones_are_not(server: LiveServer) -> None:
    host, visitor = Person(server, "Hôte"), Person(server)
    public, private = host.create(public=True), host.create()
    listed: dict[str, Any] = {}
    while public not in listed:  # another server lists it a moment later
        listed = {card["code"]: card for card in visitor.http.get("/api/tables").json()}
    assert private not in listed
    assert (listed[public]["host"], listed[public]["taken"], listed[public]["seats"]) == ("Hôte", 1, 2)
    assert visitor.http.get(f"/api/tables/{private.lower()}").json()["code"] == private


def test_the_host_configures_the_table_and_others_may_not(server: LiveServer) -> None:
    host, guest = Person(server), Person(server)
    code = host.create()
    theirs, mine = guest.open(code), host.open(code)
    assert theirs.refused("configure", options={"stake": 5})["code"] == "not_host"
    assert mine.refused("configure", options={"stake": 0})["values"]["field"] == "stake"
    assert mine.ask("configure", options={"stake": 5}, public=True)["type"] == "done"
    table = theirs.expect("table")
    while table["options"]["stake"] != 5:
        table = theirs.expect("table")
    assert table["public"] is True


@pytest.mark.parametrize("stage", ["waiting", "playing", "over"])
def test_commands_that_do_not_fit_the_moment_are_refused(server: LiveServer, stage: str) -> None:
    person = Person(server)
    code = person.create(bots=[] if stage == "waiting" else ["facile"], start=stage != "waiting", options={"deals": 10})
    line = person.open(code)
    line.expect("table")
    if stage == "waiting":
        assert line.refused("start")["code"] == "seats_empty"
        assert line.refused("rematch")["code"] == "no_match"
        assert line.refused("act", offer=0, action={"type": "accept"})["code"] == "no_match"
        assert line.refused("sit")["code"] == "already_seated"
        assert line.refused("seat_bot", seat=9, level="facile")["code"] == "no_such_seat"
        assert line.refused("seat_bot", seat=0, level="facile")["code"] == "seat_taken"
        assert line.refused("seat_bot", seat=1, level="divin")["code"] == "unknown_level"
    elif stage == "playing":
        assert line.refused("start")["code"] == "match_running"
        assert line.refused("configure", public=True)["code"] == "match_running"
        assert line.refused("clear_seat", seat=1)["code"] == "match_running"
        assert Person(server).open(code).refused("sit")["code"] == "match_running"
    else:
        line.ask("leave")
        assert line.refused("act", offer=0, action={"type": "accept"})["code"] == "not_seated"


def test_the_table_plays_for_a_slow_player_and_says_why(server: LiveServer) -> None:
    _, first, second = two_players(server, move_time=5, options={"deals": 10})
    clocks = first.latest["clocks"]
    assert 4 < clocks["move"] <= 5
    assert clocks["running"] == first.latest["turn"]["must"]
    actor = second if second.latest["offer"] else first
    number = actor.latest["offer"]["number"]
    moved = first.expect("moved")
    assert moved["step"]["cause"] == "clock"
    assert second.expect("moved")["step"] == moved["step"]
    assert actor.refused("act", offer=number, action={"type": "accept"})["code"] in ("stale_offer", "not_your_turn")


def test_a_new_connection_gets_a_heartbeat(server: LiveServer) -> None:
    person = Person(server)
    line = person.open(person.create())
    beat = line.expect("beat")
    line.send("beat", id=beat["number"])
    assert line.ask("ping")["type"] == "done"


def test_a_person_sees_a_hand_only_while_seated(server: LiveServer) -> None:
    person = Person(server)
    line = person.open(person.create("president", seats=4, bots=["facile"] * 3, start=True))
    held = line.expect("state")["view"]["hand"]
    assert held
    line.send("leave")
    while line.expect("state", "moved")["view"]["seat"] is not None:
        pass
    assert not line.latest["view"]["hand"]
    assert line.latest["offer"] is None
    line.send("sit")
    assert set(line.expect("state")["view"]["hand"]) <= set(held)
    assert line.latest["view"]["seat"] == 0

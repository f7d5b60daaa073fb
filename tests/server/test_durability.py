"""Durability: every move that the server accepted survives a kill."""

import signal

import pytest
from live import LiveServer, Person, play_on, seat_two, two_players, wait_until
from websockets.exceptions import ConnectionClosed


def test_a_match_goes_on_after_sigkill_in_the_middle_of_a_deal(own_server: LiveServer) -> None:
    code, people, lines = seat_two(own_server, options={"deals": 3})
    people[0].http.patch("/api/me", json={"name": "Alix"})
    play_on(lines, 4)
    seen = [(line.latest["view"], line.latest["offer"]) for line in lines]
    own_server.kill()
    own_server.start()
    lines = people[0].open(code), people[1].open(code)
    for line in lines:
        line.expect("state")
    assert [(line.latest["view"], line.latest["offer"]) for line in lines] == seen
    assert lines[1].frames[0]["seats"][0]["name"] == "Alix"
    play_on(lines)
    assert lines[0].latest["outcome"] == lines[1].latest["outcome"] is not None


def test_public_tables_are_in_the_lobby_after_a_restart(own_server: LiveServer) -> None:
    person = Person(own_server)
    code = person.create(public=True)
    own_server.kill()
    own_server.start()
    visitor = Person(own_server)
    wait_until(lambda: [card["code"] for card in visitor.http.get("/api/tables").json()] == [code])


def test_a_bot_that_was_thinking_thinks_again(own_server: LiveServer) -> None:
    own_server.stop()
    own_server.options = ("--bot-pause", "60", "--workers", "1")
    own_server.start()
    person = Person(own_server)
    line = person.open(person.create(bots=["facile"], start=True, options={"deals": 10}))
    line.expect("state")
    if line.latest["offer"]:
        line.ask("act", offer=0, action=line.latest["offer"]["legal"][0])
    code = line.frames[0]["code"]
    own_server.kill()
    own_server.options = ("--bot-pause", "0", "--workers", "1")
    own_server.start()
    again = person.open(code)
    again.expect("state")
    while again.latest["offer"] is None:
        again.expect("moved")


def test_sigterm_says_goodbye_and_leaves_nothing_behind(own_server: LiveServer) -> None:
    _, first, _ = two_players(own_server)
    own_server.stop(signal.SIGTERM)
    with pytest.raises(ConnectionClosed) as closed:
        first.expect("never")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    log = own_server.log.read_text()
    assert "Traceback" not in log, log
    assert "leaked" not in log, log


def test_a_person_keeps_name_and_seat_across_a_restart(own_server: LiveServer) -> None:
    person = Person(own_server, "Colette")
    code = person.create()
    own_server.kill()
    own_server.start()
    assert person.http.get("/api/me").json()["name"] == "Colette"
    assert person.open(code).expect("table")["you"] == 0

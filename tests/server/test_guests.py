"""Two people at one device, over one connection."""

import sqlite3
from contextlib import closing

from finished import get, refused
from live import LiveServer, Person
from pair import need_one_server


def test_two_people_play_over_one_connection_and_a_spectator_sees_both_names(server: LiveServer) -> None:
    person, passer_by = Person(server, "Anne"), Person(server)
    code = person.create("dames", guests=[" Zoé  du salon "], start=True)
    line, watching = person.open(code), passer_by.open(code)
    table = line.expect("table")
    assert (table["you"], table["view_seat"], table["yours"]) == (0, 0, [0, 1])
    assert [(seat["name"], seat["guest"], seat["person"]) for seat in table["seats"]] == [
        ("Anne", False, person.id),
        ("Zoé du salon", True, person.id),
    ]
    assert watching.expect("table")["yours"] == []
    line.expect("state")
    watching.expect("state")
    for ply in range(4):
        offer = line.latest["offer"]
        assert offer["must"]
        moved = line.ask("act", offer=offer["number"], action=offer["legal"][0])
        assert moved["step"]["seat"] == ply % 2
        assert watching.expect("moved")["offer"] is None
    assert line.ask("propose", kind="take_back")["type"] == "done"
    assert line.latest["ply"] == 3
    assert watching.refused("act", offer=3, action={})["code"] == "not_seated"
    # A reload finds the side whose turn it is.
    again = person.open(code).expect("table")
    assert (again["you"], again["yours"]) == (1, [0, 1])


def test_a_guest_is_named_in_the_history_without_being_anybody(own_server: LiveServer) -> None:
    person = Person(own_server, "Anne")
    refused(person.http.post("/api/tables", json={"game": "kora", "guests": ["Zoé"]}), 400, "guests_not_here")
    refused(person.http.post("/api/tables", json={"game": "dames", "guests": ["A", "B"]}), 400, "table_full")
    refused(person.http.post("/api/tables", json={"game": "dames", "guests": [" "]}), 400, "bad_request")
    code = person.create("dames", guests=["Zoé Inconnue"], start=True)
    line = person.open(code)
    line.expect("state")
    for _ in range(3):
        offer = line.latest["offer"]
        line.ask("act", offer=offer["number"], action=offer["legal"][0])
    line.ask("resign")
    card = get(person, f"matches/{code}-1")["card"]
    assert not card["rated"]
    assert [(one["name"], one["person"], one["level"]) for one in card["players"]] == [
        ("Anne", person.id, None),
        ("Zoé Inconnue", None, None),
    ]
    stats = get(person, "me/stats")["games"][0]
    assert (stats["matches"], stats["rivals"], stats["rating"]) == (1, [], None)
    assert person.http.delete("/api/me").status_code == 204
    need_one_server("it looks into the SQLite file")
    with closing(sqlite3.connect(own_server.data / "tablee.db")) as database:
        assert "Zoé Inconnue" not in "".join(database.iterdump())

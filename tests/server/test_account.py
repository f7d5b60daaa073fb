"""Recovery codes, the export and erasure of one person's data, against a real server."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from finished import get, played, refused
from live import ROOMY, Line, LiveServer, Person, seat_two
from pair import need_one_server, open_server
from websockets.exceptions import ConnectionClosed


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose matches no other file adds to."""
    live = open_server(tmp_path_factory.mktemp("archive"), *ROOMY).start()
    yield live
    live.stop()


def test_a_recovery_code_makes_another_device_the_same_person(own_server: LiveServer) -> None:
    person, device = Person(own_server, "Zoé"), Person(own_server)
    old = person.http.post("/api/me/recovery").json()["code"]
    code = person.http.post("/api/me/recovery").json()["code"]
    assert len(code.replace("-", "")) == 24
    need_one_server("it looks into the SQLite file")
    with closing(sqlite3.connect(own_server.data / "tablee.db")) as database:
        assert code not in "".join(database.iterdump())
    refused(device.http.post("/api/recover", json={"code": old}), 400, "bad_recovery")
    answer = device.http.post("/api/recover", json={"code": f" {code.lower().replace('-', ' ')} "})
    assert answer.json()["id"] == person.id
    assert len(answer.headers.get_list("set-cookie")) == 1
    assert device.http.get("/api/me").json() == {"id": person.id, "name": "Zoé", "avatar": answer.json()["avatar"]}
    # A browser without a cookie gets only this one.
    fresh = httpx.post(f"{own_server.url}/api/recover", json={"code": code})
    assert [cookie.startswith(f"tablee={person.id}.") for cookie in fresh.headers.get_list("set-cookie")] == [True]
    # Guesses are limited.
    answers = [httpx.post(f"{own_server.url}/api/recover", json={"code": f"{n}"}) for n in range(10)]
    refused(answers[-1], 429, "too_many")


def test_a_cookie_of_another_server_is_a_strangers(server: LiveServer, module_server: LiveServer) -> None:
    person = Person(module_server, "Zoé")
    answer = httpx.get(f"{server.url}/api/me", headers={"cookie": person.cookie})
    assert answer.json()["id"] != person.id
    assert answer.json()["name"] != "Zoé"
    assert f"tablee={answer.json()['id']}." in answer.headers["set-cookie"]
    line = Line(server, Person(server).create(), {"cookie": person.cookie})
    assert line.expect("table")["you"] is None
    assert line.refused("sit")["code"] == "unknown_person"


def test_a_person_can_export_all_their_data(module_server: LiveServer) -> None:
    id, people, lines = played(module_server)
    lines[0].ask("say", text="Bien joué !")
    data = people[0].http.get("/api/me/data")
    assert "attachment" in data.headers["content-disposition"]
    mine = data.json()
    assert mine["person"]["id"] == people[0].id
    assert [card["id"] for card in mine["matches"]] == [id]
    assert mine["tables"] == [id.partition("-")[0]]
    assert [message["text"] for message in mine["messages"]] == ["Bien joué !"]
    assert set(mine["ratings"]) == {"kora"}
    assert mine["recovery"] is False
    assert (mine["plans"], mine["vacations"], mine["conduct"]) == ([], [], {"strikes": 0, "at": 0.0})


def test_the_export_has_planned_lines_and_vacations(own_server: LiveServer) -> None:
    code, (_, person), (_, line) = seat_two(own_server, game="dames")
    moves = [{"type": "move", "path": path} for path in ([32, 28], [19, 23])]
    line.ask("plan", ply=0, line=moves)
    person.http.put("/api/me/vacation", json={"away": True})
    mine = person.http.get("/api/me/data").json()
    assert [plan["line"] for plan in mine["plans"]] == [[{"seat": n, "action": move} for n, move in enumerate(moves)]]
    assert mine["plans"][0]["table"] == code
    (vacation,) = mine["vacations"]
    assert vacation["days"] == 0
    assert vacation["began"] > 0


def test_erasing_a_person_leaves_the_others_their_matches(own_server: LiveServer) -> None:
    id, people, lines = played(own_server)
    person, other = people
    person.http.patch("/api/me", json={"name": "Zoé"})
    lines[0].ask("say", text="un secret")
    code = person.http.post("/api/me/recovery").json()["code"]
    running, (host, _), _ = seat_two(own_server, options={"deals": 10})
    watching = person.open(running)
    watching.expect("state")
    watching.ask("say", text="je regarde")
    mine = person.create(public=True)
    person.open(mine).expect("table")

    answer = person.http.delete("/api/me")
    assert answer.status_code == 204
    assert answer.headers["set-cookie"].startswith("tablee=;")
    with pytest.raises(ConnectionClosed):
        lines[0].expect("never")
    need_one_server("it looks into the SQLite file")
    with closing(sqlite3.connect(own_server.data / "tablee.db")) as database:
        everything = "".join(database.iterdump())
    for trace in (person.id, "un secret", "je regarde", "Zoé"):
        assert trace not in everything, trace
    stranger = get(other, f"matches/{id}")["card"]["players"][0]
    assert stranger["person"] not in (None, person.id)
    assert get(other, "me/stats")["games"][0]["matches"] == 1
    refused(httpx.post(f"{own_server.url}/api/recover", json={"code": code}), 400, "bad_recovery")
    assert person.http.get("/api/me").json()["id"] != person.id
    # The tables that are awake know no more than the logs, and go on.
    for line in (other.open(id.partition("-")[0]), host.open(running)):
        line.expect("table")
        line.ask("ping")
        assert person.id not in json.dumps(line.frames)
        assert "un secret" not in json.dumps(line.frames)
    # Nobody waits for a stranger's yes to play again.
    assert other.open(id.partition("-")[0]).expect("table")["seats"][0]["kind"] == "empty"
    own_server.kill()
    own_server.start()
    assert get(other, f"matches/{id}/replay", seat=0)["card"]["players"][0] == stranger

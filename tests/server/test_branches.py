"""« Rejouer ce moment » over HTTP, against a real server."""

import msgspec
import pytest
from finished import get, played, refused
from live import Line, LiveServer, Person, until

from tablee.core.fairness import verify
from tablee.core.record import Record

PDN = '[Result "*"]\n1. 32-28 19-23 2. 28x19 14x23 *\n'


def branch(person: Person, id: str, **ask: object) -> str:
    answer = person.http.post(f"/api/matches/{id}/branch", json={"seat": 0, "level": "facile", **ask})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


def play_to_the_end(line: Line) -> None:
    """Play one's own turns until the match is over."""
    frame = line.expect("state")
    while frame["outcome"] is None:
        if frame["offer"] is not None:
            line.send("act", offer=frame["offer"]["number"], action=frame["offer"]["legal"][0])
        frame = line.expect("moved", "refused")
        assert frame["type"] == "moved", frame


def test_a_finished_match_is_played_on_from_any_moment(server: LiveServer) -> None:
    id, (person, _), _ = played(server, options={"deals": 3})
    record = get(person, f"matches/{id}/record.json")
    code = branch(person, id, ply=5)
    line = person.open(code)
    table = line.expect("table")
    assert (table["branch"], table["you"], table["status"]) == ({"ply": 5, "match": id}, 0, "playing")
    assert (table["public"], table["rated"], table["seats"][1]["level"]) == (False, False, "facile")
    play_to_the_end(line)
    page = get(person, f"matches/{code}-1")
    assert (page["branch"], page["card"]["rated"]) == ({"ply": 5, "match": id}, False)
    found = get(person, f"matches/{code}-1/record.json")
    assert found["steps"][:5] == record["steps"][:5]
    assert found["origins"] == [{"ply": 5, "seed": record["seed"]}]
    assert get(person, f"matches/{code}-1/draws")["origins"] == found["origins"]
    assert not [check for check in verify(Record.from_json(msgspec.json.encode(found))) if check.ok is False]
    assert get(person, f"matches/{code}-1/replay")["steps"][:5] == get(person, f"matches/{id}/replay")["steps"][:5]
    until(line, lambda table: table["commit"] is not None and table["status"] == "over")
    line.ask("rematch")
    assert until(line, lambda table: table["match"] == 2)["branch"] is None


def test_another_action_can_be_played_first(server: LiveServer) -> None:
    id, (person, _), _ = played(server)
    step = get(person, f"matches/{id}/record.json")["steps"][0]
    code = branch(Person(server), id, ply=0, seat=1 - step["seat"], action=step["action"])
    state = person.open(code).expect("state")
    assert state["ply"] >= 1
    answer = person.http.post(
        f"/api/matches/{id}/branch",
        json={"ply": 0, "seat": 0, "level": "facile", "action": step["action"], "actor": 1 - step["seat"]},
    )
    refused(answer, 400, "not_your_turn")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"ply": 4000}, 400, "no_such_ply"),
        ({"level": "divin"}, 400, "unknown_level"),
        ({"seat": 7}, 400, "no_such_seat"),
        ({"action": {"type": "fly"}}, 400, "bad_action"),
        ({"ply": -1}, 400, "bad_request"),
    ],
)
def test_a_branch_that_makes_no_sense_is_refused(
    server: LiveServer, change: dict[str, object], status: int, code: str
) -> None:
    id, (person, _), _ = played(server)
    answer = person.http.post(f"/api/matches/{id}/branch", json={"ply": 2, "seat": 0, "level": "facile", **change})
    refused(answer, status, code)


def test_a_match_that_runs_or_is_over_is_not_played_on(server: LiveServer) -> None:
    id, (person, _), _ = played(server)
    last = get(person, f"matches/{id}")["card"]["plies"]
    ask = {"ply": last, "seat": 0, "level": "facile"}
    refused(person.http.post(f"/api/matches/{id}/branch", json=ask), 400, "over")
    code = branch(person, id, ply=0)
    refused(person.http.post(f"/api/matches/{code}-1/branch", json=ask), 409, "not_over")


def test_an_uploaded_match_is_played_on(server: LiveServer) -> None:
    id, (person, _), _ = played(server)
    record = person.http.get(f"/api/matches/{id}/record.json").content
    ask = msgspec.json.encode({"ply": 3, "seat": 1, "level": "facile"}).decode()
    answer = person.http.post("/api/replays/branch", params={"ask": ask}, content=record)
    table = person.open(answer.json()["code"]).expect("table")
    assert (table["branch"], table["you"]) == ({"ply": 3, "match": None}, 1)
    answer = person.http.post("/api/replays/branch", params={"ask": ask, "format": "pdn"}, content=PDN)
    assert person.open(answer.json()["code"]).expect("state")["ply"] >= 3
    gcg = "#player1 a A\n#player2 b B\n#lexicon dicollecte\n>a: AEMOSTU 8H MOTS +12 12\n"
    answer = person.http.post("/api/replays/branch", params={"ask": ask, "format": "gcg"}, content=gcg)
    assert answer.json()["code"] in ("no_seed", "bad_line", "missing_resource"), answer.text
    answer = person.http.post("/api/replays/branch", params={"ask": "{"}, content=record)
    assert refused(answer, 400, "bad_request")["field"] == "ask"

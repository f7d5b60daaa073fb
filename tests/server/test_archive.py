"""History, replays, figures, ratings and identity over HTTP, against a real server."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import current_thread
from typing import Any

import httpx
import pytest
from inside import Wire, lobby_of
from live import ROOMY, Line, LiveServer, Person, play_on, seat_two
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from tablee.arena import random_game
from tablee.cli import main
from tablee.core.fairness import commitment, verify
from tablee.core.game import Refused
from tablee.core.match import Match, Step
from tablee.core.record import Record
from tablee.core.replay import Replay
from tablee.games.scrabble.lexicon import Lexicon
from tablee.server.replays import Projector
from tablee.store import SqliteStore
from tablee.table import Table
from tablee.table.events import decode


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose limits on replays and codes no other test uses up."""
    live = LiveServer(tmp_path_factory.mktemp("archive"), *ROOMY).start()
    yield live
    live.stop()


def played(server: LiveServer, **table: Any) -> tuple[str, tuple[Person, Person], tuple[Line, Line]]:
    """A finished match of two people: its id, they, and their lines."""
    code, people, lines = seat_two(server, **table)
    play_on(lines)
    people[0].http.get(f"/api/matches/{code}-1").raise_for_status()  # it is kept by now
    return f"{code}-1", people, lines


def get(person: Person, path: str, **query: Any) -> Any:
    answer = person.http.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    values: dict[str, Any] = answer.json()["values"]
    return values


def change(server: LiveServer, *statements: str) -> None:
    with closing(sqlite3.connect(server.data / "tablee.db")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


# History.


def test_a_finished_match_is_in_the_history_of_those_who_played_it(house: LiveServer) -> None:
    id, people, lines = played(house, options={"deals": 3})
    people[0].http.patch("/api/me", json={"name": "Après"})
    for person in people:
        (card,) = get(person, "history")["matches"]
        assert (card["id"], card["game"], card["options"]["deals"], card["public"]) == (id, "kora", 3, False)
        assert card["started"] <= card["ended"]
        outcome = lines[0].latest["outcome"]
        assert [(one["place"], one["score"]) for one in card["players"]] == list(
            zip(outcome["places"], outcome["scores"], strict=True)
        )
        assert [one["person"] for one in card["players"]] == [one.id for one in people]
        assert card["players"][0]["name"] != "Après"  # the name of that time
        assert card["rated"]
        assert sum(one["rating_after"] for one in card["players"]) == pytest.approx(3000, abs=0.1)
    assert get(Person(house), "history")["matches"] == []
    assert id not in str(get(Person(house), "history", whose="public"))


def test_public_matches_are_everyones_and_private_ones_for_who_has_the_id(house: LiveServer) -> None:
    public, _, _ = played(house, public=True)
    private, _, _ = played(house)
    listed = [card["id"] for card in get(Person(house), "history", whose="public")["matches"]]
    assert public in listed
    assert private not in listed
    assert get(Person(house), f"matches/{private.lower()}")["card"]["id"] == private


def test_the_history_is_paged_and_filtered(house: LiveServer) -> None:
    code, people, lines = seat_two(house)
    for number in range(1, 6):
        play_on(lines)
        assert get(people[0], f"matches/{code}-{number}")["card"]["plies"] >= 0
        for line in lines:
            line.send("rematch")
        for line in lines:
            while line.expect("state")["match"] <= number:
                pass
    seen, page = [], get(people[0], "history", limit=2)
    while page["next"] is not None:
        seen += page["matches"]
        page = get(people[0], "history", limit=2, before=page["next"])
    seen += page["matches"]
    ids = [card["id"] for card in seen]
    assert ids[:5] == [f"{code}-{number}" for number in (6, 5, 4, 3, 2, 1)][-len(ids) :][:5]
    won = [card["id"] for card in seen if card["players"][0]["result"] == "win"]
    assert [card["id"] for card in get(people[0], "history", result="win")["matches"]] == won
    assert get(people[0], "history", opponents="computer")["matches"] == []
    assert get(people[0], "history", game="dames")["matches"] == []
    assert len(get(people[0], "history", opponents="people", game="kora")["matches"]) == len(seen)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 51}, "limit"),
        ({"limit": 0}, "limit"),
        ({"before": "hier"}, "before"),
        ({"whose": "theirs"}, "whose"),
        ({"whose": "public", "result": "win"}, "result"),
        ({"opponents": "cheats"}, "opponents"),
    ],
)
def test_a_question_that_cannot_be_is_refused_by_name(house: LiveServer, query: dict[str, Any], field: str) -> None:
    answer = Person(house).http.get("/api/history", params=query)
    assert refused(answer, 400, "bad_request")["field"] == field


@pytest.mark.parametrize("part", ["", "/replay", "/draws", "/record.json"])
def test_nothing_of_a_running_match_leaves_before_its_end(house: LiveServer, part: str) -> None:
    code, people, lines = seat_two(house, options={"deals": 10})
    play_on(lines, 3)
    refused(people[0].http.get(f"/api/matches/{code}-1{part}"), 409, "not_over")
    for id in (f"{code}-2", "ZZZZZZ-1", f"{code}-0", code, "%2e%2e", f"{code}-99999999999999999999"):
        refused(people[0].http.get(f"/api/matches/{id}{part}"), 404, "unknown_match")
    assert get(people[0], "history")["matches"] == []


# Replays.


def test_a_match_is_watched_again_from_every_seat(house: LiveServer) -> None:
    id, people, lines = played(house, options={"deals": 3})
    told = [{frame["step"]["ply"]: frame for frame in line.frames if frame["type"] == "moved"} for line in lines]
    for seat in (0, 1):
        page = get(people[1 - seat], f"matches/{id}/replay", seat=seat)
        assert (page["first"], page["last"], len(page["views"])) == (0, page["plies"], page["plies"] + 1)
        assert [step["ply"] for step in page["steps"]] == list(range(1, page["plies"] + 1))
        for step, view, turn in zip(page["steps"], page["views"][1:], page["turns"][1:], strict=True):
            frame = told[seat][step["ply"]]
            assert (frame["step"], frame["view"], frame["turn"]) == (step, view, turn)
        assert page["outcome"] == lines[0].latest["outcome"]
        assert page["card"]["id"] == id
    spectator = get(Person(house), f"matches/{id}/replay")
    assert all(view["hand"] == [] for view in spectator["views"])


def test_a_replay_comes_in_parts(house: LiveServer) -> None:
    id, people, _ = played(house, options={"deals": 5})
    whole = get(people[0], f"matches/{id}/replay", seat=0)
    part = get(people[0], f"matches/{id}/replay", seat=0, first=3, last=6)
    assert (part["first"], part["last"]) == (3, 6)
    assert part["views"] == whole["views"][3:7]
    assert [step["ply"] for step in part["steps"]] == [3, 4, 5, 6]
    beyond = get(people[0], f"matches/{id}/replay", first=100_000)
    assert (beyond["first"], beyond["last"], len(beyond["views"])) == (whole["plies"], whole["plies"], 1)
    refused(people[0].http.get(f"/api/matches/{id}/replay?seat=2"), 400, "no_such_seat")
    refused(people[0].http.get(f"/api/matches/{id}/replay?first=-1"), 400, "bad_request")


def test_a_long_replay_has_at_most_200_positions_a_part(house: LiveServer) -> None:
    match = random_game("president", seats=4, options={"rounds": 5}, seed="longue")
    assert match.ply > 200
    person = Person(house)
    record = match.record().to_json()
    seen = 0
    while seen <= match.ply:
        page = person.http.post("/api/replays", params={"first": seen}, content=record).json()
        assert page["last"] - page["first"] + 1 == len(page["views"]) <= 200
        seen = page["last"] + 1
    assert seen == match.ply + 1


def test_a_downloaded_record_is_verified_and_can_be_watched(house: LiveServer) -> None:
    id, people, _ = played(house)
    answer = people[0].http.get(f"/api/matches/{id}/record.json")
    assert answer.headers["content-disposition"] == f'attachment; filename="tablee-{id}.json"'
    proof = get(people[0], f"matches/{id}")["proof"]
    record = Record.from_json(answer.content)
    assert all(check.ok for check in verify(record, proof["commit"]))
    uploaded = people[1].http.post("/api/replays?seat=0", content=answer.content).json()
    own = get(people[0], f"matches/{id}/replay", seat=0)
    assert {**uploaded, "card": None, "names": []} == {**own, "card": None, "names": []}
    draws = get(people[0], f"matches/{id}/draws")
    assert draws["proof"] == proof
    assert draws["draws"] == json.loads(answer.content)["draws"]


def kora_record() -> dict[str, Any]:
    for number in range(100):
        match = Match.start("kora", seed=f"graine {number}")
        while match.outcome is None:
            seat = min(match.turn.must)
            match.play(seat, match.legal(seat)[0])
        if match.ply > 6:
            record: dict[str, Any] = json.loads(match.record().to_json())
            return record
    raise AssertionError


RECORD = kora_record()
FORGED: dict[str, tuple[Any, int, str, dict[str, Any]]] = {
    "not JSON": (b"{oops", 400, "bad_record", {}),
    "not text": (b"\xff\xfe\x00", 400, "bad_record", {}),
    "empty": (b"", 400, "bad_record", {}),
    "nested": (b"[" * 100_000, 400, "bad_record", {}),
    "a field too many": ({**RECORD, "sudo": True}, 400, "bad_record", {"field": "sudo"}),
    "a field missing": ({"game": "kora"}, 400, "bad_record", {}),
    "a long seed": ({**RECORD, "seed": "x" * 10_000}, 400, "bad_record", {"field": "seed"}),
    "another card": (
        {**RECORD, "steps": [*RECORD["steps"][:4], RECORD["steps"][0], *RECORD["steps"][5:]]},
        400,
        "cannot_replay",
        {"step": 5},
    ),
    "another seed": ({**RECORD, "seed": "une autre"}, 400, "cannot_replay", {}),
    "another winner": (
        {**RECORD, "outcome": {**RECORD["outcome"], "places": RECORD["outcome"]["places"][::-1]}},
        400,
        "cannot_replay",
        {"step": len(RECORD["steps"])},
    ),
    "other seats": ({**RECORD, "seats": 40}, 400, "cannot_replay", {"step": 0}),
    "no end": ({**RECORD, "steps": RECORD["steps"] * 100}, 400, "cannot_replay", {}),
    "another secret": ({**RECORD, "secret": "00", "salts": ["-", "-"]}, 400, "cannot_replay", {"step": 0}),
    "other rules": ({**RECORD, "version": 99}, 409, "rules_changed", {"version": 99}),
    "another game": ({**RECORD, "game": "poker"}, 404, "unknown_game", {"game": "poker"}),
}


def test_a_forged_record_is_refused_with_the_place(house: LiveServer) -> None:
    person = Person(house)
    for what, (record, status, code, values) in FORGED.items():
        content = record if isinstance(record, bytes) else json.dumps(record)
        answer = person.http.post("/api/replays", content=content)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (what, answer.text)
        assert answer.json()["values"].items() >= values.items(), what
    assert person.http.post("/api/replays", content=json.dumps(RECORD)).status_code == 200


def test_a_record_may_be_large_and_not_monstrous_and_other_bodies_stay_small(house: LiveServer) -> None:
    person = Person(house)
    padded = json.dumps(RECORD) + " " * 900_000
    assert person.http.post("/api/replays", content=padded).status_code == 200
    answer = person.http.post("/api/replays", content=padded + " " * 200_000)
    assert refused(answer, 413, "too_large")["limit"] == 1024 * 1024
    answer = person.http.post("/api/recover", json={"code": "x" * 20_000})
    assert refused(answer, 413, "too_large")["limit"] == 16 * 1024


def test_replays_of_files_of_other_programs(house: LiveServer) -> None:
    person = Person(house)
    refused(person.http.post("/api/replays?format=exe", content=b"MZ"), 404, "unknown_format")
    for format, text, line in (("gcg", "#player1 a\n#player2 b\noops", 3), ("pdn", "1. 32-28 19-23 2. zut", 1)):
        answer = person.http.post(f"/api/replays?format={format}", content=text)
        assert refused(answer, 400, "bad_line")["line"] == line
    id, people, _ = played(house)
    refused(people[0].http.get(f"/api/matches/{id}/record.exe"), 404, "unknown_format")
    refused(people[0].http.get(f"/api/matches/{id}/anything"), 404, "unknown_format")


# A list of words that is gone.


def test_what_was_played_with_a_list_that_is_gone_is_refused_by_its_name(own_server: LiveServer) -> None:
    words = Lexicon("maison", ["MOTS", "TSOM"])
    path = words.write(own_server.data / "lexicons")
    over, people, lines = seat_two(own_server, game="scrabble", options={"lexicon": "maison"})
    lines[0].ask("leave")
    running, _, _ = seat_two(own_server, game="scrabble", options={"lexicon": "maison"})
    person, id = people[0], f"{over}-1"
    record = person.http.get(f"/api/matches/{id}/record.json").content
    own_server.stop()
    path.unlink()
    own_server.start()
    assert get(person, f"matches/{id}")["card"]["game"] == "scrabble"
    for page in (
        *(f"matches/{id}/{part}" for part in ("replay", "draws", "record.json", "record.gcg")),
        *(f"tables/{code}" for code in (over, running)),
        f"games/scrabble/word?q={words.ref} mots",
        "games/scrabble/word?q=maison mots",
    ):
        assert refused(person.http.get(f"/api/{page}"), 404, "missing_resource")["name"] == "maison", page
    assert refused(person.http.post("/api/replays", content=record), 404, "missing_resource")["name"] == "maison"
    new = person.http.post("/api/tables", json={"game": "scrabble", "options": {"lexicon": "maison"}})
    assert refused(new, 404, "missing_resource")["name"] == "maison"
    for code in (over, running):
        line = person.open(code)
        told = line.expect("refused")
        assert (told["code"], told["values"]["name"], told["reply"]) == ("missing_resource", "maison", None)
        with pytest.raises(ConnectionClosed) as closed:
            line.next()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4413, "missing_resource")
    own_server.stop()
    assert "Traceback" not in own_server.log.read_text()


# Figures.


def test_figures_and_leaders(house: LiveServer) -> None:
    id, people, lines = played(house)
    outcome = lines[0].latest["outcome"]
    winner = outcome["places"].index(1)
    (mine,) = get(people[winner], "me/stats")["games"]
    assert (mine["game"], mine["matches"], mine["wins"], mine["win_rate"]) == ("kora", 1, 1, 1.0)
    assert (mine["places"], mine["streak"], mine["longest_streak"]) == ([1], 1, 1)
    assert mine["mean_score"] == mine["best_score"] == outcome["scores"][winner]
    assert mine["rating"]["provisional"]
    assert mine["rating"]["value"] > 1500
    assert [point["rating"] for point in mine["series"]] == [mine["rating"]["value"]]
    assert {best["kind"]: best["match"] for best in mine["best"]}["score"] == id
    # Others see the figures, not the ids of private matches.
    seen = get(Person(house), f"people/{people[winner].id}/stats")
    assert seen["person"]["id"] == people[winner].id
    assert {best["match"] for best in seen["games"][0]["best"]} == {None}
    leaders = get(Person(house), "leaders", game="kora")["leaders"]
    assert people[winner].id in [one["person"] for one in leaders]
    order = [(one["rating"]["provisional"], -one["rating"]["value"]) for one in leaders]
    assert order == sorted(order)
    refused(people[0].http.get("/api/leaders?game=poker"), 404, "unknown_game")
    assert get(people[0], "people/nobody/stats")["games"] == []


def test_a_computer_player_is_rated_too(house: LiveServer) -> None:
    person = Person(house)
    code = person.create(bots=["facile"], start=True)
    line = person.open(code)
    line.expect("state")
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is None:
            line.expect("moved")
        else:
            line.ask("act", offer=offer["number"], action=offer["legal"][0])
    card = get(person, f"matches/{code}-1")["card"]
    assert (card["players"][1]["person"], card["players"][1]["level"], card["rated"]) == (None, "facile", True)
    assert [one["id"] for one in get(person, "history", opponents="computer")["matches"]] == [card["id"]]
    levels = [one["level"] for one in get(person, "leaders", game="kora")["leaders"]]
    assert "facile" in levels


def test_a_match_that_was_left_at_once_or_ended_by_all_counts_for_nobody(house: LiveServer) -> None:
    code, people, (first, second) = seat_two(house, options={"deals": 10})
    second.ask("leave")
    assert get(people[0], f"matches/{code}-1")["card"]["rated"] is False
    code, people, (first, second) = seat_two(house, options={"deals": 10})
    play_on((first, second), 4)
    first.ask("propose", kind="end")
    second.ask("answer", yes=True)
    page = get(people[0], f"matches/{code}-1")
    assert (page["card"]["reason"], page["card"]["rated"]) == ("ended", False)
    assert {player["result"] for player in page["card"]["players"]} == {"none"}
    assert get(people[0], "me/stats")["games"] == []
    record = people[0].http.get(f"/api/matches/{code}-1/record.json").content
    assert people[0].http.post("/api/replays", content=record).json()["outcome"]["reason"] == "ended"


# One's own tables.


def test_a_table_in_progress_is_found_again_from_home(house: LiveServer) -> None:
    code, people, lines = seat_two(house, options={"deals": 10})
    turn = [line.latest["offer"] is not None for line in lines]
    for person, mine in zip(people, turn, strict=True):
        (table,) = get(person, "me/tables")
        assert (table["code"], table["status"], table["your_turn"]) == (code, "playing", mine)
        assert [seat["person"] for seat in table["seats"]] == [one.id for one in people]
        assert table["you"] == people.index(person)
    people[0].http.patch("/api/me", json={"name": "Colette"})
    assert get(people[1], "me/tables")[0]["seats"][0]["name"] == "Colette"
    lines[0].ask("leave")
    assert get(people[0], "me/tables") == []


def test_weeks_later_a_match_is_still_among_ones_own_and_an_empty_table_is_not(own_server: LiveServer) -> None:
    code, people, _ = seat_two(own_server, options={"deals": 10})
    people[0].create()
    assert len(get(people[0], "me/tables")) == 2
    own_server.kill()
    weeks = "60 * 24 * 3600"
    change(own_server, f"UPDATE tables SET updated = updated - {weeks}", f"UPDATE events SET at = at - {weeks}")
    own_server.start()
    (table,) = get(people[0], "me/tables")
    assert (table["code"], table["your_turn"]) == (code, None)
    line = people[0].open(code)
    assert line.expect("table")["you"] == 0
    assert get(people[0], "me/tables")[0]["your_turn"] is not None


# Nothing is lost.


def test_a_match_that_ended_just_before_the_plug_was_pulled_is_kept(own_server: LiveServer) -> None:
    id, people, _ = played(own_server)
    before = get(people[0], f"matches/{id}")
    own_server.kill()
    # As if the last move had been written and nothing after it.
    gone = [f"DELETE FROM {table}" for table in ("matches", "players", "ratings")]
    change(own_server, *gone, "UPDATE tables SET status = 'playing'")
    own_server.start()
    again = get(people[0], f"matches/{id}")
    assert abs(again["card"]["ended"] - before["card"]["ended"]) < 0.5
    assert {**again["card"], "ended": 0} == {**before["card"], "ended": 0}


def test_a_house_from_before_the_archive_gets_one(own_server: LiveServer) -> None:
    first, people, lines = played(own_server, public=True)
    for line in lines:
        line.send("rematch")
    for line in lines:
        while line.expect("state")["match"] < 2:
            pass
    play_on(lines)
    running = people[0].create(bots=["facile"], start=True, options={"deals": 10})
    stats = get(people[0], "me/stats")
    own_server.stop()
    change(
        own_server,
        *(f"DROP TABLE {table}" for table in ("matches", "players", "ratings", "recovery", "sitting")),
        "DROP INDEX starts",
        "DROP INDEX reports_by_date",
        "ALTER TABLE events DROP COLUMN kind",
        "ALTER TABLE tables DROP COLUMN match",
        "ALTER TABLE tables DROP COLUMN seats",
        "PRAGMA user_version=1",
    )
    own_server.start()
    assert [one["id"] for one in get(people[0], "history")["matches"]][-1] == first
    again = get(people[0], "me/stats")
    assert [game["matches"] for game in again["games"]] == [game["matches"] for game in stats["games"]]
    assert again["games"][0]["rating"] == stats["games"][0]["rating"]
    assert running in [table["code"] for table in get(people[0], "me/tables")]
    # And whoever runs it can have it made again at any time.
    own_server.stop()
    change(own_server, "DELETE FROM players", "DELETE FROM matches", "UPDATE ratings SET value = 0")
    done = CliRunner().invoke(main, ["index", "--data", str(own_server.data)])
    assert int(done.output.removesuffix(" finished matches\n")) >= stats["games"][0]["matches"]
    with closing(sqlite3.connect(own_server.data / "tablee.db")) as database:
        found = database.execute("SELECT value FROM ratings WHERE person = ?", (people[0].id,)).fetchone()
    assert found[0] == pytest.approx(stats["games"][0]["rating"]["value"], abs=0.05)


# Being oneself.


def test_a_recovery_code_makes_another_device_the_same_person(house: LiveServer) -> None:
    person, device = Person(house, "Zoé"), Person(house)
    old = person.http.post("/api/me/recovery").json()["code"]
    code = person.http.post("/api/me/recovery").json()["code"]
    assert len(code.replace("-", "")) == 24
    with closing(sqlite3.connect(house.data / "tablee.db")) as database:
        assert code not in "".join(database.iterdump())
    refused(device.http.post("/api/recover", json={"code": old}), 400, "bad_recovery")
    answer = device.http.post("/api/recover", json={"code": f" {code.lower().replace('-', ' ')} "})
    assert answer.json()["id"] == person.id
    assert len(answer.headers.get_list("set-cookie")) == 1
    assert device.http.get("/api/me").json() == {"id": person.id, "name": "Zoé", "avatar": answer.json()["avatar"]}
    # Somebody without any cookie gets this one, not a new one besides.
    fresh = httpx.post(f"{house.url}/api/recover", json={"code": code})
    assert [cookie.startswith(f"tablee={person.id}.") for cookie in fresh.headers.get_list("set-cookie")] == [True]
    # Whoever guesses is stopped.
    answers = [httpx.post(f"{house.url}/api/recover", json={"code": f"{n}"}) for n in range(10)]
    refused(answers[-1], 429, "too_many")


def test_a_cookie_of_another_server_is_a_strangers(server: LiveServer, house: LiveServer) -> None:
    person = Person(house, "Zoé")
    answer = httpx.get(f"{server.url}/api/me", headers={"cookie": person.cookie})
    assert answer.json()["id"] != person.id
    assert answer.json()["name"] != "Zoé"
    assert f"tablee={answer.json()['id']}." in answer.headers["set-cookie"]
    line = Line(server, Person(server).create(), {"cookie": person.cookie})
    assert line.expect("table")["you"] is None
    assert line.refused("sit")["code"] == "unknown_person"


def test_everything_known_about_somebody_can_be_taken_along(house: LiveServer) -> None:
    id, people, lines = played(house)
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


def test_who_is_erased_is_gone_and_the_others_keep_their_matches(own_server: LiveServer) -> None:
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


def test_a_flood_of_replays_is_slowed_down(house: LiveServer) -> None:
    """The last test of this house: nobody can watch anything there for a while."""
    person = Person(house)
    answers = [person.http.post("/api/replays", content=b"{}") for _ in range(70)]
    assert {answer.status_code for answer in answers} == {400, 429}
    assert refused(answers[-1], 429, "too_many")["retry"] > 0


async def test_as_many_replays_are_remembered_as_there_is_room_for() -> None:
    projector = Projector()

    async def watch(key: str, plies: int) -> None:
        steps = (Step(0, None),) * plies
        replay = Replay(game="", seats=2, options=None, names=(), states=(), steps=steps, outcome=None)
        assert await projector.replay(key, lambda: replay) is replay

    for number in range(30):
        await watch(f"short {number}", 10)
    assert [number for number in range(30) if projector.known(f"short {number}")] == list(range(6, 30))
    for number in range(4):
        await watch(f"long {number}", 9_000)
    assert [number for number in range(4) if projector.known(f"long {number}")] == [2, 3]
    await watch("endless", 30_000)
    assert [key for key in ("long 3", "endless") if projector.known(key)] == ["endless"]


async def test_a_long_log_is_read_where_nobody_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne, id = Wire(room, "anne"), f"{room.table.code}-1"
        with pytest.raises(Refused, match="not_over"):
            await lobby.services.archive.page(id)
        await anne.do(type="leave")

        def read(*_: Any) -> None:
            raise AssertionError("this would keep the others waiting")

        monkeypatch.setattr(SqliteStore, "read", read)
        threads: list[str] = []
        monkeypatch.setattr(
            "tablee.server.archive.decode", lambda body: threads.append(current_thread().name) or decode(body)
        )
        page = await lobby.services.archive.page(id)
        assert page.proof is not None
        assert page.proof.commit == commitment(page.proof.secret)
        assert not threads, "the page needs nothing but the deal"
        with pytest.raises(Refused, match="unknown_match"):
            await lobby.services.archive.page(f"{room.table.code}-2")
        assert (await lobby.services.archive.draws(id)).seed == page.proof.seed
        assert b'"plies":1' in await lobby.services.archive.replay(id, None, 0, None)
        assert page.proof.secret.encode() in await lobby.services.archive.download(id, "json")
        assert current_thread().name not in threads

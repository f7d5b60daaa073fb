"""History and running matches over HTTP, against a real server."""

from collections.abc import Iterator
from typing import Any

import pytest
from finished import change, get, played, refused
from live import ROOMY, LiveServer, Person, play_again, play_on, seat_two
from pair import need_one_server, open_server


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose matches no other file adds to."""
    live = open_server(tmp_path_factory.mktemp("archive"), *ROOMY).start()
    yield live
    live.stop()


def test_a_finished_match_is_in_the_history_of_those_who_played_it(module_server: LiveServer) -> None:
    id, people, lines = played(module_server, options={"deals": 3})
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
    assert get(Person(module_server), "history")["matches"] == []
    assert id not in str(get(Person(module_server), "history", whose="public"))


def test_public_matches_are_listed_and_private_ones_need_their_id(module_server: LiveServer) -> None:
    public, _, _ = played(module_server, public=True)
    private, _, _ = played(module_server)
    listed = [card["id"] for card in get(Person(module_server), "history", whose="public")["matches"]]
    assert public in listed
    assert private not in listed
    assert get(Person(module_server), f"matches/{private.lower()}")["card"]["id"] == private


def test_the_history_is_paged_and_filtered(module_server: LiveServer) -> None:
    code, people, lines = seat_two(module_server)
    for number in range(1, 6):
        if number > 1:
            play_again(lines)
        play_on(lines)
        get(people[0], f"matches/{code}-{number}")  # it is kept by now
    seen, page = [], get(people[0], "history", limit=2)
    while page["next"] is not None:
        seen += page["matches"]
        page = get(people[0], "history", limit=2, before=page["next"])
    seen += page["matches"]
    assert [card["id"] for card in seen] == [f"{code}-{number}" for number in (5, 4, 3, 2, 1)]
    won = [card["id"] for card in seen if card["players"][0]["result"] == "win"]
    assert [card["id"] for card in get(people[0], "history", result="win")["matches"]] == won
    assert get(people[0], "history", opponents="computer")["matches"] == []
    assert get(people[0], "history", game="dames")["matches"] == []
    assert len(get(people[0], "history", opponents="people", game="kora")["matches"]) == 5


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
def test_a_bad_query_is_refused_by_field(module_server: LiveServer, query: dict[str, Any], field: str) -> None:
    answer = Person(module_server).http.get("/api/history", params=query)
    assert refused(answer, 400, "bad_request")["field"] == field


@pytest.mark.parametrize("part", ["", "/replay", "/draws", "/record.json"])
def test_nothing_of_a_running_match_leaves_before_its_end(module_server: LiveServer, part: str) -> None:
    code, people, lines = seat_two(module_server, options={"deals": 10})
    play_on(lines, 3)
    refused(people[0].http.get(f"/api/matches/{code}-1{part}"), 409, "not_over")
    for id in (f"{code}-2", "ZZZZZZ-1", f"{code}-0", code, "%2e%2e", f"{code}-99999999999999999999"):
        refused(people[0].http.get(f"/api/matches/{id}{part}"), 404, "unknown_match")
    assert get(people[0], "history")["matches"] == []


def test_a_table_in_progress_is_found_again_from_home(module_server: LiveServer) -> None:
    code, people, lines = seat_two(module_server, options={"deals": 10})
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
    assert table["code"] == code
    assert table["your_turn"] is not False
    line = people[0].open(code)
    assert line.expect("table")["you"] == 0
    need_one_server("a server that has not read the table does not know whose turn it is")
    assert get(people[0], "me/tables")[0]["your_turn"] is not None

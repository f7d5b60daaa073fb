"""Statistics, ratings and leaderboards over HTTP, against a real server."""

from collections.abc import Iterator

import pytest
from finished import get, played, refused
from live import ROOMY, LiveServer, Person, play_on, seat_two
from pair import open_server


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose matches no other file adds to."""
    live = open_server(tmp_path_factory.mktemp("archive"), *ROOMY).start()
    yield live
    live.stop()


def test_figures_and_leaders(module_server: LiveServer) -> None:
    id, people, lines = played(module_server)
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
    seen = get(Person(module_server), f"people/{people[winner].id}/stats")
    assert seen["person"]["id"] == people[winner].id
    assert {best["match"] for best in seen["games"][0]["best"]} == {None}
    # One sees one's own opponents; others see only bots.
    (rival,) = mine["rivals"]
    assert (rival["person"], rival["ahead"], rival["behind"]) == (people[1 - winner].id, 1, 0)
    assert seen["games"][0]["rivals"] == []
    assert [(point["result"], point["deviation"]) for point in mine["series"]] == [("win", mine["rating"]["deviation"])]
    leaders = get(Person(module_server), "leaders", game="kora")["leaders"]
    assert people[winner].id in [one["person"] for one in leaders]
    order = [(one["rating"]["provisional"], -one["rating"]["value"]) for one in leaders]
    assert order == sorted(order)
    refused(people[0].http.get("/api/leaders?game=poker"), 404, "unknown_game")
    assert get(people[0], "people/nobody/stats")["games"] == []


@pytest.mark.parametrize("rated", [False, True])
def test_a_bot_is_rated_only_if_the_host_chose_so(module_server: LiveServer, rated: bool) -> None:
    person = Person(module_server)
    code = person.create(bots=["facile"], start=True, rated=rated)
    line = person.open(code)
    line.expect("state")
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is None:
            line.expect("moved")
        else:
            line.ask("act", offer=offer["number"], action=offer["legal"][0])
    card = get(person, f"matches/{code}-1")["card"]
    assert (card["players"][1]["person"], card["players"][1]["level"], card["rated"]) == (None, "facile", rated)
    assert (card["players"][0]["rating_after"] is not None) == rated
    assert [one["id"] for one in get(person, "history", opponents="computer")["matches"]] == [card["id"]]
    levels = [one["level"] for one in get(person, "leaders", game="kora")["leaders"]]
    assert "facile" in levels


def test_a_match_that_was_left_at_once_or_ended_by_all_counts_for_nobody(module_server: LiveServer) -> None:
    code, people, (first, second) = seat_two(module_server, options={"deals": 10})
    second.ask("leave")
    assert get(people[0], f"matches/{code}-1")["card"]["rated"] is False
    code, people, (first, second) = seat_two(module_server, options={"deals": 10})
    play_on((first, second), 4)
    first.ask("propose", kind="end")
    second.ask("answer", yes=True)
    page = get(people[0], f"matches/{code}-1")
    assert (page["card"]["reason"], page["card"]["rated"]) == ("ended", False)
    assert {player["result"] for player in page["card"]["players"]} == {"none"}
    assert get(people[0], "me/stats")["games"] == []
    record = people[0].http.get(f"/api/matches/{code}-1/record.json").content
    assert people[0].http.post("/api/replays", content=record).json()["outcome"]["reason"] == "ended"

"""A new game is one new folder: the server plays it and no other file changes."""

from pathlib import Path

import pytest
from live import LiveServer, Person, play_on, two_players
from sixth import server_with_sixth_game


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    started = server_with_sixth_game(Path(tmp_path_factory.mktemp("sixth")), "--bot-pause", "0", "--workers", "1")
    yield started
    started.stop()


def test_it_is_offered_with_its_options_and_levels(server: LiveServer) -> None:
    cards = {card["key"]: card for card in Person(server).http.get("/api/games").json()}
    assert {"kora", "chifoumi"} <= set(cards)
    assert cards["chifoumi"]["options"]["$defs"]["Options"]["properties"]["rounds"]["enum"] == [1, 3, 5]


def test_two_people_choose_at_the_same_time_and_neither_click_is_late(server: LiveServer) -> None:
    _, first, second = two_players(server, game="chifoumi")
    assert first.latest["offer"]["number"] == second.latest["offer"]["number"] == 0
    shown = first.ask("act", offer=0, action={"type": "show", "sign": "rock"})
    moved = second.expect("moved")
    assert shown["offer"] is None
    assert moved["step"]["action"] != {"type": "show", "sign": "rock"}, "a choice stays hidden until both are in"
    assert '"rock"' not in str(moved["view"]["mine"])
    # The second seat answers the same offer: the other choice did not make it stale.
    assert moved["offer"]["number"] == 0
    answer = second.ask("act", offer=0, action={"type": "show", "sign": "paper"})
    assert answer["view"]["wins"] == [0, 1]
    assert first.expect("moved")["view"]["shown"] == [["rock", "paper"]]


def test_a_person_plays_it_against_a_bot(server: LiveServer) -> None:
    person = Person(server)
    level = next(card for card in person.http.get("/api/games").json() if card["key"] == "chifoumi")["levels"][0]
    line = person.open(person.create("chifoumi", bots=[level], start=True))
    line.expect("state")
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is None or line.ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "refused":
            line.expect("moved")
    assert play_on((line, line)) == 0

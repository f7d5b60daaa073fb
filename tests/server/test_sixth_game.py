"""A new game is one new folder: the server plays it without a changed line."""

from pathlib import Path

import pytest
from live import LiveServer, Person, play_on, two_players
from sixth import server_with_sixth_game


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory):
    server = server_with_sixth_game(Path(tmp_path_factory.mktemp("sixth")), "--bot-pause", "0", "--workers", "1")
    yield server
    server.stop()


def test_it_is_offered_with_its_options_and_levels(house: LiveServer) -> None:
    cards = {card["key"]: card for card in Person(house).http.get("/api/games").json()}
    assert {"kora", "chifoumi"} <= set(cards)
    assert cards["chifoumi"]["options"]["$defs"]["Options"]["properties"]["rounds"]["enum"] == [1, 3, 5]


def test_two_people_choose_at_the_same_time_and_neither_click_is_late(house: LiveServer) -> None:
    _, first, second = two_players(house, game="chifoumi")
    assert first.latest["offer"]["number"] == second.latest["offer"]["number"] == 0
    shown = first.ask("act", offer=0, action={"type": "show", "sign": "rock"})
    told = second.expect("moved")
    assert shown["offer"] is None
    assert told["step"]["action"] != {"type": "show", "sign": "rock"}, "a choice stays hidden until both are in"
    assert '"rock"' not in str(told["view"]["mine"])
    # The second answers the question it was asked first: its offer has not grown old.
    assert told["offer"]["number"] == 0
    answer = second.ask("act", offer=0, action={"type": "show", "sign": "paper"})
    assert answer["view"]["wins"] == [0, 1]
    assert first.expect("moved")["view"]["shown"] == [["rock", "paper"]]


def test_a_person_plays_it_against_a_computer_player(house: LiveServer) -> None:
    person = Person(house)
    level = next(card for card in person.http.get("/api/games").json() if card["key"] == "chifoumi")["levels"][0]
    line = person.open(person.create("chifoumi", bots=[level], start=True))
    line.expect("state")
    while line.latest["outcome"] is None:
        offer = line.latest["offer"]
        if offer is None or line.ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "refused":
            line.expect("moved")
    assert play_on((line, line)) == 0

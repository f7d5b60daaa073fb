"""« Jouer maintenant » with a clock that the tests turn: find, accept, decline, miss, leave and come back."""

from typing import Any

import pytest
from live import Line, LiveServer, Person, until, wait_until

from tablee.core.fairness import commitment, seed_of
from tablee.server.search_plan import ACCEPT_SECONDS, LOST_SECONDS
from tablee.table.pairing import COMPUTER_SECONDS, FILL_SECONDS

SALT = "0a1b"


class Seeker:
    """A person who searches."""

    def __init__(self, server: LiveServer, game: str = "kora", person: Person | None = None, **wanted: Any) -> None:
        self.person = person or Person(server)
        self.line = self.person.open("searches")
        self.search(game, **wanted)

    def search(self, game: str = "kora", **wanted: Any) -> None:
        answer = self.line.ask("search", game=game, **wanted)
        assert answer["type"] == "done", answer

    def found(self) -> dict[str, Any]:
        return self.line.expect("found")

    def accept(self, found: dict[str, Any], salt: str = SALT) -> None:
        assert self.line.ask("accept", pairing=found["pairing"], salt=salt)["type"] == "done"

    def ended(self) -> str:
        return str(self.line.expect("ended")["why"])


def pair_of(server: LiveServer, **wanted: Any) -> tuple[Seeker, Seeker]:
    return Seeker(server, **wanted), Seeker(server, **wanted)


def seat(*seekers: Seeker) -> str:
    """Let people who search accept each other; return the code of their table."""
    for seeker in seekers:
        seeker.accept(seeker.found())
    codes = {seeker.line.expect("seated")["code"] for seeker in seekers}
    assert len(codes) == 1
    return str(codes.pop())


def test_two_strangers_find_each_other_and_play(hourglass: LiveServer) -> None:
    one, two = pair_of(hourglass)
    found = one.found()
    assert found["opponents"] == [{"rating": 1500, "provisional": True, "accepted": False}]
    assert two.found()["code"] == found["code"]
    one.accept(found)
    assert two.line.expect("found")["opponents"][0]["accepted"]
    two.accept(found, "ff")
    assert {seeker.line.expect("seated")["code"] for seeker in (one, two)} == {found["code"]}
    lines = [seeker.person.open(found["code"]) for seeker in (one, two)]
    table = until(lines[0], lambda table: table["status"] != "waiting")
    assert table["found"]
    assert table["match"] == 1
    for line in lines:
        line.expect("state")
    if lines[0].latest["outcome"] is None:  # one deal in fourteen is won before the first card
        mover = next(line for line in lines if line.latest["offer"])
        offer = mover.latest["offer"]
        assert mover.ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "moved"
        mover.send("resign")
    proof = until(lines[0], lambda table: table["status"] == "over")["proof"]
    assert commitment(proof["secret"]) == proof["commit"] == found["commit"]
    assert sorted(proof["salts"]) == [SALT, "ff"]
    assert seed_of(proof["secret"], tuple(proof["salts"])) == proof["seed"]


def test_one_declines_and_the_other_searches_on(hourglass: LiveServer) -> None:
    one, two = pair_of(hourglass)
    two.accept(two.found())
    found = one.found()
    one.line.send("decline", pairing=found["pairing"])
    assert one.ended() == "declined"
    assert until(two.line, lambda frame: frame["again"] == "declined", "searching")["waited"] >= 0
    assert one.line.refused("accept", pairing=found["pairing"], salt=SALT)["code"] == "not_searching"
    assert two.line.refused("accept", pairing=found["pairing"], salt=SALT)["code"] == "no_pairing"
    three = Seeker(hourglass)
    seat(two, three)


def test_a_person_who_does_not_accept_in_time_is_out(hourglass: LiveServer) -> None:
    one, two = pair_of(hourglass)
    one.accept(one.found())
    assert two.found()["seconds"] <= ACCEPT_SECONDS
    hourglass.turn(ACCEPT_SECONDS + 1)
    assert two.ended() == "missed"
    again = until(one.line, lambda frame: frame["again"] == "missed", "searching")
    assert again["waited"] >= ACCEPT_SECONDS  # the time that they waited stays theirs
    one.line.send("cancel")
    assert one.ended() == "cancelled"


def test_nobody_comes_and_the_computer_is_offered_while_the_search_goes_on(hourglass: LiveServer) -> None:
    one = Seeker(hourglass, "dames")
    first = one.line.expect("searching")
    assert first["computers"] == []
    assert first["window"] == 275
    hourglass.turn(COMPUTER_SECONDS)
    offered = until(one.line, lambda frame: bool(frame["computers"]), "searching")
    assert offered["window"] != first["window"]
    [level] = offered["computers"]
    one.person.create("dames", bots=[level], start=True)
    seat(one, Seeker(hourglass, "dames"))


def test_a_table_for_four_fills_with_people_then_with_bots(hourglass: LiveServer) -> None:
    people = pair_of(hourglass, game="president")
    hourglass.turn(FILL_SECONDS)
    found = people[0].found()
    assert len(found["opponents"]) == 1
    assert len(found["bots"]) == 2
    for seeker in people:
        seeker.accept(found)
    code = people[0].line.expect("seated")["code"]
    table = people[0].person.open(code).expect("table")
    assert [info["kind"] for info in table["seats"]] == ["person", "person", "bot", "bot"]


def test_a_search_moves_to_the_newest_tab(hourglass: LiveServer) -> None:
    one = Seeker(hourglass)
    one.line.expect("searching")
    hourglass.turn(4)
    other_tab = Seeker(hourglass, person=one.person)
    assert one.ended() == "moved"
    assert other_tab.line.expect("searching")["waited"] >= 4
    assert one.line.refused("cancel")["code"] == "not_searching"
    seat(other_tab, Seeker(hourglass))


def test_nobody_is_in_two_queues(hourglass: LiveServer) -> None:
    kora = Seeker(hourglass)
    dames = Seeker(hourglass, "dames", person=kora.person)
    assert kora.ended() == "moved"
    stranger = Seeker(hourglass)
    hourglass.turn(COMPUTER_SECONDS)
    until(stranger.line, lambda frame: bool(frame["computers"]), "searching")  # they did not meet
    dames.search("kora")
    seat(dames, stranger)


def test_another_opponent_is_another_one(hourglass: LiveServer) -> None:
    one, two = pair_of(hourglass)
    code = seat(one, two)
    one.search(after=code)
    two.search()
    hourglass.turn(60)
    assert until(one.line, lambda frame: frame["window"] is None, "searching")["again"] == ""
    seat(one, Seeker(hourglass))


def test_those_who_leave_again_and_again_wait_longer(hourglass: LiveServer) -> None:
    rude, kind = pair_of(hourglass)
    for _ in range(2):
        rude.line.send("decline", pairing=rude.found()["pairing"])
        assert rude.ended() == "declined"
        kind.found()
        kind.line.expect("searching")
        rude.search()
    waiting = until(rude.line, lambda frame: frame["wait"] > 0, "searching")
    assert 0 < waiting["wait"] <= 10
    hourglass.turn(11)
    seat(rude, kind)


def test_abandoning_a_match_with_strangers_counts(hourglass: LiveServer) -> None:
    rude, kind = pair_of(hourglass, game="dames")
    for is_last in (False, True):
        line = rude.person.open(seat(rude, kind))
        line.expect("state")
        line.send("leave")
        until(line, lambda table: table["status"] == "over")
        rude.search("dames")
        if not is_last:
            kind.search("dames")

    def waits() -> bool:
        rude.search("dames")
        return bool(rude.line.expect("searching")["wait"] > 0)

    wait_until(waits)  # the server writes it a moment after the match


def test_a_lost_connection_keeps_its_place_for_a_while(hourglass: LiveServer) -> None:
    one = Seeker(hourglass, "scrabble")
    one.line.expect("searching")
    hourglass.turn(5)
    one.line.close()
    back = Seeker(hourglass, "scrabble", person=one.person)
    assert back.line.expect("searching")["waited"] >= 5
    back.line.close()
    hourglass.turn(LOST_SECONDS + 10)
    late = Seeker(hourglass, "scrabble", person=one.person)
    assert late.line.expect("searching")["waited"] < 5


def test_people_who_closed_the_page_are_not_paired(hourglass: LiveServer) -> None:
    gone = Seeker(hourglass, "ojyx")
    gone.line.expect("searching")
    gone.line.close()
    one = Seeker(hourglass, "ojyx")
    one.line.expect("searching")
    hourglass.turn(COMPUTER_SECONDS)
    until(one.line, lambda frame: bool(frame["computers"]), "searching")
    seat(one, Seeker(hourglass, "ojyx"))


def test_a_rematch_stays_at_the_table(hourglass: LiveServer) -> None:
    one, two = pair_of(hourglass, game="dames", pace="5+3")
    code = seat(one, two)
    lines = [seeker.person.open(code) for seeker in (one, two)]
    for line in lines:
        line.expect("state")
    lines[0].ask("resign")
    for line in lines:
        until(line, lambda table: table["status"] == "over" and table["commit"] is not None)
        assert line.ask("rematch")["type"] == "done"
    table = until(lines[0], lambda table: table["match"] == 2)
    assert table["found"]
    assert table["pace"] == {"kind": "fischer", "main": 300, "increment": 3}


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "poker"}, "unknown_game"),
        ({"game": "kora", "seats": 5}, "bad_seats"),
        ({"game": "kora", "pace": "zut"}, "unknown_pace"),
        ({"game": "kora", "rating": 3000}, "bad_frame"),
        ({"game": "k" * 40}, "bad_frame"),
    ],
)
def test_bad_searches_are_refused(hourglass: LiveServer, wanted: dict[str, Any], code: str) -> None:
    line = Person(hourglass).open("searches")
    assert line.refused("search", **wanted)["code"] == code
    assert line.ask("ping")["type"] == "done"


def test_a_search_needs_a_person_and_is_limited(hourglass: LiveServer) -> None:
    assert Line(hourglass, "searches").expect("refused")["code"] == "unknown_person"
    line = Person(hourglass).open("searches")
    assert line.refused("cancel")["code"] == "not_searching"
    line.send_raw("x" * 5000)
    assert line.expect("refused")["code"] == "too_large"
    assert line.refused("accept", pairing="x", salt="no salt")["code"] == "bad_frame"
    for _ in range(30):
        line.send("search", game="kora")
    assert line.expect("refused")["code"] == "too_many"

"""Puzzles on a live server: one attempt counts, the solution stays secret, and the daily one is everybody's."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from live import LiveServer, Person

from tablee.core.discover import find
from tablee.core.puzzles import Puzzle, Puzzles
from tablee.server.puzzles import longest, streak

DAY = 24 * 3600


def puzzles_of(game: str) -> Puzzles[Any, Any]:
    found = find(game).puzzles
    assert found is not None
    return found


DAMES = puzzles_of("dames")


def plain(action: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(action))


def right(puzzles: Puzzles[Any, Any], puzzle: Puzzle, ply: int) -> Any:
    return plain(puzzles.action(puzzle, ply))


def wrong(page: dict[str, Any], puzzle: Puzzle) -> Any:
    return next(one for one in page["offer"]["legal"] if one != right(DAMES, puzzle, page["ply"]))


def puzzle_of(page: dict[str, Any]) -> Puzzle:
    return puzzles_of(page["game"]).book.by_id[page["id"]]


def answer(person: Person, page: dict[str, Any], ply: int, action: Any, status: int = 200) -> dict[str, Any]:
    got = person.http.post(f"/api/puzzles/{page['game']}/{page['id']}", json={"ply": ply, "action": action})
    assert got.status_code == status, got.text
    found: dict[str, Any] = got.json()
    return found


def solve(person: Person, page: dict[str, Any]) -> dict[str, Any]:
    puzzles, puzzle, reply = puzzles_of(page["game"]), puzzle_of(page), {}
    for ply in range(page["ply"], len(puzzle.line), 2):
        reply = answer(person, page, ply, right(puzzles, puzzle, ply))
        assert reply["right"]
    assert reply["over"]
    return reply


def mine(person: Person, game: str = "dames") -> dict[str, Any]:
    return next(one for one in person.http.get("/api/puzzles").json() if one["game"] == game)


@pytest.mark.parametrize("game", ["dames", "scrabble"])
def test_a_solved_puzzle_raises_the_rating_once_and_tells_the_solution_only_at_its_end(
    server: LiveServer, game: str
) -> None:
    person, puzzles = Person(server), puzzles_of(game)
    page = person.http.get(f"/api/puzzles/{game}/next").json()
    assert person.http.get(f"/api/puzzles/{game}/next").json() == page  # no other until it is answered
    puzzle = puzzle_of(page)
    told = [frame["step"] for frame in page["frames"]]
    assert (told, "line" in page, "end" in page) == ([None], False, False)
    for ply in range(0, len(puzzle.line) - 2, 2):
        reply = answer(person, page, ply, right(puzzles, puzzle, ply))
        assert reply["end"] is None
        told += [frame["step"]["action"] for frame in reply["frames"]]
        assert told[1:] == [right(puzzles, puzzle, at) for at in range(ply + 2)]
        assert person.http.get(f"/api/puzzles/{game}/{page['id']}").json()["ply"] == ply + 2
    last = len(puzzle.line) - 1
    reply = answer(person, page, last, right(puzzles, puzzle, last))
    end = reply["end"]
    assert (reply["right"], reply["over"], end["before"], end["attempts"], end["solved"]) == (True, True, 1500, 1, 1)
    assert end["after"] > 1500
    assert len(end["solution"]) == len(puzzle.line) + 1
    assert solve(person, {**page, "ply": 0})["end"]["after"] == end["after"]  # again, for practice
    card = mine(person, game)
    assert (card["rating"], card["attempts"], card["solved"], card["curve"]) == (end["after"], 1, 1, [end["after"]])
    assert person.http.get(f"/api/puzzles/{game}/next").json()["id"] != page["id"]


def test_a_wrong_move_ends_the_attempt_and_shows_the_solution(server: LiveServer) -> None:
    person = Person(server)
    page = person.http.get("/api/puzzles/dames/next?kind=combination").json()
    assert page["kind"] == "combination"
    puzzle = puzzle_of(page)
    reply = answer(person, page, 0, wrong(page, puzzle))
    assert (reply["right"], reply["over"]) == (False, True)
    assert reply["end"]["after"] < 1500
    assert reply["end"]["solution"][1]["step"]["action"] == right(DAMES, puzzle, 0)
    again = person.http.get(f"/api/puzzles/dames/{page['id']}").json()
    assert (again["mine"], again["ply"]) == ("failed", 0)
    assert solve(person, again)["end"]["after"] == reply["end"]["after"]
    assert (mine(person)["attempts"], mine(person)["solved"]) == (1, 0)


def test_of_two_tabs_one_answer_counts(server: LiveServer) -> None:
    person = Person(server)
    page = person.http.get("/api/puzzles/dames/next?kind=combination").json()
    action = wrong(page, puzzle_of(page))
    with ThreadPoolExecutor(8) as tabs:
        body, path = {"ply": 0, "action": action}, f"/api/puzzles/dames/{page['id']}"
        statuses = list(tabs.map(lambda _: person.http.post(path, json=body).status_code, range(8)))
    assert set(statuses) <= {200, 409}
    assert mine(person)["attempts"] == 1


def test_hostile_answers_change_nothing(server: LiveServer) -> None:
    person = Person(server)
    page = person.http.get("/api/puzzles/dames/next?kind=combination").json()
    puzzle = puzzle_of(page)
    path = f"/api/puzzles/dames/{page['id']}"
    later = {"ply": 2, "action": right(DAMES, puzzle, 2)}
    for body, status, code in (
        ({"ply": 0, "action": {"type": "move", "path": [1, 50]}}, 400, None),
        ({"ply": 0, "action": {"type": "resign"}}, 400, "not_in_a_puzzle"),
        ({"ply": 0, "action": {"type": "flag", "clock": "match"}}, 400, "reserved"),
        ({"ply": 0, "action": {"a": {"b": [1]}}}, 400, "bad_action"),
        ({"ply": 0, "action": [1]}, 400, "bad_request"),
        ({"ply": 1, "action": {"type": "resign"}}, 409, "stale_answer"),
        (later, 409, "stale_answer"),
        ({"ply": -1, "action": {}}, 400, "bad_request"),
        ({"ply": 10**9, "action": {}}, 400, "bad_request"),
        ({"action": {}}, 400, "bad_request"),
    ):
        got = person.http.post(path, json=body)
        assert (got.status_code, code or got.json()["code"]) == (status, got.json()["code"]), got.text
    assert person.http.post(f"{path}/preview", json=later).status_code == 409
    assert person.http.post(f"{path}/preview", json={"ply": 0, "action": right(DAMES, puzzle, 0)}).status_code == 200
    for wanted, code in (("dames/nothing", "unknown_puzzle"), ("kora/next", "no_puzzles"), ("go/next", "unknown_game")):
        got = person.http.get(f"/api/puzzles/{wanted}")
        assert (got.status_code, got.json()["code"]) == (404, code)
    assert person.http.get("/api/puzzles/dames/next?kind=chess").json()["code"] == "unknown_kind"
    assert mine(person)["attempts"] == 0


def test_everybody_has_the_same_daily_puzzle_and_days_in_a_row_count(hourglass: LiveServer) -> None:
    one, two = Person(hourglass), Person(hourglass)
    first = one.http.get("/api/puzzles/dames/daily").json()
    assert first["daily"]
    assert two.http.get("/api/puzzles/dames/daily").json() == first
    assert solve(one, first)["end"]["streak"] == 1
    assert mine(one)["today"]["solved"] is True
    assert mine(two)["today"]["solved"] is None
    hourglass.turn_wall(DAY)
    second = one.http.get("/api/puzzles/dames/daily").json()
    assert second["id"] != first["id"]
    assert mine(one)["streak"] == 1
    assert solve(one, second)["end"]["streak"] == 2
    assert answer(two, second, 0, wrong(second, puzzle_of(second)))["end"]["streak"] == 0
    hourglass.turn_wall(2 * DAY)
    assert (mine(one)["streak"], mine(one)["best_streak"]) == (0, 2)
    hourglass.turn_wall(-3 * DAY)


def test_erasing_a_person_erases_their_attempts(server: LiveServer) -> None:
    person = Person(server)
    page = person.http.get("/api/puzzles/dames/next").json()
    solve(person, page)
    assert person.http.get("/api/me/data").json()["puzzles"]["dames"]["attempts"][0]["puzzle"] == page["id"]
    cookie = person.cookie
    assert person.http.delete("/api/me").status_code == 204
    assert mine(person)["attempts"] == 0
    got = person.http.get("/api/puzzles", headers={"cookie": cookie}).json()
    assert [one["attempts"] for one in got] == [0, 0]


def test_streaks() -> None:
    days = {1: True, 2: True, 3: True, 5: True, 6: False, 8: True}
    assert [streak(days, today) for today in (3, 4, 5, 6, 7, 8, 9, 10)] == [3, 3, 1, 0, 0, 1, 1, 0]
    assert (longest(days), longest({})) == (3, 0)

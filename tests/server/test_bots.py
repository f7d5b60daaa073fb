"""Third-party bots: tokens, challenges, events, and what a bad bot cannot do."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from live import Line, LiveServer, Person, play_on, until, wait_until
from robots import Robot, challenge, client_of, closed_with, make_token
from websockets.exceptions import ConnectionClosed


def seated(server: LiveServer, **table: object) -> tuple[str, Person, Line, Robot, Line, Line]:
    """A host and a bot at a table of two, each with a connection; the bot came by a challenge."""
    host = Person(server, "Ada")
    robot = Robot(server, Person(server), "Robinson")
    events = robot.listen("kora")
    code = host.create("kora", **table)
    line = host.open(code)
    asked = challenge(host, code, robot)
    event = events.expect("challenge")["challenge"]
    assert (event["id"], event["table"], event["host"], event["status"]) == (asked["id"], code, "Ada", "open")
    assert events.ask("accept", challenge=asked["id"])["type"] == "done"
    until(line, lambda frame: frame["seats"][1]["kind"] == "person")
    return code, host, line, robot, events, robot.open(code)


def started(server: LiveServer, **table: object) -> tuple[str, Line, Robot, Line, Line]:
    while True:
        code, _, line, robot, events, mine = seated(server, **table)
        line.send("start")
        for one in (line, mine):
            one.expect("state")
        if line.latest["outcome"] is None:  # one deal in fourteen is won before the first card
            return code, line, robot, events, mine


def test_a_bot_is_invited_and_plays_a_match(server: LiveServer) -> None:
    code, line, robot, events, mine = started(server)
    table = until(line, lambda frame: frame["status"] == "playing")
    assert table["seats"][1]["person"] == robot.id
    assert robot.id.startswith("bot~")
    match = events.expect("match")
    assert (match["table"], match["seat"], match["game"]) == (code, 1, "kora")
    assert events.expect("turn")["offer"] >= 0 if mine.latest["offer"] else True
    play_on((line, mine))
    over = events.expect("over")
    assert over["outcome"] == line.latest["outcome"]
    page = line_page(server, robot, code)
    assert page["rated"] is False
    assert page["players"][1]["person"] == robot.id


def line_page(server: LiveServer, robot: Robot, code: str) -> dict[str, Any]:
    wait_until(lambda: robot.http.get(f"/api/matches/{code}-1").status_code == 200)
    card: dict[str, Any] = robot.http.get(f"/api/matches/{code}-1").json()["card"]
    return card


def test_a_bot_sees_only_its_seat(server: LiveServer) -> None:
    _, line, _, _, mine = started(server)
    assert mine.latest["view"]["seat"] == 1
    seen = {card["card"]["id"] if "id" in card["card"] else str(card["card"]) for card in mine.latest["view"]["hand"]}
    theirs = {card["card"]["id"] if "id" in card["card"] else str(card["card"]) for card in line.latest["view"]["hand"]}
    assert seen
    assert not seen & theirs


def test_a_bot_declines_and_the_host_reads_why(server: LiveServer) -> None:
    host, robot = Person(server), Robot(server, Person(server))
    events = robot.listen("kora")
    code = host.create("kora")
    asked = challenge(host, code, robot)
    events.expect("challenge")
    assert events.ask("decline", challenge=asked["id"], why="busy")["type"] == "done"
    found = host.http.get(f"/api/challenges/{asked['id']}").json()
    assert (found["status"], found["why"]) == ("declined", "busy")
    assert events.refused("accept", challenge=asked["id"])["code"] == "challenge_over"
    assert Person(server).http.get(f"/api/challenges/{asked['id']}").status_code == 404


def test_a_withdrawn_challenge_cannot_be_accepted(server: LiveServer) -> None:
    host, robot = Person(server), Robot(server, Person(server))
    events = robot.listen("kora")
    asked = challenge(host, host.create("kora"), robot)
    assert events.expect("challenge")["challenge"]["status"] == "open"
    assert host.http.delete(f"/api/challenges/{asked['id']}").json()["status"] == "withdrawn"
    assert events.refused("accept", challenge=asked["id"])["values"] == {"status": "withdrawn"}


def test_only_connected_bots_of_the_game_are_listed(server: LiveServer) -> None:
    host, robot = Person(server), Robot(server, Person(server, "Zoé"), "Vendredi")

    def listed(game: str) -> list[tuple[str, str]]:
        return [(one["name"], one["owner"]) for one in host.http.get("/api/bots", params={"game": game}).json()]

    assert ("Vendredi", "Zoé") not in listed("kora")
    events = robot.listen("kora")
    assert ("Vendredi", "Zoé") in listed("kora")
    assert ("Vendredi", "Zoé") not in listed("dames")
    code = host.create("dames")
    refused = host.http.post(f"/api/tables/{code}/challenges", json={"bot": robot.id, "seat": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "bot_away")
    events.close()
    wait_until(lambda: ("Vendredi", "Zoé") not in listed("kora"))


@pytest.mark.one_server("it reads the file of SQLite")
def test_a_token_is_kept_as_a_hash_and_shown_once(own_server: LiveServer) -> None:
    owner = Person(own_server)
    robot = Robot(own_server, owner)
    assert robot.http.get("/api/me").json()["id"] == robot.id
    mine = owner.http.get("/api/me/bots").json()
    assert [(one["name"], one["scope"], one["bot"]) for one in mine["tokens"]] == [("essai", "play", robot.id)]
    assert robot.token not in str(mine)
    assert robot.token not in owner.http.get("/api/me/data").text
    own_server.stop()
    stored = b"".join(path.read_bytes() for path in own_server.data.glob("tablee.db*"))
    assert robot.token.encode() not in stored
    assert robot.token_id.encode() in stored
    own_server.start()
    assert owner.http.get("/api/me/bots").json()["tokens"][0]["used"] > 0


def test_a_token_reaches_only_what_its_scope_allows(server: LiveServer) -> None:
    owner = Person(server)
    robot = Robot(server, owner)
    reader = client_of(server, make_token(owner)["token"])
    assert reader.get("/api/me").json()["id"] == owner.id
    assert reader.get("/api/history").status_code == 200
    for http in (reader, robot.http):
        for method, path in (
            ("GET", "/api/me/data"),
            ("GET", "/api/me/bots"),
            ("POST", "/api/me/tokens"),
            ("POST", "/api/me/recovery"),
            ("PATCH", "/api/me"),
            ("DELETE", "/api/me"),
            ("GET", "/api/bots"),
        ):
            answer = http.request(method, path, json={} if method != "GET" else None)
            assert (path, answer.status_code, answer.json()["code"]) == (path, 403, "out_of_scope")
    assert reader.post("/api/tables", json={"game": "kora"}).json()["code"] == "out_of_scope"
    assert robot.http.post("/api/tables", json={"game": "kora"}).status_code == 201


def test_a_token_that_only_reads_watches_without_a_seat(server: LiveServer) -> None:
    owner = Person(server)
    code = owner.create("kora")
    headers = {"authorization": f"Bearer {make_token(owner)['token']}"}
    line = Line(server, code, headers)
    assert line.expect("table")["you"] is None
    assert line.refused("sit")["code"] == "unknown_person"
    assert closed_with(Line(server, "me", headers)) == (4401, "out_of_scope")


@pytest.mark.parametrize("header", ["Bearer tablee_wrong", "Bearer x", "Basic abc", "Bearer tablee_" + "x" * 5000])
def test_a_wrong_token_is_refused(server: LiveServer, header: str) -> None:
    host = Person(server)
    code = host.create("kora")
    assert host.http.get("/api/me", headers={"authorization": header}).json()["code"] == "bad_token"
    assert closed_with(Line(server, code, {"authorization": header})) == (4401, "bad_token")
    assert closed_with(Line(server, "me", {"cookie": host.cookie})) == (4401, "bad_token")


def test_a_token_revoked_during_a_match_closes_its_connections_and_the_table_goes_on(server: LiveServer) -> None:
    _, line, robot, events, mine = started(server)
    answer = robot.owner.http.delete(f"/api/me/tokens/{robot.token_id}")
    assert answer.status_code == 200, answer.text
    assert closed_with(mine) == (4401, "token_revoked")
    assert closed_with(events) == (4401, "token_revoked")
    assert robot.http.get("/api/me").json()["code"] == "bad_token"
    table = until(line, lambda frame: frame["seats"][1]["presence"] != "online")
    assert table["status"] == "playing"
    assert line.ask("say", text="Dommage")["type"] == "done"


def test_a_bot_that_plays_out_of_turn_is_refused_and_the_table_goes_on(server: LiveServer) -> None:
    _, line, _, _, mine = started(server)
    waiting, acting = (line, mine) if mine.latest["offer"] else (mine, line)
    offer = acting.latest["offer"]
    answer = waiting.refused("act", offer=offer["number"], action=offer["legal"][0])
    assert answer["code"] in ("not_your_turn", "stale_offer")
    assert acting.ask("act", offer=offer["number"], action={"type": "fly"})["code"] == "bad_action"
    assert play_on((line, mine)) > 0
    assert line.latest["outcome"] is not None


def test_a_bot_that_floods_loses_its_connection_and_nobody_else(own_server: LiveServer) -> None:
    _, line, robot, events, mine = started(own_server)
    for one in (mine, events):
        with suppress(ConnectionClosed):
            for _ in range(300):
                one.send("ping")
        assert closed_with(one)[0] in (1008, 1006)  # 1006 if we were still sending
    assert line.ask("ping")["type"] == "done"
    again = robot.open(until(line, lambda frame: True)["code"])
    again.expect("state")
    assert play_on((line, again)) > 0


def test_a_bot_that_sends_megabytes_loses_its_connection_and_nobody_else(server: LiveServer) -> None:
    _, line, robot, events, mine = started(server)
    mine.send_raw('{"type": "say", "id": 1, "text": "' + "x" * 5000 + '"}')
    assert mine.expect("refused")["code"] == "too_large"
    for one in (mine, events):
        with suppress(ConnectionClosed):  # the server does not wait for the rest
            one.send_raw("x" * 3_000_000)
        assert closed_with(one)[0] in (1009, 1006)
    assert line.ask("ping")["type"] == "done"
    again = robot.open(until(line, lambda frame: True)["code"])
    again.expect("state")
    assert play_on((line, again)) > 0


def test_a_bot_that_dies_leaves_after_the_grace_of_the_table(hourglass: LiveServer) -> None:
    _, line, _, events, mine = started(hourglass, grace=30)
    mine.socket.socket.close()  # without a word
    events.socket.socket.close()
    until(line, lambda frame: frame["seats"][1]["presence"] != "online")
    hourglass.turn(31)
    table = until(line, lambda frame: frame["status"] == "over" or frame["players"][1]["left"])
    assert table["players"][1]["left"]


def test_a_person_has_few_bots_and_tokens(own_server: LiveServer) -> None:
    owner = Person(own_server)
    robot = Robot(own_server, owner)
    for _ in range(4):
        assert owner.http.post("/api/me/bots", json={"name": "Un de plus"}).status_code == 201
    assert owner.http.post("/api/me/bots", json={"name": "Un de trop"}).json()["code"] == "too_many_bots"
    for _ in range(9):
        make_token(owner)
    assert owner.http.post("/api/me/tokens", json={"name": "x"}).json()["code"] == "too_many_tokens"
    stranger = Person(own_server)
    assert stranger.http.post("/api/me/tokens", json={"name": "x", "bot": robot.id}).json()["code"] == "unknown_bot"
    assert stranger.http.delete(f"/api/me/bots/{robot.id}").status_code == 404
    assert stranger.http.delete(f"/api/me/tokens/{robot.token_id}").status_code == 404


def test_erasing_a_person_erases_their_bots(own_server: LiveServer) -> None:
    code, line, robot, _, mine = started(own_server)
    play_on((line, mine))
    line_page(own_server, robot, code)
    assert robot.owner.http.delete("/api/me").status_code < 300
    assert robot.http.get("/api/me").json()["code"] == "bad_token"
    players = Person(own_server).http.get(f"/api/matches/{code}-1").json()["card"]["players"]
    assert players[1]["person"] != robot.id
    assert players[1]["person"].startswith("bot~")
    assert players[1]["name"] != "Robinson"


def test_a_bot_does_not_inherit_a_table(server: LiveServer) -> None:
    _, host, line, _, _, mine = seated(server)
    assert line.ask("leave")["type"] == "done"
    table = until(mine, lambda frame: frame["seats"][0]["kind"] == "empty")
    assert table["host"] == host.id

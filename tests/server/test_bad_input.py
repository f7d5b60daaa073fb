"""Bad input: the server refuses each bad frame by name, keeps the connection if it can, and stores nothing."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from inside import Paper, Wire, lobby_of
from live import Line, LiveServer, Person, two_players
from pair import need_one_server
from websockets.exceptions import ConnectionClosed

from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.limits import Bucket, Limiter
from tablee.server.socket import Connection, Desk
from tablee.table import Table

no_room: Any = None


def events_of(server: LiveServer, code: str) -> int:
    need_one_server("it looks into the SQLite file")
    with closing(sqlite3.connect(server.data / "tablee.db")) as database:
        return int(database.execute("SELECT count(*) FROM events WHERE code = ?", (code,)).fetchone()[0])


BAD_FRAMES = {
    "not JSON": b"{oops",
    "empty": b"",
    "not an object": b"[1, 2]",
    "a number": b"12",
    "no type": b'{"id": 1}',
    "unknown type": b'{"type": "cheat", "id": 1}',
    "type of the server": b'{"type": "moved", "id": 1}',
    "no id": b'{"type": "start"}',
    "negative id": b'{"type": "start", "id": -1}',
    "id as text": b'{"type": "start", "id": "1"}',
    "unknown field": b'{"type": "start", "id": 1, "sudo": true}',
    "seat as text": b'{"type": "sit", "id": 1, "seat": "0"}',
    "seat out of range": b'{"type": "sit", "id": 1, "seat": 100000}',
    "offer as float": b'{"type": "act", "id": 1, "offer": 0.5, "action": {}}',
    "no action": b'{"type": "act", "id": 1, "offer": 0}',
    "huge integer": b'{"type": "start", "id": 123456789012345678901234567890}',
    "options as list": b'{"type": "configure", "id": 1, "options": []}',
    "deep nesting": b'{"type": "act", "id": 1, "offer": 0, "action": ' + b"[" * 1500 + b"]" * 1500 + b"}",
}


@pytest.mark.parametrize("what", BAD_FRAMES)
def test_a_malformed_frame_is_refused_and_the_connection_stays(server: LiveServer, what: str) -> None:
    person = Person(server)
    code = person.create()
    line = person.open(code)
    line.expect("table")
    before = events_of(server, code)
    line.send_raw(BAD_FRAMES[what])
    refusal = line.expect("refused")
    assert refusal["code"] in ("bad_frame", "no_match"), refusal
    assert line.ask("ping")["type"] == "done"
    assert events_of(server, code) == before


def test_a_refusal_names_the_field_and_answers_the_frame(server: LiveServer) -> None:
    person = Person(server)
    line = person.open(person.create())
    line.send_raw(b'{"type": "sit", "id": 77, "seat": "zero"}')
    refusal = line.expect("refused")
    assert (refusal["reply"], refusal["values"]["field"]) == (77, "seat")
    assert "str" in refusal["values"]["problem"]


def test_a_binary_frame_is_read_like_a_text_frame(server: LiveServer) -> None:
    person = Person(server)
    line = person.open(person.create())
    line.socket.send(b'{"type": "ping", "id": 5}')
    assert line.expect("done")["reply"] == 5
    line.socket.send(b"\xff\xfe\x00")
    assert line.expect("refused")["code"] == "bad_frame"


def test_a_large_frame_is_refused_and_a_huge_one_closes_only_its_connection(server: LiveServer) -> None:
    person = Person(server)
    code = person.create()
    line, other = person.open(code), Person(server).open(code)
    line.send_raw(b'{"type": "ping", "id": 1, "x": "' + b"a" * 5000 + b'"}')
    assert line.expect("refused") == {"type": "refused", "code": "too_large", "values": {"limit": 4096}, "reply": None}
    assert line.ask("ping")["type"] == "done"
    line.send_raw(b"a" * 100_000)
    with pytest.raises(ConnectionClosed):
        line.expect("done")
    assert other.ask("ping")["type"] == "done"


def test_the_connection_to_an_unknown_table_is_refused_and_closed(server: LiveServer) -> None:
    for code in ("ZZZZZZ", "nope", "..", "%2e%2e", "A" * 300):
        line = Line(server, code)
        assert line.expect("refused")["code"] == "unknown_table"
        with pytest.raises(ConnectionClosed) as closed:
            line.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_a_wrong_seat_a_stale_offer_and_an_illegal_action_change_nothing(server: LiveServer) -> None:
    code, first, second = two_players(server)
    actor, other = (first, second) if first.latest["offer"] else (second, first)
    before = events_of(server, code)
    action = actor.latest["offer"]["legal"][0]
    assert other.refused("act", offer=0, action=action)["code"] == "not_your_turn"
    assert actor.refused("act", offer=7, action=action)["code"] == "stale_offer"
    assert Person(server).open(code).refused("act", offer=0, action=action)["code"] == "not_seated"
    held = {card["card"] for card in actor.latest["view"]["hand"]}
    stranger = next(card for card in ("AS", "2S", "3S", "4S", "5S", "6S") if card not in held)
    refusal = actor.refused("act", offer=0, action={"type": "play", "card": stranger})
    assert (refusal["code"], refusal["values"]) == ("not_in_hand", {"card": stranger})
    malformed: list[Any] = [
        {"type": "play"},
        {"type": "play", "card": "1Z"},
        {"type": "play", "card": 7},
        {"type": "fly"},
        [],
        None,
    ]
    for bad in malformed:
        assert actor.refused("act", offer=0, action=bad)["code"] == "bad_action"
    assert actor.refused("act", offer=0, action={"type": "leave"})["code"] == "reserved"
    assert actor.refused("act", offer=0, action={"type": "accept"})["code"] == "wrong_stage"
    assert events_of(server, code) == before
    assert actor.ask("act", offer=0, action=action)["type"] == "moved"
    # The same click again is late.
    assert actor.refused("act", offer=0, action=action)["code"] in ("stale_offer", "not_your_turn")


def flood(line: Line) -> None:
    """Send frames without reading until the server stops taking them, then read all answers."""
    with suppress(ConnectionClosed):
        for number in range(400):
            line.send_raw(b'{"type": "ping", "id": %d}' % number)
    while True:
        line.next()


def test_too_many_frames_are_refused_and_then_close_only_their_connection(own_server: LiveServer) -> None:
    person, neighbour = Person(own_server), Person(own_server)
    line, calm = person.open(person.create()), neighbour.open(neighbour.create())
    line.expect("table")
    with pytest.raises(ConnectionClosed) as closed:
        flood(line)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    refusals = [frame for frame in line.frames if frame["type"] == "refused"]
    assert refusals[0]["code"] == "too_many"
    assert refusals[0]["values"]["retry"] > 0
    assert calm.ask("ping")["type"] == "done"


async def test_short_questions_with_long_answers_are_soon_too_many(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        wire = Wire(room, "anne")
        wire.line._bucket = Bucket(0.001, 25, room.time)
        for number in range(3):
            await wire.do(id=number, type="sync", match=1, ply=0)
        answers = [frame for frame in wire.frames() if "reply" in frame]
        assert [(frame["type"], frame["reply"]) for frame in answers] == [("done", 0), ("done", 1), ("refused", 2)]
        assert (answers[2]["code"], answers[2]["values"]["retry"] > 0) == ("too_many", True)


async def test_the_connections_of_one_address_share_a_frame_limit(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        desk = Desk(Config(data=tmp_path, frames_per_second=0.001), room.time)
        desk.frames.of_addresses = Limiter(0.001, 7, room.time)
        wires = [Wire(room, person, desk) for person in ("anne", "basile")]
        for wire in wires:
            wire.line._bucket = Bucket(0.001, 5, room.time)
            for _ in range(5):
                await wire.do(type="ping")
        answered = [sum(b'"done"' in frame for frame in wire.paper.frames) for wire in wires]
        assert answered == [5, 2]


async def test_changes_other_than_moves_are_limited(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        desk = Desk(Config(data=tmp_path), lobby.services.time)
        desk.commands.changes = Limiter(0.001, 20, lobby.services.time)
        tables = [
            await lobby.create(Table.create("ojyx", {}, 8, False, "anne"), ["facile"] * 7, start=False) for _ in "12"
        ]
        first, second = (Wire(room, "anne", desk) for room in tables)
        lengths = [room.table.length for room in tables]
        for number in range(12):
            for wire in (first, second):
                await wire.do(type="watch", open=number % 2 == 1)
        grown = [room.table.length - length for room, length in zip(tables, lengths, strict=True)]
        assert sum(grown) == 20
        assert (second.frames()[-1]["code"], second.frames()[-1]["reply"]) == ("too_many", 1)
        # Others have their own limit.
        await Wire(tables[0], "basile", desk).do(type="say", text="bonjour")
        assert tables[0].table.chat.messages


async def test_moves_are_not_limited_as_changes(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        desk = Desk(Config(data=tmp_path), lobby.services.time)
        desk.commands.changes = Limiter(0.001, 0.5, lobby.services.time)
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne", desk)
        offer = next(frame for frame in anne.frames() if frame["type"] == "state")["offer"]
        await anne.do(type="leave")
        assert anne.frames()[-1]["code"] == "too_many"
        await anne.do(type="act", offer=offer["number"], action=offer["legal"][0])
        assert anne.frames()[-1]["type"] == "moved"


def test_a_client_that_does_not_read_is_disconnected_early(tmp_path: Path) -> None:
    paper = Paper(room=1)
    line = Connection(None, "", no_room, Desk(Config(data=tmp_path), Clock()), paper)
    for _ in range(6):
        line.post(b"a" * 300_000)
    assert len(paper.frames) == 1
    assert paper.cut
    assert paper.closed is None
    for _ in range(3):
        assert paper.read() == 300_000
        line.flush()
    assert paper.read() == 300_000
    line.flush()
    assert not paper.frames
    assert paper.closed == (1013, "too slow")


def test_a_client_that_reads_stays_connected_whatever_the_volume(tmp_path: Path) -> None:
    paper = Paper(room=300_000)
    line = Connection(None, "", no_room, Desk(Config(data=tmp_path), Clock()), paper)
    read = 0
    while read < 3_000_000:
        for _ in range(3):
            line.post(b"a" * 100_000)
        read += paper.read()
        line.flush()
    assert paper.closed is None
    line.hang_up(1000, "the end")
    assert paper.closed == (1000, "the end")


def test_a_flood_of_control_frames_closes_only_its_connection(own_server: LiveServer) -> None:
    person, neighbour = Person(own_server), Person(own_server)
    line, calm = person.open(person.create()), neighbour.open(neighbour.create())
    line.expect("table")
    with pytest.raises(ConnectionClosed):
        ping_on(line)
    assert calm.ask("ping")["type"] == "done"


def ping_on(line: Line) -> None:
    for _ in range(5000):
        line.socket.ping()
    while True:
        line.next()


@pytest.mark.one_server("each server counts for itself")
def test_a_storm_of_connections_is_counted_before_it_is_served(server: LiveServer) -> None:
    person = Person(server)
    codes = [person.create() for _ in range(30)]
    with ThreadPoolExecutor(30) as pool:
        lines = list(pool.map(person.open, codes))
    firsts = [line.expect("table", "refused")["type"] for line in lines]
    assert sorted(firsts) == ["refused"] * 18 + ["table"] * 12


def test_bytes_that_are_not_utf_8_are_a_bad_action(server: LiveServer) -> None:
    _, first, second = two_players(server)
    actor = first if first.latest["offer"] else second
    actor.socket.send(b'{"type": "act", "id": 9, "offer": 0, "action": {"type": "play", "card": "\xff\xfe"}}')
    assert actor.expect("refused")["code"] == "bad_action"
    json_type = {"content-type": "application/json"}
    http = Person(server).http
    for body in (b'{"game": "\xff"}', b'{"game": "kora", "options": {"a": ' + b"[" * 7000):
        answer = http.post("/api/tables", content=body, headers=json_type)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_page_of_another_site_may_not_act_in_a_visitor_s_name(server: LiveServer) -> None:
    person = Person(server)
    code = person.create()
    line = person.open(code, origin="https://evil.example")
    assert line.expect("refused")["code"] == "foreign_origin"
    answer = person.http.post("/api/tables", json={"game": "kora"}, headers={"origin": "https://evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert person.open(code, origin=server.url).expect("table")["you"] == 0


def test_a_visitor_without_our_cookie_can_only_watch(server: LiveServer) -> None:
    person = Person(server)
    code = person.create()
    for cookie in ("", "tablee=me.forged", f"tablee={person.id}.", f"tablee={person.id}.AAAA", 'tablee="; x'):
        line = Line(server, code, {"cookie": cookie} if cookie else None)
        assert line.expect("table")["you"] is None
        assert line.refused("sit")["code"] == "unknown_person"
        line.close()


@pytest.mark.one_server("each server counts for itself")
def test_connections_of_one_person_are_limited(server: LiveServer) -> None:
    person = Person(server)
    codes = [person.create() for _ in range(13)]
    lines = [person.open(code) for code in codes]
    for line, code in zip(lines[:12], codes, strict=False):
        assert line.expect("table")["code"] == code
    assert lines[12].expect("refused")["code"] == "too_many_connections"
    for line in lines:
        line.close()


BAD_TABLES = {
    "stake": ({"game": "kora", "options": {"stake": 0}}, 400, "bad_option", "stake"),
    "bank": ({"game": "kora", "options": {"bank": 10_001}}, 400, "bad_option", "bank"),
    "deals": ({"game": "kora", "options": {"deals": 2}}, 400, "bad_option", "deals"),
    "betting": ({"game": "kora", "options": {"betting": "wild"}}, 400, "bad_option", "betting"),
    "unknown": ({"game": "kora", "options": {"sudo": 1}}, 400, "bad_option", "sudo"),
    "game": ({"game": "sans-nom"}, 404, "unknown_game", None),
    "seats": ({"game": "kora", "seats": 3}, 400, "bad_seats", None),
    "level": ({"game": "kora", "bots": ["divin"]}, 400, "unknown_level", None),
    "crowd": ({"game": "kora", "bots": ["facile"] * 3}, 400, "table_full", None),
    "lonely": ({"game": "kora", "start": True}, 400, "seats_empty", None),
    "field": ({"game": "kora", "cheat": True}, 400, "bad_request", None),
    "type": ({"game": 7}, 400, "bad_request", "game"),
    "missing": ({}, 400, "bad_request", "game"),
}


@pytest.mark.parametrize("what", BAD_TABLES)
def test_a_bad_new_table_is_refused_with_the_field_s_name(server: LiveServer, what: str) -> None:
    body, status, code, field = BAD_TABLES[what]
    answer = Person(server).http.post("/api/tables", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code)
    if field is not None:
        assert problem["values"]["field"] == field


def test_bad_bodies_and_paths_of_the_api_are_problems_too(server: LiveServer) -> None:
    http = Person(server).http
    json_type = {"content-type": "application/json"}
    assert http.post("/api/tables", content=b"{", headers=json_type).json()["code"] == "bad_request"
    huge = http.post("/api/tables", content=b'"' + b"a" * 20_000 + b'"', headers=json_type)
    assert (huge.status_code, huge.json()["code"]) == (413, "too_large")
    assert http.get("/api/nothing").json()["code"] == "unknown_path"
    assert http.put("/api/me").status_code == 405
    for name in ("", " \u200b ", "\u3164\u2800", "x" * 25):
        answer = http.patch("/api/me", json={"name": name})
        assert (answer.status_code, answer.json()["values"]["field"]) == (400, "name"), answer.text
    assert http.patch("/api/me", json={"avatar": 16}).json()["values"]["field"] == "avatar"


def test_one_address_may_not_flood_the_api(own_server: LiveServer) -> None:
    own_server.stop()
    own_server.options = ("--requests-per-second", "1", "--workers", "1")
    own_server.start()
    person = Person(own_server)
    answers = [person.http.get("/api/me") for _ in range(20)]
    assert answers[-1].status_code == 429
    assert answers[-1].json()["code"] == "too_many"

"""Replays, records and draws over HTTP, against a real server."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest
from finished import get, played, refused
from inside import Wire, lobby_of
from live import ROOMY, Line, LiveServer, Person, seat_two
from pair import open_server
from websockets.exceptions import ConnectionClosed

from tablee.arena import random_game
from tablee.core.fairness import commitment, verify
from tablee.core.game import Refused
from tablee.core.match import Match, Step
from tablee.core.record import Record
from tablee.core.replay import Replay
from tablee.games.scrabble.lexicon import Lexicon
from tablee.server.replays import Replayer
from tablee.store import Store
from tablee.table import Event, Table
from tablee.table.events import decode


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose matches no other file adds to."""
    live = open_server(tmp_path_factory.mktemp("archive"), *ROOMY).start()
    yield live
    live.stop()


def test_a_match_is_watched_again_from_every_seat(module_server: LiveServer) -> None:
    id, people, lines = played(module_server, options={"deals": 3})
    moved = [{frame["step"]["ply"]: frame for frame in line.frames if frame["type"] == "moved"} for line in lines]
    for seat in (0, 1):
        page = get(people[1 - seat], f"matches/{id}/replay", seat=seat)
        assert (page["first"], page["last"], len(page["views"])) == (0, page["plies"], page["plies"] + 1)
        assert [step["ply"] for step in page["steps"]] == list(range(1, page["plies"] + 1))
        for step, view, turn in zip(page["steps"], page["views"][1:], page["turns"][1:], strict=True):
            frame = moved[seat][step["ply"]]
            assert (frame["step"], frame["view"], frame["turn"]) == (step, view, turn)
        assert page["outcome"] == lines[0].latest["outcome"]
        assert page["card"]["id"] == id
    spectator = get(Person(module_server), f"matches/{id}/replay")
    assert all(view["hand"] == [] for view in spectator["views"])


def test_a_replay_comes_in_parts(module_server: LiveServer) -> None:
    id, people, _ = played(module_server, options={"deals": 5})
    whole = get(people[0], f"matches/{id}/replay", seat=0)
    part = get(people[0], f"matches/{id}/replay", seat=0, first=3, last=6)
    assert (part["first"], part["last"]) == (3, 6)
    assert part["views"] == whole["views"][3:7]
    assert [step["ply"] for step in part["steps"]] == [3, 4, 5, 6]
    beyond = get(people[0], f"matches/{id}/replay", first=100_000)
    assert (beyond["first"], beyond["last"], len(beyond["views"])) == (whole["plies"], whole["plies"], 1)
    refused(people[0].http.get(f"/api/matches/{id}/replay?seat=2"), 400, "no_such_seat")
    refused(people[0].http.get(f"/api/matches/{id}/replay?first=-1"), 400, "bad_request")


def test_a_long_replay_has_at_most_200_positions_a_part(module_server: LiveServer) -> None:
    match = random_game("president", seats=4, options={"rounds": 5}, seed="longue")
    assert match.ply > 200
    person = Person(module_server)
    record = match.record().to_json()
    seen = 0
    while seen <= match.ply:
        page = person.http.post("/api/replays", params={"first": seen}, content=record).json()
        assert page["last"] - page["first"] + 1 == len(page["views"]) <= 200
        seen = page["last"] + 1
    assert seen == match.ply + 1


def test_a_downloaded_record_is_verified_and_can_be_watched(module_server: LiveServer) -> None:
    id, people, _ = played(module_server)
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


def test_a_forged_record_is_refused_with_the_place(module_server: LiveServer) -> None:
    person = Person(module_server)
    for what, (record, status, code, values) in FORGED.items():
        content = record if isinstance(record, bytes) else json.dumps(record)
        answer = person.http.post("/api/replays", content=content)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (what, answer.text)
        assert answer.json()["values"].items() >= values.items(), what
    assert person.http.post("/api/replays", content=json.dumps(RECORD)).status_code == 200


def test_a_record_may_be_large_and_not_monstrous_and_other_bodies_stay_small(module_server: LiveServer) -> None:
    person = Person(module_server)
    padded = json.dumps(RECORD) + " " * 900_000
    assert person.http.post("/api/replays", content=padded).status_code == 200
    answer = person.http.post("/api/replays", content=padded + " " * 200_000)
    assert refused(answer, 413, "too_large")["limit"] == 1024 * 1024
    answer = person.http.post("/api/recover", json={"code": "x" * 20_000})
    assert refused(answer, 413, "too_large")["limit"] == 16 * 1024


def test_replays_of_files_of_other_programs(module_server: LiveServer) -> None:
    person = Person(module_server)
    refused(person.http.post("/api/replays?format=exe", content=b"MZ"), 404, "unknown_format")
    for format, text, line in (("gcg", "#player1 a\n#player2 b\noops", 3), ("pdn", "1. 32-28 19-23 2. zut", 1)):
        answer = person.http.post(f"/api/replays?format={format}", content=text)
        assert refused(answer, 400, "bad_line")["line"] == line
    id, people, _ = played(module_server)
    refused(people[0].http.get(f"/api/matches/{id}/record.exe"), 404, "unknown_format")
    refused(people[0].http.get(f"/api/matches/{id}/anything"), 404, "unknown_format")


def test_a_flood_of_replays_is_slowed_down(own_server: LiveServer) -> None:
    person = Person(own_server)
    answers = [person.http.post("/api/replays", content=b"{}") for _ in range(70)]
    assert {answer.status_code for answer in answers} == {400, 429}
    assert refused(answers[-1], 429, "too_many")["retry"] > 0


@pytest.mark.one_server("it looks into the data folder of one server")
def test_a_match_whose_lexicon_is_gone_is_refused_with_its_name(own_server: LiveServer) -> None:
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
        refusal = line.expect("refused")
        assert (refusal["code"], refusal["values"]["name"], refusal["reply"]) == ("missing_resource", "maison", None)
        with pytest.raises(ConnectionClosed) as closed:
            line.next()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4413, "missing_resource")
    own_server.stop()
    assert "Traceback" not in own_server.log.read_text()


async def test_as_many_replays_are_remembered_as_there_is_room_for() -> None:
    replayer = Replayer()

    async def watch(key: str, plies: int) -> None:
        steps = (Step(0, None),) * plies
        replay = Replay(game="", seats=2, options=None, names=(), states=(), steps=steps, outcome=None)
        assert await replayer.replay(key, lambda: replay) is replay

    for number in range(30):
        await watch(f"short {number}", 10)
    assert [number for number in range(30) if replayer.known(f"short {number}")] == list(range(6, 30))
    for number in range(4):
        await watch(f"long {number}", 9_000)
    assert [number for number in range(4) if replayer.known(f"long {number}")] == [2, 3]
    await watch("endless", 30_000)
    assert [key for key in ("long 3", "endless") if replayer.known(key)] == ["endless"]


async def test_a_page_reads_only_the_deal_and_a_replay_reads_in_a_worker_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne, id = Wire(room, "anne"), f"{room.table.code}-1"
        with pytest.raises(Refused, match="not_over"):
            await lobby.services.archive.page(id)
        await anne.do(type="leave")

        def read(*_: Any) -> None:
            raise AssertionError("this would keep the others waiting")

        monkeypatch.setattr(Store, "read", read)
        threads: list[str] = []

        def decode_here(body: str) -> Event:
            threads.append(current_thread().name)
            event: Event = decode(body)
            return event

        monkeypatch.setattr("tablee.server.archive.decode", decode_here)
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


async def test_spectators_who_come_together_share_frames(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("kora", {}, None, False, "anne"), [], start=False)
        anne = Wire(room, "anne")
        crowd = [Wire(room, f"spectator {number}") for number in range(300)]
        async with asyncio.timeout(60):
            while latest_count(anne) != 300:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for wire in (anne, crowd[0], crowd[-1]):
            kinds = Counter(frame["type"] for frame in wire.frames())
            assert kinds["table"] + kinds["watchers"] <= 4
        anne.paper.read()
        for wire in crowd[:100]:
            room.part(wire.line)
        async with asyncio.timeout(60):
            while latest_count(anne) != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert {frame["type"] for frame in anne.frames()} == {"watchers"}, "nothing but their number changed"


def latest_count(wire: Wire) -> int | None:
    """Return the number of spectators that a connection last heard of."""
    for frame in reversed(wire.frames()):
        if frame["type"] in ("table", "watchers"):
            return int(frame["watchers"] if frame["type"] == "table" else frame["count"])
    return None


def test_a_large_screen_in_a_player_s_browser_is_a_spectator(server: LiveServer) -> None:
    code, people, lines = seat_two(server, options={"deals": 10})
    screen = Line(server, f"{code}?screen", {"cookie": people[0].cookie})
    table = screen.expect("table")
    assert (table["you"], table["view_seat"], table["yours"]) == (None, None, [])
    shown = screen.expect("state")
    assert (shown["offer"], shown["view"]["hand"]) == (None, [])
    assert screen.refused("act", offer=0, action={})["code"] == "unknown_person"
    assert lines[0].ask("ping")["type"] == "done"  # it took nobody's place

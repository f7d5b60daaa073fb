"""The admin page: its token, the overview, the metrics and announcements."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from inside import Wire, lobby_of
from live import ROOMY, LiveServer, Person, seat_two, wait_until
from pair import open_server
from robots import Robot, closed_with
from websockets import ConnectionClosed

from tablee.server.logs import JsonFormatter
from tablee.table import Table

TOKEN = "un-jeton-pour-les-tests"


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    live = open_server(tmp_path_factory.mktemp("admin"), *ROOMY, "--admin-token", TOKEN, "--log", "json").start()
    yield live
    live.stop()


def admin(module_server: LiveServer, token: str = TOKEN, **headers: str) -> httpx.Client:
    headers["authorization"] = f"Bearer {token}"
    return httpx.Client(base_url=f"{module_server.url}/api/admin", headers=headers)


def test_every_request_needs_the_token(module_server: LiveServer) -> None:
    for token in ("faux", TOKEN[:-1], TOKEN + "x"):
        with admin(module_server, token, **{"x-forwarded-for": "192.0.2.6"}) as client:
            for answer in (
                client.get("/overview"),
                client.get("/metrics"),
                client.post("/announce", json={"text": "x"}),
            ):
                assert answer.status_code in (403, 429)
                assert TOKEN not in answer.text


@pytest.mark.one_server("each server counts for itself")
def test_guesses_are_limited_and_a_right_one_is_refused_too(module_server: LiveServer) -> None:
    elsewhere = {"x-forwarded-for": "192.0.2.7"}
    with admin(module_server, "guess", **elsewhere) as client:
        answers = [client.get("/overview").status_code for _ in range(20)]
    assert (answers[0], answers[-1]) == (403, 429)
    with admin(module_server, **elsewhere) as client:
        assert client.get("/overview").status_code == 429
    with admin(module_server) as client:
        assert {client.get("/metrics").status_code for _ in range(20)} == {200}


def test_a_bot_is_blocked_and_may_play_again(module_server: LiveServer) -> None:
    host, owner = Person(module_server), Person(module_server, "Zoé")
    robot, other = Robot(module_server, owner, "Vendredi"), Robot(module_server, owner, "Robinson")
    events, free = robot.listen("kora"), other.listen("kora")

    def listed(client: httpx.Client) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in client.get("/bots").json() if one["id"] == robot.id)
        return found

    with admin(module_server) as client:
        assert listed(client) | {"at": 0} == {
            "id": robot.id, "name": "Vendredi", "owner": "Zoé", "at": 0, "connected": True, "blocked": False
        }  # fmt: skip
        assert client.post(f"/bots/{robot.id}/block", json={"blocked": True}).status_code == 200
        assert closed_with(events) == (4401, "bot_blocked")
        wait_until(lambda: robot.http.get("/api/me").json().get("code") == "bot_blocked")
        wait_until(lambda: not listed(client)["connected"])
        assert listed(client)["blocked"]
        assert [one["blocked"] for one in owner.http.get("/api/me/bots").json()["bots"]] == [True, False]
        assert robot.id not in host.http.get("/api/bots", params={"game": "kora"}).text
        invited = host.http.post(f"/api/tables/{host.create()}/challenges", json={"bot": robot.id, "seat": 1})
        assert invited.json()["code"] == "bot_away"
        assert free.ask("ping")["type"] == "done"  # the owner's other bot goes on
        assert client.post(f"/bots/{robot.id}/block", json={"blocked": False}).status_code == 200
        wait_until(lambda: robot.http.get("/api/me").status_code == 200)
        robot.listen("kora")
        assert client.post("/bots/bot~nobody/block", json={"blocked": True}).status_code == 404
        assert client.post(f"/bots/{robot.id}/block", json={"blocked": "yes"}).status_code == 400
    assert host.http.post(f"/api/admin/bots/{robot.id}/block", json={"blocked": True}).status_code == 403


def test_tables_people_load_and_reports_are_shown(module_server: LiveServer) -> None:
    code, people, (first, second) = seat_two(module_server, options={"deals": 10})
    people[1].http.patch("/api/me", json={"name": "Léon"})
    second.ask("say", text="pas gentil")
    first.expect("said")
    first.ask("report", n=0)
    with admin(module_server) as client:

        def is_shown() -> bool:
            tables = {table["code"]: table for table in client.get("/overview").json()["tables"]}
            return code in tables and tables[code]["connections"] == 2 and "Léon" in tables[code]["people"]

        wait_until(is_shown)  # other servers hear of a connection and of a name a moment later
        seen = client.get("/overview").json()
    table = next(table for table in seen["tables"] if table["code"] == code)
    assert (table["game"], table["status"]) == ("kora", "playing")
    report = next(report for report in seen["reports"] if report["code"] == code)
    assert (report["n"], report["author"], report["text"]) == (0, "Léon", "pas gentil")
    assert seen["load"]["cores"] >= 1
    assert seen["people"] >= 2


async def test_a_report_is_on_disk_as_soon_as_it_is_answered(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        anne, basile = Wire(room, "anne"), Wire(room, "basile")
        await basile.do(type="say", text="pas gentil")
        await anne.do(type="report", n=0)
        assert anne.frames()[-1]["type"] == "done"
        reports = await lobby.services.store.reports.latest(10)
        assert [(one.code, one.n, one.author, one.by) for one in reports] == [(room.table.code, 0, "basile", "anne")]


def test_a_restart_is_announced_to_everyone_and_to_later_visitors(module_server: LiveServer) -> None:
    _, _, (first, _) = seat_two(module_server, options={"deals": 10})
    with admin(module_server) as client:
        client.post("/announce", json={"text": "Redémarrage à 22 h"})
        assert first.expect("notice")["text"] == "Redémarrage à 22 h"
        late = Person(module_server)
        assert late.open(late.create()).expect("notice")["text"] == "Redémarrage à 22 h"
        notice = late.http.get("/api/notice").json()
        assert (notice["text"], late.http.get("/api/notice").json()) == ("Redémarrage à 22 h", notice)
        client.post("/announce", json={"text": ""})
        assert first.expect("notice")["text"] == ""
        assert late.http.get("/api/notice").json()["text"] == ""
        assert client.post("/announce", json={"text": "x" * 301}).status_code == 400


def test_an_announcement_ends_with_the_restart(tmp_path: Path) -> None:
    server = open_server(tmp_path, *ROOMY, "--admin-token", TOKEN).start()
    try:
        person = Person(server)
        code = person.create()
        with admin(server) as client:
            client.post("/announce", json={"text": "Redémarrage à 22 h"})
        assert person.open(code).expect("notice")["text"] == "Redémarrage à 22 h"
        server.stop()
        server.start()
        # An empty notice removes the old one from a page that stayed open.
        assert person.open(code).expect("notice")["text"] == ""
        assert person.http.get("/api/notice").json()["text"] == ""
    finally:
        server.stop()


def test_a_table_is_closed_for_good(module_server: LiveServer) -> None:
    code, people, (first, _) = seat_two(module_server, options={"deals": 10})
    with admin(module_server) as client:
        assert client.post(f"/tables/{code}/close").status_code == 200
        assert client.post("/tables/ZZZZZZ/close").status_code == 404
    assert first.expect("refused")["code"] == "table_closed"
    with pytest.raises(ConnectionClosed):
        first.expect("nothing")
    assert people[0].open(code).expect("refused")["code"] == "table_closed"
    card = people[0].http.get(f"/api/matches/{code}-1").json()["card"]
    assert (card["reason"], card["rated"], {player["result"] for player in card["players"]}) == (
        "closed",
        False,
        {"none"},
    )
    record = people[0].http.get(f"/api/matches/{code}-1/record.json").content
    assert people[0].http.post("/api/replays", content=record).json()["outcome"]["reason"] == "closed"


@pytest.mark.one_server("each server counts for itself")
def test_prometheus_reads_the_counters(module_server: LiveServer) -> None:
    _, _, lines = seat_two(module_server, options={"deals": 10})
    seat = 0 if lines[0].latest["offer"] else 1
    offer = lines[seat].latest["offer"]
    lines[seat].ask("act", offer=offer["number"], action=offer["legal"][0])
    with admin(module_server) as client:
        text = client.get("/metrics").text
    counted = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(counted['tablee_actions_total{game="kora"}']) >= 1
    assert float(counted["tablee_connections"]) >= 2
    assert float(counted["tablee_change_seconds_count"]) >= 1


def test_a_log_line_is_one_json_object() -> None:
    record = logging.getLogger("tablee.test").makeRecord(
        "tablee.test", logging.INFO, __file__, 1, "table %s: over", ("ABCDEF",), None, extra={"table": "ABCDEF"}
    )
    entry = json.loads(JsonFormatter().format(record))
    assert (entry["message"], entry["table"], entry["level"]) == ("table ABCDEF: over", "ABCDEF", "info")


def test_the_server_writes_such_lines(module_server: LiveServer) -> None:
    seat_two(module_server)[2][0].ask("leave")
    lines = [line for line in module_server.log.read_text().splitlines() if line.startswith("{")]
    assert any(json.loads(line).get("game") == "kora" for line in lines)
    assert TOKEN not in "".join(lines)

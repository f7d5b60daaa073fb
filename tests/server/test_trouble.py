"""What players, the operator and the log see if the disk is full or a bot fails."""

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from inside import Wire, lobby_of
from live import PATIENCE, ROOMY, Line, LiveServer, Person
from pair import open_server

from tablee.server.logs import OncePerSecond
from tablee.table import Table

pytestmark = pytest.mark.one_server("it looks into the data folder of one server")

TOKEN = "a-token-for-the-tests"


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[LiveServer]:
    """A server whose bots play when the test turns its clock, and whose disk the test can fill."""
    options = (*ROOMY, "--bot-pause", "30", "--admin-token", TOKEN)
    live = open_server(tmp_path / "server", *options, turned=True).start()
    yield live
    live.stop()


def metric(server: LiveServer, name: str) -> float:
    """Return a figure of the operator; the request reads nothing from the store."""
    answer = httpx.get(
        f"{server.url}/api/admin/metrics", headers={"authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE
    )
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", answer.text, re.MULTILINE))


def let_bot_move(person: Person) -> tuple[str, Line]:
    """Start a match against a bot and play until it is the bot's turn."""
    code = person.create("dames", bots=["facile"], start=True)
    line = person.open(code)
    offer = line.expect("state")["offer"]
    if offer is not None:
        line.ask("act", offer=offer["number"], action=offer["legal"][0])
    return code, line


def test_players_know_during_a_bot_s_turn_that_the_disk_is_full(patient: LiveServer) -> None:
    person = Person(patient)
    code, line = let_bot_move(person)
    patient.fill_disk()
    patient.turn(60)
    assert line.expect("storage")["works"] is False
    assert line.refused("say", text="bonjour")["code"] == "store_down"
    late = Person(patient).open(code)
    assert late.expect("storage")["works"] is False
    answer = person.http.post("/api/tables", json={"game": "kora"})
    assert (answer.status_code, answer.json()["code"]) == (503, "store_down")
    while metric(patient, "tablee_failed_writes_total") < 4:
        patient.turn(1.1)
    patient.free_disk()
    patient.turn(1.1)
    for watcher in (line, late):
        assert watcher.expect("moved")["step"]["seat"] == 1
        assert watcher.expect("storage")["works"] is True
    log = patient.log.read_text()
    assert re.search("tablee.failed_writes: .*: disk I/O error", log)
    assert "Traceback" not in log


def test_all_tables_together_log_one_line_a_second() -> None:
    once = OncePerSecond()
    passed = []
    for at in (10.0, 10.2, 10.9, 11.0, 11.5, 12.1, 20.0):
        record = logging.makeLogRecord({"msg": "full", "created": at, "levelno": logging.ERROR})
        if once.filter(record):
            passed.append((at, record.getMessage()))
    assert passed == [
        (10.0, "full"),
        (11.0, "full (2 more since the last line)"),
        (12.1, "full (1 more since the last line)"),
        (20.0, "full"),
    ]


def test_strangers_cannot_fill_the_log_with_warnings() -> None:
    once = OncePerSecond(logging.WARNING)
    records = [
        logging.makeLogRecord({"msg": "not HTTP", "created": 10.0, "levelno": level})
        for level in (logging.WARNING, logging.WARNING, logging.ERROR, logging.ERROR)
    ]
    assert [bool(once.filter(record)) for record in records] == [True, False, True, True]


class BrokenBots:
    """Bots that fail in the way the test says."""

    def __init__(self, answer: Callable[[], bytes | None]) -> None:
        self.answer = answer

    async def decide(self, key: str, level: str, seat: int, view: bytes, seed: str) -> bytes | None:
        return self.answer()


def fails() -> bytes:
    raise RuntimeError("cannot cache function")


@pytest.mark.parametrize("answer", [fails, lambda: None, lambda: b'{"type": "fly"}'], ids=["error", "none", "illegal"])
async def test_the_table_says_that_a_bot_failed_and_plays_for_it(
    answer: Callable[[], bytes | None], tmp_path: Path
) -> None:
    async with lobby_of(tmp_path, BrokenBots(answer)) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), ["facile"], start=True)
        anne = Wire(room, "anne")
        offer = next(frame for frame in anne.frames() if frame["type"] == "state")["offer"]
        if offer is not None:
            await anne.do(type="act", offer=offer["number"], action=offer["legal"][0])
        while room.driver._tasks:
            await next(iter(room.driver._tasks))
        frames = [frame for frame in anne.frames() if frame["type"] in ("moved", "bot_failed")][-2:]
        assert frames[0] == {"type": "bot_failed", "seat": 1}
        assert (frames[1]["step"]["seat"], frames[1]["step"]["cause"]) == (1, "clock")
        assert b'tablee_failed_decisions_total{game="dames"} 1.0' in lobby.services.metrics.text()

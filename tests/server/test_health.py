"""/healthz tries the store and names what fails; /readyz says whether to send traffic."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from live import PATIENCE, ROOMY, LiveServer, Person
from pair import open_server

from tablee.server.app import App
from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.health import HealthCheck
from tablee.store import StoreDown

pytestmark = pytest.mark.one_server("it looks into the data folder of one server")


@pytest.fixture
def turned(tmp_path: Path) -> Iterator[LiveServer]:
    live = open_server(tmp_path / "server", *ROOMY, turned=True).start()
    yield live
    live.stop()


def ask(server: LiveServer, path: str) -> tuple[int, Any]:
    answer = httpx.get(f"{server.url}{path}", timeout=PATIENCE)
    return answer.status_code, answer.json()


def test_a_healthy_server_is_ready(server: LiveServer) -> None:
    status, health = ask(server, "/healthz")
    assert (status, health["status"], health["failing"]) == (200, "ok", [])
    assert ask(server, "/readyz") == (200, {"ready": True, "why_not": None})


def test_a_full_disk_shows(turned: LiveServer) -> None:
    Person(turned, "Zoé")
    turned.fill_disk()
    turned.turn(2)
    status, health = ask(turned, "/healthz")
    assert (status, health["status"], health["failing"]) == (503, "failing", ["store"])
    assert ask(turned, "/readyz") == (503, {"ready": False, "why_not": "store"})
    turned.free_disk()
    turned.turn(2)
    assert ask(turned, "/healthz")[1]["status"] == "ok"


def test_a_deleted_data_folder_shows(turned: LiveServer) -> None:
    assert ask(turned, "/healthz")[0] == 200
    for path in turned.data.glob("tablee.db*"):
        path.unlink()
    turned.turn(2)
    assert ask(turned, "/healthz")[1]["failing"] == ["store"]


class Store:
    """A store that counts how often it is tried."""

    def __init__(self) -> None:
        self.tried = 0

    async def check(self) -> None:
        self.tried += 1
        raise StoreDown("the disk is full")


class Turned(Clock):
    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return self.passed


async def test_the_store_is_tried_once_a_second_however_often_somebody_asks() -> None:
    clock = Turned()
    check = HealthCheck(clock)
    house: Any = type("House", (), {"store": Store(), "metrics": type("M", (), {"failed_writes": Counter()})()})()
    check.house = house
    for at in (0.0, 0.5, 0.9, 1.1, 1.2, 2.2):
        clock.passed = at
        assert not await check.does_store_work()
    assert house.store.tried == 3


class Counter:
    def inc(self) -> None:
        pass


async def answer_of(app: App, path: str) -> int:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "http_version": "1.1",
    }
    await app(scope, receive, send)
    return int(sent[0]["status"])


async def test_a_server_that_starts_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.server.app.OPENING_SECONDS", 0.01)
    app = App(Config(data=tmp_path), Clock())
    assert [await answer_of(app, path) for path in ("/healthz", "/readyz", "/api/me", "/")] == [503] * 4
    assert (await app.health.ready()).why_not == "starting"


def test_a_server_that_stops_is_not_ready_but_goes_on_serving(own_server: LiveServer) -> None:
    own_server.stop()
    own_server.options = (*ROOMY, "--drain-seconds", "600")
    own_server.start()
    own_server.process.send_signal(signal.SIGTERM)
    end = time.monotonic() + PATIENCE
    while ask(own_server, "/readyz")[0] == 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert ask(own_server, "/readyz") == (503, {"ready": False, "why_not": "stopping"})
    assert ask(own_server, "/healthz")[0] == 200
    assert Person(own_server).create()
    own_server.kill()

"""Caddy with deploy/Caddyfile sends people to the servers that are ready, WebSockets too."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest
from live import PATIENCE, ROOMY, LiveServer, Person, free_port, wait_until
from manifests import ROOT

FILE = ROOT / "deploy/Caddyfile"
CADDY = Path(sys.executable).with_name("caddy")


class Caddy(LiveServer):
    """Caddy in front of servers; people talk to it as to a server."""

    def __init__(self, folder: Path, servers: list[LiveServer]) -> None:
        super().__init__(folder)
        self.environment |= {
            "TABLEE_SITE": self.url,
            "TABLEE_SERVERS": " ".join(f"127.0.0.1:{server.port}" for server in servers),
            "CADDY_ADMIN": f"127.0.0.1:{free_port()}",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
        }

    def start(self) -> LiveServer:
        with self.log.open("wb") as log:
            command = [str(CADDY), "run", "--config", str(FILE), "--adapter", "caddyfile"]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)
        wait_until(lambda: answers(self))
        return self


def answers(server: LiveServer) -> bool:
    try:
        return httpx.get(f"{server.url}/readyz", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def servers(request, tmp_path):
    """Two servers, each with its own tables: here it matters only whether one answers."""
    options = (*ROOMY, *getattr(request, "param", ()))
    both = [LiveServer(tmp_path / name, *options).start() for name in ("one", "two")]
    yield both
    for server in both:
        server.stop()


@pytest.fixture
def caddy(tmp_path, servers):
    running = Caddy(tmp_path / "caddy", servers).start()
    yield running
    running.stop()


def test_the_file_is_valid_and_formatted():
    assert subprocess.run([CADDY, "fmt", FILE], capture_output=True, text=True).stdout == FILE.read_text()
    home = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    check = [str(CADDY), "adapt", "--validate", "--config", str(FILE), "--adapter", "caddyfile"]
    assert subprocess.run(check, capture_output=True, env=home).returncode == 0


def test_people_reach_both_servers(caddy, servers):
    Person(servers[0]).create(public=True)
    seen: list[int] = []

    def both_answered() -> bool:
        seen.append(len(httpx.get(f"{caddy.url}/api/tables", timeout=PATIENCE).json()))
        return {*seen} == {0, 1}

    wait_until(both_answered)


def test_people_play_on_if_a_server_stops(caddy, servers):
    """Caddy tries another server if one refuses, even before its next look at /readyz."""
    servers[0].stop()
    assert [httpx.get(f"{caddy.url}/api/games").status_code for _ in range(10)] == [200] * 10
    person = Person(caddy)
    line = person.open(person.create(bots=["facile"], start=True))
    assert line.expect("state")["view"]
    assert line.ask("ping")["type"] == "done"
    servers[0].start()
    servers[1].kill()
    assert [httpx.get(f"{caddy.url}/api/games").status_code for _ in range(10)] == [200] * 10


@pytest.mark.soak
@pytest.mark.parametrize("servers", [("--drain-seconds", "3")], indirect=True, ids=["drained"])
def test_a_rolling_deploy_refuses_nobody(caddy, servers):
    """While one server after another stops and starts again, Caddy finds one that takes a new table."""
    answers: list[int] = []
    is_over = Event()

    def ask() -> None:
        while not is_over.is_set():
            answers.append(httpx.post(f"{caddy.url}/api/tables", json={"game": "kora"}, timeout=PATIENCE).status_code)

    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask)
        try:
            for server in servers:
                server.stop()
                server.start()
        finally:
            is_over.set()
        asking.result()
    assert {*answers} == {201}

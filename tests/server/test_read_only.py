"""A service without a home folder that may write only into its data folder, as under systemd."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
import pytest
import unprivileged
from live import ROOMY, LiveServer, Person, wait_until

TOKEN = "a-token-for-the-tests"


@pytest.fixture(scope="module")
def package() -> Iterator[Path]:
    """The package where nobody may write, with one game whose bots have a kernel."""
    folder = Path(mkdtemp(prefix="tablee-"))
    yield unprivileged.read_only_copy(folder, "kora", "president")
    unprivileged.allow_removal(folder)
    shutil.rmtree(folder)


@pytest.fixture
def service(package: Path) -> Iterator[LiveServer]:
    """A server as systemd runs it."""
    data = unprivileged.give(Path(mkdtemp(prefix="tablee-data-")))
    live = LiveServer(data, *ROOMY, "--admin-token", TOKEN)
    live.warm = True
    live.command = [*unprivileged.prefix(), sys.executable, "-m", "tablee"]
    live.environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(package), "HOME": "/nonexistent"}
    probe = [*live.command[:-2], "-c", "import tablee; print(tablee.__file__)"]
    said = subprocess.run(probe, env=live.environment, capture_output=True, text=True)
    if not said.stdout.startswith(str(package)):
        pytest.skip(f"an unprivileged user cannot read this checkout: {said.stderr}")
    yield live
    if live.process is not None:
        live.stop()
    shutil.rmtree(data)


def metrics(server: LiveServer) -> str:
    return httpx.get(f"{server.url}/api/admin/metrics", headers={"authorization": f"Bearer {TOKEN}"}).text


def health(server: LiveServer) -> dict[str, Any]:
    answer = httpx.get(f"{server.url}/healthz")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.soak
def test_bots_compile_into_the_data_folder_and_play(service: LiveServer) -> None:
    service.start()
    person = Person(service)
    line = person.open(person.create("president", seats=4, bots=["difficile"] * 3, start=True))
    line.expect("state")
    played = 0
    while played < 3:  # decisions wait until the kernel is compiled
        if (offer := line.latest["offer"]) is not None and offer["must"]:
            line.send("act", offer=offer["number"], action=offer["legal"][0])
        step = line.expect("moved")["step"]
        played += step["seat"] != 0
        assert step["cause"] is None
    assert not any(frame["type"] == "bot_failed" for frame in line.frames)
    assert health(service)["failing"] == []
    assert list((service.data / "cache" / "numba").rglob("*.nbi"))
    assert "tablee_failed_decisions_total{" not in metrics(service)


def test_bots_that_cannot_be_compiled_are_reported_everywhere(service: LiveServer) -> None:
    """The site runs, the log says once what to do, and the table says each time that it plays for a bot."""
    service.environment["NUMBA_CACHE_DIR"] = "/proc/nowhere"
    service.start()
    wait_until(lambda: "bots of president" in health(service)["failing"])
    assert health(service)["status"] == "degraded"
    log = service.log.read_text()
    assert len(re.findall("the bots of president do not work: .* Can the server write to /proc/nowhere", log)) == 1
    assert "Traceback" not in log
    person = Person(service)
    line = person.open(person.create("president", seats=4, bots=["difficile"] * 3, start=True))
    if (offer := line.expect("state")["offer"]) is not None and offer["must"]:
        line.send("act", offer=offer["number"], action=offer["legal"][0])
    seat = line.expect("bot_failed")["seat"]
    while (step := line.expect("moved")["step"])["seat"] != seat:
        pass
    assert step["cause"] == "clock"
    assert 'tablee_failed_decisions_total{game="president"}' in metrics(service)
    assert 'tablee_broken_bots{game="president"} 1.0' in metrics(service)

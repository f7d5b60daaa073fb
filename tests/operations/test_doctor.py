"""`tablee doctor` finds things that are really broken, and says what to do."""

from __future__ import annotations

import json
import os
import socket
import socketserver
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
import unprivileged
from live import ROOMY, LiveServer
from typer.testing import CliRunner

from tablee import __version__
from tablee.cli import main
from tablee.operations import doctor
from tablee.server.config import Config
from tablee.store import open_store


def found(findings: Iterator[doctor.Finding]) -> dict[str, str]:
    """Return what each status was about."""
    return {one.status: f"{one.found} → {one.advice}" for one in findings}


@pytest.fixture
def busy_port() -> Iterator[int]:
    """A port on which another program listens, and answers in its own way."""

    class Greeting(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"220 another program\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeting) as other:
        Thread(target=other.serve_forever, args=(0.01,)).start()
        yield other.server_address[1]
        other.shutdown()


def test_a_machine_that_is_well_passes_every_check(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    findings = doctor.examine(Config(data=tmp_path / "data"), "127.0.0.1", port)
    assert [one for one in findings if one.status == "failure" and one.check != "client"] == []
    assert {one.check for one in findings} == {
        *("python", "packages", "client", "data folder", "disk", "database", "bus", "clock", "port"),
        "compiled kernels",
    }
    assert all(one.advice for one in findings if one.status != "ok")
    assert not (tmp_path / "data").exists()


def test_the_command_prints_json_and_exits_with_1_if_something_is_broken(tmp_path: Path, busy_port: int) -> None:
    (tmp_path / "data").write_text("a file")
    options = ["doctor", "--json", "--data", str(tmp_path / "data"), "--port", str(busy_port)]
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert answer["ok"] is False
    broken = {one["check"]: one for one in answer["findings"] if one["status"] == "failure"}
    assert {"data folder", "port"} <= set(broken)
    assert "is a file" in broken["data folder"]["found"]
    assert str(busy_port) in broken["port"]["found"]
    said = CliRunner().invoke(main, [one for one in options if one != "--json"])
    assert said.exit_code == 1
    assert "✗ port" in said.stdout


def test_a_port_and_a_database_that_tablee_itself_uses_are_well(tmp_path: Path) -> None:
    server = LiveServer(tmp_path / "server", *ROOMY).start()
    try:
        assert f"Tablée {__version__} answers" in found(doctor.check_port("127.0.0.1", server.port))["ok"]
        findings = [*doctor.check_database(Config(data=server.data))]
        assert [one.status for one in findings] == ["ok", "ok"]
        assert "a server uses it now" in findings[-1].found
    finally:
        server.stop()


def test_a_folder_that_this_user_may_not_write_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o555)
    tmp_path.chmod(0o755)
    program = f"""
from pathlib import Path
from threading import Thread
from tablee.operations.doctor import check_folder
print(*check_folder(Path({str(folder)!r})))
"""
    command = [*unprivileged.prefix(), sys.executable, "-c", program]
    for parent in [tmp_path, *tmp_path.parents]:
        if parent.owner() == "root" and parent != Path("/") and "pytest" in parent.name:
            parent.chmod(0o755)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert "failure" in said.stdout, said.stdout + said.stderr
    assert "may not write" in said.stdout
    assert "chown" in said.stdout


def test_a_missing_parent_folder_is_found(tmp_path: Path) -> None:
    assert "Is --data spelled right?" in found(doctor.check_folder(tmp_path / "no" / "data"))["failure"]


def test_a_key_that_others_can_read_is_found(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_bytes(b"x" * 32)
    (tmp_path / "secret.key").chmod(0o644)
    assert "chmod 600" in found(doctor.check_folder(tmp_path))["warning"]


def test_a_full_disk_and_a_slow_one_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LEAST_SPACE", 1 << 62)
    monkeypatch.setattr(doctor, "SLOW_SYNC", 0.0)
    statuses = found(doctor.check_disk(tmp_path))
    assert "Free some space" in statuses["failure"]
    assert "SSD" in statuses["warning"]
    assert list(tmp_path.iterdir()) == []


async def test_a_database_of_another_step_is_found(tmp_path: Path) -> None:
    config = Config(data=tmp_path)
    await (await open_store(config.database_url)).close()
    assert found(doctor.check_database(config)).keys() == {"ok"}
    file = config.database_file
    assert file is not None
    for step, status, words in (("3", "ok", "Make a backup first"), ("9999", "failure", "newer Tablée")):
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = ?", [step])
        said = [one for one in doctor.check_database(config) if words in one.found]
        assert [one.status for one in said] == [status]


def test_a_damaged_database_is_found(tmp_path: Path) -> None:
    (tmp_path / "tablee.db").write_bytes(b"no database " * 500)
    assert "tablee restore" in found(doctor.check_database(Config(data=tmp_path)))["failure"]


def test_a_database_server_that_is_down_is_found_and_its_password_is_not_shown(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    config = Config(data=tmp_path, database=f"postgresql://ada:s3cret@127.0.0.1:{port}/tablee")
    said = found(doctor.check_database(config))["failure"]
    assert "Is PostgreSQL running" in said
    assert "s3cret" not in said
    assert "must be sqlite" in found(doctor.check_database(Config(data=tmp_path, database="mysql://x")))["failure"]


def test_a_bus_that_is_down_or_no_bus_is_found(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        listener.close()
        down = Config(data=tmp_path, bus=f"nats://ada:s3cret@127.0.0.1:{port}")
    said = found(doctor.check_bus(down))["failure"]
    assert "Is nats-server running" in said
    assert "s3cret" not in said


def test_a_clock_before_the_installation_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "time", lambda: 0.0)
    assert "Set the clock" in found(doctor.check_clock(Config(data=tmp_path)))["failure"]


def test_an_old_or_missing_package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "requires", lambda name: ["msgspec>=99.1", "there-is-no-such-package>=1"])
    said = found(doctor.check_packages())["failure"]
    assert "is older than 99.1" in said
    assert "there-is-no-such-package is missing" in said

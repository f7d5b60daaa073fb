"""What an operator sees at the start: one sentence if the server cannot start, else its address once it answers."""

import asyncio
import inspect
import json
import logging
import os
import re
import socket
import sqlite3
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from urllib.parse import urlsplit

import httpx
import pytest
import unprivileged
from live import ROOMY, LiveServer, Person, free_port, wait_until
from postgres import PostgresServer
from sqlalchemy.engine import make_url
from typer.main import get_command

from tablee.cli import main
from tablee.cli.serve import serve
from tablee.server.app import App
from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.start import CannotStart, address_of, listen, locked, prepare_data, tell_of_new_house
from tablee.store import StoreDown

pytestmark = pytest.mark.one_server("it looks into the data folder of one server")

SERVE = [sys.executable, "-m", "tablee", "serve", "--no-warm-up", "--workers", "1"]


def why_not(*options: object, command: list[str] = SERVE) -> str:
    """Start a server that cannot start; return the one line that it prints."""
    done = subprocess.run([*command, *map(str, options)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if "INFO" not in line]
    assert len(said) == 1, done.stderr
    return said[0]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that an unprivileged user can reach; pytest's own folders are private."""
    path = Path(mkdtemp(prefix="tablee-"))
    path.chmod(0o755)
    yield path
    unprivileged.allow_removal(path)
    subprocess.run(["rm", "-rf", str(path)], check=True)


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "tablee.db").write_bytes(b"no database" * 1000)
    assert re.fullmatch(r"tablee: .*tablee\.db.* not a database.*", why_not("--data", tmp_path, "--port", free_port()))


def test_a_database_of_a_newer_version_is_one_sentence(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "tablee.db") as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("CREATE TABLE events (code TEXT)")
    database.close()
    assert "tablee.db was written by a newer Tablée" in why_not("--data", tmp_path, "--port", free_port())


def test_a_wrong_database_url_is_one_sentence_without_the_password(tmp_path: Path) -> None:
    url = "postgresql://anne:geheim@127.0.0.1"
    said = why_not("--data", tmp_path, "--port", free_port(), "--database", url)
    assert said.startswith("tablee: the URL of the database must be sqlite:///PATH or postgresql://")
    assert "geheim" not in said


def test_a_missing_folder_of_the_database_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="Is --database spelled right"):
        locked(tmp_path / "absent" / "tablee.db").__enter__()


def test_the_server_waits_for_its_database_and_survives_its_absence(
    tmp_path: Path, postgres: PostgresServer, postgres_url: str
) -> None:
    bus = f"nats://127.0.0.1:{free_port()}"  # nothing listens there, and players must not notice
    live = LiveServer(tmp_path / "server", *ROOMY, "--database", postgres_url, "--bus", bus)
    live.log.touch()
    postgres.stop()
    starting = Thread(target=live.start)
    starting.start()
    try:
        wait_until(lambda: "waiting for the database: PostgreSQL at 127.0.0.1" in live.log.read_text())
        assert httpx.get(f"{live.url}/readyz").json() == {"ready": False, "why_not": "starting"}
        assert httpx.get(f"{live.url}/healthz").json()["status"] == "starting"
    finally:
        postgres.start()
        starting.join()
    try:
        person = Person(live)
        line = person.open(person.create())
        line.expect("table")
        assert httpx.get(f"{live.url}/healthz").json()["failing"] == ["bus"]
        postgres.stop()
        try:
            answer = person.http.post("/api/tables", json={"game": "kora"})
            assert (answer.status_code, answer.json()) == (503, {"code": "store_down", "values": {}})
            assert line.refused("say", text="bonjour")["code"] == "store_down"
            wait_until(lambda: httpx.get(f"{live.url}/healthz").json()["failing"] == ["store", "bus"])
            wait_until(lambda: live.log.read_text().count("tablee.failed_writes") >= 4)
        finally:
            postgres.start()
        wait_until(lambda: httpx.get(f"{live.url}/readyz").is_success)
        assert line.ask("say", text="bonjour")["type"] == "done"
        wait_until(lambda: " works again" in live.log.read_text())
    finally:
        live.stop()
    log = live.log.read_text()
    assert "Traceback" not in log
    outage = log.partition("Admin page")[2].splitlines()
    problems = [line for line in outage if " WARNING " in line or " ERROR " in line]
    assert [line for line in problems if "tablee.failed_writes" not in line and "tablee.bus" not in line] == [
        line for line in problems if line.endswith(" works again")
    ]
    assert log.count(" works again") == 1
    failed = Counter(line[:19] for line in problems if "tablee.failed_writes" in line)  # by second
    assert set(failed.values()) == {1}
    assert "StoreDown(" not in log


class Hurried(Clock):
    """A clock whose pauses take no time."""

    def __init__(self) -> None:
        self.at = 1000.0

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds


async def test_the_log_says_every_ten_seconds_that_the_database_is_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock, failures = Hurried(), list[Exception | None]()
    url = f"postgresql://anne@127.0.0.1:{free_port()}/tablee"
    await App(Config(data=tmp_path, database=url), clock, failures.append)._keep_house(asyncio.Event())
    assert [type(failure) for failure in failures] == [StoreDown]
    assert clock.at == 1060
    assert len(caplog.messages) == 6
    assert all(line.startswith("waiting for the database: PostgreSQL at 127.0.0.1") for line in caplog.messages)


def test_a_login_that_is_refused_is_one_sentence_at_once(tmp_path: Path, postgres_url: str) -> None:
    url = make_url(postgres_url).set(username="nobody").render_as_string(hide_password=False)
    said = why_not("--data", tmp_path, "--port", free_port(), "--database", url)
    assert re.match(r"tablee: PostgreSQL at .*(role \"nobody\" does not exist|authentication failed)", said)


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert why_not("--data", tmp_path, "--port", port) == (
            f"tablee: port {port} is taken on 127.0.0.1. Stop the program that uses it, or choose another --port"
        )


def test_a_folder_where_the_server_may_not_write_is_one_sentence(folder: Path) -> None:
    data = folder / "data"
    data.mkdir()
    data.chmod(stat.S_IRUSR | stat.S_IXUSR | stat.S_IROTH | stat.S_IXOTH)
    said = why_not("--data", data, "--port", free_port(), command=[*unprivileged.prefix(), *SERVE])
    assert said.startswith(f"tablee: {data}: this user may not write there (")


def test_a_second_server_on_the_same_file_refuses_to_start(own_server: LiveServer) -> None:
    said = why_not("--data", own_server.data, "--port", free_port())
    assert f"tablee.db is in use: `tablee serve` runs already (process {own_server.process.pid})" in said
    index = subprocess.run(
        [sys.executable, "-m", "tablee", "index", "--data", own_server.data], capture_output=True, text=True
    )
    assert (index.returncode, index.stdout) == (1, "")
    assert "tablee.db is in use" in index.stderr
    own_server.kill()
    own_server.start()  # the lock of a dead server is free


def test_a_lock_is_free_again_after_its_holder(tmp_path: Path) -> None:
    with locked(tmp_path / "tablee.db"), pytest.raises(CannotStart, match=f"process {os.getpid()}"):
        locked(tmp_path / "tablee.db").__enter__()
    with locked(tmp_path / "tablee.db"):
        pass


def test_the_data_folder_is_made_only_beside_other_folders(tmp_path: Path) -> None:
    prepare_data(tmp_path / "data")
    prepare_data(tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
    with pytest.raises(CannotStart, match=r"there is no folder .*/dta\. Is --data spelled right\?"):
        prepare_data(tmp_path / "dta" / "tablee")
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "data"):
        with pytest.raises(CannotStart, match=r"is a file|cannot be created"):
            prepare_data(path)


def test_a_new_house_beside_another_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    here = tmp_path / "srv" / "games"

    def said(folder: Path, *, is_usual: bool = False) -> tuple[str, str]:
        caplog.clear()
        tell_of_new_house(folder / "tablee.db", is_usual=is_usual)
        [record] = caplog.records
        start, _, rest = record.getMessage().partition(f"creating {folder}/tablee.db, an empty house")
        assert start == "there is no database yet: "
        return record.levelname, rest

    caplog.set_level(logging.INFO, "tablee.server")
    (here / "huose").mkdir(parents=True)
    assert said(here / "huose") == ("WARNING", "")
    assert said(here / "huose", is_usual=True) == ("INFO", "")
    (here / "house").mkdir()
    (here / "house" / "tablee.db").touch()
    warning = "WARNING", f". There is a house in {here}/house: is --data spelled right?"
    assert said(here / "huose") == said(here / "huose", is_usual=True) == warning
    assert said(here) == said(here / "house" / "data") == warning
    for name in "abc":
        (here / name).mkdir()
        (here / name / "tablee.db").touch()
    assert f" in {here}/a, {here}/b, {here}/c, …: " in said(here / "huose")[1]


def test_only_a_folder_that_was_chosen_is_a_warning(tmp_path: Path) -> None:
    live = LiveServer(tmp_path / "huose", *ROOMY).start()
    live.stop()
    assert f"WARNING tablee.server: there is no database yet: creating {live.data}" in live.log.read_text()
    environment = {name: value for name, value in os.environ.items() if name != "TABLEE_DATA"}
    port, folder = str(free_port()), tmp_path / "quiet" / "place"
    folder.mkdir(parents=True)
    with subprocess.Popen(
        [*SERVE, "--port", port], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    ) as usual:
        assert usual.stderr is not None
        assert f"INFO tablee.server: there is no database yet: creating {folder}/data" in usual.stderr.readline()
        usual.terminate()


def test_a_read_only_file_system_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "read-only")

    monkeypatch.setattr("tablee.server.start.TemporaryFile", refuse)
    with pytest.raises(CannotStart, match="Read-only file system"):
        prepare_data(tmp_path)


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "a" * 70])
def test_a_wrong_host_is_one_sentence(host: str) -> None:
    with pytest.raises(CannotStart, match=f"^--host {host}: (this machine has|there is) no such address$"):
        listen(host, free_port())


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("tablee.example.org", "http://tablee.example.org:8000"),
        ("::1", "http://[::1]:8000"),
        ("::", "http://[::1]:8000"),
        ("0.0.0.0", "http://localhost:8000"),
    ],
)
def test_an_address_can_be_opened(host: str, address: str) -> None:
    assert address_of(host, 8000) == address
    httpx.URL(address)


def test_the_address_of_every_ipv6_address_can_be_opened() -> None:
    port = free_port()
    try:
        [opened] = listen("::", port)
    except CannotStart:
        pytest.skip("this machine has no IPv6")
    with opened, socket.create_connection((urlsplit(address_of("::", port)).hostname, port), timeout=10):
        pass


def test_the_address_is_printed_once_the_server_answers(own_server: LiveServer) -> None:
    text = own_server.log.read_text()
    assert text.count("Tablée: ") == 1
    link = re.search(r"Admin page: (http\S+)/admin#(\S{24})", text)
    assert link is not None
    token = {"authorization": f"Bearer {link[2]}"}
    assert httpx.get(f"{link[1]}/api/admin/overview", headers=token).status_code == 200
    assert f"creating {own_server.data / 'tablee.db'}" in text
    own_server.stop()
    own_server.start()
    assert own_server.log.read_text().count("creating") == 1


def test_no_token_is_in_a_json_log(tmp_path: Path) -> None:
    live = LiveServer(tmp_path / "server", *ROOMY, "--log", "json").start()
    httpx.post(f"{live.url}/api/admin/announce", json={"text": "x"}, headers={"authorization": "Bearer guess"})
    live.stop()
    lines = [json.loads(line) for line in live.log.read_text().splitlines()]
    assert [line["address"] for line in lines if "address" in line] == [live.url]
    assert not any("#" in line["message"] for line in lines)


def test_a_chosen_token_is_never_printed(tmp_path: Path) -> None:
    token = "not-for-other-eyes"
    live = LiveServer(tmp_path / "server", *ROOMY)
    live.environment["TABLEE_ADMIN_TOKEN"] = token
    live.start()
    live.stop()
    assert "/admin" in live.log.read_text()
    assert token not in live.log.read_text()


def options_of_serve() -> list[tuple[str, str]]:
    command = get_command(main).commands["serve"]  # type: ignore[attr-defined]
    return [(one.opts[0], one.envvar) for one in command.params if one.name != "help"]


def test_every_option_has_an_environment_variable() -> None:
    for option, variable in options_of_serve():
        assert variable == "TABLEE_" + option.removeprefix("--").replace("-", "_").upper()


def test_the_help_shows_every_option_whole_at_80_columns() -> None:
    shown = subprocess.run(
        [*SERVE, "--help"], env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True
    ).stdout
    assert all(len(line) <= 80 for line in shown.splitlines())
    for option, _ in options_of_serve():
        assert re.search(rf"^  {option} ", shown, re.MULTILINE)
    assert shown.count("default:") == len(options_of_serve())


def test_the_defaults_of_the_options_are_those_of_the_config() -> None:
    for name, parameter in inspect.signature(serve).parameters.items():
        if name in Config.__struct_fields__ and name not in ("workers", "study_workers"):  # depend on the machine
            assert getattr(Config(), name) == parameter.default, name
